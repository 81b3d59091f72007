"""Relations and anomalies: correlation with its number of pairs, thresholds with their rule.

Full matrices, scores and flagged rows go to disk. A value below detection is never called high,
and no pair with a censored value enters a coefficient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from workbench.accounting import facts, results
from workbench.accounting.columns import grouping, identity, numeric, one_numeric
from workbench.errors import Refused
from workbench.reply import Preview, Reply
from workbench.tables.statistics import rounded
from workbench.tools import pairs, pairs_by
from workbench.tools.context import Context
from workbench.tools.flags import Flags, flag
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.tables.table import Column, Table

_TOP = 20
_GROUPS = 20
_HIGHEST = 10
_SMALL = 10


@tool(effect="derive")
def correlate(
    context: Context,
    path: str,
    columns: list[str] | None = None,
    method: Literal["pearson", "spearman"] = "spearman",
    transform: Literal["raw", "log", "clr"] = "log",
    target: str | None = None,
    min_pairs: int = 10,
    by: str | None = None,
    sheet: str | None = None,
) -> Reply:
    """Correlate columns pair by pair, n beside each; all pairs to disk, the strongest come back.

    Pairs with a censored value are left out. For parts of a whole use transform clr.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns; all measured ones if left out.
    method : str
        spearman or pearson.
    transform : str
        clr (log-ratios, for parts of a whole), log (log10) or raw.
    target : str
        Only pairs with this column.
    min_pairs : int
        Fewest pairs for a coefficient.
    by : str
        Group column.
    sheet : str
        Sheet of a workbook.
    """
    if min_pairs < 3:  # noqa: PLR2004 - two points always lie on a line
        raise Refused(f"correlate min_pairs={min_pairs}: give 3 or more")
    table = context.table(path, sheet)
    chosen = numeric(table, columns, least=1 if target else 2)
    if target is not None:
        aim = one_numeric(table, table.column(target))
        chosen = (aim, *(column for column in chosen if column.name != aim.name))
    if len(chosen) < 2:  # noqa: PLR2004 - a pair
        raise Refused("correlate: a pair needs two different columns; name another one")
    if by is not None:
        way = pairs_by.Way(method, transform, target and chosen[0].name, min_pairs)
        return pairs_by.correlated(context, path, table, chosen, grouping(table, by), way)
    found = pairs.correlated(context, table, chosen, method, transform)
    listed = found.pairs(min_pairs, None if target is None else chosen[0].name)
    listing = context.named(path, "correlation_pairs", method, transform)
    square = context.named(path, "correlation_matrix", method, transform)
    rows = [p.row() for p in listed]
    whole = results.small_table(context, listing, ["column_a", "column_b", "n", "r"], rows)
    matrix = results.small_table(context, square, *found.matrix(min_pairs))
    values: dict[str, Any] = {"method": method, **found.counts(), "pairs": len(listed)}
    values["left_out"] = found.too_few(min_pairs)
    if target is not None:
        values["target"] = facts.name(chosen[0].name)
    values |= {pair.key: pair.fact() for pair in listed[:_TOP]}
    values |= {**found.facts(chosen), **facts.quality(table)}
    values |= {"output": facts.output(whole.path), "matrix": facts.output(matrix.path)}
    return Reply(values, made=(whole, matrix), notes=found.notes)


@tool(effect="derive")
def anomaly(
    context: Context,
    path: str,
    column: str,
    method: Literal["mad", "tukey", "percentile"] = "mad",
    by: str | None = None,
    *,
    log: bool = True,
    k: float | None = None,
    percentile: float = 97.5,
    sheet: str | None = None,
) -> Reply:
    """Find high anomalies of one column: threshold, rule in words, how many samples lie above.

    Flagged rows (highest first) and scores of all rows go to disk. A value below detection is never
    anomalous. Give `by` where rock types differ.

    Parameters
    ----------
    path : str
        File or result path.
    column : str
        Number column.
    method : str
        mad: median + k × MAD; tukey: upper quartile + k × IQR; percentile.
    by : str
        Group column.
    log : bool
        Work on log10 of the values.
    k : float
        2 for mad and 1.5 for tukey if left out.
    percentile : float
        50 to 100.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    measured = one_numeric(table, table.column(column))
    split = None if by is None else grouping(table, by)
    found = flag(context, table, measured, split, method, k=k, percentile=percentile, log=log)
    return _told(context, path, table, measured, split, found)


def _told(
    context: Context,
    path: str,
    table: Table,
    measured: Column,
    split: Column | None,
    found: Flags,
) -> Reply:
    """Write flagged rows and scores, and say what was found."""
    parameters = [measured.name, found.method, *(("by", split.name) if split else ())]
    stems = [context.named(path, f"anomaly_{one}", *parameters) for one in ("flagged", "scores")]
    flagged, scores, highest = _written(context, stems, table, measured, split, found)
    values: dict[str, Any] = {
        "column": facts.name(measured.name),
        "unit": measured.unit or "not stated",
        "method": found.method,
        "rule": found.rule,
        **found.rows.facts(),
    }
    if split is None:
        values |= found.groups[0].limit()
    else:
        values |= {"by": facts.name(split.name), "groups": len(found.groups)}
        values |= {f"group {g.name}": g.fact(_SMALL) for g in found.groups[:_GROUPS]}
    count = found.flagged
    values |= {
        "flagged": count,
        "flagged_share": None if count is None else rounded(count / max(found.rows.used, 1)),
        "censored": facts.censored([measured]),
        "policy": facts.HALF,
        "output": facts.output(flagged.path),
        "scores": facts.output(scores.path),
    }
    previews = (highest,) if highest.rows else ()
    return Reply(values, previews=previews, made=(flagged, scores), notes=found.notes(_SMALL))


def _written(
    context: Context,
    stems: Sequence[str],
    table: Table,
    measured: Column,
    split: Column | None,
    found: Flags,
) -> tuple[Any, Any, Preview]:
    """Write the two tables of an anomaly; return them and the highest flagged rows."""
    from workbench.tables.connection import quote

    names = identity(table, *([split.name] if split else []), measured.name)
    added = {"score": found.scores, "threshold": found.limits, "anomalous": found.high}
    with results.beside(context, table, added) as whole:
        kept = results.view_columns(table, names)
        listed = ", ".join(map(quote, (*kept, *whole.names.values())))
        value, high = quote(measured.name), quote(whole.names["anomalous"])
        score, order = quote(whole.names["score"]), quote(whole.order)
        used = f"SELECT {listed} FROM {whole.sql}"  # noqa: S608 - quoted names
        top = f"WHERE {high} ORDER BY {value} DESC, {order}"
        flagged = results.stream(context, stems[0], f"{used} {top}")
        scores = results.stream(context, stems[1], used)  # as the file has them, with no sort
        seen = tuple(dict.fromkeys([*names, whole.names["score"]]))
        cells = [*results.display(table, names), f"round({score}, 3)"]
        sql = f"SELECT {', '.join(cells)} FROM {whole.sql} {top} LIMIT {_HIGHEST}"  # noqa: S608 - quoted names
        rows = context.connection.rows(sql)
    total = int(np.sum(found.high))
    return (
        flagged,
        scores,
        facts.preview(
            context, f"highest {facts.name(measured.name)}", seen, rows, total, flagged.path
        ),
    )
