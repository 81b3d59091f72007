"""Figures that a run made, shown to a person: interactive where the host can, a drawing elsewhere.

A figure comes from a file that a child wrote, so it is taken apart first: only kinds of trace and
layout that draw numbers are kept, nothing that could fetch a picture, a map or a page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from workbench.artefacts import Artefact
from workbench.errors import Refused
from workbench.notebook import numerals, static, vectors
from workbench.workspace import Workspace

MIME = "application/vnd.plotly.v1+json"
# A larger figure is saved in the notebook as a drawing alone; %agent open shows it whole.
SAVED_BYTES = 1_000_000
OPENED_BYTES = 20_000_000
# The figure's page fills a window; a cell gives it no height of its own.
HEIGHT = 560
# More would bury the answer; the rest is a line each in the table of artefacts.
MOST = 4
TRACES = frozenset(
    {"scatter", "scattergl", "bar", "histogram", "box", "violin", "heatmap", "contour"}
)
# Parts of a figure that load something, run something, or place pictures.
_NOT_KEPT = frozenset(
    {"images", "source", "map", "mapbox", "geo", "updatemenus", "sliders", "frames", "href"}
)
# Ink, soft ink, grid and axes of a figure on white, and what they are on black.
_DARK = {"#1f2933": "#e6e9ec", "#616e7c": "#a9b2bb", "#e4e7eb": "#30363d", "#9aa5b1": "#6b7580"}
_GROUNDS, _GROUND = frozenset({"paper_bgcolor", "plot_bgcolor"}), "rgba(0,0,0,0)"
_TAG = re.compile(r"<(?!/?(?:b|i|sub|sup|extra|br ?/?)>)")


def of_view(view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the artefacts of a run that are figures."""
    return [item for item in view["artefacts"] if item["media_type"] == MIME]


def load(folder: Path, name: str) -> dict[str, Any]:
    """Read a figure of a run, with nothing in it but what draws.

    Parameters
    ----------
    folder : Path
        The run's folder.
    name : str
        The figure's file in it.

    Raises
    ------
    Refused
        If it is not there, too large, or not a figure.
    """
    with Workspace(folder, folder).open_result(folder, name) as file:
        if file.size > OPENED_BYTES:
            raise Refused(
                f"figure '{name}': {numerals.size(file.size)} is too much for a cell; open the "
                "page of the same name in a browser"
            )
        with file.stream() as stream:
            text = stream.readall()
    try:
        return cleaned(json.loads(text), name)
    except (ValueError, RecursionError):
        raise Refused(f"figure '{name}': it is not JSON; see %agent results") from None


def cleaned(figure: Any, name: str) -> dict[str, Any]:  # noqa: ANN401 - whatever JSON a file held
    """Return data and layout of a figure without anything that loads, runs or is markup.

    Raises
    ------
    Refused
        If it is no figure, or has a kind of trace that is not drawn here.
    """
    traces = figure.get("data") if isinstance(figure, dict) else None
    if not isinstance(traces, list) or not all(isinstance(trace, dict) for trace in traces):
        raise Refused(f"figure '{name}': it has no traces; see %agent results")
    for trace in traces:
        if trace.get("type", "scatter") not in TRACES:
            raise Refused(f"figure '{name}': traces of kind '{trace['type']}' are not drawn here")
    return {"data": _plain(traces), "layout": _plain(figure.get("layout") or {})}


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON values of any depth
    """Return JSON without the parts that load something; texts keep line breaks and bold alone."""
    if isinstance(value, str):
        return _TAG.sub("&lt;", value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if key not in _NOT_KEPT}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def drawn_from(item: Artefact | None, made: Iterable[Artefact]) -> Artefact | None:
    """Return the JSON that draws a figure, given that JSON or the page that stands beside it."""
    if item is None or item.media_type == MIME:
        return item
    if item.media_type != "text/html":
        return None
    name = str(PurePosixPath(item.path).with_suffix(".json"))
    alike = (one for one in made if (one.media_type, one.path) == (MIME, name))
    return next((one for one in alike if one.made_by == item.made_by), None)


def dark(figure: Any) -> Any:  # noqa: ANN401 - JSON values of any depth
    """Return a figure in the colours of a dark page: its ground shows through."""
    if isinstance(figure, dict):
        return {key: _GROUND if key in _GROUNDS else dark(one) for key, one in figure.items()}
    if isinstance(figure, list):
        return [dark(one) for one in figure]
    return _DARK.get(figure, figure) if isinstance(figure, str) else figure


def bundle(figure: Mapping[str, Any], words: str, most: int = SAVED_BYTES) -> dict[str, Any]:
    """Return what a cell shows of a figure.

    Parameters
    ----------
    figure : mapping
        From `load`.
    words : str
        Its text twin: id and path.
    most : int, optional
        Bytes up to which the interactive form is included.
    """
    data: dict[str, Any] = {"text/plain": words}
    drawing = vectors.draw(figure)
    if drawing is not None:
        data["image/svg+xml"] = drawing
    if len(json.dumps(figure)) <= most or drawing is None:
        layout = {"height": HEIGHT, **figure["layout"]}
        config = {"displaylogo": False, "responsive": True}
        data[MIME] = {"data": figure["data"], "layout": layout, "config": config}
    return data


def shown(view: Mapping[str, Any], folder: Path) -> list[dict[str, Any]]:
    """Return what a cell shows of the figures of a run, at most `MOST`; one that cannot is said.

    Parameters
    ----------
    view : mapping
        The view model.
    folder : Path
        The run's folder.
    """
    found = []
    for item in of_view(view)[:MOST]:
        words = f"figure {item['id']}: {static.relative(folder / item['path'])}"
        try:
            found.append(bundle(load(folder, item["path"]), words))
        except Refused as error:
            found.append({"text/plain": str(error)})
    return found
