"""Points on two axes, with the words that belong beside them: n, units, what was left out.

Parts of a scene are made of all chosen rows, so that the numbers in a legend are the numbers in
the file even where only a sample of the points is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.accounting import facts
from workbench.accounting.rows import Rows, groups
from workbench.figures import figure, points
from workbench.figures.figure import Figure, label
from workbench.figures.points import Part
from workbench.reply import Reply

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context


@dataclass
class Scene:
    """What is drawn of a table.

    Attributes
    ----------
    context : Context
        Of the call.
    table : Table
        Where the rows come from.
    axes : tuple of Column
        Number columns; rows without them are left out.
    shade : Column or None
        What colours the points.
    rows : Rows
        Rows chosen, and why others were not.
    sampled : int or None
        Points drawn where there are too many.
    signs : str
        How censored values are drawn.
    """

    context: Context
    table: Table
    axes: tuple[Column, ...]
    shade: Column | None
    rows: Rows
    sampled: int | None = None
    signs: str = "open signs"

    @classmethod
    def of(
        cls, context: Context, table: Table, axes: Sequence[Column], shade: Column | None
    ) -> Scene:
        """Fetch the columns and leave out the rows that cannot be placed."""
        wanted = [*axes, *([shade] if shade else []), *table.with_role("id")[:1]]
        names = list(dict.fromkeys(column.name for column in wanted))
        rows = Rows.of(context.connection.frame(table, names))
        scene = cls(context, table, tuple(axes), shade, rows)
        rows.need_numbers(scene.numbers, positive=False)
        return scene

    @property
    def numbers(self) -> list[str]:
        """Names of the number columns in use."""
        shade = [self.shade] if self.shade and self.shade.kind == "number" else []
        return list(dict.fromkeys(column.name for column in (*self.axes, *shade)))

    @property
    def used(self) -> list[Column]:
        """Columns in use."""
        return [*self.axes, *([self.shade] if self.shade else [])]

    def parts(self) -> list[Part]:
        """Split the chosen rows by group or by percentile class of the shade."""
        self.rows.need_some(1, "figure")
        rows = np.flatnonzero(self.rows.keep)
        if self.shade is None:
            return points.all_alike(rows)
        series = self.rows.frame.series[self.shade.name]
        if points.is_grouping(series):
            return points.by_group(groups(series, self.rows.keep), self.rows.keep)
        return points.by_class(series, rows, shown_unit(self.shade))

    def parts_with_open_axes(self) -> list[Part]:
        """Split as `parts` does, with rows that are censored on an axis as open signs."""
        series = [self.rows.frame.series[column.name] for column in self.axes]
        under = np.logical_or.reduce([one.below for one in series])
        over = np.logical_or.reduce([one.above for one in series]) & ~under
        found = [part.opened(under, over) for part in self.parts()]
        # Open signs on top: they are few, and what they say must not be covered.
        parts = sorted((one for split in found for one in split), key=_is_open)
        for mask, symbol, words in (
            (under, "circle-open", "below detection on an axis"),
            (over, "diamond-open", "above a limit on an axis"),
        ):
            parts = points.explained(parts, symbol, words, int((mask & self.rows.keep).sum()))
        return parts

    def picture(
        self, title: str, layout: dict[str, Any], parts: Sequence[Part], *words: str
    ) -> Figure:
        """Put points, axes and words together.

        Parameters
        ----------
        title : str
            Safe to show.
        layout : dict
            Axes.
        parts : sequence of Part
            What to draw, first at the bottom.
        *words : str
            Further words for the line under the title.
        """
        shown, self.sampled = points.sampled(self.rows, self.numbers, self.context.seed)
        frame = self.rows.frame
        x, y = (frame.series[column.name].values for column in self.axes)
        named = self.table.with_role("id")
        ids = frame.series[named[0].name].text if named else None
        axes = {"x": label(self.axes[0].name), "y": label(self.axes[1].name)}
        scale = points.sign_scale(int(shown.sum()))
        traces = []
        for part in parts:
            rows = part.rows[shown[part.rows]]
            texts = [] if ids is None else [label(str(ids[row])) for row in rows]
            one = points.trace(x[rows], y[rows], part.name, part.marker, scale)
            hidden = {} if part.legend else {"showlegend": False}
            traces.append({**one, **points.hover(texts, axes), **hidden})
        legend = {
            "legend": figure.legend(quantity(self.shade) if self.shade else ""),
            "showlegend": len(traces) > 1,
        }
        return Figure(traces, {**layout, **legend}, title, self._subtitle(*words), self._caption())

    def plain_picture(
        self, title: str, layout: dict[str, Any], traces: list[dict[str, Any]]
    ) -> Figure:
        """Put finished bars and words together."""
        self.signs = "hatched bars"
        return Figure(traces, layout, title, self._subtitle(), self._caption())

    def _subtitle(self, *words: str) -> str:
        lost = self.rows.frame.rows - self.rows.used
        counts = [f"n = {self.rows.used:,}"]
        counts += [f"{lost:,} left out"] if lost else []
        counts += [f"{self.sampled:,} drawn"] if self.sampled else []
        return "  ·  ".join([label(self.table.source), ", ".join(counts), *words])

    def _caption(self) -> str:
        """Say below the figure what was left out, and how censored values were treated."""
        rows = self.rows
        words = [
            f"{label(self.table.source)}: {rows.used:,} of {rows.frame.rows:,} rows are shown."
        ]
        if rows.dropped:
            reasons = ", ".join(
                f"{label(key)} ({number:,})" for key, number in rows.dropped.items()
            )
            words.append(f"Left out: {reasons}.")
        if self.sampled:
            words.append(
                f"Of these {self.sampled:,} points are drawn: the extremes and a random sample of "
                f"the rest (seed {self.context.seed})."
            )
        words += [self._open_words(column) for column in self.used if column.censored]
        return " ".join(words)

    def _open_words(self, column: Column) -> str:
        """Say how the censored values of a column are drawn."""
        counts = [f"{column.below:,} values below detection"] if column.below else []
        counts += [f"{column.above:,} above the upper limit"] if column.above else []
        on_axis = column in self.axes
        place = " at half the limit (below) and at the limit (above)" if on_axis else ""
        return f"{label(column.name)}: {' and '.join(counts)}, drawn as {self.signs}{place}."

    def reply(self, stem: str, picture: Figure, **more: str) -> Reply:
        """Write the figure and return its counts."""
        page, data = figure.write(
            self.context, self.context.named(self.table.source, stem), picture
        )
        values: dict[str, Any] = {
            "figure": facts.output(page.path),
            "data": facts.output(data.path),
        }
        values |= self.rows.facts()
        if self.sampled:
            values["sampled"] = {"drawn": self.sampled, "seed": self.context.seed}
        values |= {key: facts.name(text) for key, text in more.items() if text}
        values["censored"] = facts.censored(self.used)
        values["policy"] = f"drawn as {self.signs}, at {facts.HALF}"
        return Reply(values, made=(page, data))


def _is_open(part: Part) -> bool:
    return str(part.marker.get("symbol", "")).endswith("-open")


def position(column: Column) -> str:
    """Return the title of a coordinate's axis, in degrees where its role says so."""
    degrees = {"longitude": "Longitude (°)", "latitude": "Latitude (°)"}
    return degrees.get(column.role) or quantity(column)


def quantity(column: Column) -> str:
    """Return a column's name with its unit, unless the name says it already."""
    unit = shown_unit(column)
    said = re.sub(r"[/_ ]", "", column.name.casefold())
    if not unit or any(u and u.casefold().replace("/", "") in said for u in (unit, column.unit)):
        return label(column.name)
    return f"{label(column.name)} ({label(unit)})"


def shown_unit(column: Column) -> str:
    """Return a column's unit as a reader writes it."""
    return "%" if column.unit == "pct" else column.unit or ""
