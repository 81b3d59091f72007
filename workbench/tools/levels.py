"""Thresholds of one column by several rules, side by side: the choice is the reader's.

A value below detection counts at half its limit when a rule is worked out and is never flagged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import grouping, one_numeric
from workbench.accounting.rows import Groups, Rows, groups
from workbench.errors import Refused
from workbench.figures import breaks, figure
from workbench.figures.scene import quantity
from workbench.reply import Made, Reply
from workbench.tables.statistics import rounded
from workbench.tools.bends import Bending, Level, curves, levels, warned
from workbench.tools.context import Context
from workbench.tools.places import axes, metres_of
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
_FEWEST = 20
_MOST_GROUPS = 50
_SHOWN = 10
_HEADER = ("rule", "words", "threshold", "flagged", "remark")
# Rules that a group's line in the answer gives; all of them are in the file.
_BRIEF = ("mad_log", "tukey_log", "p97.5", "probability_break_2")
_IN_HOLES = ("hole", "from")
_AXES = {
    "probability_break": "percent at or below",
    "number_break": "number at or above",
    "area_break": "area at or above (m²)",
}


@tool(effect="derive")
def compare_thresholds(
    context: Context,
    path: str,
    column: str,
    by: str | None = None,
    sheet: str | None = None,
) -> Reply:
    """Compare rules for where anomalous begins: median + 2 MAD, Tukey, percentiles, breaks.

    Breaks are where straight pieces fit the probability plot, the number-above and the
    concentration-area curve best; a figure shows them. For one rule and its samples use anomaly.

    Parameters
    ----------
    path : str
        File or result path.
    column : str
        Number column.
    by : str
        Group column.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    measured = one_numeric(table, table.column(column))
    split = None if by is None else grouping(table, by)
    place = None if split is not None else _place(table)
    names = [measured.name, *([split.name] if split else []), *(c.name for c in place or ())]
    rows = Rows.of(context.connection.frame(table, list(dict.fromkeys(names))))
    rows.need_numbers([measured.name], positive=True)
    rows.need_some(_FEWEST, "compare_thresholds")
    values = _Values.of(rows, measured, rows.keep)
    base: dict[str, Any] = {
        "column": facts.name(measured.name),
        "unit": measured.unit or "not stated",
        **rows.facts(),
        "censored": _censored(values.below, values.above, measured),
        "policy": facts.HALF,
    }
    if split is not None:
        return _by_group(context, path, rows, measured, split, base)
    metres = None if place is None else metres_of(rows, *place)[0][rows.keep]
    return _whole(context, path, table, measured, values, metres, base)


@dataclass(frozen=True)
class _Values:
    """The numbers of one group, and which are censored."""

    values: Numbers
    below: Mask
    above: Mask
    limit: float

    @classmethod
    def of(cls, rows: Rows, column: Column, inside: Mask) -> _Values:
        """Take the rows of a group; the highest known lower limit among them, or minus infinity."""
        series = rows.frame.series[column.name]
        below = series.below[inside]
        known = series.limit[inside][below]
        highest = float(known.max(initial=-np.inf, where=np.isfinite(known)))
        return cls(series.values[inside], below, series.above[inside], highest)

    def levels(self, metres: Numbers | None = None) -> list[Level]:
        """Return every rule's threshold, with a word where it tells nothing."""
        found = levels(self.values, self.below, metres)
        return [warned(level, self.limit, self.values) for level in found]

    def flagged(self, threshold: float) -> int | None:
        """Return how many lie above a threshold; None where there is none."""
        high = (self.values > threshold) & ~self.below
        return int(high.sum()) if np.isfinite(threshold) else None


def _place(table: Table) -> tuple[Column, Column] | None:
    """Return the coordinates of samples on the surface; None in holes and where there are none."""
    if table.with_role(*_IN_HOLES):
        return None
    try:
        return axes(table)
    except Refused:
        return None


def _whole(
    context: Context,
    path: str,
    table: Table,
    measured: Column,
    values: _Values,
    metres: Numbers | None,
    told: dict[str, Any],
) -> Reply:
    """Say every rule's threshold of all rows, and draw the curves."""
    if metres is not None and not bool(np.isfinite(metres).all()):
        metres = None
    context.progress("breaks", 0.3)
    found = values.levels(metres)
    lines = [
        [level.key, level.rule, level.value, values.flagged(level.value), level.more]
        for level in found
    ]
    stem = context.named(path, "thresholds", measured.name)
    made = results.small_table(context, stem, _HEADER, lines)
    for level in found:
        one: dict[str, Any] = {"threshold": rounded(level.value)}
        one["flagged"] = values.flagged(level.value)
        told[level.key] = {**one, "remark": level.more} if level.more else one
    known = [level.value for level in found if np.isfinite(level.value) and level.tells]
    told["range"] = [rounded(min(known)), rounded(max(known))] if known else []
    bends = list(curves(np.log10(values.values), values.below, metres))
    pictures = _figure(context, path, table, measured, values, bends, found)
    told["output"] = facts.output(made.path)
    told["figure"] = facts.output(pictures[0].path)
    return Reply(told, made=(made, *pictures), notes=_notes(values.below, metres, table))


