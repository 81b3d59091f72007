"""What number stands for a censored value when a tool needs one.

Half the limit unless set otherwise; the choice is always told next to the count of values it
touched. A value below detection without a stated limit has no number, except zero by the policy
of zero.
"""

from __future__ import annotations

from enum import StrEnum

from workbench.formats.quoting import quote, text
from workbench.tables.cells import ABOVE, BARE, BELOW
from workbench.tables.table import FLAG, LIMIT, Column


class Policy(StrEnum):
    """Numbers for censored values."""

    HALF = "half"
    LIMIT = "limit"
    ZERO = "zero"
    SQRT2 = "sqrt2"
    DROP = "drop"

    @property
    def share(self) -> float | None:
        """Share of the limit that a value below it counts as; None to leave it out."""
        shares = {"half": 0.5, "limit": 1.0, "zero": 0.0, "sqrt2": 0.5**0.5}
        return shares.get(self.value)

    @property
    def words(self) -> str:
        """The policy in words, for answers."""
        return {
            "half": "below-detection values count as half their limit, above-limit values as it",
            "limit": "below- and above-limit values count as their limit",
            "zero": "below-detection values count as 0, above-limit values as their limit",
            "sqrt2": "below-detection values count as their limit divided by the square root of 2, "
            "above-limit values as it",
            "drop": "below- and above-limit values are left out",
        }[self.value]


def value_sql(column: Column, policy: Policy) -> str:
    """Return SQL for a column's number by the policy, over its snapshot."""
    name = quote(column.name)
    if not column.flagged or policy.share is None:
        return name
    flag, limit = quote(column.name + FLAG), quote(column.name + LIMIT)
    bare = f"WHEN {text(BARE)} THEN 0.0 " if policy is Policy.ZERO else ""
    return (
        f"CASE {flag} WHEN {text(BELOW)} THEN {limit} * {policy.share!r}::DOUBLE {bare}"
        f"WHEN {text(ABOVE)} THEN {limit} ELSE {name} END"
    )


def view_sql(columns: tuple[Column, ...], source: str, policy: Policy) -> str:
    """Return the SELECT of a table's view over its snapshot: numbers by the policy, companions."""
    parts = []
    for column in columns:
        parts.append(f"{value_sql(column, policy)} AS {quote(column.name)}")
        if column.flagged:
            parts += [quote(column.name + FLAG), quote(column.name + LIMIT)]
    return f"SELECT {', '.join(parts)} FROM {source}"  # noqa: S608 - quoted
