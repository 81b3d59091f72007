"""``verify``: a past run, or a report of one, recomputed without a model and compared."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from workbench.cli.terminal import out, out_json, table
from workbench.cli.usage import add_data, add_json
from workbench.report.carried import FORMS
from workbench.runs import past
from workbench.runs.comparing import Row
from workbench.runs.recorded import Recorded
from workbench.runs.redoing import Outcome, Redoing
from workbench.runs.verifying import SHOWN, Progress, Verification, verify_recorded

_CELL = 72
_HASH = 64


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``verify``."""
    parser.add_argument(
        "run", metavar="RUN", help="id of a run, a part of it, or a report (.ipynb, .html, .md)"
    )
    add_data(parser, required=False)
    add_json(parser)


def run_verify(arguments: argparse.Namespace) -> int:
    """Recompute and compare; exit status 1 where anything differs."""
    results = past.results_of(arguments.data, arguments.results)
    # On a terminal the line is written over; in a log there is none.
    progress = _told if sys.stderr.isatty() and not arguments.json else None
    if Path(arguments.run).suffix.casefold() in FORMS:
        found = _report(Path(arguments.run), results, arguments.data, progress)
    else:
        run = Recorded.of(past.find(results, arguments.run))
        found = verify_recorded(run, arguments.data, progress)
    if arguments.json:
        out_json(found.to_json())
    else:
        out(shown(found))
    return 0 if found.same else 1


def _report(
    place: Path, results: Path, data: str | None, progress: Progress | None
) -> Verification:
    """Verify a report: the run that it carries, and what it shows against that run."""
    from workbench.report import carried, rechecked

    words, told = carried.of_file(place)
    folder = results / Path(str(told.get("run"))).name
    recorded = Recorded.from_json(told["record"], folder)
    # What the report tells is compared with the record that it carries.
    telling = {key: told[key] for key in ("answer", "claims") if key in told}
    claimed = replace(recorded, view=dict(recorded.view) | telling)

    def also(outcomes: list[Outcome], again: Redoing) -> list[Row]:
        hashes = {item.id: item.sha256 for item in again.run.artefacts.all()}
        made = rechecked.Again(recorded, outcomes, again.run.records.folder, hashes)
        return rechecked.rows(place, words, told["record"].get("report") or {}, made)

    return verify_recorded(claimed, data, progress, also)


def _told(words: str) -> None:
    print(f"\r\x1b[2K{words}", end="", file=sys.stderr, flush=True)


def shown(found: Verification) -> str:
    """Return the table and the sentence that sums it up; hashes by their starts."""
    rows = [
        ("ok" if row.same else "DIFFERS", row.kind, row.what, _short(row.recorded), _short(row.now))
        for row in sorted(found.rows, key=_failing_last)
        if not (row.same and row.kind in SHOWN)
    ]
    head = table(("", "what", "which", "recorded", "now"), rows, _CELL)
    changed = [
        f"input {row.what}: recorded {row.recorded}, now {row.now}"
        for row in found.rows
        if row.kind == "input" and not row.same
    ]
    return "\n".join([head, "", *changed, found.summary()])


def _failing_last(row: Row) -> bool:
    return not row.same


def _short(text: str) -> str:
    return f"{text[:12]}…" if len(text) == _HASH and text.isalnum() else text