def _figure(
    context: Context,
    path: str,
    table: Table,
    measured: Column,
    values: _Values,
    bends: list[Bending],
    found: list[Level],
) -> tuple[Made, Made]:
    drawn = [
        breaks.Curve(
            _AXES[bend.key],
            bend.x,
            bend.y,
            bend.key == "probability_break",
            {
                f"{level.key[-1]} pieces": float(np.log10(level.value))
                for level in found
                if level.key.startswith(bend.key) and np.isfinite(level.value)
            },
        )
        for bend in bends
        if bend.x.size
    ]
    source = figure.label(table.source)
    below = int(values.below.sum())
    hidden = f"{below:,} values below detection count for the places and are not drawn. "
    picture = breaks.plate(
        f"Where {quantity(measured)} bends",
        (
            f"{source}  ·  n = {values.values.size:,}",
            (
                f"{source}: {hidden if below else ''}Dashed lines: the highest break of 2 and 3 "
                "straight pieces, a proposal."
            ),
        ),
        quantity(measured),
        drawn,
    )
    return figure.write(context, context.named(path, "breaks", measured.name), picture)


def _by_group(
    context: Context,
    path: str,
    rows: Rows,
    measured: Column,
    split: Column,
    told: dict[str, Any],
) -> Reply:
    """Say the thresholds of each group that has rows enough, largest first."""
    found: Groups = groups(rows.frame.series[split.name], rows.keep)
    large = [place for place, size in enumerate(found.sizes) if size >= _FEWEST][:_MOST_GROUPS]
    if not large:
        raise Refused(
            f"compare_thresholds by '{facts.name(split.name)}': no group has {_FEWEST} usable "
            "rows; leave by out, or name a coarser group"
        )
    lines: list[list[Any]] = []
    told |= {"by": facts.name(split.name), "groups": len(found.names)}
    for number, place in enumerate(large):
        context.progress(f"group {number + 1} of {len(large)}", number / len(large))
        values = _Values.of(rows, measured, found.codes == place)
        group = values.levels()
        for one in group:
            flagged = values.flagged(one.value)
            lines.append([found.names[place], one.key, one.rule, one.value, flagged, one.more])
        if number < _SHOWN:
            brief = {one.key: rounded(one.value) for one in group if one.key in _BRIEF}
            name = f"group {facts.name(found.names[place])}"
            told[name] = {"n": values.values.size, "below": int(values.below.sum()), **brief}
    stem = context.named(path, "thresholds", measured.name, "by", split.name)
    made = results.small_table(context, stem, [split.name, *_HEADER], lines)
    told["output"] = facts.output(made.path)
    return Reply(told, made=(made,), notes=_group_notes(rows, found, len(large)))


def _group_notes(rows: Rows, found: Groups, large: int) -> tuple[str, ...]:
    notes = []
    lone = rows.used - int(found.sizes.sum())
    if large < len(found.names):
        notes.append(
            f"{len(found.names) - large} groups have no thresholds: fewer than {_FEWEST} usable "
            f"rows, or not among the {_MOST_GROUPS} largest"
        )
    if large > _SHOWN:
        notes.append(f"the {_SHOWN} largest groups are shown; all are in the file")
    if lone:
        notes.append(f"{lone} rows have no group")
    return tuple(notes)


def _censored(below: Mask, above: Mask, column: Column) -> dict[str, Any]:
    low, high = int(below.sum()), int(above.sum())
    return {facts.name(column.name): {"below": low, "above": high}} if low or high else {}


def _notes(below: Mask, metres: Numbers | None, table: Table) -> tuple[str, ...]:
    notes = []
    share = float(below.mean())
    if share > 0.5:  # noqa: PLR2004 - the median itself is censored
        notes.append(f"{share:.0%} below detection: medians and quartiles rest on half the limit")
    if metres is None:
        why = "samples lie in holes" if table.with_role(*_IN_HOLES) else "no coordinates for all"
        notes.append(f"no concentration-area curve: {why}")
    return tuple(notes)
