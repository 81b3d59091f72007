"""The one table of limits: what may enter a context, and what one question may use.

Every consumer takes a row, never a number: code enforces it, prompts join its rule sentence, the
first event of a run carries the whole table, and the README block is generated from it.
`enforced` says who holds it: ``code`` holds against a model that ignores its instructions;
``prompt`` is only asked for, and is measured.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from workbench.errors import Refused
from workbench.limits_rows import ROWS, Value


@dataclass(frozen=True)
class Limit:
    """One row of the table.

    Attributes
    ----------
    key : str
        Name used in code, events, flags and documentation.
    value : int, float or str
        The number, or a word (``always``, ``asked``, ``never``, ``off``) where there is none.
    unit : str
        Unit of the number, singular or plural as it reads after it; empty for a word.
    where : str
        The place it is held.
    enforced : {"code", "prompt"}
        Who holds it.
    rule : str
        The sentence that prompts and help texts repeat; ``{value}`` stands for the value.
    why : str
        What goes wrong without it.
    source : bool
        True for the rows that were given from outside and may not be loosened quietly.
    default : int, float or str
        The published value; differs from `value` only where a session changed it.
    """

    key: str
    value: Value
    unit: str
    where: str
    enforced: Literal["code", "prompt"]
    rule: str
    why: str
    source: bool = False
    default: Value = ""

    @property
    def number(self) -> int:
        """The value as a whole number; a word stands for no bound at all."""
        return UNBOUNDED if isinstance(self.value, str) else int(self.value)

    @property
    def sentence(self) -> str:
        """The rule with its value filled in."""
        if self.value == "off":
            return f"Off unless set: {self.rule.replace('{value}', 'so many')}"
        shown = self.value if isinstance(self.value, str) else f"{self.value:,}"
        return self.rule.replace("{value}", shown)

    def to_json(self) -> dict[str, Value]:
        """Return the row as plain values, in the shape of ``workbench limits --json``."""
        return {
            "key": self.key,
            "value": self.value,
            "unit": self.unit,
            "where": self.where,
            "enforced": self.enforced,
            "rule": self.sentence,
        }


# Stands for "no bound": larger than any count here, small enough for every integer column.
UNBOUNDED = 2**53
_MOST_THREADS = 64

LIMITS: tuple[Limit, ...] = tuple(
    Limit(key, value, unit, where, enforced, rule, why, source=source, default=value)
    for (key, value, unit, where, enforced, rule, why, source) in ROWS
)


class Limits(Mapping[str, Limit]):
    """The table with the values of one session.

    Parameters
    ----------
    rows : iterable of Limit, optional
        Rows in force; the published table if left out.
    """

    def __init__(self, rows: tuple[Limit, ...] = LIMITS) -> None:
        self._rows = {row.key: row for row in rows}

    def __getitem__(self, key: str) -> Limit:
        return self._rows[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def threads(self) -> int:
        """Threads of a child; the engine aborts the process where it is asked for billions."""
        return max(1, min(self["child_threads"].number, _MOST_THREADS))

    def changed(self, values: Mapping[str, object]) -> Limits:
        """Return a table in which the given keys have new values.

        Raises
        ------
        Refused
            If a key is unknown, the row has no number, or the new value is not a positive number.
        """
        rows = dict(self._rows)
        for key, value in values.items():
            if key not in rows:
                close = difflib.get_close_matches(key, rows, n=1, cutoff=0.5)
                hint = f"; nearest: '{close[0]}'" if close else ""
                raise Refused(f"limit '{key}': no such row in the limits table{hint}")
            rows[key] = replace(rows[key], value=_checked(rows[key], value))
        return Limits(tuple(rows.values()))

    def raised(self) -> list[str]:
        """Return the keys whose value differs from the published table, in table order."""
        return [key for key, row in self._rows.items() if row.value != row.default]

    def values_json(self) -> dict[str, Value]:
        """Return key and value of every changed row: what a job needs to rebuild this table."""
        return {key: self._rows[key].value for key in self.raised()}


def _checked(row: Limit, value: object) -> Value:
    """Return `value` as this row takes it, or refuse."""
    if isinstance(row.value, str) and row.value != "off":
        raise Refused(f"limit '{row.key}': it has no number to change (it is '{row.value}')")
    if value == "off" and row.default == "off":
        return "off"
    try:
        number = float(str(value))
    except ValueError:
        number = -1.0
    if not 0 < number <= UNBOUNDED:
        raise Refused(f"limit '{row.key}={value}': the value must be a number above 0")
    return int(number) if number.is_integer() else number
