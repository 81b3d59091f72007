"""Numbers as a person reads them in widget, static output and text: one form for each kind.

Thousands are separated by commas, units by one blank; nothing here rounds a count.
"""

from __future__ import annotations

_KILO = 1_000
_MINUTE = 60


def count(number: float) -> str:
    """Return a count with thousands separators: ``31,204``."""
    return f"{round(number):,}"


def size(number: int) -> str:
    """Return bytes in the decimal unit that fits: ``840 B``, ``14.2 kB``, ``3.1 MB``."""
    if number < _KILO:
        return f"{number} B"
    value = float(number)
    for unit in ("kB", "MB", "GB"):
        value /= _KILO
        if value < _KILO or unit == "GB":
            break
    return f"{value:.1f} {unit}"


def duration(seconds: float) -> str:
    """Return seconds with one decimal below a minute, else minutes: ``3.2 s``, ``2 min 05 s``."""
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    return f"{minutes} min {rest:02d} s"


def percent(part: float, whole: float) -> str:
    """Return a share in per cent, one decimal below ten: ``3.0 %``, ``42 %``; ``–`` of nothing."""
    if whole <= 0:
        return "–"
    value = 100 * part / whole
    return f"{value:.1f} %" if value < 10 else f"{value:.0f} %"  # noqa: PLR2004 - digits, not a limit


def plural(number: int, word: str) -> str:
    """Return a count with its noun: ``1 request``, ``9 requests``."""
    return f"{count(number)} {word}" if number == 1 else f"{count(number)} {word}s"
