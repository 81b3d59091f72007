"""What sets each group apart: levels against the rest, and the rocks logged in it.

Groups are any column that splits samples: numbers of `cluster`, logged rock, weathering. The whole
table of groups and elements goes to disk with a heat map.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts, results
from workbench.accounting.columns import grouping, numeric, rock
from workbench.accounting.rows import Groups, Rows, groups
from workbench.errors import Refused
from workbench.figures import figure, panels
from workbench.reply import Made, Reply
from workbench.tables.statistics import rounded
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.contrast import Contrast
    from workbench.tables.table import Column, Table

Numbers = NDArray[np.float64]
_MOST_GROUPS = 200
_SHOWN = 12
_LEADING = 5
_ROCKS = 3
_SMALL = 10
# Up to so many levels are told one by one; of more the table has the rest.
_IN_WORDS = 40
# A level counts as high or low from half as much again, or two thirds.
_APART = 1.5
_HEADER = (
    *("column", "unit", "n", "below_detection", "median", "median_of_rest", "times_rest"),
    "chance_higher",
)


@dataclass(frozen=True)
class _Profile:
    """Groups, the columns they are told by, and each column in each group."""

    rows: Rows
    split: Column
    found: Groups
    columns: tuple[Column, ...]
    cells: dict[tuple[int, str], Contrast]

    def inside(self, place: int) -> NDArray[np.bool_]:
        rows: NDArray[np.bool_] = self.found.codes == place
        return rows

    def factors(self, places: list[int]) -> Numbers:
        """Return times of the rest, of shape (columns, groups)."""
        return np.array(
            [[self.cells[place, c.name].times for place in places] for c in self.columns]
        )


@tool(effect="derive")
def profile_groups(
    context: Context,
    path: str,
    by: str,
    columns: list[str] | None = None,
    sheet: str | None = None,
) -> Reply:
    """Tell what sets groups apart: median of each element against the rest, rocks, heat map.

    For the result of `cluster` or a logged group. Censored values are ranked, not replaced.

    Parameters
    ----------
    path : str
        File or result path.
    by : str
        Group column.
    columns : list of str
        Number columns; all measured ones if left out.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    split, chosen = grouping(table, by), numeric(table, columns)
    compare = _other_rock(table, split)
    names = [column.name for column in (*chosen, split, *compare)]
    rows = Rows.of(context.connection.frame(table, list(dict.fromkeys(names))))
    found = groups(rows.frame.series[split.name], rows.keep)
    rows.need(split.name, found.codes >= 0, "missing")
    if not 2 <= len(found.names) <= _MOST_GROUPS:  # noqa: PLR2004 - a group and the rest
        raise Refused(
            f"profile_groups by '{facts.name(split.name)}': it has {len(found.names):,} groups; "
            f"name a column of 2 to {_MOST_GROUPS}"
        )
    profile = _Profile(rows, split, found, chosen, _cells(context, rows, found, chosen))
    return _told(context, path, table, profile, compare)


def _other_rock(table: Table, split: Column) -> list[Column]:
    found = rock(table)
    return [found] if found is not None and found.name != split.name else []


def _cells(
    context: Context, rows: Rows, found: Groups, columns: tuple[Column, ...]
) -> dict[tuple[int, str], Contrast]:
    from workbench.tables.contrast import contrast, ranks

    cells = {}
    for number, column in enumerate(columns):
        context.progress(f"levels of {facts.name(column.name)}", number / len(columns))
        series = rows.frame.series[column.name]
        values = np.where(series.plain & rows.keep, series.values, np.nan)
        below, above = series.below & rows.keep, series.above & rows.keep
        ranked = ranks(values, below, above, series.limit)
        for place in range(len(found.names)):
            inside = found.codes == place
            cells[place, column.name] = contrast(values, below, above, series.limit, inside, ranked)
    return cells


def _told(
    context: Context, path: str, table: Table, profile: _Profile, compare: list[Column]
) -> Reply:
    """Write the table, the mix of rocks and the heat map; say what leads in each group."""
    split, found = profile.split, profile.found
    made = [_table(context, path, profile)]
    mix = _mix(profile, compare[0]) if compare else {}
    if compare:
        made.append(_mix_table(context, path, profile, compare[0], mix))
    pictures = _heat_map(context, path, table, profile)
    values: dict[str, Any] = {
        "by": facts.name(split.name),
        "groups": len(found.names),
        "columns": len(profile.columns),
        **profile.rows.facts(),
        "basis": f"times the median of all other samples; high or low from {_APART}× on",
    }
    for place, name in enumerate(found.names[:_SHOWN]):
        values[f"group {facts.name(name)}"] = _group(profile, place, mix.get(place, {}))
    values |= {
        **({"rock": facts.name(compare[0].name)} if compare else {}),
        "censored": facts.censored(profile.columns[:20]),
        "policy": "censored values are ranked, not replaced",
        **facts.quality(table),
        "output": facts.output(made[0].path),
        **({"rocks": facts.output(made[1].path)} if compare else {}),
        "figure": facts.output(pictures[0].path),
    }
    return Reply(values, made=(*made, *pictures), notes=_notes(profile))


