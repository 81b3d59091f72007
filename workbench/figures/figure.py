"""A figure as two files: its data and layout as JSON, and one page that opens without a network.

Nothing in a figure depends on the clock or on chance, so that equal input gives equal bytes.
Labels from files are shown as text, whatever they hold.
"""

from __future__ import annotations

import html
import importlib.util
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench import marker
from workbench.errors import Failed
from workbench.figures.palette import AXIS, GRID, INK, SOFT
from workbench.reply import Made
from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.tools.context import Context

MEDIA_TYPE = "application/vnd.plotly.v1+json"
_FONT = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
_LABEL = 60
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; font-src data:; worker-src blob:"
)


@dataclass(frozen=True)
class Figure:
    """A figure ready to be written.

    Attributes
    ----------
    traces : list of dict
        Plotly traces.
    layout : dict
        What differs from the house layout.
    title, subtitle : str
        Already safe to show.
    caption : str
        What was drawn, what was left out, and how censored values were treated.
    """

    traces: list[dict[str, Any]]
    layout: dict[str, Any]
    title: str
    subtitle: str
    caption: str


def label(text: str) -> str:
    """Return any text as a figure may show it: short, visible, no markup."""
    return html.escape(marker.short(visible(text), _LABEL), quote=False)


def axis(title: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON values
    """Return an axis in the house style."""
    return {
        "title": {"text": title, "standoff": 12, "font": {"size": 14}},
        "exponentformat": "none",
        "separatethousands": True,
        "showline": True,
        "linecolor": AXIS,
        "gridcolor": GRID,
        "zeroline": False,
        "ticks": "outside",
        "tickcolor": AXIS,
        "ticklen": 4,
        "automargin": True,
        **more,
    }


def legend(title: str = "") -> dict[str, Any]:
    """Return a legend beside the figure, in the house style."""
    heading = {"title": {"text": f"<b>{title}</b>", "font": {"size": 13}}} if title else {}
    place = {"x": 1.02, "xanchor": "left", "y": 1}
    return {**heading, **place, "itemsizing": "trace", "bgcolor": "rgba(255,255,255,0)"}


def write(context: Context, stem: str, figure: Figure) -> tuple[Made, Made]:
    """Write a figure as a page and as JSON.

    Returns
    -------
    tuple of Made
        The page, then the JSON.
    """
    whole = {"data": figure.traces, "layout": _layout(figure)}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    with context.new_file(stem, "html") as (part, final):
        part.write_text(_page(figure, text), encoding="utf-8", errors="replace")
    with context.new_file(final[0].stem, "json") as (part, data):
        part.write_text(text, encoding="utf-8", errors="replace")
    return context.made(final[0], "text/html"), context.made(data[0], MEDIA_TYPE)


def _layout(figure: Figure) -> dict[str, Any]:
    house = {
        "title": {
            "text": figure.title,
            "subtitle": {"text": figure.subtitle, "font": {"size": 13, "color": SOFT}},
            "font": {"size": 19, "color": INK},
            "x": 0,
            "xref": "paper",
            "xanchor": "left",
            "yref": "container",
            "y": 0.965,
            "yanchor": "top",
        },
        "font": {"family": _FONT, "size": 13, "color": INK},
        "paper_bgcolor": "#ffffff",
        "plot_bgcolor": "#ffffff",
        "margin": {"l": 76, "r": 28, "t": 96, "b": 60},
        "hoverlabel": {"bgcolor": "#ffffff", "bordercolor": AXIS, "font": {"family": _FONT}},
        "legend": legend(),
    }
    return {**house, **figure.layout}


def _page(figure: Figure, text: str) -> str:
    """Return the page; text inside a script can never close it."""
    safe = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    options = '{"responsive":true,"displaylogo":false,"scrollZoom":true}'
    title = figure.title
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
html, body {{ height: 100%; margin: 0; background: #fff; color: {INK}; }}
body {{ display: flex; flex-direction: column; font: 13px/1.5 {_FONT}; }}
#figure {{ flex: 1 1 auto; min-height: 420px; }}
p {{ margin: 0; padding: 6px 28px 14px 76px; color: {SOFT}; max-width: 110ch; }}
</style>
<script>{_plotly()}</script>
</head>
<body>
<div id="figure"></div>
<p>{figure.caption}</p>
<script>
const drawn = {safe};
Plotly.newPlot("figure", drawn.data, drawn.layout, {options});
</script>
</body>
</html>
"""


def _plotly() -> str:
    """Return the drawing library that the plotly package ships."""
    spec = importlib.util.find_spec("plotly")
    if spec is None or not spec.submodule_search_locations:
        raise Failed("figures need the package plotly, and it is not installed; install it again")
    place = Path(spec.submodule_search_locations[0]) / "package_data" / "plotly.min.js"
    return place.read_text(encoding="utf-8").replace("</script", "<\\/script")
