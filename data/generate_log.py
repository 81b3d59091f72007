"""The wireline log of hole MRD001 as a LAS 2.0 file.

Invariant: the index runs from the collar to the depth of the hole in equal steps and never holds
the null value; curves follow the logged rock, and the shear shows as a dense, conductive stretch.
"""

from dataclasses import dataclass

import numpy as np
from generate_holes import ZONE_HALF_WIDTH, Hole
from generate_lab import Bools, Floats
from generate_surface import GRID

NULL = -999.25
STEP = 0.5
CASING = 6.0
CAVED = (70.0, 72.0)
TAIL = 1.5
CURVES = (
    ("GR", "GAPI", "Natural gamma", 1),
    ("DENS", "G/C3", "Bulk density", 3),
    ("RES", "OHMM", "Deep resistivity", 1),
    ("MSUS", "SI", "Magnetic susceptibility", 5),
)
# Gamma (API), density (g/cm3), resistivity (ohm.m), magnetic susceptibility (SI) of each rock.
ROCK = {
    "Saprolite": (68.0, 2.05, 55.0, 0.00018),
    "Dacite": (104.0, 2.66, 1500.0, 0.00024),
    "Sericite schist": (126.0, 2.72, 900.0, 0.00019),
    "Sulphidic schist": (86.0, 2.88, 260.0, 0.00090),
    "Basalt": (23.0, 2.93, 3100.0, 0.00065),
    "Dolerite": (18.0, 2.99, 5200.0, 0.00420),
}


@dataclass(frozen=True)
class Log:
    """Depths of shape (n,) and values and nulls of shape (n, curves)."""

    hole: str
    depth: Floats
    values: Floats
    null: Bools
    text: str


def log(hole: Hole, rng: np.random.Generator) -> Log:
    """Log one hole whose depth is a whole number of steps."""
    depth = np.linspace(0.0, hole.depth, round(hole.depth / STEP) + 1)
    rock = np.array([ROCK[_rock(hole, at)] for at in depth.tolist()])
    shear = np.interp(depth, hole.from_to.mean(axis=1), hole.shear)
    core = np.exp(-((shear / ZONE_HALF_WIDTH) ** 2))
    noise = np.column_stack([_drift(depth.size, rng) for _ in CURVES])
    values = np.column_stack(
        [
            rock[:, 0] * (1.0 + 0.09 * noise[:, 0]),
            rock[:, 1] + 0.14 * core + 0.025 * noise[:, 1],
            rock[:, 2] * 10.0 ** (0.14 * noise[:, 2] - 0.8 * core),
            rock[:, 3] * 10.0 ** (0.13 * noise[:, 3] + 0.5 * core),
        ]
    )
    decimals = [places for *_, places in CURVES]
    values = np.column_stack([np.round(values[:, i], places) for i, places in enumerate(decimals)])
    null = _nulls(depth)
    return Log(hole.name, depth, values, null, _text(hole, depth, values, null))


def _rock(hole: Hole, depth: float) -> str:
    return [rock for top, _, rock, _ in hole.logged if top <= depth][-1]


def _drift(size: int, rng: np.random.Generator) -> Floats:
    """Draw unit noise that is smooth over three readings, as a sonde's volume of rock makes it."""
    noise = rng.standard_normal(size + 2)
    smooth: Floats = (noise[:-2] + 2.0 * noise[1:-1] + noise[2:]) / 6.0**0.5
    return smooth


def _nulls(depth: Floats) -> Bools:
    """Steel casing hides density and resistivity, a cave density; the sonde stops short."""
    cased = depth < CASING
    caved = (depth >= CAVED[0]) & (depth <= CAVED[1])
    tail = depth > depth[-1] - TAIL
    return np.column_stack([tail, cased | caved | tail, cased | tail, cased | tail])


def _text(hole: Hole, depth: Floats, values: Floats, null: Bools) -> str:
    lines = [
        "~VERSION INFORMATION",
        _item("VERS", "", "2.0", "CWLS LOG ASCII STANDARD - VERSION 2.0"),
        _item("WRAP", "", "NO", "ONE LINE PER DEPTH STEP"),
        "~WELL INFORMATION",
        _item("STRT", "M", f"{depth[0]:.2f}", "START DEPTH"),
        _item("STOP", "M", f"{depth[-1]:.2f}", "STOP DEPTH"),
        _item("STEP", "M", f"{STEP:.2f}", "STEP"),
        _item("NULL", "", f"{NULL:.2f}", "NULL VALUE"),
        _item("COMP", "", "SYNTHETIC SAMPLE DATA", "COMPANY"),
        _item("WELL", "", hole.name, "WELL"),
        _item("FLD", "", "MERIDIAN RIDGE", "FIELD"),
        _item("LOC", "", f"{hole.easting:.2f} E {hole.northing:.2f} N", "LOCATION"),
        _item("PROV", "", "WESTERN AUSTRALIA", "PROVINCE"),
        _item("SRVC", "", "NONE", "SERVICE COMPANY"),
        _item("DATE", "", "2026-04-18", "LOG DATE"),
        _item("UWI", "", hole.name, "UNIQUE WELL ID"),
        "~CURVE INFORMATION",
        _item("DEPT", "M", "", "Depth down the hole"),
        *(_item(name, unit, "", words) for name, unit, words, _ in CURVES),
        "~PARAMETER INFORMATION",
        _item("EREF", "M", f"{hole.rl:.2f}", "COLLAR ELEVATION"),
        _item("CSGD", "M", f"{CASING:.1f}", "CASING DEPTH"),
        _item("HCS", "", GRID, "HORIZONTAL COORDINATE SYSTEM"),
        "~OTHER",
        "Synthetic: no such hole was drilled.",
        "~A  DEPT        GR      DENS       RES      MSUS",
    ]
    for i, at in enumerate(depth.tolist()):
        cells = [f"{at:8.2f}"]
        for j, (*_, places) in enumerate(CURVES):
            cells.append(f"{NULL:10.2f}" if null[i, j] else f"{values[i, j]:10.{places}f}")
        lines.append("".join(cells))
    return "\n".join(lines) + "\n"


def _item(name: str, unit: str, value: str, words: str) -> str:
    return f"{name:<5}.{unit:<5} {value:>26} : {words}"
