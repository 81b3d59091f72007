"""What the planner knows of a table: columns with role, unit and counts, as describe_table says.

Wide tables are described by groups of columns; then only name, role and unit are known here, and
the counts come with the answers of the tools that use a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from workbench.accounting.schema_card import spelt_out
from workbench.errors import nearest
from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.sourced import Words, whole
from workbench.tables.elements import oxide, symbol
from workbench.tables.units import unit_named

COORDINATES = (("easting", "northing"), ("longitude", "latitude"))
MEASURED = frozenset({"element", "oxide", "ratio", "isotope"})
_TEXT_ROLES = frozenset({"group", "text", "hole", "id", "constant", "date", "method", "flag"})
# What people say → what column headers say.
_GROUP_NUMBER = re.compile(r"(?:cluster|group)(?:_?\d+)?$", re.IGNORECASE)
_SYNONYMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("lith rock geol", ("lith", "rock", "geol")),
    ("weath oxid regol", ("weath", "oxid", "regol")),
    ("hole drill bore", ("hole", "bhid", "drill")),
    ("format unit strat", ("form", "unit", "strat")),
    ("alter", ("alter",)),
    ("group cluster populat", ("cluster", "group", "popul")),
    ("type class", ("type", "class")),
    ("soil horizon", ("soil", "horizon")),
)


@dataclass(frozen=True)
class Field:
    """A column: name, role, unit, element, and counts where they are known."""

    name: str
    role: str
    unit: str = ""
    element: str = ""
    n: int | None = None
    below: int = 0
    above: int = 0
    missing: int = 0

    @property
    def measured(self) -> bool:
        """True for a laboratory result."""
        return self.role in MEASURED

    @property
    def label(self) -> str:
        """Name and unit for a sentence."""
        said = {unit_named(part) for part in re.split(r"[\s_()\[\]]+", self.name)}
        return self.name if not self.unit or self.unit in said else f"{self.name} ({self.unit})"


@dataclass(frozen=True)
class Card:
    """A table.

    Attributes
    ----------
    path : str
    sheet : str or None
    rows : int
    fields : tuple of Field
    grid : str
        Grid of its coordinates, where the file says so.
    view : str
        Name of its view in SQL.
    notes : tuple of str
        What the reader of the file found worth saying.
    """

    path: str
    sheet: str | None
    rows: int
    fields: tuple[Field, ...]
    grid: str = ""
    view: str = ""
    notes: tuple[str, ...] = ()

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that name this table in a call."""
        return (
            {"path": self.path} if self.sheet is None else {"path": self.path, "sheet": self.sheet}
        )

    @property
    def title(self) -> str:
        """How it is called in a sentence."""
        return self.path if self.sheet is None else f"{self.path}, sheet {self.sheet}"

    @property
    def has_place(self) -> bool:
        """True where it has a pair of coordinates."""
        roles = {item.role for item in self.fields}
        return any(set(pair) <= roles for pair in COORDINATES)

    @property
    def has_intervals(self) -> bool:
        """True for a drillhole table of intervals."""
        return {"hole", "from", "to"} <= {item.role for item in self.fields}

    @property
    def noun(self) -> str:
        """What a row of it is called."""
        if self.has_intervals:
            return "interval"
        return "sample" if self.measured else "row"

    @property
    def measured(self) -> tuple[Field, ...]:
        """Its laboratory results."""
        return tuple(item for item in self.fields if item.measured)

    def with_element(self, symbol: str) -> list[Field]:
        """Return the columns of an element or oxide, the fullest first."""
        found = [item for item in self.fields if item.measured and item.element == symbol]
        return sorted(found, key=lambda item: -(item.n or 0))

    def named(self, name: str) -> Field | None:
        """Return the column of a name, exactly or without regard to case."""
        exact = [item for item in self.fields if item.name == name]
        folded = [item for item in self.fields if item.name.casefold() == name.casefold()]
        return next(iter([*exact, *folded]), None)

    def grouping(self, words: str) -> Field | None:
        """Return the text column that "by WORDS" means, or None."""
        wanted = " ".join(words.casefold().split())
        # "hole type" is Hole_Type as well as HoleType.
        joined = re.sub(r"[\W_]", "", wanted)
        texts = [f for f in self.fields if f.role in _TEXT_ROLES or _GROUP_NUMBER.match(f.name)]
        for item in texts:
            if re.sub(r"[\W_]", "", item.name.casefold()) in {joined, joined.rstrip("s")}:
                return item
        for said, headers in _SYNONYMS:
            if any(word.startswith(stem) for stem in said.split() for word in wanted.split()):
                for item in texts:
                    if any(part in item.name.casefold() for part in headers):
                        return item
        return None

    def notes_on(self, names: Iterable[str]) -> list[str]:
        """Return what the reader noted on columns: ``NAME (DETAIL): WHAT IT FOUND``."""
        found = []
        for note in self.notes:
            listed, colon, what = note.rpartition(": ")
            for name in names if colon else ():
                hit = re.search(rf"(?:^|, ){re.escape(name)} \(([^()]*)\)", listed)
                if hit:
                    part = f"{name} ({hit[1]}): {what}"
                    found.append(note.part(part) if isinstance(note, Words) else part)
        return found

    def near(self, word: str) -> str:
        """Say which column comes nearest to a word, and what was measured."""
        there = [item.name for item in self.measured]
        listed = ", ".join(there[:_LISTED]) + (
            f" and {len(there) - _LISTED} more" * (len(there) > _LISTED)
        )
        hint = nearest(word, [item.name for item in self.fields]) if word else ""
        return f"{self.title} has {listed or 'no measured elements'}{hint}"


_LISTED = 12


def read(path: str, sheet: str | None, told: ToolAnswer) -> Card | None:
    """Make the card of a described table; None where the answer describes none."""
    rows = told.number("rows")
    if told.error or rows is None:
        return None
    fields = [*_single(told), *_grouped(told)]
    return Card(
        path,
        sheet,
        whole(rows),
        tuple(fields),
        grid=told.text("grid"),
        view=told.text("table"),
        notes=told.notes,
    )


def _single(told: ToolAnswer) -> Iterable[Field]:
    for key, value in told.facts.items():
        if key.startswith("column ") and isinstance(value, dict):
            name = key.removeprefix("column ")
            role = str(value.get("role", ""))
            yield Field(
                name,
                role,
                str(value.get("unit") or ""),
                str(value.get("element") or _element(name, role)),
                _count(value, "n"),
                _count(value, "below") or 0,
                _count(value, "above") or 0,
                _count(value, "missing") or 0,
            )


def _grouped(told: ToolAnswer) -> Iterable[Field]:
    for key, value in told.facts.items():
        if key.startswith("group ") and isinstance(value, dict):
            _, role, *rest = [*key.split(" ", 2), ""]
            short = map(str, value.get("in_short") or ())
            for name in (*spelt_out(short), *(value.get("names") or ())):
                yield Field(str(name), role, rest[0], _element(str(name), role))


def _count(value: dict[str, Any], key: str) -> int | None:
    number = value.get(key)
    return whole(number) if isinstance(number, int | float) and number == number else None  # noqa: PLR0124 - NaN


def _element(name: str, role: str) -> str:
    """Return the symbol in a header of a measured column; the reader's role says there is one."""
    if role not in MEASURED:
        return ""
    tokens = [part.lstrip("0123456789") for part in re.split(r"[^A-Za-z0-9]+", name)]
    known = (oxide(token) or symbol(token) for token in tokens)
    return next((found for found in known if found), "")
