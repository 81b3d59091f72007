"""Figures for people: maps, scatter plots, histograms.

Each figure is a page that opens without a network and a JSON file for notebooks; what comes back
to a model is one path and the counts. Values below detection are drawn as open signs, never as
if they had been measured.
"""

from __future__ import annotations

from workbench.accounting.columns import grouping, one_numeric
from workbench.figures import bars, points
from workbench.figures.coordinates import aspect, coordinates, grid_name
from workbench.figures.figure import axis, label
from workbench.figures.scene import Scene, position, quantity, shown_unit
from workbench.reply import Reply
from workbench.tools.context import Context
from workbench.tools.registry import tool


@tool(effect="derive")
def plot_map(
    context: Context,
    path: str,
    color: str | None = None,
    x: str | None = None,
    y: str | None = None,
    sheet: str | None = None,
) -> Reply:
    """Map samples with equal scale on both axes.

    `color`: an element (classes at P50/75/90/95/98, below detection as open circles) or a group
    column such as Lithology or cluster.

    Parameters
    ----------
    path : str
        File or result path.
    color : str
        Column that colours the points.
    x, y : str
        Coordinate columns; found by role if left out.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    across, up = coordinates(table, x, y)
    shade = None if color is None else table.column(color)
    scene = Scene.of(context, table, (across, up), shade)
    parts = scene.parts()
    grid = grid_name(context, table)
    ratio = aspect(scene.rows, across, up)
    layout = {
        "xaxis": axis(position(across), tickformat=","),
        "yaxis": axis(position(up), tickformat=",", scaleanchor="x", scaleratio=ratio),
        **points.scale_bar(scene.rows, across, up),
    }
    place = f"grid: {label(grid)}" if grid else "the file does not name the grid"
    title = f"Map of {quantity(shade)}" if shade else "Sample locations"
    picture = scene.picture(title, layout, parts, place)
    return scene.reply(f"map_{shade.name}" if shade else "map", picture, grid=grid)


@tool(effect="derive")
def plot_scatter(
    context: Context,
    path: str,
    x: str,
    y: str,
    color: str | None = None,
    *,
    log: bool = False,
    sheet: str | None = None,
) -> Reply:
    """Plot one number column against another, coloured by a group or a third number.

    Use log for trace elements; zeros and negatives cannot be drawn then and are counted.

    Parameters
    ----------
    path : str
        File or result path.
    x, y : str
        Number columns.
    color : str
        Column that colours the points.
    log : bool
        Logarithmic axes.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    axes = tuple(one_numeric(table, table.column(name)) for name in (x, y))
    shade = None if color is None else table.column(color)
    scene = Scene.of(context, table, axes, shade)
    if log:
        scene.rows.need_numbers([column.name for column in axes], positive=True)
    more = {"type": "log", "dtick": "D2", "minor": {"ticks": "outside"}} if log else {}
    layout = {f"{key}axis": axis(quantity(c), **more) for key, c in zip("xy", axes, strict=True)}
    title = f"{quantity(axes[1])} against {quantity(axes[0])}"
    picture = scene.picture(title, layout, scene.parts_with_open_axes())
    return scene.reply(f"scatter_{axes[0].name}_{axes[1].name}", picture)


@tool(effect="derive")
def plot_histogram(
    context: Context,
    path: str,
    column: str,
    by: str | None = None,
    *,
    log: bool = True,
    sheet: str | None = None,
) -> Reply:
    """Plot how a number column is distributed, in one panel per group if `by` is given.

    On a log axis unless log is false. Values below detection are an open bar of their own.

    Parameters
    ----------
    path : str
        File or result path.
    column : str
        Number column.
    by : str
        Group column; the eight largest groups get a panel each.
    log : bool
        Logarithmic axis; zeros and negatives are left out and counted.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    measured = one_numeric(table, table.column(column))
    split = None if by is None else grouping(table, by)
    scene = Scene.of(context, table, (measured,), split)
    if log:
        scene.rows.need_numbers([measured.name], positive=True)
    scene.rows.need_some(1, f"histogram of '{measured.name}'")
    panels = bars.panels(scene.rows, measured, split, log=log)
    traces, layout = bars.draw(panels, quantity(measured), label(shown_unit(measured)), log=log)
    title = quantity(measured) + (f" by {label(split.name)}" if split else "")
    stem = f"histogram_{measured.name}" + (f"_by_{split.name}" if split else "")
    return scene.reply(stem, scene.plain_picture(title, layout, traces))
