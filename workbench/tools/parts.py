"""Parts of a whole in one unit: what must hold before a log-ratio is taken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts
from workbench.errors import Refused

if TYPE_CHECKING:
    from workbench.tables.table import Column

UNIT = "ppm"


def harmonised(columns: Sequence[Column]) -> tuple[NDArray[np.float64], str]:
    """Return the factor of each column to one unit, and that unit.

    Raises
    ------
    Refused
        If some units are not known, or a unit is no share of mass.
    """
    from workbench.tables.units import factor

    unknown = [facts.name(column.name) for column in columns if column.unit is None]
    if len(unknown) == len(columns):
        return np.ones(len(columns)), "one unit (the file states none)"
    if unknown:
        raise Refused(
            f"log-ratios need one unit: the file states none for {', '.join(unknown[:6])}; leave "
            "them out, or set unit with a reader override"
        )
    factors = [float(factor(str(column.unit), UNIT)) for column in columns]
    return np.array(factors), UNIT
