"""Cells beyond the header: joined to a last column of remarks, where delimiters stand bare.

In a last column of numbers they would spoil the numbers; there they are left out and told by line.
"""

from __future__ import annotations

from workbench.formats.heading_words import is_gap_code, is_number
from workbench.formats.reading import WIDE, Reading

# Share of words in a last column that takes the cells beyond it.
_REMARKS = 0.9
# Filled cells of it that tell.
_TELLING = 10_000


def has_overflow(into: Reading, relation: str, width: int, loaded: int) -> bool:
    """Tell whether cells beyond the header hold anything."""
    if loaded == width:
        return False
    cells = ", ".join(f"c{place}" for place in range(width, loaded))
    query = f"SELECT count(*) FROM {relation} WHERE concat({cells}) <> ''"  # noqa: S608 - our own names
    return bool(into.one(query)[0])


def holds_remarks(into: Reading, relation: str, width: int) -> bool:
    """Tell whether the last column of the header holds words, and not numbers or their codes."""
    if not 1 < width <= WIDE:
        return False
    last = f"c{width - 1}"
    query = f"SELECT {last} FROM {relation} WHERE {last} IS NOT NULL LIMIT {_TELLING}"  # noqa: S608 - our own names
    cells = [cell for (cell,) in into.con.execute(query).fetchall()]
    words = sum(map(_is_word, cells))
    return bool(words) and words >= _REMARKS * len(cells)


def _is_word(cell: str) -> bool:
    # A single sign, such as X for below detection, is none.
    return len(cell) > 1 and not is_number(cell) and not is_gap_code(cell)


def with_overflow(into: Reading, relation: str, width: int, loaded: int) -> str:
    """Return a relation whose last column has the cells beyond it as well."""
    first = "".join(f"c{place}, " for place in range(width - 1))
    cells = ", ".join(f"c{place}" for place in range(width - 1, loaded))
    query = f"SELECT {first}nullif(concat_ws(', ', {cells}), '') AS c{width - 1} FROM {relation}"  # noqa: S608
    found = into.keep(query, 0)
    into.drop(relation)
    return found
