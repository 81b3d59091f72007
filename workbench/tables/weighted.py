"""Counting the cells of a raw column in SQL, whether each stands for itself or for all equal ones.

A text kept as codes gives a column as its different texts, each with how often it occurs in ``n``;
such columns are asked one by one. Every other raw table gives a row a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workbench.formats.reading import Reading
from workbench.tables.profile_record import GROUP


def groups(places: Sequence[int], size: int = GROUP) -> Iterator[Sequence[int]]:
    """Yield columns in groups of a size that one statement takes."""
    for start in range(0, len(places), size):
        yield places[start : start + size]


def raw_groups(
    reading: Reading, relation: str, places: Sequence[int], size: int = GROUP
) -> Iterator[Sequence[int]]:
    """Yield columns of a raw table in groups that `Reading.part` can give together."""
    return groups(places, size if reading.coded(relation) is None else 1)


class Cells:
    """SQL that counts the cells of a raw table.

    Parameters
    ----------
    reading, relation
        The raw table.
    """

    def __init__(self, reading: Reading, relation: str) -> None:
        self._weighted = reading.coded(relation) is not None

    @property
    def extra(self) -> str:
        """The column that has to be handed through a layer; empty if none."""
        return "n" if self._weighted else ""

    @property
    def every(self) -> str:
        """SQL for the number of cells."""
        return "coalesce(sum(n), 0)" if self._weighted else "count(*)"

    def where(self, test: str) -> str:
        """Return SQL for the number of cells that pass a test."""
        return (
            f"coalesce(sum(n) FILTER ({test}), 0)"
            if self._weighted
            else f"count(*) FILTER ({test})"
        )

    def filled(self, cell: str) -> str:
        """Return SQL for the number of cells that are not NULL."""
        return self.where(f"{cell} IS NOT NULL") if self._weighted else f"count({cell})"
