"""Colours of figures: one ordered scale for percentile classes, one set for groups.

Both keep their order in grey and for colour-blind readers; the background class recedes.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.tables.statistics import rounded

INK, SOFT, GRID, AXIS = "#1f2933", "#616e7c", "#e4e7eb", "#9aa5b1"
# Lightness falls evenly from class to class, from straw to aubergine.
_CLASS_COLOURS = ("#c3ccd5", "#f0c75e", "#ea9640", "#d65f3c", "#a22d4f", "#4a1150")
_CLASS_SIZES = (6.0, 7.0, 8.0, 9.5, 11.0, 13.0)
CLASS_BREAKS = (50, 75, 90, 95, 98)
# Okabe and Ito's colours, darkest first where two could be taken for each other on white.
GROUPS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
    "#5b4a9c",
    "#8c6d31",
    "#a3333d",
    "#3b7d6e",
)
OTHER = "#b8c0c8"
ONE = "#2f6f9f"


@dataclass(frozen=True)
class Class:
    """One class of a map: its words, colour, size, and which points are in it."""

    label: str
    colour: str
    size: float
    members: NDArray[np.bool_]


def percentile_classes(values: NDArray[np.float64], unit: str) -> list[Class]:
    """Split values at the 50th, 75th, 90th, 95th and 98th percentile; empty classes are left out.

    Parameters
    ----------
    values : ndarray of float64, shape (n,)
        At least one number, no gaps.
    unit : str
        For the labels; may be empty.
    """
    ends = np.percentile(values, CLASS_BREAKS)
    place = np.searchsorted(ends, values, side="right")
    names = [
        "below P50",
        *(f"P{a}–P{b}" for a, b in itertools.pairwise(CLASS_BREAKS)),
    ]
    names.append(f"above P{CLASS_BREAKS[-1]}")
    classes = []
    for number, name in enumerate(names):
        members = place == number
        if members.any():
            inside = values[members]
            span = f"{short(float(inside.min()))}–{short(float(inside.max()))} {unit}".strip()
            label = f"{name}: {span}  (n = {int(members.sum()):,})"
            classes.append(Class(label, _CLASS_COLOURS[number], _CLASS_SIZES[number], members))
    return classes


def short(value: float) -> str:
    """Return a number with four significant digits, thousands parted."""
    number = rounded(float(f"{value:.4g}"))
    return "?" if number is None else f"{number:,}"
