"""The guide: take the question in, list the files, hand the work over; or say it is outside."""

from __future__ import annotations

import re
from dataclasses import replace

from workbench.models.planner import task
from workbench.models.planner.asking import Asking, NotYet
from workbench.models.planner.clauses import Clause, split
from workbench.models.planner.exchange import Exchange
from workbench.models.planner.orchestrator import read_result
from workbench.models.planner.range import HEADING, NoAnswer, listing, outside, unanswered
from workbench.models.planner.tables_at_hand import Files, pick
from workbench.models.planner.task import WORDS_MOST, Task

_HELP = re.compile(
    r"^\W*(?:help|hello|hi|what can you do|what do you (?:understand|know)|how do (?:i|you) "
    r"(?:use|work)[^.]*|which questions[^.]*)\W*$",
    re.IGNORECASE,
)


def work(exchange: Exchange, asking: Asking) -> str | NoAnswer | None:
    """Go as far as the answers reach: words to the analyst, or None while calls are wanted."""
    given = task.read(exchange.question)
    question = given.words
    if _HELP.match(question):
        return f"{HEADING}\n\nIt understands these questions, also joined by “and”:\n\n{listing()}"
    clauses = split(question, exchange.earlier)
    if not any(clause.kind for clause in clauses):
        return unanswered([outside(question)])
    words = _words(question, clauses)
    if len(words) > WORDS_MOST:
        most = f"{WORDS_MOST:,}; ask for one thing after the other"
        return unanswered([f"the question has {len(words):,} characters, at most {most}"])
    try:
        return _handed_over(asking, words, clauses, given.files, exchange.before)
    except NotYet:
        return None


def _handed_over(
    asking: Asking, words: str, clauses: list[Clause], given: tuple[str, ...], before: str
) -> str | NoAnswer:
    files = Files(given)
    if not given:
        told = asking.ask("list_files")
        if told.error:
            return unanswered([f"the files could not be listed: {told.error}"])
        files = pick(told, words)
    if not files.names:
        return unanswered(
            ["there is no table among the files; give a folder that has one (--data)"]
        )
    objective = Task(words, files.names, left=files.left, before=before).text()
    agents = {clause.agent for clause in clauses if clause.agent}
    if len(agents) == 1 and not any(clause.follows for clause in clauses):
        came = asking.raw("ask_specialist", agent=agents.pop(), objective=objective, final=True)
    else:
        came = asking.raw("ask_orchestrator", objective=objective, final=True)
    # Only what is not final, or failed, comes back here.
    result = read_result(came)
    found = [text for text in result.results if text != HEADING]
    if not found:
        return unanswered(result.errors or ("nothing came back",))
    return replace(result, results=(HEADING, *found)).words()


def _words(question: str, clauses: list[Clause]) -> str:
    """Return the question; with what "them" and "it" stood for, where an earlier one says."""
    alone = [clause.text for clause in split(question)]
    meant = [clause.text for clause in clauses]
    return question if alone == meant else ".\n".join(meant)
