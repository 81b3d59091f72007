"""The cells of one column, counted: what is known before it is decided what the column is."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.tables.cells import CellClass

# Columns of one statement. A counter with FILTER holds a buffer of every column of its statement,
# so that memory grows with the square: fifty columns claimed 3.4 GB, six claim 0.4 GB.
GROUP = 6


@dataclass(frozen=True)
class Profile:
    """The cells of one column, counted.

    Attributes
    ----------
    classes : tuple of int
        Cells by `CellClass`.
    distinct : int
        Different texts, about.
    first, last : str or None
        Smallest and largest text.
    low, high : float or None
        Smallest and largest number.
    cast : bool
        True if the engine's own cast reads every filled cell as the finite number it spells.
    """

    classes: tuple[int, ...]
    distinct: int
    first: str | None
    last: str | None
    low: float | None
    high: float | None
    cast: bool = False

    def count(self, *classes: CellClass) -> int:
        """Return the cells of some classes."""
        return sum(self.classes[one] for one in classes)

    @property
    def filled(self) -> int:
        """Cells that are not blank."""
        return sum(self.classes) - self.classes[CellClass.BLANK]

    @property
    def numbers(self) -> int:
        """Cells that are a number or censored at one."""
        return self.count(CellClass.PLAIN, CellClass.BELOW, CellClass.ABOVE)

    @property
    def constant(self) -> bool:
        """True if all filled cells are equal."""
        return self.filled > 0 and self.first == self.last
