"""Axes of a drawn figure: from values to places on paper, and where ticks stand.

Linear, logarithmic and category axes of one or several panels; no text of a file becomes markup.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# About so many pixels from tick to tick.
_SPACING = 80
_STEPS = (1, 2, 5, 10)
_SHORT_SPAN = 2
# Closer than floating point can part: one place, not a span.
_SAME, _SMALLEST = 1e-12, 1e-280


@dataclass(frozen=True)
class Axis:
    """One axis.

    Attributes
    ----------
    low, high : float
        Ends, in log10 where `log`.
    start, end : float
        Pixels of the ends.
    log : bool
        True for a logarithmic axis.
    names : tuple of str
        Categories, in order; empty for numbers.
    spec : mapping
        What the figure says of it.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool
    names: tuple[str, ...]
    spec: Mapping[str, Any]

    def place(self, value: object) -> float | None:
        """Return the pixel of a value, or None where it cannot be drawn."""
        number = self.number(value)
        if number is None:
            return None
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)

    def number(self, value: object) -> float | None:
        """Return a value on the axis's own scale, or None."""
        if isinstance(value, str):
            return float(self.names.index(value)) if value in self.names else None
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            return None
        if not self.log:
            return float(value)
        return math.log10(value) if value > 0 else None

    @property
    def pixels_per_unit(self) -> float:
        """Pixels of one unit of the scale."""
        return abs(self.end - self.start) / (self.high - self.low)

    def shrunk(self, share: float) -> Axis:
        """Return the axis over the middle `share` of its pixels."""
        middle, half = (self.start + self.end) / 2, (self.end - self.start) / 2 * share
        return Axis(
            self.low, self.high, middle - half, middle + half, self.log, self.names, self.spec
        )

    def ticks(self) -> list[tuple[float, str]]:
        """Return pixel and label of each tick."""
        values, labels = self.spec.get("tickvals"), self.spec.get("ticktext")
        if isinstance(values, list) and isinstance(labels, list):
            pairs = [
                (self.place(value), str(text)) for value, text in zip(values, labels, strict=False)
            ]
            inside = sorted((self.start, self.end))
            return [
                (place, text)
                for place, text in pairs
                if place is not None and inside[0] - 1 <= place <= inside[1] + 1
            ]
        if self.names:
            return [(self.place(name) or 0.0, name) for name in self.names]
        if self.log and self.high - self.low > _SHORT_SPAN / 2:
            return self._decades()
        return self._steps()

    def _decades(self) -> list[tuple[float, str]]:
        span = self.high - self.low
        parts = (1, 2, 5) if span <= _SHORT_SPAN * 2 else (1,)
        found = []
        for power in range(math.floor(self.low), math.ceil(self.high) + 1):
            for part in parts:
                value = part * 10.0**power
                place = self.place(value)
                if place is not None and self.low <= math.log10(value) <= self.high:
                    found.append((place, f"{value:,.10g}"))
        return found

    def _steps(self) -> list[tuple[float, str]]:
        room = max(abs(self.end - self.start) / _SPACING, 2)
        raw = (self.high - self.low) / room
        base = 10.0 ** math.floor(math.log10(raw))
        step = next(base * part for part in _STEPS if base * part >= raw * (1 - 1e-9))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        numbers = [step * number for number in range(first, last + 1)]
        places = [
            self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)
            for number in numbers
        ]
        shown = [10**number if self.log else number for number in numbers]
        return [(place, f"{value:,.10g}") for place, value in zip(places, shown, strict=True)]


def axis(
    spec: Mapping[str, Any], values: Sequence[object], pixels: tuple[float, float]
) -> Axis | None:
    """Return the axis that holds all values, or None if there is nothing to hold.

    Parameters
    ----------
    spec : mapping
        What the figure says of it: ``type``, ``domain``, ``range``, ``tickvals`` …
    values : sequence
        Everything drawn on it.
    pixels : tuple of float
        Start and end of the whole paper in its direction.
    """
    log = spec.get("type") == "log"
    names = tuple(dict.fromkeys(value for value in values if isinstance(value, str)))
    start, end = _domain(spec, pixels)
    if names:
        names = names[::-1] if spec.get("autorange") == "reversed" else names
        return Axis(-0.5, len(names) - 0.5, start, end, log=False, names=names, spec=spec)
    low, high = _ends(spec, values, log=log)
    if low is None or high is None:
        return None
    return Axis(low, high, start, end, log, (), spec)


def _domain(spec: Mapping[str, Any], pixels: tuple[float, float]) -> tuple[float, float]:
    low, high = spec.get("domain") or (0.0, 1.0)
    length = pixels[1] - pixels[0]
    return pixels[0] + length * float(low), pixels[0] + length * float(high)


def _ends(
    spec: Mapping[str, Any], values: Iterable[object], *, log: bool
) -> tuple[float | None, float | None]:
    given = spec.get("range")
    if isinstance(given, list) and [isinstance(end, int | float) for end in given] == [True, True]:
        return float(given[0]), float(given[1])
    probe = Axis(0.0, 1.0, 0.0, 1.0, log, (), spec)
    numbers = [number for number in map(probe.number, values) if number is not None]
    if not numbers:
        return None, None
    low, high = min(numbers), max(numbers)
    if high - low <= max(abs(low), abs(high), _SMALLEST) * _SAME:
        return low - 0.5, high + 0.5
    pad = (high - low) * 0.05
    # Bars stand on zero: no gap below it.
    floor = low if low == 0 and spec.get("zero") else low - pad
    return floor, high + pad
