"""Which rows a tool uses: every row that is left out has one reason, and is counted under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts
from workbench.errors import Refused

if TYPE_CHECKING:
    from workbench.tables.frame import Frame, Series

Mask = NDArray[np.bool_]
# Nothing measured lies beyond; squares and differences would overflow, and no number be right.
SMALLEST, LARGEST = 1e-100, 1e100
MISSING, NOT_POSITIVE, UNSTATED = "missing", "not above 0", "below an unstated limit"
_MAY_MEAN = {
    NOT_POSITIVE: "where zero stands for below detection, set COLUMN.zeros=below and COLUMN.limit",
    UNSTATED: "the rest leans high; set COLUMN.limit with a reader override",
}


@dataclass
class Rows:
    """The rows of a frame that a tool uses.

    Attributes
    ----------
    frame : Frame
        Every row.
    keep : ndarray of bool, shape (rows,)
        Rows in use.
    dropped : dict of str to int
        Rows left out, by column and reason: the first that was met.
    """

    frame: Frame
    keep: Mask
    dropped: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, frame: Frame) -> Rows:
        """Begin with every row; those of quality control are left out first, and counted."""
        rows = cls(frame, np.ones(frame.rows, dtype=bool))
        if frame.samples is not None and frame.table.control is not None:
            rows.need(frame.table.control.column, frame.samples, "says quality control")
        return rows

    def need(self, name: str, good: Mask, why: str) -> None:
        """Leave out the rows in which `good` is false, and count them."""
        lost = int((self.keep & ~good).sum())
        if lost:
            key = f"{facts.name(name)} {why}"
            self.dropped[key] = self.dropped.get(key, 0) + lost
        self.keep &= good

    def need_numbers(self, names: Sequence[str], *, positive: bool) -> None:
        """Leave out rows without a number to reckon with, or without one above 0, in any column."""
        for name in names:
            self.need_values(name, self.frame.series[name].values)
            if positive:
                self.need_positive(name, self.frame.series[name].values)

    def need_values(self, name: str, values: NDArray[np.float64]) -> None:
        """Leave out rows without a number to reckon with, of a column or what stands for it."""
        from workbench.tables.frame import BARE, REJECTED

        flag = self.frame.series[name].flag
        self.need(name, ~np.isnan(values) | (flag != BARE), UNSTATED)
        self.need(name, ~np.isnan(values) | (flag != REJECTED), "not a number")
        self.need(name, np.isfinite(values), MISSING)
        size = np.abs(values)
        sound = (size == 0) | ((size >= SMALLEST) & (size <= LARGEST))
        self.need(name, sound, f"not within {SMALLEST:g} to {LARGEST:g}")

    def need_positive(self, name: str, values: NDArray[np.float64]) -> None:
        """Leave out rows whose number has no logarithm; the one way in which tools do so."""
        self.need(name, ~(values <= 0), NOT_POSITIVE)

    def alone(self, inside: Mask | None = None) -> Rows:
        """Return the rows in use with counts of their own, for columns taken one by one."""
        return Rows(self.frame, self.keep.copy() if inside is None else self.keep & inside)

    def reasons(self, name: str) -> dict[str, int]:
        """Return the rows left out for one column, by reason."""
        lead = f"{facts.name(name)} "
        own = {key: n for key, n in self.dropped.items() if key.startswith(lead)}
        return {key.removeprefix(lead): number for key, number in own.items()}

    def notes(self) -> tuple[str, ...]:
        """Say what rows that were left out may stand for, where a tool leans on every value."""
        counts = {
            why: sum(n for key, n in self.dropped.items() if key.endswith(f" {why}"))
            for why in _MAY_MEAN
        }
        return tuple(
            f"{number} rows {why} are left out: {_MAY_MEAN[why]}"
            for why, number in counts.items()
            if number
        )

    def need_some(self, least: int, what: str) -> None:
        """Refuse to go on with fewer rows.

        Raises
        ------
        Refused
            With the reasons for which rows were left out.
        """
        if self.used < least:
            raise Refused(
                f"{what}: {self.used} of {self.frame.rows} rows can be used and {least} are needed"
                f"{self._reasons()}; choose columns with fewer gaps, see check_missing"
            )

    def _reasons(self) -> str:
        listed = ", ".join(f"{key}: {number}" for key, number in list(self.dropped.items())[:6])
        return f" (left out: {listed})" if listed else ""

    @property
    def used(self) -> int:
        """Rows in use."""
        return int(self.keep.sum())

    def facts(self) -> dict[str, Any]:
        """Return the counts that every answer carries."""
        values: dict[str, Any] = {
            "rows_in": self.frame.rows,
            "rows_used": self.used,
            "rows_dropped": self.frame.rows - self.used,
        }
        return {**values, "dropped": dict(self.dropped)} if self.dropped else values


@dataclass(frozen=True)
class Groups:
    """The group of each row.

    Attributes
    ----------
    names : tuple of str
        Largest group first, equal sizes by name; whole texts, which may be long.
    codes : ndarray of int64, shape (rows,)
        Place of the row's group in `names`; −1 where it is missing or the row is not in use.
    """

    names: tuple[str, ...]
    codes: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Rows a group, in the order of `names`."""
        counts: NDArray[np.int64] = np.bincount(
            self.codes[self.codes >= 0], minlength=len(self.names)
        )
        return counts


def groups(series: Series, keep: Mask) -> Groups:
    """Sort the rows in use into the groups of a column."""
    if series.column.kind == "number":
        words = [f"{value:g}" if np.isfinite(value) else None for value in series.values]
    else:
        words = [None if word is None else str(word) for word in series.text]
    known: dict[str, int] = {}
    raw = np.array(
        [-1 if word is None or not use else known.setdefault(word, len(known))
         for word, use in zip(words, keep.tolist(), strict=True)],
        dtype=np.int64,
    )  # fmt: skip
    counts = np.bincount(raw[raw >= 0], minlength=len(known))
    names = list(known)
    order = sorted(range(len(names)), key=lambda place: (-int(counts[place]), names[place]))
    place_of = np.full(len(names) + 1, -1, dtype=np.int64)
    place_of[order] = np.arange(len(names))
    return Groups(tuple(names[place] for place in order), place_of[raw])
