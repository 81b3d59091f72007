"""Which rows of a table one call showed to a model, and how much of each: whole, in part, not.

Head, gap and marks of the seen and full view all count from here, so that they agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.notebook import numerals
from workbench.runs.infull import TableInFull
from workbench.runs.seen import Rows

NOT, PART, WHOLE = 0, 1, 2
_NAMED = 4


@dataclass(frozen=True)
class Marked:
    """What of a table stands in a text.

    Attributes
    ----------
    whole, part : frozenset of int
        Numbers of the rows, from 0, that stand there with every column, or with some.
    columns : tuple of str
        Columns of the table that stand there.
    of : int
        Columns there are.
    beside : tuple of str
        Columns of the text that the table has not: a score, a rank.
    lost : int
        Rows of the text that are no row of the table.
    chars : int
        Characters of the rows that were found.
    """

    whole: frozenset[int] = frozenset()
    part: frozenset[int] = frozenset()
    columns: tuple[str, ...] = ()
    of: int = 0
    beside: tuple[str, ...] = ()
    lost: int = 0
    chars: int = 0

    @property
    def count(self) -> int:
        """Rows of which anything was seen."""
        return len(self.whole | self.part)

    def state(self, number: int) -> int:
        """Return how much of a row was seen: `WHOLE`, `PART` or `NOT`."""
        return WHOLE if number in self.whole else PART if number in self.part else NOT

    def words(self) -> list[str]:
        """Return what to say of rows that were seen in part, and of what matches no row."""
        said = []
        if self.part and len(self.columns) < self.of:
            names = ", ".join(self.columns[:_NAMED])
            more = len(self.columns) - _NAMED
            rest = f" and {more:,} more" if more > 0 else ""
            said.append(f"{len(self.columns):,} of {self.of:,} columns: {names}{rest}")
        elif self.part:
            said.append("long cells cut short")
        if self.beside:
            said.append(f"beside them {', '.join(self.beside[:_NAMED])}, no column of this file")
        if self.lost:
            said.append(f"{numerals.plural(self.lost, 'row')} of the text match none of this file")
        return said


def marked(table: TableInFull, shown: Sequence[Rows]) -> Marked:
    """Return what of a table stands in the previews of a text."""
    found = Marked()
    for rows in shown:
        told = table.seen(rows)
        whole = found.whole | frozenset(map(int, told["whole"]))
        part = (found.part | frozenset(map(int, told["part"]))) - whole
        columns = tuple(dict.fromkeys((*found.columns, *map(str, told["columns"]))))
        beside = tuple(dict.fromkeys((*found.beside, *map(str, told["beside"]))))
        lost = int(told["lost"])
        own = len(rows.lines) - lost
        chars = sum(len(line) + 1 for line in rows.lines) * own // max(len(rows.lines), 1)
        found = Marked(
            *(whole, part, columns, int(told["of"]), beside), found.lost + lost, found.chars + chars
        )
    return found
