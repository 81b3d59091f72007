"""``describe`` and ``rows``: what is in a file, for people; nothing of it enters a context.

PATH may be a name with a wildcard (in quotes), for files of one layout, or to ``describe`` a
folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.cli.described import described, listed
from workbench.cli.terminal import out, out_json, table
from workbench.cli.usage import add_data, add_json, add_results, add_set, whole
from workbench.errors import Refused
from workbench.files.fileset import is_pattern

if TYPE_CHECKING:
    from workbench.session import Session

_NAMES_SHOWN = 5


def add_describe(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``describe``."""
    parser.add_argument("path", metavar="PATH", help="a data file, 'wells/*.las', or a folder")
    add_results(parser)
    add_set(parser)
    add_json(parser)


def run_describe(arguments: argparse.Namespace) -> int:
    """Describe a file."""
    session, name = _opened(arguments.path, arguments.results, arguments.settings)
    found = session.describe(name) if name else session.folder()
    if arguments.json:
        out_json(found)
    elif name:
        out(described(found, session.workspace.root))
    else:
        out(listed(found, session.workspace.root))
    return 0


def add_rows(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``rows``."""
    parser.add_argument("path", metavar="PATH-OR-ID", help="a data file, or the id of a result")
    parser.add_argument("--table", metavar="T", help="sheet or table, where there are several")
    parser.add_argument(
        *("--offset",), type=whole(0), default=0, metavar="N", help="rows before the page"
    )
    parser.add_argument(
        *("--limit",), type=whole(1), default=100, metavar="N", help="rows of the page"
    )
    add_data(parser, required=False)
    add_set(parser)
    add_json(parser)


def run_rows(arguments: argparse.Namespace) -> int:
    """Print one page of rows."""
    path, results = arguments.path, arguments.results
    if not Path(path).exists() and not is_pattern(path):
        path, results = _artefact(path, arguments.data, results)
    session, name = _opened(path, results, arguments.settings)
    if not name:
        known = [entry.name for _, entry in zip(range(_NAMES_SHOWN), session.workspace.walk())]  # noqa: B905 - the range is the bound
        raise Refused(f"'{path}': it is a folder; give one file of it: {', '.join(known)} …")
    page = session.rows(name, table=arguments.table, offset=arguments.offset, limit=arguments.limit)
    if arguments.json:
        out_json(page)
        return 0
    out(table(page["columns"], page["rows"]))
    first, shown = arguments.offset + 1, len(page["rows"])
    last = f"rows {first:,} to {first + shown - 1:,}" if shown else "no rows here"
    out(f"{last} of {page['total']:,}")
    return 0


def _opened(path: str, results: str | None, settings: Sequence[str]) -> tuple[Session, str]:
    """Open a session on a file, a set of files or a folder; return it and the name to ask for."""
    from workbench.session import Session

    place = Path(path)
    if is_pattern(place.name) and not place.exists():
        session = Session.open(place.parent, results, "offline", overrides=settings)
        return session, place.name
    session = Session.open(path, results, "offline", overrides=settings)
    return session, session.workspace.only or ""


def _artefact(key: str, data: str | None, results: str | None) -> tuple[str, str]:
    """Return the path of a past result and the results folder it lies in."""
    from workbench.runs import past
    from workbench.runs.located import locate

    folder = past.results_of(data, results)
    try:
        found = locate(folder, key)
    except Refused as error:
        raise Refused(f"rows '{key}': no such file, and {error}") from None
    return str(found.path), str(folder)
