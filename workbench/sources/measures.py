"""How well the rules that are only asked for were kept: measured per dispatch, never assumed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from workbench.context.block import CATEGORIES as BLOCK_CATEGORIES
from workbench.context.result import LISTS, Result
from workbench.files.tabular import is_table
from workbench.limits import Limits
from workbench.sources.placing import plain

CATEGORIES = (*BLOCK_CATEGORIES, "envelope")


def kept(result: Result, cut: Collection[str], limits: Limits) -> Mapping[str, bool]:
    """Tell which prompt rules a dispatch kept.

    Parameters
    ----------
    result : Result
        What it returned, before it was bounded.
    cut : collection of str
        Rows of the limits table that cut its tool answers.
    limits : Limits
        The session's table.

    Returns
    -------
    mapping
        Key of each measured rule → kept or not. Rules on scripts and commands are measured where
        scripts and commands run.
    """
    entries = [entry for name in LISTS for entry in getattr(result, name)]
    rows = limits["preview_rows"].number
    return {
        "result_asked": len(plain(result.text())) <= limits["result_asked"].number,
        "data_by_tools": "data_file_lines" not in cut,
        "no_tables_in_result": not any(is_table(entry.splitlines()) for entry in entries),
        "rows_to_file": not any(len(entry.splitlines()) > rows for entry in entries),
    }
