"""Rows that are no samples of the ground: standards, blanks and duplicates among the results.

They are recognised by a column that names the type of sample, or by their numbers; they stay in the
table, and statistics leave them out and say so. Where most rows would be such, none is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.formats.quoting import quote
from workbench.formats.reading import Reading
from workbench.tables.control_words import KINDS, Control, is_control, patterns
from workbench.tables.roles import words_of
from workbench.tables.table import Column
from workbench.tables.typed import Typed
from workbench.tables.written import Written

_NAMED = frozenset(
    [
        *("sampletype", "samptype", "sampletypecode", "type", "qc", "qaqc", "qctype", "qaqctype"),
        *("checktype", "samplecategory", "category", "purpose", "sampleclass", "controltype"),
        "samplepurpose",
    ]
)
_MOST = 0.5


@dataclass(frozen=True)
class _Found:
    """What one column says: rows by kind."""

    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return sum(self.counts.values())


def find_control(
    reading: Reading,
    written: Written,
    columns: Sequence[Column],
    typed: Sequence[Typed],
    kept: Sequence[str],
) -> Control | None:
    """Find the rows of quality control in a snapshot.

    Parameters
    ----------
    reading, written
        The loading connection and the snapshot.
    columns, typed : sequences
        Its columns, and how they were decided about.
    kept : sequence of str
        Columns that a person said mark no such rows.
    """
    if not any(column.measured for column in columns):
        return None
    types = [c for c in columns if "".join(words_of(c.name)) in _NAMED]
    numbers = [c for c in columns if c.role == "id"][:1]
    tries = [("type", one) for one in types] + [("id", one) for one in numbers]
    how_typed = {one.name: one for one in typed}
    for how, column in tries:
        if column.kind != "text" or column.name in kept or not column.count:
            continue
        found = _counted(reading, written.source(reading, [how_typed[column.name]]), column, how)
        if 0 < found.rows <= _MOST * column.count:
            return Control(column.name, how, dict(found.counts))
    return None


def _counted(reading: Reading, source: str, column: Column, how: str) -> _Found:
    """Count the rows of each kind; a row is counted once."""
    name = quote(column.name)
    parts = ", ".join(f"count(*) FILTER (kind = '{kind}')" for kind in KINDS)
    cases = " ".join(
        f"WHEN regexp_matches({name}, '{pattern}') THEN '{kind}'"
        for kind, pattern in patterns(how).items()
    )
    some = f"FROM {source} WHERE {is_control(name, how)}"
    row = reading.one(f"SELECT {parts} FROM (SELECT CASE {cases} END AS kind {some})")  # noqa: S608
    return _Found({kind: n for kind, n in zip(KINDS, row, strict=True) if n})


def said(control: Control) -> str:
    """Return the remark on rows of quality control."""
    return (
        f"{control.column}: {control.words} by the {control.ground}; they stay in the table and "
        f"statistics leave them out (set {control.column}.control=keep to take them for samples)"
    )


def repeated(
    reading: Reading, written: Written, columns: Sequence[Column], typed: Sequence[Typed]
) -> list[str]:
    """Remark on sample numbers that occur more than once; nothing is dropped."""
    numbers = [c for c in columns if c.role == "id" and c.kind == "text" and c.count > 1][:1]
    if not numbers:
        return []
    (column,) = numbers
    how = {one.name: one for one in typed}
    name = quote(column.name)
    source = written.source(reading, [how[column.name]])
    several, rows, numbers_all = reading.one(
        f"SELECT count(*) FILTER (n > 1), coalesce(sum(n) FILTER (n > 1), 0), count(*) FROM "  # noqa: S608
        f"(SELECT count(*) AS n FROM {source} WHERE {name} IS NOT NULL GROUP BY {name})"
    )
    # A number that most rows share is a reference, such as a batch, and no sample.
    if not several or numbers_all < _MOST * column.count:
        return []
    what = f"{several:,} sample number{'s occur' if several > 1 else ' occurs'}"
    return [f"{column.name}: {what} more than once ({rows:,} rows); all are kept"]
