"""The orchestrator: one dispatch for each specialist the question needs, then the results joined.

Dispatches that do not need each other go out together; a figure of groups waits for the groups.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from workbench.context.result import Result
from workbench.models.planner import task
from workbench.models.planner.asking import Asking, NotYet
from workbench.models.planner.clauses import Clause, split
from workbench.models.planner.exchange import Exchange
from workbench.models.planner.range import HEADING, OUTSIDE
from workbench.models.planner.specialist import Ending, tables_last
from workbench.models.planner.task import WORDS_MOST, Task

_GROUP_FILE = re.compile(r"results/…/[^\s;]+_kmeans_[\w.-]*?\.csv")


def work(exchange: Exchange, asking: Asking) -> Ending | None:
    """Go as far as the results reach; None while dispatches are wanted."""
    given = task.read(exchange.question)
    clauses = split(given.words)
    results: list[Result] = []
    for agent, part in _parts([c for c in clauses if c.kind and not c.follows]):
        _collect(asking, results, agent, replace(given, words=part, whole=_whole(given)))
    following = [clause for clause in clauses if clause.follows]
    errors = [f"“{c.text}” is {OUTSIDE}; it was left unanswered" for c in clauses if not c.kind]
    if asking.wanted:
        return None
    if following:
        errors += _follow(asking, results, given, following)
    if asking.wanted:
        return None
    return _joined(results, errors)


def _parts(clauses: list[Clause]) -> list[tuple[str, str]]:
    """Return each specialist with the clauses it answers, in the order of the question."""
    parts: dict[str, list[str]] = {}
    for clause in clauses:
        parts.setdefault(clause.agent, []).append(clause.text.rstrip(".;, "))
    return [(agent, ".\n".join(texts) + ".") for agent, texts in parts.items()]


def _whole(given: Task) -> str:
    return given.words[:WORDS_MOST]


def _collect(asking: Asking, results: list[Result], agent: str, part: Task) -> None:
    """Send a specialist, or read what came back."""
    try:
        told = asking.raw("dispatch", agent=agent, objective=part.text())
    except NotYet:
        return
    results.append(read_result(told))


def _follow(
    asking: Asking, results: list[Result], given: Task, following: list[Clause]
) -> list[str]:
    """Send what works on the groups, with their file; return what stands against it."""
    paths = [hit[0] for r in results for text in r.results for hit in _GROUP_FILE.finditer(text)]
    if not paths:
        return [f"“{clause.text}”: there are no groups to draw" for clause in following]
    for agent, part in _parts(following):
        _collect(asking, results, agent, Task(part, (paths[-1],), _whole(given)))
    return []


def read_result(told: str) -> Result:
    """Read what a dispatch handed back; anything else is an error of it, in its own words."""
    start = told.find("{")
    try:
        return Result.of(json.JSONDecoder().raw_decode(told[start:])[0] if start >= 0 else None)
    except (ValueError, RecursionError):
        return Result.failed(told.removeprefix("error: ").strip() or "no result came back")


def _joined(results: list[Result], errors: list[str]) -> Ending:
    texts = [text for r in results for text in r.results if text != HEADING]
    told = [text for r in results for text in r.errors]
    everything = tuple(dict.fromkeys([*told, *errors]))
    return Ending((HEADING, *tables_last(texts)), everything, whole=bool(texts))
