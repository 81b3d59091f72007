"""Small looks at a table: statistics, a few rows, counts, percentiles, correlations, a filter.

Whatever is asked, the gate shows at most a few rows; what is longer goes to disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from workbench.accounting import facts, results
from workbench.accounting.columns import numeric
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.statistics import PERCENTILES, Sample, rounded
from workbench.tools import pairs
from workbench.tools.by_group import percentiles_by
from workbench.tools.conditions import condition, spelling
from workbench.tools.context import Context
from workbench.tools.firstlook import looked
from workbench.tools.limit_table import limit_table
from workbench.tools.peek import head, sample, tail, value_counts
from workbench.tools.registry import tool
from workbench.tools.request import Request

if TYPE_CHECKING:
    from workbench.tables.frame import Series
    from workbench.tables.table import Column

Operation = Literal[
    "describe",
    "head",
    "tail",
    "sample",
    "value_counts",
    "percentiles",
    "correlations",
    "filter_summary",
    "limits",
]
_SHOWN = 20
# A line of ten percentiles is longer than one of five statistics.
_SHOWN_WIDE = 12
_FILTERED = ("head", "tail", "sample", "value_counts", "filter_summary")
PLAIN_BASIS = "plain numbers; censored values left out"


@tool(
    effect="read", looks=lambda given: given["operation"] == "head" and not given.get("expression")
)
def query_data(
    context: Context,
    path: str,
    operation: Operation,
    columns: list[str] | None = None,
    n: int = 20,
    expression: str | None = None,
    threshold: float = 0.7,
    by: str | None = None,
    sheet: str | None = None,
) -> Reply:
    """Look at a table in one of nine ways.

    describe (n, min, median, mean, sd, max of plain numbers); head, tail, sample (at most 20 rows);
    value_counts (one column); percentiles (censored values ranked, `<1` where one falls among
    them); correlations (Spearman); filter_summary (rows that meet `expression`); limits (share
    below detection and every limit met).

    Parameters
    ----------
    path : str
        File or result path.
    operation : str
        What to look at.
    columns : list of str
        Only these; all measured ones if left out.
    n : int
        Rows or values, 1 to 20.
    expression : str
        Condition as in filter_rows; also for head, tail, sample, value_counts.
    threshold : float
        Smallest |r| that correlations count.
    by : str
        Group column: percentiles of each group.
    sheet : str
        Sheet of a workbook.
    """
    most = context.limits["preview_rows"].number
    if n < 1:
        raise Refused(f"query_data n={n}: give a whole number from 1 to {most}")
    if expression is not None and operation not in _FILTERED:
        raise Refused(
            f"query_data: {operation} takes no expression; use filter_rows first, then "
            f"{operation} on its result"
        )
    table = looked(context, path, sheet)
    request = Request(
        context, path, table, tuple(columns) if columns else None, n, expression, threshold
    )
    if by is None:
        return _OPERATIONS[operation](request)
    if operation != "percentiles":
        raise Refused(f"query_data: {operation} takes no by; ask for percentiles")
    return percentiles_by(request, by)


def _describe(request: Request) -> Reply:
    """Return plain statistics of each column."""
    chosen, frame = _frame(request)
    values: dict[str, Any] = {"rows_in": request.table.rows, "columns": len(chosen)}
    rows = []
    for column in chosen:
        told = _sample(frame.series[column.name]).summary()
        gaps = sum(column.missing.values()) + column.rejected
        fact = {"unit": column.unit, "n": told["n"], "below": column.below, "above": column.above}
        fact |= {"missing": gaps, **told, **_mean_range(frame.series[column.name])}
        rows.append([column.name, *(fact.get(key) for key in _DESCRIBED)])
        if len(rows) <= _SHOWN_WIDE:
            kept = {
                key: value for key, value in fact.items() if value not in (None, 0) or key in told
            }
            values[f"describe {facts.name(column.name)}"] = kept
    values |= {"censored": facts.censored(chosen), "policy": facts.PLAIN, "basis": PLAIN_BASIS}
    values |= facts.quality(request.table)
    return _with_table(request, values, "describe", ["column", *_DESCRIBED], rows)


def _mean_range(series: Series) -> dict[str, Any]:
    """Return the mean with values below detection at 0 and at their limit, those above at it."""
    from workbench.tables.frame import PLAIN

    low, used = series.below, series.below | series.above | (series.flag == PLAIN)
    if not low.any() or not np.isfinite(series.limit[low]).all():
        return {}
    values = np.where(series.flag == PLAIN, series.values, series.limit)[used]
    ends = (np.where(low[used], 0.0, values), values)
    return {"mean_range": [rounded(float(end.mean())) for end in ends]}


_DESCRIBED = ("unit", "n", "below", "above", "missing", "min", "median", "mean", "sd", "max")


def _percentiles(request: Request) -> Reply:
    """Return percentiles of each column, censored values ranked."""
    chosen, frame = _frame(request)
    values: dict[str, Any] = {"rows_in": request.table.rows, "columns": len(chosen)}
    rows = []
    for column in chosen:
        found = _sample(frame.series[column.name])
        line = {str(share): found.quantile(share / 100) for share in PERCENTILES}
        rows.append([column.name, column.unit, found.size, *line.values()])
        if len(rows) <= _SHOWN_WIDE:
            values[f"percentiles {facts.name(column.name)}"] = {"n": found.size, **line}
    values |= {
        "units": {facts.name(c.name): c.unit for c in chosen[:_SHOWN_WIDE] if c.unit},
        "censored": facts.censored(chosen),
        "policy": "censored values are ranked, not replaced; '<1' means below that limit",
        "basis": "plain and censored values",
        **facts.quality(request.table),
    }
    header = ["column", "unit", "n", *(f"p{share}" for share in PERCENTILES)]
    return _with_table(request, values, "percentiles", header, rows)


def _correlations(request: Request) -> Reply:
    """Return the pairs of columns whose ranks go together."""
    if not 0 <= request.threshold <= 1:
        raise Refused(f"query_data threshold={request.threshold:g}: give 0 to 1")
    chosen = numeric(request.table, request.columns, least=2)
    found = pairs.correlated(request.context, request.table, chosen, "spearman", "raw")
    listed = found.pairs(3)
    strong = [pair for pair in listed if abs(pair.r) >= request.threshold]
    values: dict[str, Any] = {
        "rows_in": request.table.rows,
        "method": "spearman",
        "columns": len(chosen),
        "pairs": len(listed),
        "threshold": request.threshold,
        "above": len(strong),
        **facts.quality(request.table),
        **{pair.key: pair.fact() for pair in strong[:_SHOWN]},
        **found.facts(chosen),
    }
    header = ["column_a", "column_b", "n", "r"]
    stem = request.context.named(request.path, "correlation_pairs", "spearman")
    made = results.small_table(request.context, stem, header, [pair.row() for pair in listed])
    return Reply({**values, "output": facts.output(made.path)}, made=(made,))


def _filter_summary(request: Request) -> Reply:
    """Return how many rows meet a condition, and the numbers of those that do."""
    if request.expression is None:
        raise Refused(
            "query_data: filter_summary needs an expression such as Au_ppb > 20 and "
            'Lithology == "Basalt"'
        )
    found = condition(request.context, request.table, request.expression)
    used = [column for column in found.columns if column.kind == "number"]
    rest = list(request.table.measured) if request.columns is None else []
    named = list(numeric(request.table, request.columns)) if request.columns else [*used, *rest]
    chosen = list({column.name: column for column in named}.values())[:12]
    values: dict[str, Any] = {"expression": request.expression, **found.facts()}
    values |= {f"summary {facts.name(c.name)}": _summary(request, found, c) for c in chosen}
    values |= {"censored": facts.censored(chosen), "policy": facts.PLAIN, "basis": PLAIN_BASIS}
    values |= facts.quality(request.table)
    return Reply(values, notes=spelling(request.context, found))


def _summary(request: Request, found: Any, column: Column) -> dict[str, Any]:  # noqa: ANN401 - Met
    """Return the plain statistics of one column over the rows that are kept."""
    from workbench.tables.connection import quote
    from workbench.tables.table import FLAG

    value, plain, low, high = quote(column.name), "TRUE", "FALSE", "FALSE"
    if column.flagged:
        flag = quote(column.name + FLAG)
        plain, low, high = f"{flag} IS NULL", f"{flag} IN ('<', 'bdl')", f"{flag} = '>'"
    which = f"FILTER ({plain})"
    sql = (
        f"SELECT count({value}) {which}, count(*) FILTER ({low}), count(*) FILTER ({high}), "  # noqa: S608 - quoted
        f"min({value}) {which}, median({value}) {which}, avg({value}) {which}, "
        f"max({value}) {which} FROM {found.relation} WHERE {found.where()} "
        f"AND {results.samples_only(request.table)}"
    )
    row = request.context.connection.rows(sql)[0]
    names = ("n", "below", "above", "min", "median", "mean", "max")
    told = dict(
        zip(names, (rounded(float(v)) if v is not None else None for v in row), strict=True)
    )
    return {
        key: value for key, value in told.items() if value is not None and (value or key == "n")
    }


def _frame(request: Request) -> tuple[tuple[Column, ...], Any]:
    chosen = numeric(request.table, request.columns)
    names = [column.name for column in chosen]
    return chosen, request.context.connection.frame(request.table, names)


def _sample(series: Series) -> Sample:
    from workbench.tables.frame import PLAIN

    return Sample(
        series.values[series.flag == PLAIN], series.limit[series.below], series.limit[series.above]
    )


def _with_table(
    request: Request,
    values: dict[str, Any],
    what: str,
    header: Sequence[str],
    rows: Sequence[Sequence[Any]],
) -> Reply:
    """Put the whole table on disk where not all columns fit the answer."""
    if len(rows) <= _SHOWN_WIDE:
        return Reply(values)
    stem = request.context.named(request.path, what)
    made = results.small_table(request.context, stem, header, rows)
    note = f"the first {_SHOWN_WIDE} of {len(rows)} columns are shown; all are in the file"
    return Reply({**values, "output": facts.output(made.path)}, made=(made,), notes=(note,))


_OPERATIONS: dict[str, Callable[[Request], Reply]] = {
    "describe": _describe,
    "head": head,
    "tail": tail,
    "sample": sample,
    "value_counts": value_counts,
    "percentiles": _percentiles,
    "correlations": _correlations,
    "filter_summary": _filter_summary,
    "limits": limit_table,
}
assert set(_OPERATIONS) == set(get_args(Operation))
