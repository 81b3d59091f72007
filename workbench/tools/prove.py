"""Claims checked by working them out again: the tolerance is ours, one bad claim spoils no other.

A claimed number holds if the number found, rounded to as many digits as were claimed, is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts
from workbench.accounting.columns import one_numeric
from workbench.accounting.rows import Rows
from workbench.errors import Refused, nearest
from workbench.reply import Reply
from workbench.tables.statistics import rounded
from workbench.tools.conditions import condition
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.frame import Series
    from workbench.tables.table import Table

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
_MOST = 50
_KEYS = ("value", "statistic", "column", "filter")
_NUMBERS: dict[str, Callable[[Numbers], float]] = {
    "mean": lambda x: float(x.mean()),
    "geometric_mean": lambda x: float(np.exp(np.log(x).mean())),
    "median": lambda x: float(np.median(x)),
    "min": lambda x: float(x.min()),
    "max": lambda x: float(x.max()),
    "sum": lambda x: float(x.sum()),
    "sd": lambda x: float(x.std(ddof=1)),
}
_COUNTS = ("rows", "count", "below", "above", "missing")
_BASES = ("plain numbers", facts.HALF)


@tool(effect="read")
def verify_claims(
    context: Context, path: str, claims: list[dict[str, Any]], sheet: str | None = None
) -> Reply:
    """Check numbers before they are stated: each claim is worked out again from the file.

    Parameters
    ----------
    path : str
        File or result path.
    claims : list of dict
        At most 50: value (as stated), statistic (rows, count, below, above, missing, mean,
        geometric_mean, median, min, max, sum, sd, p95 …), column, filter (a condition; optional).
    sheet : str
        Sheet of a workbook.
    """
    if not 1 <= len(claims) <= _MOST:
        raise Refused(f"verify_claims: {len(claims)} claims; give 1 to {_MOST} a call")
    table = context.table(path, sheet)
    verified, told, columns = 0, {}, set()
    for number, claim in enumerate(claims, start=1):
        try:
            found = _checked(context, table, _Claim.of(claim))
        except Refused as error:
            told[f"claim {number}"] = {"status": "error", "reason": str(error)[:300]}
            continue
        verified += found["status"] == "verified"
        told[f"claim {number}"] = found
        columns.add(str(claim.get("column", "")))
    failed = sum(one["status"] == "failed" for one in told.values())
    values: dict[str, Any] = {
        "claims": len(claims),
        "verified": verified,
        "failed": failed,
        "errors": len(claims) - verified - failed,
        "tolerance": "equal when rounded to the digits claimed; counts exactly",
        **told,
    }
    return Reply(values)


@dataclass(frozen=True)
class _Claim:
    """One number and what it is said to be."""

    value: Decimal
    statistic: str
    column: str
    filter: str

    @classmethod
    def of(cls, claim: Mapping[str, Any]) -> _Claim:
        """Read a claim.

        Raises
        ------
        Refused
            For unknown keys, a value that is no number, or a statistic that is not known.
        """
        for key in claim:
            if key not in _KEYS:
                raise Refused(f"no key '{str(key)[:40]}' in a claim{nearest(str(key), _KEYS)}")
        try:
            value = Decimal(str(claim.get("value")).replace(",", "").strip())
        except InvalidOperation:
            raise Refused(f"value '{str(claim.get('value'))[:40]}' is not a number") from None
        if not value.is_finite():
            raise Refused("value is not a finite number")
        statistic = str(claim.get("statistic", "")).strip().casefold()
        known = (*_COUNTS, *_NUMBERS, "p95")
        if statistic not in known and _percentile(statistic) is None:
            raise Refused(f"statistic '{statistic[:40]}' is none{nearest(statistic, known)}")
        return cls(value, statistic, str(claim.get("column") or ""), str(claim.get("filter") or ""))

    @property
    def counted(self) -> bool:
        """True for counts, which hold exactly or not at all."""
        return self.statistic in _COUNTS

    def holds(self, found: float) -> bool:
        """Tell whether a number found is the one claimed, to the digits claimed."""
        if self.counted:
            return self.value == Decimal(str(found))
        exponent = self.value.as_tuple().exponent
        step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
        # A half rounds either way: 0.125 may have been stated as 0.12 or 0.13.
        return abs(Decimal(repr(found)) - self.value) <= step / 2


def _percentile(word: str) -> float | None:
    try:
        share = float(word.removeprefix("p"))
    except ValueError:
        return None
    return share if word.startswith("p") and 0 <= share <= 100 else None  # noqa: PLR2004 - percent


def _checked(context: Context, table: Table, claim: _Claim) -> dict[str, Any]:
    """Work a claim out again."""
    if claim.statistic == "rows" and not claim.column:
        kept = condition(context, table, claim.filter).kept if claim.filter else table.rows
        return _said(claim, float(kept), "rows that meet the filter" if claim.filter else "rows")
    if not claim.column:
        raise Refused(f"column is missing; {claim.statistic} is taken of a column")
    column = table.column(claim.column)
    if not claim.counted:
        one_numeric(table, column)
    rows = Rows.of(context.connection.frame(table, [column.name]))
    if claim.filter:
        rows.keep &= _meets(context, table, claim.filter)
    series = rows.frame.series[column.name]
    if claim.counted:
        return _said(claim, float(_count(series, rows.keep, claim.statistic)), "rows")
    return _number(claim, series, rows.keep)


def _meets(context: Context, table: Table, text: str) -> Mask:
    """Tell which rows meet a filter, in the order of the file."""
    met = condition(context, table, text)
    found = context.connection.rows(f"SELECT {met.where()} FROM {met.relation}")  # noqa: S608 - quoted
    return np.array([bool(row[0]) for row in found])


def _count(series: Series, keep: Mask, statistic: str) -> int:
    masks = {
        "rows": np.ones(keep.size, dtype=bool),
        "count": series.plain,
        "below": series.below,
        "above": series.above,
        "missing": ~(series.plain | series.below | series.above),
    }
    return int((masks[statistic] & keep).sum())


def _number(claim: _Claim, series: Series, keep: Mask) -> dict[str, Any]:
    """Compare with the statistic of plain numbers, then with censored values at the policy."""
    first: dict[str, Any] | None = None
    for basis, inside in zip(_BASES, (series.plain & keep, keep), strict=True):
        values = series.values[inside & np.isfinite(series.values)]
        if not values.size:
            continue
        if claim.statistic == "geometric_mean" and (values <= 0).any():
            raise Refused("a geometric mean needs values above 0")
        share = _percentile(claim.statistic)
        found = (
            float(np.percentile(values, share))
            if share is not None
            else _NUMBERS[claim.statistic](values)
        )
        said = _said(claim, found, f"{basis}, n {values.size}")
        if said["status"] == "verified":
            return said
        first = first or said
    if first is None:
        raise Refused("no numbers are left to take it of")
    return first


def _said(claim: _Claim, found: float, basis: str) -> dict[str, Any]:
    status = "verified" if claim.holds(found) else "failed"
    return {
        "status": status,
        "claimed": str(claim.value),
        "found": rounded(found),
        "basis": basis,
    }
