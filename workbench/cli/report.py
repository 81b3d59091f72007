"""``report``: a run as a notebook that recomputes its numbers, and in other forms."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench import past
from workbench.cli.terminal import near, out
from workbench.cli.usage import Usage, add_data


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``report``."""
    parser.add_argument(
        *("run",), metavar="RUN", nargs="?", help="id of a run, or a part of it (default: newest)"
    )
    parser.add_argument(
        *("-o", "--out"),
        metavar="FILE",
        action="append",
        help="FILE.ipynb, .html, .md, .pdf or a folder; again for more (default: with the run)",
    )
    add_data(parser, required=False)


def run_report(arguments: argparse.Namespace) -> int:
    """Write the report of a run."""
    from workbench.report import writing

    folder = _folder(arguments)
    targets = [writing.place(folder, one) for one in arguments.out or [None]]
    for path in writing.write(folder, targets):
        out(near(path))
    return 0


def _folder(arguments: argparse.Namespace) -> Path:
    """Return the run that is meant: a folder, an id or a part of one, else the newest."""
    if arguments.run and (Path(arguments.run) / "events.jsonl").is_file():
        return Path(arguments.run).resolve()
    results = past.results_of(arguments.data, arguments.results)
    return past.find(results, arguments.run or _newest(results))


def _newest(results: Path) -> str:
    found = past.runs(results)
    if not found:
        raise Usage(f"report: no runs in '{results}' yet; ask a question with workbench ask")
    return found[0].run
