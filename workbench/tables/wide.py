"""Columns of very wide tables that are nothing but numbers, without asking the engine.

Planning a statement takes the engine a millisecond and more for each column; a table of ten
thousand columns has few rows, and its plain columns are settled here one array at a time.
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from workbench.tables.cells import CellClass, Grammar
from workbench.tables.profile_record import Profile


def numbers(column: pa.ChunkedArray, grammar: Grammar) -> pa.ChunkedArray | None:
    """Return a column of texts as doubles; None if some cell is no plain, finite number.

    Parameters
    ----------
    column : ChunkedArray of string
        Cells without white space around them.
    grammar : Grammar
        How its numbers are written; anything but a plain point decimal is left to the engine.
    """
    if (
        grammar.decimal != "."
        or grammar.sentinels
        or grammar.negatives_below
        or grammar.zeros_below
    ):
        return None
    try:
        found = pc.cast(column, pa.float64())
    except pa.ArrowInvalid:
        return None
    # Words for infinity and for no number are numbers to the library.
    return found if pc.all(pc.is_finite(found)).as_py() in {True, None} else None


def profile_plain(column: pa.ChunkedArray, grammar: Grammar) -> Profile | None:
    """Profile a column of plain numbers; None for any other."""
    values = numbers(column, grammar)
    if values is None:
        return None
    counts = {CellClass.BLANK: column.null_count, CellClass.PLAIN: len(column) - column.null_count}
    texts, range_ = pc.min_max(column).as_py(), pc.min_max(values).as_py()
    return Profile(
        tuple(counts.get(one, 0) for one in CellClass),
        pc.count_distinct(column).as_py(),
        texts["min"],
        texts["max"],
        range_["min"],
        range_["max"],
    )


def profile_texts(texts: pa.Table, grammar: Grammar) -> Profile | None:
    """Profile a column of plain numbers by its texts, each with how often it occurs."""
    cells, times = texts.column(0), texts.column("n")
    found = profile_plain(cells, grammar)
    if found is None:
        return None
    blank = pc.sum(times.filter(pc.is_null(cells))).as_py() or 0
    counts = {CellClass.BLANK: blank, CellClass.PLAIN: (pc.sum(times).as_py() or 0) - blank}
    return replace(found, classes=tuple(counts.get(one, 0) for one in CellClass), cast=True)
