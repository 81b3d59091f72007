"""Several elements together: an index of how anomalous samples are, and where they lie together.

An index adds scores, so that one element cannot hide behind another; every part is in the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import grouping, identity, numeric
from workbench.accounting.rows import Rows, groups
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables import thresholds
from workbench.tables.statistics import mad, rounded
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.frame import Series
    from workbench.tables.table import Column, Table

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
_FEWEST = 5
_HIGHEST = 10
_LISTED = 12


@tool(effect="derive")
def anomaly_index(
    context: Context,
    path: str,
    columns: list[str],
    weights: list[float] | None = None,
    by: str | None = None,
    sheet: str | None = None,
) -> Reply:
    """Rank samples by several elements together: weighted mean of robust scores of log10 values.

    A score is (log value − median) / (1.4826 MAD), by group where `by` is given; below detection it
    is 0 at most. A row that lacks some elements is ranked by the others. All scores to disk.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Number columns.
    weights : list of float
        One a column, above 0; all equal if left out.
    by : str
        Group column.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    chosen = numeric(table, columns)
    share = _weights(weights, len(chosen))
    split = None if by is None else grouping(table, by)
    listed = [column.name for column in chosen]
    extra = [split.name] if split is not None and split.name not in listed else []
    rows = Rows.of(context.connection.frame(table, [*listed, *extra]))
    usable, lacking = _usable(rows, listed)
    rows.need("all elements", np.asarray(usable.any(axis=1)), "missing")
    rows.need_some(_FEWEST, "anomaly_index")
    parts = _groups(rows, split)
    scores = _all_scores(rows, chosen, parts, usable)
    index, scored = _index(scores, share)
    few = int((rows.keep & (scored > 0) & (scored < len(listed))).sum())
    made, told = _written(context, path, table, rows, listed, scores, index, scored)
    values: dict[str, Any] = {
        "columns": [facts.name(name) for name in listed[:20]],
        "weights": [rounded(float(one), 4) for one in share],
        "by": facts.name(split.name) if split else "no group",
        **rows.facts(),
        **({"not_usable": lacking} if lacking else {}),
        **_ranked(index[rows.keep & np.isfinite(index)], few),
        "censored": facts.censored(chosen),
        "policy": facts.HALF,
        "output": facts.output(made.path),
    }
    highest = facts.preview(
        *(context, "highest index", told.columns, told.first, made.rows or 0),
        facts.output(made.path),
    )
    return Reply(values, previews=(highest,), made=(made,), notes=_notes(parts, rows, few))


def _ranked(index: Numbers, few: int) -> dict[str, Any]:
    """Return how many rows have an index, and how many lie beyond the rule."""
    limit, count = _beyond(index)
    return {
        "ranked": int(index.size),
        **({"ranked_by_fewer_elements": few} if few else {}),
        "rule": "index above its own median + 2 × MAD (scaled by 1.4826)",
        "threshold": rounded(limit),
        "flagged": count,
    }


def _weights(given: list[float] | None, count: int) -> Numbers:
    if given is None:
        return np.full(count, 1 / count)
    share = np.array(given, dtype=float)
    if share.size != count or not bool(np.all(np.isfinite(share) & (share > 0))):
        raise Refused(
            f"anomaly_index weights={given}: give {count} numbers above 0, one a column in order"
        )
    scaled: Numbers = share / share.sum()
    return scaled


def _usable(rows: Rows, names: list[str]) -> tuple[Mask, dict[str, int]]:
    """Tell which values can be scored, and count those that cannot, by column and reason."""
    found: list[Mask] = []
    lacking: dict[str, int] = {}
    for name in names:
        one = rows.alone()
        one.need_numbers([name], positive=True)
        found.append(one.keep)
        lacking |= one.dropped
    return np.column_stack(found), dict(list(lacking.items())[:_LISTED])


