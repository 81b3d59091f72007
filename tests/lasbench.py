"""LAS logs for tests: a header of a few lines around the data."""

from __future__ import annotations

from collections.abc import Sequence


def las(
    curves: Sequence[str],
    data: str,
    *,
    version: str = "2.0",
    wrap: str = "NO",
    null: str = "-999.25",
    well: Sequence[str] = (),
    title: str = "~A",
) -> str:
    """Return a log.

    Parameters
    ----------
    curves : sequence of str
        ``MNEM.UNIT : description``; one without a colon gets one.
    data : str
        What follows the title of the data.
    version, wrap, null : str
        Lines of the header; an empty `null` leaves its line out.
    well : sequence of str
        More lines of the well section.
    title : str
        First line of the data section.
    """
    lines = [
        "~Version",
        f" VERS. {version} :",
        f" WRAP. {wrap} :",
        "~Well",
        *([f" NULL. {null} :"] if null else []),
        *(f" {line}" for line in well),
        "~Curve",
        *(f" {curve if ':' in curve else curve + ' :'}" for curve in curves),
        title,
    ]
    return "\n".join(lines) + "\n" + data