def _group(profile: _Profile, place: int, rocks: dict[str, int]) -> dict[str, Any]:
    """Return size, what the group is high and low in, and its commonest rocks."""
    lines = [(c.name, profile.cells[place, c.name]) for c in profile.columns]
    apart = [(name, one) for name, one in lines if math.isfinite(one.times)]
    apart.sort(key=lambda pair: (-abs(math.log(pair[1].times)), pair[0]))
    high = {facts.name(n): rounded(c.times, 3) for n, c in apart if c.times >= _APART}
    low = {facts.name(n): rounded(c.times, 3) for n, c in apart if c.times <= 1 / _APART}
    told: dict[str, Any] = {"n": int(profile.found.sizes[place])}
    told["high"] = dict(list(high.items())[:_LEADING])
    told["low"] = dict(list(low.items())[:_LEADING])
    if len(profile.found.names) * len(profile.columns) <= _IN_WORDS:
        near = {facts.name(n): rounded(c.times, 3) for n, c in apart}
        told["near"] = {n: t for n, t in near.items() if n not in high and n not in low}
        told["median"] = {facts.name(n): _median(c) for n, c in lines}
    if rocks:
        told["rocks"] = {facts.name(n): c for n, c in list(rocks.items())[:_ROCKS]}
    return told


def _median(one: Contrast) -> object:
    return rounded(one.median) if isinstance(one.median, float) else one.median


def _mix(profile: _Profile, compare: Column) -> dict[int, dict[str, int]]:
    """Return how many samples of each rock every group has, commonest first."""
    rocks = groups(profile.rows.frame.series[compare.name], profile.rows.keep)
    mix = {}
    for place in range(len(profile.found.names)):
        codes = rocks.codes[profile.inside(place)]
        counts = np.bincount(codes[codes >= 0], minlength=len(rocks.names))
        named = {rocks.names[at]: int(counts[at]) for at in np.argsort(-counts, kind="stable")}
        mix[place] = {name: count for name, count in named.items() if count}
        if (codes < 0).any():
            mix[place]["(none)"] = int((codes < 0).sum())
    return mix


def _mix_table(
    context: Context, path: str, profile: _Profile, compare: Column, mix: dict[int, dict[str, int]]
) -> Made:
    lines = [
        [profile.found.names[place], name, count]
        for place, counts in mix.items()
        for name, count in counts.items()
    ]
    stem = context.named(path, "group_rocks", profile.split.name)
    return results.small_table(context, stem, [profile.split.name, compare.name, "n"], lines)


def _table(context: Context, path: str, profile: _Profile) -> Made:
    lines = [
        [name, column.name, column.unit, *_line(profile.cells[place, column.name])]
        for place, name in enumerate(profile.found.names)
        for column in profile.columns
    ]
    stem = context.named(path, "group_profile", profile.split.name)
    return results.small_table(context, stem, [profile.split.name, *_HEADER], lines)


def _line(one: Contrast) -> list[Any]:
    return [one.n, one.below, one.median, one.rest, one.times, one.higher]


def _heat_map(context: Context, path: str, table: Table, profile: _Profile) -> tuple[Made, Made]:
    places = sorted(
        range(min(len(profile.found.names), panels.MOST_COLUMNS)),
        key=lambda place: _natural(profile.found.names[place]),
    )
    names, sizes = profile.found.names, profile.found.sizes
    columns = [f"{names[place][:40]} (n = {sizes[place]:,})" for place in places]
    listed = [column.name for column in profile.columns]
    source, split = figure.label(table.source), figure.label(profile.split.name)
    left = [
        f"{len(all_) - most:,} more {what} are in the table."
        for all_, most, what in (
            (names, panels.MOST_COLUMNS, "groups"),
            (listed, panels.MOST_ROWS, "elements"),
        )
        if len(all_) > most
    ]
    caption = (
        f"{source}: median of each group over the median of all other samples. Empty where one of "
        f"the two medians is below detection or missing. {' '.join(left)}".strip()
    )
    subtitle = f"{source}  ·  n = {profile.rows.used:,}  ·  by {split}"
    picture = panels.heat_map(
        "Median of each group over that of all other samples",
        (subtitle, caption),
        listed,
        columns,
        profile.factors(places),
    )
    stem = context.named(path, "group_heat_map", profile.split.name)
    return figure.write(context, stem, picture)


def _natural(name: str) -> tuple[int, float, str]:
    """Sort numbers as numbers and before words."""
    try:
        return (0, float(name), "")
    except ValueError:
        return (1, 0.0, name)


def _notes(profile: _Profile) -> tuple[str, ...]:
    notes = []
    small = int((profile.found.sizes < _SMALL).sum())
    if small:
        notes.append(f"{small} groups have fewer than {_SMALL} rows")
    hidden = sum(not math.isfinite(one.times) for one in profile.cells.values())
    if hidden:
        notes.append(
            f"{hidden} of {len(profile.cells)} levels have no ratio: a median is below detection, "
            "not above 0 or missing; chance_higher in the table ranks censored values"
        )
    if len(profile.found.names) > _SHOWN:
        notes.append(f"the {_SHOWN} largest of {len(profile.found.names)} groups are shown")
    return tuple(notes)
