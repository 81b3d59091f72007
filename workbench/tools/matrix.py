"""The numbers of several columns, ready for a method: rows counted, transform done, said in words.

Every tool that takes many columns at once begins here, so that they drop, fill and scale alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts
from workbench.accounting.columns import numeric
from workbench.accounting.rows import Rows
from workbench.errors import Refused
from workbench.tools.parts import harmonised

if TYPE_CHECKING:
    from workbench.tables.multivariate import Robust
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

Numbers = NDArray[np.float64]
Transform = Literal["clr", "log", "raw"]
_MANY_CENSORED = 0.3
_NOTES = 8
# Percent of the mass from which the constant sum decides how columns go together.
_MOST_OF_THE_WHOLE = 50
# Columns of a robust estimate: some minutes on as many rows as it is found on.
_MOST_ROBUST = 100
# A spread below this share of a column's size is rounding.
_FLAT = 1e-12


@dataclass(frozen=True)
class Matrix:
    """Columns as numbers.

    Attributes
    ----------
    table : Table
        Where they come from.
    columns : tuple of Column
        In the order of the numbers.
    rows : Rows
        Which rows are in use.
    parts : ndarray of float64, shape (rows used, columns)
        Values by the policy, in the unit of the file (of one unit, where they are parts).
    values : ndarray of float64, shape (rows used, columns)
        After the transform, not scaled.
    transform : str
        clr, log or raw.
    """

    table: Table
    columns: tuple[Column, ...]
    rows: Rows
    parts: Numbers
    values: Numbers
    transform: Transform

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    def placed(self, values: NDArray[Any]) -> Numbers:
        """Put numbers of the rows used among all rows; NaN elsewhere."""
        whole = np.full(self.rows.frame.rows, np.nan)
        whole[self.rows.keep] = values
        return whole

    def facts(self) -> dict[str, Any]:
        """Return what every answer says of rows, columns and censored values."""
        shown = self.columns[:40]
        return {
            "transform": self.transform,
            "columns": [facts.name(column.name) for column in shown],
            **({"columns_used": len(self.columns)} if len(shown) < len(self.columns) else {}),
            **self.rows.facts(),
        }

    def treatment(self) -> dict[str, Any]:
        """Return how many values used are censored, and what they count as."""
        return {"censored": self._censored(), "policy": facts.HALF}

    def _censored(self) -> dict[str, dict[str, int]]:
        counts = {}
        for column in self.columns:
            series = self.rows.frame.series[column.name]
            low = int((series.below & self.rows.keep).sum())
            high = int((series.above & self.rows.keep).sum())
            if low or high:
                counts[facts.name(column.name)] = {"below": low, "above": high}
        return counts

    def notes(self) -> tuple[str, ...]:
        """Say which columns are mostly below detection, so that a result may follow the limit."""
        found = []
        for column in self.columns:
            below = self.rows.frame.series[column.name].below & self.rows.keep
            share = float(below.sum()) / max(self.rows.used, 1)
            if share > _MANY_CENSORED:
                found.append(
                    f"{facts.name(column.name)}: {share:.0%} of the rows used are below detection; "
                    "the result may follow the limit, consider leaving it out"
                )
        return (*self._closed(), *found[:_NOTES])

    def _closed(self) -> tuple[str, ...]:
        """Say that parts of a whole fixed by their sum were taken as they are."""
        shares = all(column.role in {"element", "oxide"} for column in self.columns)
        if self.transform == "clr" or not shares or any(c.unit is None for c in self.columns):
            return ()
        try:
            factors, _unit = harmonised(self.columns)
        except Refused:
            return ()
        whole = float(np.median((self.parts * factors).sum(axis=1))) / 10_000
        if whole < _MOST_OF_THE_WHOLE:
            return ()
        told = (
            f"the columns add up to {whole:.0f} % of the rock (median), so that one can only rise "
            f"where others fall: {self.transform} values hang together by that sum; use clr"
        )
        return (told,)


def matrix(
    context: Context,
    table: Table,
    names: Sequence[str] | None,
    transform: Transform,
    *,
    least: int = 2,
    fewest: int = 3,
    what: str = "",
    also: Sequence[str] = (),
) -> Matrix:
    """Read columns as numbers and transform them.

    Parameters
    ----------
    context : Context
        Of the call.
    table : Table
        Where they are.
    names : sequence of str or None
        Columns; all measured ones if None.
    transform : {"clr", "log", "raw"}
        Centred log-ratios (natural log), log10, or as they are.
    least : int
        Columns needed.
    fewest : int
        Rows needed.
    what : str
        The tool, for messages.
    also : sequence of str
        Columns to read beside them, which need not have a value in every row.

    Raises
    ------
    Refused
        For columns that are no numbers, are constant or cannot be brought to one unit, and for
        too few rows.
    """
    chosen = numeric(table, names, least=least)
    listed = [column.name for column in chosen]
    rows = Rows.of(context.connection.frame(table, list(dict.fromkeys([*listed, *also]))))
    rows.need_numbers(listed, positive=transform != "raw")
    rows.need_some(fewest, what)
    parts = rows.frame.matrix(listed)[rows.keep]
    if transform == "clr":
        parts = parts * harmonised(chosen)[0]
    values = _transformed(parts, transform)
    _varying(values, chosen, rows.used)
    return Matrix(table, chosen, rows, parts, values, transform)


def _transformed(parts: Numbers, transform: Transform) -> Numbers:
    from workbench.tables.compositions import clr

    if transform == "clr":
        return clr(parts)
    return np.log10(parts) if transform == "log" else parts


def _varying(values: Numbers, columns: Sequence[Column], used: int) -> None:
    spread, size = values.std(axis=0), np.abs(values).max(axis=0)
    for column, wide, top in zip(columns, spread, size, strict=True):
        if wide <= _FLAT * top:
            raise Refused(
                f"column '{facts.name(column.name)}': all {used} usable values are equal; leave it "
                "out"
            )


def robust_bulk(values: Numbers, seed: int, what: str) -> Robust:
    """Find where most rows lie; refuse too many columns, and combinations of others."""
    if values.shape[1] > _MOST_ROBUST:
        raise Refused(
            f"{what}: {values.shape[1]:,} columns, and a robust estimate takes at most "
            f"{_MOST_ROBUST}, since its time grows with their square; name the columns that matter"
        )
    from workbench.tables.multivariate import robust

    try:
        return robust(values, seed)
    except ValueError:
        raise Refused(
            f"{what}: some columns are combinations of others, so that no robust distance can be "
            "told; leave out totals and repeated columns"
        ) from None
