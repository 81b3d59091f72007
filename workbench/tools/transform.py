"""Derived columns: log-ratios of parts of a whole, with every part accounted for.

No infinity and no gap comes out silently: zeros, negatives, censored and missing parts are
counted, and left out or treated as asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import identity, numeric
from workbench.accounting.rows import MISSING, UNSTATED, Rows
from workbench.errors import Refused
from workbench.reply import Made, Reply
from workbench.tables.compositions import REPLACEMENT
from workbench.tools.context import Context
from workbench.tools.parts import harmonised
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
Method = Literal["clr", "alr", "ilr"]
Impute = Literal["refuse", "half_limit", "multiplicative", "lognormal"]
# Ending of the column that tells which ratios rest on a filled part.
IMPUTED = "__imputed"
_WORDS = {
    "refuse": "parts below detection are refused",
    "half_limit": "parts below detection at half the limit",
    "multiplicative": (
        f"parts below detection at {REPLACEMENT} of the limit, the others shrunk to match"
    ),
    "lognormal": (
        "parts below detection at the geometric mean below their limit of the likeliest lognormal "
        "law, the others shrunk to match"
    ),
}


@tool(effect="derive")
def log_ratio(
    context: Context,
    path: str,
    columns: list[str],
    method: Method = "clr",
    impute: Impute = "refuse",
    over: str | None = None,
    sheet: str | None = None,
) -> Reply:
    """Take log-ratios (natural log) of parts of a whole; units are brought to ppm first.

    Rows with a part missing or not above 0 are left out; parts below detection are refused unless
    `impute` says how to fill them; NAME__imputed marks filled ones. The result keeps ids, places
    and groups; the basis of alr and ilr is a file of its own.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        The parts, two or more.
    method : str
        clr (centred), alr (against one part) or ilr (pivot coordinates, in the order named).
    impute : str
        refuse, half_limit, multiplicative or lognormal.
    over : str
        alr: the part in the denominator; the last if left out.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    chosen = numeric(table, columns, least=2)
    factors, unit = harmonised(chosen)
    names = [column.name for column in chosen]
    place = _denominator(table, names, method, over)
    rows = Rows.of(context.connection.frame(table, names))
    parts = _Parts.of(rows, chosen)
    parts.check(impute)
    filled = parts.filled(impute, factors)
    parts.need(filled)
    rows.need_some(1, "log_ratio")
    ratios, basis, fresh = _ratios(filled[rows.keep], names, method, place)
    made = [_written(context, path, table, parts, fresh, ratios, method)]
    if method != "clr":
        made.append(_basis(context, path, names, fresh, basis, method))
    values: dict[str, Any] = {
        "method": method,
        **({"over": facts.name(names[place])} if method == "alr" else {}),
        "impute": impute,
        "columns": [facts.name(name) for name in names[:40]],
        "unit": unit,
        **rows.facts(),
        "rows_out": rows.used,
        "imputed": parts.imputed(),
        **facts.quality(table),
        "censored": facts.censored(chosen),
        "policy": f"{_WORDS[impute]}; parts above range at the limit",
        "output": facts.output(made[0].path),
        **({"basis": facts.output(made[1].path)} if method != "clr" else {}),
    }
    return Reply(values, made=tuple(made), notes=rows.notes())


def _denominator(table: Table, names: Sequence[str], method: str, over: str | None) -> int:
    """Return the place of the part in the denominator."""
    if over is None:
        return len(names) - 1
    if method != "alr":
        raise Refused(f"log_ratio over='{facts.name(over)}': only alr has one; leave it out")
    name = table.column(over).name
    if name not in names:
        raise Refused(f"log_ratio over='{facts.name(name)}': name it among the columns as well")
    return names.index(name)


def _basis(
    context: Context,
    path: str,
    names: Sequence[str],
    fresh: Sequence[str],
    basis: Numbers,
    method: str,
) -> Made:
    """Write the basis: a coordinate is the sum of its column times the logarithms of the parts."""
    lines = [[name, *map(float, line)] for name, line in zip(names, basis, strict=True)]
    stem = context.named(path, "log_ratio_basis", method)
    return results.small_table(context, stem, ["part", *fresh], lines)


