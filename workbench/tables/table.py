"""What the reader made of a file: tables, their typed columns, and what did not fit.

Everything here is frozen and plain, so that it can be kept as JSON beside its snapshot and read
back unchanged. Counts are over the whole file: ``count + below + above + rejected`` and the sum of
`missing` always add up to the rows of the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from workbench.errors import Refused, nearest
from workbench.tables.control_words import Control

Role = Literal[
    "id",
    "hole",
    "from",
    "to",
    "depth",
    "easting",
    "northing",
    "longitude",
    "latitude",
    "elevation",
    "element",
    "oxide",
    "ratio",
    "isotope",
    "azimuth",
    "dip",
    "method",
    "flag",
    "limit",
    "date",
    "group",
    "text",
    "constant",
    "number",
    "empty",
]
Kind = Literal["number", "text", "date", "boolean", "empty"]

# Roles whose numbers are laboratory results: only these are converted between units, censored by
# policy, or offered to a numeric tool that was asked for "the elements".
MEASURED: frozenset[str] = frozenset({"element", "oxide", "ratio", "isotope"})
COORDINATES: frozenset[str] = frozenset(
    {"easting", "northing", "longitude", "latitude", "elevation"}
)
# Endings of the two columns that carry the censoring of a column in a snapshot, a view and a
# result file.
FLAG, LIMIT = "__flag", "__limit"


@dataclass(frozen=True)
class Column:
    """One column over the whole table.

    Attributes
    ----------
    name : str
        Header as the file gives it, trimmed and made unique without regard to case.
    header : str
        Header text as the file gives it.
    role : str
        What the column is in the field's words.
    kind : {"number", "text", "date", "boolean", "empty"}
        How its values are stored.
    unit : str or None
        Unit in the spelling of `workbench.tables.units`; None where the file does not say.
    element : str or None
        Chemical symbol or oxide formula, such as ``Au`` or ``Fe2O3``.
    method : str or None
        Laboratory method, where the header names it.
    count : int
        Plain numbers (or texts, dates); censored and missing values left out.
    below, above : int
        Values reported as below or above a limit; `below` includes `bare`.
    bare : int
        Values reported as below detection without saying the limit.
    missing : mapping of str to int
        Missing values by reason; ``blank`` is an empty cell.
    rejected : int
        Texts in a number column that are neither number, censored value nor a known reason.
    limits : tuple of float
        Distinct reporting limits met, smallest first, at most 50.
    median, min, max : float, str or None
        Over plain numbers, or the first and last of dates; None for text.
    flagged : bool
        True if it has censored values: the view then has the companions ``NAME__flag`` and
        ``NAME__limit``.
    coded : bool
        True if the snapshot keeps the companions, which also say why a value is missing.
    """

    name: str
    header: str
    role: Role
    kind: Kind
    unit: str | None = None
    element: str | None = None
    method: str | None = None
    count: int = 0
    below: int = 0
    above: int = 0
    bare: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    rejected: int = 0
    limits: tuple[float, ...] = ()
    median: float | str | None = None
    min: float | str | None = None
    max: float | str | None = None
    flagged: bool = False
    coded: bool = False

    @property
    def censored(self) -> int:
        """Values known only to lie below or above a limit."""
        return self.below + self.above

    @property
    def measured(self) -> bool:
        """True for laboratory results held as numbers."""
        return self.kind == "number" and self.role in MEASURED

    def to_json(self) -> dict[str, object]:
        """Return the column in the shape of ``describe --json``."""
        return {
            "name": self.name,
            "header": self.header,
            "role": self.role,
            "kind": self.kind,
            "unit": self.unit,
            "element": self.element,
            "method": self.method,
            "count": self.count,
            "below": self.below,
            "above": self.above,
            "missing": dict(self.missing),
            "rejected": self.rejected,
            "limits": list(self.limits),
            "median": self.median,
            "min": self.min,
            "max": self.max,
        }


def median_bound(count: int, below: int, limits: Sequence[float]) -> float | None:
    """Return the limit under which the median lies where most values are below detection.

    Parameters
    ----------
    count, below : int
        Plain numbers, and values below a limit.
    limits : sequence of float
        Limits met.

    Returns
    -------
    float or None
        The highest limit; None where the median may lie among the plain numbers.
    """
    return max(limits) if below > count and limits else None


@dataclass(frozen=True)
class Rejected:
    """A cell that did not parse: line in the file (or row of the sheet), column, and its text."""

    line: int
    column: str
    text: str


@dataclass(frozen=True)
class Report:
    """What did not fit while a table was read.

    Attributes
    ----------
    rejected : tuple of Rejected
        The first cells that did not parse, at most 50.
    rejected_total : int
        How many did not parse in all.
    short_rows, long_rows : int
        Rows with fewer or more cells than the header.
    ragged_lines : tuple of int
        Lines of the first such rows, at most 50.
    """

    rejected: tuple[Rejected, ...] = ()
    rejected_total: int = 0
    short_rows: int = 0
    long_rows: int = 0
    ragged_lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class Table:
    """One table of a file, held as a snapshot.

    Attributes
    ----------
    name : str
        Name of its view: the file's stem, or ``stem_sheet``, safe in SQL.
    source : str
        Path of the file, relative to the workspace.
    sheet : str or None
        Sheet of a workbook.
    columns : tuple of Column
        In the order of the file.
    rows : int
        Data rows.
    notes : tuple of str
        What a person should know before using it.
    report : Report
        What did not fit.
    path : Path
        The snapshot (Parquet).
    sha256 : str
        Hash of the snapshot.
    control : Control or None
        Rows that are no samples, where there are some.
    holes : str
        ``collar``, ``survey``, ``assay`` or ``lithology`` for a table of drillholes; else empty.
    zones : tuple of str
        Column of zones and the zones in words, where coordinates are of several.
    pasted : int or None
        Tokens that its text would cost, where the reader counted them.
    """

    name: str
    source: str
    sheet: str | None
    columns: tuple[Column, ...]
    rows: int
    notes: tuple[str, ...] = ()
    report: Report = field(default_factory=Report)
    path: Path = Path()
    sha256: str = ""
    control: Control | None = None
    holes: str = ""
    zones: tuple[str, ...] = ()
    pasted: int | None = None

    def column(self, name: str) -> Column:
        """Find a column by its name, exactly or without regard to case.

        Raises
        ------
        Refused
            If there is none; the nearest name is suggested.
        """
        for column in self.columns:
            if column.name == name:
                return column
        folded = [c for c in self.columns if c.name.casefold() == name.strip().casefold()]
        if len(folded) == 1:
            return folded[0]
        hint = nearest(name, (c.name for c in self.columns))
        raise Refused(
            f"column '{name[:80]}': not in '{self.name}' ({len(self.columns)} columns){hint}"
        )

    def with_role(self, *roles: str) -> tuple[Column, ...]:
        """Return the columns that have one of the roles, in the order of the file."""
        return tuple(column for column in self.columns if column.role in roles)

    @property
    def measured(self) -> tuple[Column, ...]:
        """Laboratory results held as numbers, in the order of the file."""
        return tuple(column for column in self.columns if column.measured)

    def to_json(self) -> dict[str, object]:
        """Return the table in the shape of ``describe --json``."""
        return {
            "name": self.name,
            "sheet": self.sheet,
            "rows": self.rows,
            "columns": [column.to_json() for column in self.columns],
            "notes": list(self.notes),
        }
