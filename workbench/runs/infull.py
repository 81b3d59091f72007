"""What a model saw a part of, in full: a table, a text or a figure, opened by id.

What is opened follows from the ledger alone. Tables are read in a confined child; nothing here
puts a row into a context.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from workbench.asking import people
from workbench.asking.onecall import CallOutcome
from workbench.asking.people import Progress
from workbench.errors import Refused
from workbench.runs.seen import SEPARATOR, Rows
from workbench.session import Session

# Endings of tables that are text.
TEXTS = frozenset({"csv", "tsv", "txt", "dat", "las", "json", "jsonl", "ndjson", "geojson", "log"})


class Size(NamedTuple):
    """Characters, where it is a text, and bytes."""

    chars: int | None
    bytes: int


class InFull(Protocol):
    """What stands on the right side."""

    kind: str

    @property
    def size(self) -> Size:
        """Characters and bytes; counting may take long."""
        ...

    def facts(self) -> dict[str, Any]:
        """Return what is known of it without reading it."""
        ...

    def close(self) -> None:
        """End what was started for it."""
        ...


@dataclass(frozen=True)
class View:
    """What a person set: filters, order, part of the table; columns by their place."""

    filters: tuple[Mapping[str, Any], ...] = ()
    order: Mapping[str, Any] | None = None


class TableInFull:
    """A table, read in a child of its own.

    Parameters
    ----------
    session : Session
        Over the one file, or over the data of the run.
    path : str
        Its name there.
    facts : dict
        What the ledger knows of it.
    sheet : str, optional
        Sheet or table of the file.
    """

    kind = "table"

    def __init__(
        self, session: Session, path: str, facts: dict[str, Any], sheet: str | None = None
    ) -> None:
        self._session, self._path, self._sheet = session, path, sheet
        self._facts = facts
        self._reader = people.Reader(session.setting)
        self._columns: list[str] = []
        self._rows: int | None = None
        self._name = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Columns of the table; none before it was read."""
        return tuple(self._columns)

    def facts(self) -> dict[str, Any]:
        """Return size, type and name; once read, the columns that are shown.

        The ledger counts columns as they are stored: limits and flags have their own there,
        here they stand in the cell that they belong to.
        """
        if self._rows is None:
            return self._facts
        return self._facts | {"columns": len(self._columns), "rows": self._rows}

    def head(self) -> dict[str, Any]:
        """Return the first rows of a result, before it is read as a whole; none of other files."""
        if self._facts.get("media_type") != "text/csv" or "id" not in self._facts:
            return {"columns": [], "rows": []}
        return self._reader.ask("grid_head", {"path": self._path})

    def open(self, progress: Progress) -> dict[str, Any]:
        """Read the table and return its columns."""
        found = self._reader.ask("grid_open", self._where(), progress)
        self._columns = [str(column["name"]) for column in found["columns"]]
        self._name, self._rows = str(found["name"]), int(found["total"])
        return found

    def page(self, view: View, span: Mapping[str, int]) -> dict[str, Any]:
        """Return rows; `span` has offset, limit, first and width."""
        return self._reader.ask("grid_page", {**self._where(), **self._named(view), **span})

    def seen(self, rows: Rows) -> dict[str, Any]:
        """Return which rows those of a preview are."""
        cells = [line.split(SEPARATOR) for line in rows.lines]
        asked = {**self._where(), "columns": list(rows.columns), "lines": cells}
        return self._reader.ask("grid_seen", asked)

    def column(self, place: int, view: View) -> dict[str, Any]:
        """Return how one column's values lie."""
        asked = {**self._where(), "filters": self._named(view)["filters"]}
        return self._reader.ask("grid_column", {**asked, "column": self._column(place)})

    def sql(self, view: View) -> str:
        """Return the view as SQL."""
        return str(self._reader.ask("grid_sql", {**self._where(), **self._named(view)})["sql"])

    @functools.cached_property
    def size(self) -> Size:
        """Characters and bytes of the file, counted in the child; no characters of a workbook."""
        found = self._reader.ask("text_size", {"path": self._path})
        is_text = self._path.rpartition(".")[2].casefold() in TEXTS
        return Size(int(found["chars"]) if is_text else None, int(found["bytes"]))

    def export(self, view: View) -> CallOutcome:
        """Write the rows of the view as a new result, in a run of its own."""
        return self._session.call("sql", {"query": self.sql(view), "paths": [self._path]})

    def as_text(self) -> TextInFull | None:
        """Return its text, for what turned out to be no table; None where it has none."""
        if self._path.rpartition(".")[2].casefold() not in TEXTS:
            return None
        text = ReadInChild(self._reader, self._path)
        facts = {**self._facts, "media_type": type_of(self._path, "text/plain"), "rows": None}
        return TextInFull(text, facts, self._reader)

    def close(self) -> None:
        """End the child."""
        self._reader.close()

    def _where(self) -> dict[str, Any]:
        return {"path": self._path, "table": self._sheet}

    def _column(self, place: int) -> str:
        if not self._columns:
            self.open(lambda _text, _share: None)
        if not 0 <= place < len(self._columns):
            raise Refused(f"column {place}: the table has {len(self._columns)}")
        return self._columns[place]

    def _named(self, view: View) -> dict[str, Any]:
        filters = [{**one, "column": self._column(one["column"])} for one in view.filters]
        order = view.order and {**view.order, "column": self._column(view.order["column"])}
        return {"filters": filters, "order": order}


