"""Pairs of columns and how they go together, censored values left out pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts
from workbench.accounting.rows import Rows
from workbench.errors import Refused
from workbench.tables.correlation import Correlations, Method, correlations
from workbench.tables.statistics import rounded
from workbench.tools.parts import harmonised

if TYPE_CHECKING:
    from workbench.tables.frame import Series
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

Transform = Literal["raw", "log", "clr"]
Numbers = NDArray[np.float64]
# Pairs times rows that are ranked or multiplied in some ten seconds.
_MOST_WORK = 4_000_000_000
# With fewer parts the common sum alone ties log-ratios together visibly.
_FEW_PARTS = 8


@dataclass(frozen=True)
class Pair:
    """Two columns, their coefficient, and the rows it rests on."""

    a: str
    b: str
    n: int
    r: float

    @property
    def key(self) -> str:
        """The pair as the key of a fact."""
        return f"pair {facts.name(self.a)} | {facts.name(self.b)}"

    def fact(self) -> dict[str, Any]:
        """Return coefficient and n."""
        return {"r": rounded(self.r), "n": self.n}

    def row(self) -> list[Any]:
        """Return the pair as a row of a table."""
        return [self.a, self.b, self.n, self.r]


@dataclass(frozen=True)
class Correlated:
    """All pairs of a set of columns."""

    names: tuple[str, ...]
    found: Correlations
    transform: str
    rows_in: int
    rows_used: int
    policy: str
    dropped: dict[str, int]
    notes: tuple[str, ...] = ()

    def pairs(self, least: int, target: str | None = None) -> list[Pair]:
        """Return the pairs that have a coefficient, strongest first."""
        width = len(self.names)
        listed = [
            Pair(self.names[i], self.names[j], int(self.found.n[i, j]), float(self.found.r[i, j]))
            for i in range(width)
            for j in range(i + 1, width)
            if (target is None or target in {self.names[i], self.names[j]})
            and self.found.n[i, j] >= least
            and np.isfinite(self.found.r[i, j])
        ]
        return sorted(listed, key=lambda pair: (-abs(round(pair.r, 12)), pair.a, pair.b))

    def too_few(self, least: int) -> int:
        """Return how many pairs have fewer than `least` rows in common or a constant column."""
        upper = np.triu_indices(len(self.names), 1)
        without = (self.found.n[upper] < least) | ~np.isfinite(self.found.r[upper])
        return int(without.sum())

    def counts(self) -> dict[str, Any]:
        """Return what was correlated: transform, columns, rows."""
        rows = self.rows_in
        parts = len(self.names)
        # Variances alike and nothing in common: what is left is the sum of 0 (Aitchison 1986).
        chance = (
            {"expected_by_chance": rounded(-1 / (parts - 1))} if self.transform == "clr" else {}
        )
        return {
            "transform": self.transform,
            "columns": len(self.names),
            "rows_in": rows,
            "rows_used": self.rows_used,
            "rows_dropped": rows - self.rows_used,
            **chance,
        }

    def matrix(self, least: int) -> tuple[list[str], list[list[Any]]]:
        """Return header and rows of the matrix; cells without a coefficient are empty."""
        r = np.where(self.found.n >= least, self.found.r, np.nan)
        rows = [[name, *map(float, line)] for name, line in zip(self.names, r, strict=True)]
        return ["column", *self.names], rows

    def facts(self, columns: Sequence[Column]) -> dict[str, Any]:
        """Return what every answer says of censored values and of what was left out."""
        values: dict[str, Any] = {"censored": facts.censored(columns), "policy": self.policy}
        return {"dropped": self.dropped, **values} if self.dropped else values


def correlated(
    context: Context,
    table: Table,
    columns: Sequence[Column],
    method: Method,
    transform: Transform,
    inside: NDArray[np.bool_] | None = None,
) -> Correlated:
    """Correlate columns of a table, or of the rows of one group.

    Raises
    ------
    Refused
        If a log-ratio cannot be formed, or there are too many pairs for the rows.
    """
    _bounded(len(columns), table.rows)
    names = tuple(column.name for column in columns)
    rows = Rows.of(context.connection.frame(table, list(names)))
    if inside is not None:
        rows.keep &= inside
    if transform == "clr":
        return _by_ratios(rows, columns, method)
    # Column by column in memory, since each is ranked by itself.
    values = np.array([_told(rows.frame.series[name]) for name in names]).T
    if inside is not None:
        values[~inside] = np.nan
    notes: tuple[str, ...] = ()
    dropped: dict[str, int] = {}
    if transform == "log" and method == "pearson":
        for name, column in zip(names, values.T, strict=True):
            one = rows.alone()
            one.need_positive(name, column)
            dropped |= one.dropped
        values = np.log10(np.where(values > 0, values, np.nan))
    elif transform == "log":
        notes = (
            "ranks are the same with and without logarithms: spearman uses the values as they are",
        )
        transform = "raw"
    used = int((np.isfinite(values).sum(axis=1) >= 2).sum())  # noqa: PLR2004 - a pair
    found = correlations(values, method)
    return Correlated(names, found, transform, table.rows, used, facts.PLAIN, dropped, notes)


def _bounded(columns: int, rows: int) -> None:
    if columns**2 // 2 * rows > _MOST_WORK:
        raise Refused(
            f"correlate: {columns} columns of {rows:,} rows are too many pairs at once; name fewer "
            "columns"
        )


def _told(series: Series) -> Numbers:
    """Return the plain numbers of a column, NaN for the others."""
    return np.where(series.below | series.above, np.nan, series.values)


def _censored(rows: Rows, names: Sequence[str]) -> NDArray[np.bool_]:
    series = [rows.frame.series[name] for name in names]
    return np.column_stack([one.below | one.above for one in series])


def _by_ratios(rows: Rows, columns: Sequence[Column], method: Method) -> Correlated:
    """Correlate centred log-ratios of rows that have every part."""
    from workbench.tables.compositions import clr

    names = tuple(column.name for column in columns)
    rows.need_numbers(names, positive=True)
    rows.need_some(3, "log-ratios")
    factors, unit = harmonised(columns)
    hidden = _censored(rows, names)[rows.keep]
    ratios = clr(rows.frame.matrix(names)[rows.keep] * factors)
    values = np.where(hidden, np.nan, ratios)
    policy = f"{facts.PLAIN}; they enter the mean of the row as {facts.HALF}"
    notes = [f"log-ratios over {len(names)} parts in {unit}: they depend on which parts are chosen"]
    if len(names) < _FEW_PARTS:
        notes.append(
            f"with {len(names)} parts a coefficient near {-1 / (len(names) - 1):.2g} says nothing: "
            "the sum of 0 alone makes it"
        )
    found = correlations(values, method)
    return Correlated(
        names, found, "clr", rows.frame.rows, rows.used, policy, dict(rows.dropped), tuple(notes)
    )
