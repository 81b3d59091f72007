"""Numbers that may be known only as an interval, as SQL.

A value reported as ``<1`` lies anywhere from 0 up to, but not at, 1. A comparison is true where it
holds for every value of the intervals, false where it holds for none, and undecided (NULL)
otherwise; a missing value makes it NULL too. Every formula here errs towards undecided.
"""

from __future__ import annotations

from dataclasses import dataclass

ALWAYS, NEVER = "TRUE", "FALSE"
_INF = "CAST('inf' AS DOUBLE)"


@dataclass(frozen=True)
class Interval:
    """A number as two SQL expressions, and whether its ends belong to it.

    Attributes
    ----------
    low, high : str
        SQL of the ends; the same text where the number is a point. NULL where it is missing.
    low_open, high_open : str
        SQL of a condition: the end itself is not reached.
    constant : float or None
        The value of a number written in the expression.
    """

    low: str
    high: str
    low_open: str = NEVER
    high_open: str = NEVER
    constant: float | None = None

    @property
    def point(self) -> bool:
        """True if the number is exact in every row."""
        return self.low == self.high


def of_column(value: str, flag: str | None, limit: str, *, below_zero: bool) -> Interval:
    """Return the interval of a column.

    Parameters
    ----------
    value, limit : str
        Quoted names of the value column and its reporting limit.
    flag : str or None
        Quoted name of the flag column; None where the column is never censored.
    below_zero : bool
        True where the quantity can be negative, so that ``<1`` has no lower end.
    """
    if flag is None:
        return Interval(value, value)
    bottom = f"-{_INF}" if below_zero else f"least(0.0, {limit})"
    floor = f"-{_INF}" if below_zero else "0.0"
    low = (
        f"CASE WHEN {flag} IS NULL THEN {value} WHEN {flag} = '<' THEN coalesce({bottom}, {floor})"
        f" WHEN {flag} = 'bdl' THEN {floor} WHEN {flag} = '>' THEN {limit} END"
    )
    high = (
        f"CASE WHEN {flag} IS NULL THEN {value} WHEN {flag} = '<' THEN coalesce({limit}, {_INF})"
        f" WHEN {flag} IN ('bdl', '>') THEN {_INF} END"
    )
    return Interval(low, high, f"coalesce({flag} = '>', FALSE)", f"coalesce({flag} = '<', FALSE)")


def negative(a: Interval) -> Interval:
    """Return −a."""
    if a.point:
        return Interval(f"(-{a.low})", f"(-{a.low})")
    return Interval(f"(-{a.high})", f"(-{a.low})", a.high_open, a.low_open)


def plus(a: Interval, b: Interval) -> Interval:
    """Return a + b."""
    low = f"({a.low} + {b.low})"
    if a.point and b.point:
        return Interval(low, low)
    return Interval(
        low, f"({a.high} + {b.high})", _any(a.low_open, b.low_open), _any(a.high_open, b.high_open)
    )


def scaled(a: Interval, operator: str, by: str, *, turned: bool) -> Interval:
    """Return a times or divided by a constant other than 0; `turned` where it is negative."""
    low, high = f"({a.low} {operator} {by})", f"({a.high} {operator} {by})"
    if turned:
        return Interval(high, low, a.high_open, a.low_open)
    return Interval(low, high, a.low_open, a.high_open)


def times(a: Interval, b: Interval) -> Interval:
    """Return a × b; an end of 0 times an end without bound is 0."""
    if a.point and b.point:
        return Interval(f"({a.low} * {b.low})", f"({a.low} * {b.low})")
    ends = [_defined(f"{x} * {y}") for x in (a.low, a.high) for y in (b.low, b.high)]
    return _spanned(ends)


