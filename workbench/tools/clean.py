"""Cleaning: rows that meet a condition, as a new file. The source is never touched."""

from __future__ import annotations

from typing import Any

from workbench.accounting import facts, results
from workbench.reply import Reply
from workbench.tools.conditions import condition, spelling
from workbench.tools.context import Context
from workbench.tools.registry import tool


@tool(effect="derive")
def filter_rows(context: Context, path: str, expression: str, sheet: str | None = None) -> Reply:
    """Write the rows that meet a condition to a new file.

    `<1` meets `Au_ppb < 5`; it is undecided for `Au_ppb > 0.5`. Undecided rows and rows with a
    missing value are not kept; both are counted.

    Parameters
    ----------
    path : str
        File or result path.
    expression : str
        Such as `Au_ppb > 20 and Lithology in ["Basalt"]`; tests isna, notna, between, contains,
        startswith, endswith, isbelow; names with signs in backticks.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    found = condition(context, table, expression)
    made = results.stream(context, context.named(path, "filtered"), found.kept_rows())
    values: dict[str, Any] = {
        "expression": expression,
        **found.facts(),
        "censored": facts.censored(found.columns),
        "policy": "censored values are compared as intervals; in the output they stand at "
        f"{facts.HALF}, beside their flag and limit",
        "output": facts.output(made.path),
    }
    return Reply(values, made=(made,), notes=spelling(context, found))
