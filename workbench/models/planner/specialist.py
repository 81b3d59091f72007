"""A specialist: look at the tables, answer each clause, finish with a result.

It knows its objective and what its own calls brought. Where it speaks to the analyst directly, its
result begins with the heading; as part of a larger question it does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from workbench.models.planner import (
    agreeing,
    analysing,
    anomalies,
    checking,
    combining,
    counting,
    deriving,
    drawing,
    drilling,
    grouping,
    joining,
    looking,
    nondetects,
    relating,
    repeats,
    selecting,
    sourced,
    spacing,
    task,
    thresholds,
    together,
    whole,
)
from workbench.models.planner.asking import Asking, NotYet
from workbench.models.planner.clauses import Clause, split
from workbench.models.planner.exchange import Exchange
from workbench.models.planner.range import HEADING, OUTSIDE, outside
from workbench.models.planner.tables_at_hand import Files, Library, look, pick
from workbench.models.planner.task import Task
from workbench.models.planner.unused import ALL_ROWS, unused
from workbench.models.planner.within import narrowed, rows_said
from workbench.models.planner.wording import listed
from workbench.models.planner.work import Answering, CannotAnswer, Finding, Work
from workbench.sources import placing

ANSWERS: Mapping[str, Answering] = {
    "sql": looking.query,
    "issues": whole.issues,
    "convert": whole.convert,
    "export": whole.export,
    "index": whole.index,
    "merge": joining.merge,
    "iron": combining.total_iron,
    "best": combining.best_value,
    "fill": combining.fill,
    "space": spacing.near_anomalies,
    "agreement": agreeing.agreement,
    "logratio": selecting.log_ratio,
    "ratio": deriving.ratio,
    "smooth": deriving.smooth,
    "aggregate": deriving.aggregate,
    "histogram": drawing.histogram,
    "map": drawing.draw_map,
    "scatter": drawing.scatter,
    "cluster": grouping.cluster,
    "families": together.element_groups,
    "pca": together.components,
    "outlying": together.outlying,
    "censored": nondetects.statistics,
    "thresholds": thresholds.compare,
    "anomaly": anomalies.anomaly,
    "correlate": relating.correlate,
    "limits": looking.limits,
    "missing": looking.missing,
    "repeats": repeats.repeats,
    "check": checking.check,
    "top": analysing.highest,
    "summary": analysing.summary,
    "filter": selecting.keep,
    "drilled": drilling.drilled,
    "count": counting.count,
    "inventory": looking.inventory,
    "describe": looking.describe,
}
# Kinds whose answer takes a condition into account, or is told to pass over it; for any other the
# rows it speaks of are kept first.
_CONDITIONED = ALL_ROWS | {"filter", "sql"}


@dataclass(frozen=True)
class Ending:
    """What an agent finishes with."""

    results: tuple[str, ...]
    errors: tuple[str, ...]
    whole: bool

    @property
    def status(self) -> str:
        """Success, partial or error."""
        if not self.whole:
            return "error"
        return "partial" if self.errors else "success"

    def arguments(self) -> dict[str, object]:
        """Return the arguments of finish."""
        texts, claims = sourced.claimed([*self.results, *self.errors])
        results, errors = texts[: len(self.results)], texts[len(self.results) :]
        given: dict[str, object] = {"status": self.status, "results": results}
        more = {"errors": errors, "claims": claims}
        return given | {key: value for key, value in more.items() if value}


def work(exchange: Exchange, asking: Asking) -> Ending | None:
    """Go as far as the answers reach; None while calls are wanted.

    Parameters
    ----------
    exchange : Exchange
        The request.
    asking : Asking
        Its calls.
    """
    given = task.read(exchange.question)
    clauses = split(given.words)
    try:
        library = _library(asking, given, clauses)
    except NotYet:
        return None
    findings = _findings(asking, given, clauses, library)
    if asking.wanted:
        return None
    return _ending(given, clauses, findings, library)


def _library(asking: Asking, given: Task, clauses: list[Clause]) -> Library:
    """Return the tables the clauses need; none for a query, which names its own."""
    kinds = {clause.kind for clause in clauses}
    if not kinds - {None, "sql"}:
        return Library(())
    files = Files(given.files, given.left)
    if not files.names:
        files = pick(asking.ask("list_files"), f"{given.words} {given.whole}")
    return replace(look(asking, files.names), left=files.left)


def _findings(
    asking: Asking, given: Task, clauses: list[Clause], library: Library
) -> list[Finding]:
    whole = split(given.whole) if given.whole else clauses
    findings = []
    for clause in clauses:
        job = Work(asking, clause, whole, library.cards, given.files, library.left, given.before)
        try:
            findings.append(_answer(job))
        except CannotAnswer as error:
            findings.append(Finding(errors=(str(error),)))
        except NotYet:
            findings.append(Finding())
    return findings


def _answer(job: Work) -> Finding:
    kind = job.clause.kind
    if kind is None:
        raise CannotAnswer(f"“{job.text}” is {OUTSIDE}; it was left unanswered")
    if kind not in _CONDITIONED and job.cards:
        job = narrowed(job)
    found = ANSWERS[kind](job)
    clause = job.clause
    if kind == "filter":
        clause = replace(clause, text=rows_said(job)[2])
    beside = job.pool if kind == "merge" else ()
    left = unused(clause, job.card if job.cards else None, beside)
    if not left or not found.results:
        return found
    words = listed([f"“{word}”" for word in left], 6)
    # Before the numbers: they answer the question without these words.
    return replace(found, results=(f"Not taken into account: {words}.", *found.results))


def _ending(
    given: Task, clauses: list[Clause], findings: list[Finding], library: Library
) -> Ending:
    results = [text for finding in findings for text in finding.results]
    errors = [text for finding in findings for text in finding.errors]
    if errors and not library.cards:
        errors += library.unread
    heading = () if given.whole else (HEADING,)
    if not results and all(clause.kind is None for clause in clauses):
        return Ending((*heading, outside(given.words)), (), whole=False)
    return Ending(
        (*heading, *tables_last(results)), tuple(dict.fromkeys(errors)), whole=bool(results)
    )


def tables_last(results: list[str]) -> list[str]:
    """Return paragraphs, each once, those on the tables used at the end."""
    once = list({placing.plain(sourced.plain(text)): text for text in results}.values())
    return sorted(once, key=lambda text: text.startswith("Table: "))
