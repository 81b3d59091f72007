"""How the laboratory reports: analytes, limits, rounding, censored values and reasons.

Every table of the sample set turns true values into text through `report`. Invariant: each cell is
exactly one of plain, below the limit, above the limit, or missing with a reason, and the counts in
the planted truth are sums over these masks, never a second reading of the text.
"""

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Analyte:
    """One reported column: what was measured, how, and between which limits."""

    symbol: str
    unit: str
    method: str
    decimals: int
    lower: float
    upper: float

    @property
    def column(self) -> str:
        """Header in the files, such as ``Au_ppb``."""
        return f"{self.symbol}_{self.unit}"

    @property
    def lower_text(self) -> str:
        """Lower limit as the laboratory prints it, such as ``0.05``."""
        return f"{self.lower:g}"


FIRE, ACID, INFRARED, FUSION = "FA30-MS", "4A-MS", "IR-S", "XF-XRF"

SURFACE = (
    Analyte("Au", "ppb", FIRE, 0, 1, 10_000),
    Analyte("As", "ppm", ACID, 1, 0.2, 10_000),
    Analyte("Cu", "ppm", ACID, 1, 0.2, 10_000),
    Analyte("Sb", "ppm", ACID, 2, 0.1, 10_000),
    Analyte("Ag", "ppm", ACID, 2, 0.05, 100),
    Analyte("Pb", "ppm", ACID, 1, 0.5, 10_000),
    Analyte("Zn", "ppm", ACID, 0, 2, 10_000),
    Analyte("Ni", "ppm", ACID, 1, 0.2, 10_000),
    Analyte("Co", "ppm", ACID, 1, 0.1, 10_000),
    Analyte("Cr", "ppm", ACID, 0, 1, 10_000),
    Analyte("Mo", "ppm", ACID, 1, 0.5, 10_000),
    Analyte("Bi", "ppm", ACID, 2, 0.05, 10_000),
    Analyte("W", "ppm", ACID, 1, 0.5, 10_000),
    Analyte("Ba", "ppm", ACID, 0, 10, 10_000),
    Analyte("S", "pct", INFRARED, 2, 0.01, 50),
    Analyte("Fe", "pct", ACID, 2, 0.01, 50),
    Analyte("SiO2", "pct", FUSION, 2, 0.01, 100),
    Analyte("Al2O3", "pct", FUSION, 2, 0.01, 100),
    Analyte("MgO", "pct", FUSION, 2, 0.01, 100),
    Analyte("K2O", "pct", FUSION, 2, 0.01, 100),
)

HOLE = (
    Analyte("Au", "ppm", "FA30-AA", 2, 0.01, 100),
    Analyte("As", "ppm", "4A-OE", 0, 5, 10_000),
    Analyte("Cu", "ppm", "4A-OE", 0, 1, 10_000),
    Analyte("S", "pct", "4A-OE", 2, 0.01, 10),
)


@dataclass(frozen=True)
class Reported:
    """One column as reported.

    `value` has shape (n,): the rounded number where plain, NaN elsewhere. `true` is the unrounded
    number behind it. `missing` holds the reason, or an empty text.
    """

    analyte: Analyte
    true: Floats
    value: Floats
    below: Bools
    above: Bools
    missing: tuple[str, ...]
    text: tuple[str, ...]

    def counts(self) -> dict[str, object]:
        """Count plain, censored and missing cells, the missing ones by reason."""
        reasons = sorted({reason for reason in self.missing if reason})
        return {
            "count": int(np.isfinite(self.value).sum()),
            "below": int(self.below.sum()),
            "above": int(self.above.sum()),
            "missing": {reason: self.missing.count(reason) for reason in reasons},
            "median": median(self.value),
            "lower_limit": self.analyte.lower,
            "upper_limit": self.analyte.upper,
            "unit": self.analyte.unit,
            "method": self.analyte.method,
        }

    def half_limit(self) -> Floats:
        """Return shape (n,) numbers: half the limit where below, the limit where above."""
        filled = np.where(self.below, self.analyte.lower / 2, self.value)
        return np.where(self.above, self.analyte.upper, filled)


def median(values: Floats) -> float:
    """Median of the finite values, to six decimals so that the truth file stays readable."""
    return round(float(np.median(values[np.isfinite(values)])), 6)


def rounded(value: float, decimals: int) -> tuple[float, str]:
    """Round to three figures but at most `decimals` places, as a certificate does.

    Returns
    -------
    tuple[float, str]
        The number and its printed form; 12.345 with one decimal gives 12.3 and ``12.3``.
    """
    places = min(decimals, 2 - math.floor(math.log10(value)))
    number = round(value, places)
    return number, f"{number:.{max(places, 0)}f}"


def report(true: Floats, analyte: Analyte, missing: Sequence[str]) -> Reported:
    """Report true values of shape (n,) under the limits of `analyte`.

    `missing` gives a reason per cell, empty where there is none; the reason ``blank`` prints as an
    empty cell, every other reason as itself. Percentages keep fixed decimals.
    """
    absent = np.array([bool(reason) for reason in missing])
    below = (true < analyte.lower) & ~absent
    above = (true > analyte.upper) & ~absent
    value = np.full(true.shape, np.nan)
    text = []
    for i, number in enumerate(true.tolist()):
        if missing[i]:
            text.append("" if missing[i] == "blank" else missing[i])
        elif below[i]:
            text.append(f"<{analyte.lower_text}")
        elif above[i]:
            text.append(f">{analyte.upper:g}")
        else:
            value[i], printed = _printed(number, analyte)
            text.append(printed)
    return Reported(analyte, true, value, below, above, tuple(missing), tuple(text))


def _printed(number: float, analyte: Analyte) -> tuple[float, str]:
    if analyte.unit == "pct":
        fixed = round(number, analyte.decimals)
        return fixed, f"{fixed:.{analyte.decimals}f}"
    return rounded(number, analyte.decimals)


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> int:
    """Write text cells with LF line ends on every system and return the number of data rows."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            writer.writerow(row)
            count += 1
    return count