def over(a: Interval, b: Interval) -> Interval:
    """Return a ÷ b; NULL where b is 0, without bounds where b may be 0."""
    if a.point and b.point:
        exact = f"({a.low} / nullif({b.low}, 0))"
        return Interval(exact, exact)
    ends = [_defined(f"{x} / {y}") for x in (a.low, a.high) for y in (b.low, b.high)]
    span = _spanned(ends)
    safe = f"({b.low} > 0 OR {b.high} < 0)"
    zero = f"({b.low} = 0 AND {b.high} = 0)"
    known = f"{a.low} IS NOT NULL AND {b.low} IS NOT NULL AND NOT {zero}"
    # From here on b spans 0: with a and b at or above 0 the quotient has a lower end only.
    positive = f"({a.low} >= 0 AND {b.low} >= 0)"
    low = (
        f"CASE WHEN NOT ({known}) THEN NULL WHEN {safe} THEN {span.low}"
        f" WHEN {positive} THEN {a.low} / {b.high} ELSE -{_INF} END"
    )
    high = f"CASE WHEN NOT ({known}) THEN NULL WHEN {safe} THEN {span.high} ELSE {_INF} END"
    return Interval(low, high)


def exact_only(sql: str, *parts: Interval) -> Interval:
    """Return a function of exact numbers; anything is possible where one is an interval."""
    sql = f"CASE WHEN isfinite({sql}) THEN {sql} END"
    if all(part.point for part in parts):
        return Interval(sql, sql)
    wide = " OR ".join(f"{part.low} <> {part.high}" for part in parts if not part.point)
    low = f"CASE WHEN {wide} THEN -{_INF} ELSE {sql} END"
    return Interval(low, f"CASE WHEN {wide} THEN {_INF} ELSE {sql} END")


def rising(function: str, a: Interval, domain: str) -> Interval:
    """Return a rising function of a.

    Parameters
    ----------
    function : str
        For example ``log10``.
    a : Interval
        Its argument.
    domain : str
        SQL operator of its lower bound at 0: ``>`` (logarithms) or ``>=`` (roots).
    """
    exact = f"CASE WHEN {a.low} {domain} 0 THEN {function}({a.low}) END"
    if a.point:
        return Interval(exact, exact)
    undefined = f"{a.low} = {a.high} AND NOT {a.low} {domain} 0"
    low = (
        f"CASE WHEN {a.low} IS NULL OR {undefined} THEN NULL"
        f" WHEN {a.low} {domain} 0 THEN {function}({a.low}) ELSE -{_INF} END"
    )
    high = (
        f"CASE WHEN {a.low} IS NULL OR {undefined} THEN NULL WHEN isinf({a.high}) THEN {_INF}"
        f" WHEN {a.high} {domain} 0 THEN {function}({a.high}) ELSE -{_INF} END"
    )
    return Interval(low, high, a.low_open, a.high_open)


def less(a: Interval, b: Interval) -> str:
    """Return SQL of a < b: TRUE, FALSE, or NULL where it is undecided or a value is missing."""
    if a.point and b.point:
        return f"({a.low} < {b.low})"
    touch = _any(a.high_open, b.low_open)
    return (
        f"(CASE WHEN {a.high} < {b.low} OR ({a.high} = {b.low} AND {touch}) THEN TRUE"
        f" WHEN {a.low} >= {b.high} THEN FALSE END)"
    )


def equal(a: Interval, b: Interval) -> str:
    """Return SQL of a = b, as `less` does."""
    if a.point and b.point:
        return f"({a.low} = {b.low})"
    left = f"{a.high} < {b.low} OR ({a.high} = {b.low} AND {_any(a.high_open, b.low_open)})"
    right = f"{b.high} < {a.low} OR ({b.high} = {a.low} AND {_any(b.high_open, a.low_open)})"
    return (
        f"(CASE WHEN {left} OR {right} THEN FALSE"
        f" WHEN {a.low} = {a.high} AND {b.low} = {b.high} AND {a.low} = {b.low} THEN TRUE END)"
    )


def _any(*conditions: str) -> str:
    real = [condition for condition in conditions if condition != NEVER]
    return f"({' OR '.join(real)})" if real else NEVER


def _defined(product: str) -> str:
    """Return a product or quotient of ends in which 0 × ∞ and ∞ ÷ ∞ count as 0."""
    return f"(CASE WHEN isnan({product}) THEN 0.0 ELSE {product} END)"


def _spanned(ends: list[str]) -> Interval:
    listed = ", ".join(ends)
    return Interval(f"least({listed})", f"greatest({listed})")
