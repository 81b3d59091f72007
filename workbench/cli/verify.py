"""``verify``: a past run, or a report of one, recomputed without a model and compared."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

from workbench import past
from workbench.cli.terminal import out, out_json, table
from workbench.cli.usage import add_data, add_json
from workbench.comparing import Row
from workbench.errors import Refused
from workbench.recorded import Recorded
from workbench.verifying import Verification, verify_recorded

_CELL = 72
_HASH = 64


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``verify``."""
    parser.add_argument(
        "run", metavar="RUN", help="id of a run, a part of it, or a report (.ipynb)"
    )
    add_data(parser, required=False)
    add_json(parser)


def run_verify(arguments: argparse.Namespace) -> int:
    """Recompute and compare; exit status 1 where anything differs."""
    results = past.results_of(arguments.data, arguments.results)
    recorded = _recorded(arguments.run, results)
    # On a terminal the line is written over; in a log there is none.
    progress = _told if sys.stderr.isatty() and not arguments.json else None
    found = verify_recorded(recorded, arguments.data, progress)
    if arguments.json:
        out_json(found.to_json())
    else:
        out(shown(found))
    return 0 if found.same else 1


def _recorded(name: str, results: Path) -> Recorded:
    place = Path(name)
    if place.suffix != ".ipynb":
        return Recorded.of(past.find(results, name))
    try:
        metadata = json.loads(place.read_text(encoding="utf-8"))["metadata"]["workbench"]
        run, _ = str(metadata["run"]), metadata["record"]
    except OSError as error:
        raise Refused(f"report '{name}': {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise Refused(
            f"report '{name}': it carries no run; make it with workbench report RUN"
        ) from None
    recorded = Recorded.from_json(metadata["record"], results / Path(run).name)
    # What the report shows is what is compared with the record that it carries.
    shown_there = {key: metadata[key] for key in ("answer", "claims") if key in metadata}
    return replace(recorded, view={**recorded.view, **shown_there})


def _told(words: str) -> None:
    print(f"\r\x1b[2K{words}", end="", file=sys.stderr, flush=True)


def shown(found: Verification) -> str:
    """Return the table and the sentence that sums it up; hashes by their starts."""
    rows = [
        ("ok" if row.same else "DIFFERS", row.kind, row.what, _short(row.recorded), _short(row.now))
        for row in sorted(found.rows, key=_failing_last)
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
