"""How the numbers of a column of texts are written, and the same numbers with a decimal point.

A cell is changed only where one reading is left: `0,52` has one, `1,250` has two until somebody
says which sign is the decimal one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Sign = Literal[",", "."]
# Before and behind the number: a limit, a sign; a unit or a mark is no part of it.
_CELL = re.compile(
    r"^(?P<sign>[<>≤≥]?=?\s*[-+−]?)\s*(?P<body>\d[\d.,' \u00a0\u202f\u2019]*|[.,]\d+)$"
)
_BLANKS = re.compile(r"[' \u00a0\u202f\u2019]")


@dataclass(frozen=True)
class Evidence:
    """What the cells of a column say of the comma and the point.

    Attributes
    ----------
    numbers : int
        Cells that hold a number in some spelling.
    decimal : dict
        Sign → cells in which it can only be the decimal one.
    ambiguous : int
        Cells such as ``1,250`` that either reading fits.
    """

    numbers: int
    decimal: dict[str, int]
    ambiguous: int

    @property
    def sign(self) -> Sign | None:
        """The decimal sign; None where cells fit both readings and the others do not tell.

        Where each cell tells for itself both signs may be met: then the frequent one.
        """
        comma, point = self.decimal[","], self.decimal["."]
        if (not comma and not point) or (comma and point and self.ambiguous):
            return None
        return "," if comma > point else "."


def evidence(cells: Iterable[str]) -> Evidence:
    """Look at the cells of a column."""
    numbers, ambiguous, found = 0, 0, {",": 0, ".": 0}
    for cell in cells:
        hit = _CELL.match(cell.strip())
        if hit is None:
            continue
        numbers += 1
        body = _BLANKS.sub("", hit["body"])
        signs = {sign for sign in ",." if sign in body}
        only = [sign for sign in ",." if _read(body, sign) is not None]  # type: ignore[arg-type]
        if not signs:
            continue
        if len(only) == 1:
            found[only[0]] += 1
        elif len(signs) == 1 and _read(body, ",") != _read(body, "."):
            ambiguous += 1
    return Evidence(numbers, found, ambiguous)


def plain(cell: str, sign: Sign) -> str | None:
    """Return a cell with a decimal point and without grouping, its limit sign kept.

    Parameters
    ----------
    cell : str
        Such as ``<0,5``.
    sign : {",", "."}
        The decimal sign of the column.

    Returns
    -------
    str or None
        Such as ``<0.5``; None if it is no number in this reading.

    Examples
    --------
    >>> plain("1.250,5", ","), plain("1,250", ","), plain("1,250", "."), plain("0.9", ",")
    ('1250.5', '1.250', '1250', '0.9')
    """
    hit = _CELL.match(cell.strip())
    if hit is None:
        return None
    body = _BLANKS.sub("", hit["body"])
    found = _read(body, sign)
    if found is None:
        # With one sign that cannot group, such as 0.9 in a column of commas, one reading is left.
        found = _read(body, "." if sign == "," else ",")
        if found is None or len({one for one in ",." if one in body}) != 1:
            return None
    return hit["sign"].replace(" ", "").replace("−", "-") + found


def _read(body: str, sign: Sign) -> str | None:
    """Return digits with a point for a number whose decimal sign is known."""
    other = "." if sign == "," else ","
    whole, mark, rest = body.partition(sign)
    if sign in rest or other in rest or (mark and not rest):
        return None
    if other in whole:
        first, *groups = whole.split(other)
        if not re.fullmatch(r"[1-9]\d{0,2}", first) or any(len(one) != 3 for one in groups):  # noqa: PLR2004 - thousands
            return None
        whole = whole.replace(other, "")
    return f"{whole or '0'}.{rest}" if mark else whole