class Texts(Protocol):
    """A text by range and by search."""

    @property
    def chars(self) -> int:
        """Characters of the whole."""
        ...

    @property
    def bytes(self) -> int:
        """Size."""
        ...

    def range(self, offset: int, limit: int) -> str:
        """Return a stretch."""
        ...

    def search(self, pattern: str) -> tuple[int, list[tuple[int, str]]]:
        """Return how often a text stands in it, and the first hits."""
        ...


class TextInFull:
    """A text, by range and by search."""

    kind = "text"

    def __init__(self, text: Texts, facts: dict[str, Any], reader: people.Reader | None) -> None:
        self.text, self._facts, self._reader = text, facts, reader

    def facts(self) -> dict[str, Any]:
        """Return what the ledger knows of it; characters are counted when asked for."""
        return self._facts

    @property
    def size(self) -> Size:
        """Characters and bytes, counted when they are first asked for."""
        return Size(self.text.chars, self.text.bytes)

    def close(self) -> None:
        """End the child that reads it, where there is one."""
        if self._reader is not None:
            self._reader.close()


class ReadInChild:
    """A text of the data, read in a confined child; see `Texts`."""

    def __init__(self, reader: people.Reader, path: str) -> None:
        self._reader, self._path = reader, path

    @functools.cached_property
    def _size(self) -> dict[str, Any]:
        return self._reader.ask("text_size", {"path": self._path})

    @property
    def chars(self) -> int:
        """Characters of the whole."""
        return int(self._size["chars"])

    @property
    def bytes(self) -> int:
        """Size."""
        return int(self._size["bytes"])

    def range(self, offset: int, limit: int) -> str:
        """Return a stretch."""
        asked = {"path": self._path, "offset": offset, "limit": limit}
        return str(self._reader.ask("text_page", asked)["text"])

    def search(self, pattern: str) -> tuple[int, list[tuple[int, str]]]:
        """Return how often a text stands in it, and the first hits."""
        found = self._reader.ask("text_find", {"path": self._path, "pattern": pattern})
        return int(found["total"]), [(int(at), str(around)) for at, around in found["hits"]]


class FigureInFull(TextInFull):
    """A figure that a run made, and its source as text."""

    kind = "figure"


def type_of(name: str, other: str) -> str:
    """Return the media type of a data file; `other` for what is written as plain text."""
    ending = name.rpartition(".")[2].casefold()
    if ending in {"json", "geojson"}:
        return "application/json"
    known = {"parquet": "application/vnd.apache.parquet", "log": "text/plain"}
    return known.get(ending, other if ending in TEXTS else "")
