"""``describe`` and ``rows``: what is in a file, for people; nothing of it enters a context."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cli.terminal import out, out_json, size, table
from workbench.cli.usage import add_data, add_json, add_results, whole
from workbench.errors import Refused

if TYPE_CHECKING:
    from workbench.session import Session

_NAMES_SHOWN = 5


def add_describe(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``describe``."""
    parser.add_argument("path", metavar="PATH", help="a data file")
    add_results(parser)
    add_json(parser)


def run_describe(arguments: argparse.Namespace) -> int:
    """Describe a file."""
    session, name = _opened(arguments.path, arguments.results)
    found = session.describe(name)
    if arguments.json:
        out_json(found)
    else:
        out(described(found, Path(arguments.path)))
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
    add_json(parser)


def run_rows(arguments: argparse.Namespace) -> int:
    """Print one page of rows."""
    path, results = arguments.path, arguments.results
    if not Path(path).exists():
        path, results = _artefact(path, arguments.data, results)
    session, name = _opened(path, results)
    page = session.rows(name, table=arguments.table, offset=arguments.offset, limit=arguments.limit)
    if arguments.json:
        out_json(page)
        return 0
    out(table(page["columns"], page["rows"]))
    first, shown = arguments.offset + 1, len(page["rows"])
    last = f"rows {first:,} to {first + shown - 1:,}" if shown else "no rows here"
    out(f"{last} of {page['total']:,}")
    return 0


def _opened(path: str, results: str | None) -> tuple[Session, str]:
    """Open a session on one file; return it and the file's name."""
    from workbench.session import Session

    session = Session.open(path, results)
    if session.workspace.only is None:
        known = [entry.name for _, entry in zip(range(_NAMES_SHOWN), session.workspace.walk())]  # noqa: B905 - the range is the bound
        raise Refused(f"'{path}': it is a folder; give one file of it: {', '.join(known)} …")
    return session, session.workspace.only


def _artefact(key: str, data: str | None, results: str | None) -> tuple[str, str]:
    """Return the path of a past result and the results folder it lies in."""
    from workbench import past
    from workbench.located import locate

    folder = past.results_of(data, results)
    try:
        found = locate(folder, key)
    except Refused as error:
        raise Refused(f"rows '{key}': no such file, and {error}") from None
    return str(found.path), str(folder)


def described(found: dict[str, Any], path: Path) -> str:
    """Return a description as text for people.

    Parameters
    ----------
    found : dict
        In the shape of ``describe --json``.
    path : Path
        The file, for its size.
    """
    source = found["source"]
    facts = [source["format"], size(path.stat().st_size)]
    facts += [
        f"{key} {_sign(str(source[key]))}"
        for key in ("encoding", "delimiter", "decimal")
        if source.get(key)
    ]
    skipped = source.get("skipped_lines")
    facts += [f"{skipped} lines before the header"] if skipped else []
    parts = [f"{path.name}: {', '.join(facts)}", *_notes(found["notes"])]
    for item in found["tables"]:
        parts += ["", f"{item['name']}: {item['rows']:,} rows, {len(item['columns'])} columns"]
        parts += [_columns(item["columns"]), *_notes(item["notes"])]
    return "\n".join(parts)


def _columns(columns: list[dict[str, Any]]) -> str:
    header = ("name", "role", "kind", "unit", "n", "below", "above", "missing")
    rows = [
        (
            *(column["name"], column["role"], column["kind"], column["unit"], column["count"]),
            *(column["below"] or None, column["above"] or None),
            sum(column["missing"].values()) or None,
            *(column["median"], column["min"], column["max"]),
        )
        for column in columns
    ]
    return table((*header, "median", "min", "max"), rows)


def _notes(notes: list[str]) -> list[str]:
    return [f"note: {note}" for note in notes]


def _sign(text: str) -> str:
    """Name a separator that would not be seen."""
    return {"\t": "tab", " ": "blank", ",": "comma", ".": "point", ";": "semicolon"}.get(text, text)
