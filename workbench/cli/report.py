"""``report``: a run as a notebook that recomputes its numbers, and in other forms."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.terminal import err, near, out
from workbench.cli.usage import Usage, add_data
from workbench.errors import WorkbenchError
from workbench.runs import past


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``report``."""
    parser.add_argument(
        *("run",),
        metavar="RUN",
        nargs="?",
        help="id of a run, or a report (.ipynb) (default: newest)",
    )
    parser.add_argument(
        *("-o", "--out"),
        metavar="FILE",
        action="append",
        help="FILE.ipynb, .html, .md, .pdf or a folder; again for more (default: with the run)",
    )
    parser.add_argument("--all", action="store_true", help="of every run, each with its run")
    add_data(parser, required=False)


def run_report(arguments: argparse.Namespace) -> int:
    """Write the report of a run, or of all."""
    from workbench.report import writing

    if arguments.all:
        return _all(arguments)
    if arguments.run and arguments.run.endswith(".ipynb"):
        return _of_notebook(Path(arguments.run), arguments.out or [])
    folder = _folder(arguments)
    for path in writing.write(folder, writing.places(folder, arguments.out)):
        out(near(path))
    return 0


def _of_notebook(place: Path, outs: list[str]) -> int:
    """Write other forms of a report that was run again, for example on another delivery."""
    from workbench.report import writing

    targets = [writing.place(one) for one in outs] or [place.with_suffix(".html")]
    for path in writing.convert(writing.read_book(place), targets):
        out(near(path))
    return 0


def _all(arguments: argparse.Namespace) -> int:
    """Write the reports of all runs; one that fails is told and holds up none of the others."""
    from workbench.report import writing

    if arguments.run or arguments.out:
        raise Usage("report: --all writes each report with its run; leave out RUN and -o")
    found = past.runs(past.results_of(arguments.data, arguments.results))
    failed = 0
    for number, item in enumerate(reversed(found), start=1):
        try:
            for path in writing.write(item.folder, writing.places(item.folder, None)):
                out(near(path))
        except WorkbenchError as error:
            failed += 1
            err(f"report {number}/{len(found)} {item.run}: {error}")
    return 1 if failed else 0


def add_export(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``export``."""
    parser.add_argument(
        *("run",), metavar="RUN", nargs="?", help="id of a run, or a part of it (default: newest)"
    )
    parser.add_argument(*("-o", "--out"), metavar="FILE.zip", help="default: RUN.zip, here")
    parser.add_argument(
        "--with-data", action="store_true", help="the data files that were read too"
    )
    add_data(parser, required=False)


def run_export(arguments: argparse.Namespace) -> int:
    """Write the archive of a run."""
    from workbench.report.export import export

    folder = _folder(arguments)
    target = Path(arguments.out or f"{folder.name}.zip")
    target = target / f"{folder.name}.zip" if target.is_dir() else target
    made = export(folder, target, with_data=arguments.with_data)
    for words in made.missing:
        err(f"export: left out: {words}")
    out(f"{near(made.path)} ({made.files} files)")
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