class _Parts:
    """Parts as a matrix, and which of them are small, over range, zero or negative."""

    def __init__(self, rows: Rows, columns: Sequence[Column]) -> None:
        series = [rows.frame.series[column.name] for column in columns]
        self.rows = rows
        self.columns = columns
        self.values: Numbers = np.column_stack([one.values for one in series])
        self.small: Mask = np.column_stack([one.below for one in series])
        self.over: Mask = np.column_stack([one.above for one in series])
        self.limits: Numbers = np.column_stack([one.limit for one in series])

    @classmethod
    def of(cls, rows: Rows, columns: Sequence[Column]) -> _Parts:
        """Look at the parts; where limits are known, zeros and bare ones count as below one.

        A zero lies below the smallest limit met in the column, a value reported as below without
        a number below the largest.
        """
        parts = cls(rows, columns)
        for place in range(len(columns)):
            small, limits = parts.small[:, place], parts.limits[:, place]
            zero = ~small & ~parts.over[:, place] & (parts.values[:, place] == 0)
            known = limits[small & np.isfinite(limits)]
            if known.size:
                bare = small & ~np.isfinite(limits)
                limits[bare] = known.max()
                small[zero], limits[zero] = True, known.min()
        parts.need_positive()
        return parts

    def _counts(self, mask: Mask) -> dict[str, int]:
        counts = mask.sum(axis=0)
        return {facts.name(c.name): int(n) for c, n in zip(self.columns, counts, strict=True) if n}

    def need_positive(self) -> None:
        """Leave out rows with a part that no log-ratio can be taken of, and count them."""
        for place, column in enumerate(self.columns):
            small, values = self.small[:, place], self.values[:, place]
            unknown = small & ~np.isfinite(self.limits[:, place])
            self.rows.need(column.name, ~unknown, UNSTATED)
            self.rows.need_positive(column.name, np.where(small, np.nan, values))
        self.small &= self.rows.keep[:, None]
        self.values[~self.rows.keep] = np.nan

    def check(self, impute: Impute) -> None:
        """Refuse parts below detection unless it was said how they are to be filled.

        Raises
        ------
        Refused
            With the counts by column, and what to do.
        """
        if impute == "refuse" and self.small.any():
            raise Refused(
                f"log_ratio: values below detection: {_listed(self._counts(self.small))}; give "
                "impute half_limit or multiplicative, or leave these columns out"
            )

    def filled(self, impute: Impute, factors: Numbers) -> Numbers:
        """Return the parts in one unit with small ones filled as asked; gaps stay NaN."""
        from workbench.tables import compositions

        values, limits = self.values * factors, self.limits * factors
        if impute == "half_limit":
            return np.where(self.small, limits / 2, values)
        if impute == "multiplicative":
            return compositions.multiplicative_replacement(values, self.small, limits)
        if impute == "lognormal":
            found = compositions.lognormal_replacement(values, self.small, limits)
            if found is None:
                raise Refused(
                    "log_ratio impute=lognormal: a column has fewer than 3 measured values; use "
                    "multiplicative, or leave it out"
                )
            return found
        return values

    def need(self, filled: Numbers) -> None:
        """Leave out rows in which a part has no number, and count them."""
        from workbench.tables.frame import REJECTED

        for place, column in enumerate(self.columns):
            flag = self.rows.frame.series[column.name].flag
            self.rows.need(column.name, flag != REJECTED, "not a number")
            self.rows.need(column.name, np.isfinite(filled[:, place]), MISSING)

    def imputed(self) -> dict[str, int]:
        """Count the parts that were filled, among the rows used."""
        return self._counts(self.small & self.rows.keep[:, None])


def _ratios(
    parts: Numbers, names: Sequence[str], method: Method, place: int
) -> tuple[Numbers, Numbers, list[str]]:
    """Return coordinates, their basis and their names."""
    from workbench.tables.compositions import clr, contrasts

    bad = ~(np.isfinite(parts) & (parts > 0))
    if bad.any():
        name = facts.name(names[int(np.flatnonzero(bad.any(axis=0))[0])])
        raise Refused(
            f"log_ratio: after filling, '{name}' still has {int(bad.sum())} parts that are not "
            "above 0: limits are as large as the whole row; use half_limit or fewer columns"
        )
    basis = contrasts(method, len(names), place)
    if method == "clr":
        return clr(parts), basis, [f"clr_{name}" for name in names]
    left = [name for at, name in enumerate(names) if at != place]
    fresh = [f"alr_{name}" if method == "alr" else f"ilr_{at + 1}" for at, name in enumerate(left)]
    return np.log(parts) @ basis, basis, fresh


def _listed(counts: dict[str, int]) -> str:
    shown = [f"{name} {number}" for name, number in list(counts.items())[:8]]
    more = f" and {len(counts) - 8} more columns" if len(counts) > 8 else ""  # noqa: PLR2004 - a line holds eight
    return ", ".join(shown) + more


def _written(
    context: Context,
    path: str,
    table: Table,
    parts: _Parts,
    names: Sequence[str],
    ratios: Numbers,
    method: str,
) -> Made:
    """Write ids, coordinates, groups and the ratios, each with which of its parts were filled."""
    rows = parts.rows
    added: dict[str, Any] = {}
    for place, name in enumerate(names):
        whole = np.full(rows.frame.rows, np.nan)
        whole[rows.keep] = ratios[:, place]
        added[name] = whole
    for place, column in enumerate(parts.columns):
        if (parts.small[:, place] & rows.keep).any():
            added[f"{method}_{column.name}{IMPUTED}"] = parts.small[:, place]
    first = identity(table, *(column.name for column in table.with_role("group")))
    stem = context.named(path, "log_ratio", method)
    return results.write_beside(context, table, stem, added, names=first, used=rows.keep)[0]