def _index(scores: Numbers, share: Numbers) -> tuple[Numbers, NDArray[np.int64]]:
    """Return the mean of the scores a row has, weighted, and how many it has."""
    there = np.isfinite(scores)
    weight = there @ share
    total = np.where(there, scores, 0.0) @ share
    index = np.where(weight > 0, total / np.where(weight > 0, weight, 1.0), np.nan)
    return index, there.sum(axis=1)


def _groups(rows: Rows, split: Column | None) -> list[tuple[str, Mask]]:
    if split is None:
        return [("", rows.keep)]
    found = groups(rows.frame.series[split.name], rows.keep)
    return [(name, found.codes == place) for place, name in enumerate(found.names)]


def _scores(rows: Rows, column: Column, parts: list[tuple[str, Mask]], usable: Mask) -> Numbers:
    """Score a column by group; NaN where it has no number, and in groups too small or flat."""
    series = rows.frame.series[column.name]
    scores = np.full(rows.frame.rows, np.nan)
    for _name, group in parts:
        inside = group & usable
        if int(inside.sum()) < _FEWEST:
            continue
        logs = np.log10(series.values[inside])
        centre, spread = mad(logs)
        if spread > 0:
            scores[inside] = (logs - centre) / (spread * thresholds.MAD_SCALE)
    # Half a limit may lie above the median where limits differ; it is no finding.
    return np.where(_below(series), np.minimum(scores, 0.0), scores)


def _all_scores(
    rows: Rows, columns: tuple[Column, ...], parts: list[tuple[str, Mask]], usable: Mask
) -> Numbers:
    """Score every column; refuse one that scores no row, since no sample would have an index.

    Raises
    ------
    Refused
        With the columns, and why.
    """
    scores = np.column_stack(
        [_scores(rows, column, parts, mask) for column, mask in zip(columns, usable.T, strict=True)]
    )
    empty = [c for c, one in zip(columns, scores.T, strict=True) if not np.isfinite(one).any()]
    if empty:
        told = ", ".join(
            f"'{facts.name(c.name)}' ({int((_below(rows.frame.series[c.name]) & rows.keep).sum())} "
            f"of {rows.used} below detection)"
            for c in empty[:8]
        )
        raise Refused(
            f"anomaly_index: no score for {told}: half of the values or more are equal, so that "
            "the MAD is 0, or the groups are too small; leave the column out, or use anomaly with "
            "method percentile for it"
        )
    return scores


def _below(series: Series) -> Mask:
    return series.below


def _beyond(index: Numbers) -> tuple[float, int | None]:
    if index.size < _FEWEST:
        return float("nan"), None
    found = thresholds.threshold(index, "mad", 2.0, 0)
    if not np.isfinite(found.value):
        return float("nan"), None
    return found.value, int((index > found.value).sum())


def _notes(parts: list[tuple[str, Mask]], rows: Rows, few: int) -> tuple[str, ...]:
    left = sum(int(inside.sum()) for _name, inside in parts if int(inside.sum()) < _FEWEST)
    lone = rows.used - sum(int(inside.sum()) for _name, inside in parts)
    notes = []
    if few:
        notes.append(
            f"{few} rows lack a score in some elements and are ranked by the others; "
            "elements_scored in the file tells how many each has"
        )
    if left:
        notes.append(f"{left} rows stand in groups of fewer than {_FEWEST} and have no score")
    if lone:
        notes.append(f"{lone} rows have no group and no score")
    return tuple(notes)


def _written(
    context: Context,
    path: str,
    table: Table,
    rows: Rows,
    names: list[str],
    scores: Numbers,
    index: Numbers,
    scored: NDArray[np.int64],
) -> Any:  # noqa: ANN401 - the file, and its first rows
    added: dict[str, NDArray[Any]] = {"index": index, "elements_scored": scored}
    added |= {f"score_{name}": scores[:, place] for place, name in enumerate(names)}
    return results.write_beside(
        context,
        table,
        context.named(path, "anomaly_index", *names),
        added,
        names=identity(table, *names),
        used=rows.keep & np.isfinite(index),
        by="-index",
        keep=_HIGHEST,
    )
