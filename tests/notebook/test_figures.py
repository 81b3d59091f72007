"""Figures of a run: taken apart before they are shown, drawn where nothing interactive can be."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sampleview import HOSTILE, Story

from workbench.artefacts import Artefact
from workbench.errors import Refused
from workbench.figures import palette, panels
from workbench.notebook import figures, vectors


def points(**more: object) -> dict[str, Any]:
    trace = {"type": "scatter", "mode": "markers", "x": [1.0, 2.0], "y": [3.0, 4.0], "name": "a"}
    return {"data": [{**trace, **more}], "layout": {"title": {"text": "Gold"}}}


def test_only_files_of_the_figure_type_are_figures() -> None:
    story = Story()
    story.begin()
    story.artefact("d01", "d01a1", "map.html", "text/html", None)
    story.artefact("d01", "d01a2", "map.json", figures.MIME, None)
    assert [item["id"] for item in figures.of_view(story.view())] == ["d01a2"]


def test_parts_that_load_something_are_left_out() -> None:
    figure = points()
    figure["layout"] |= {
        "images": [{"source": "https://evil.example/a.png"}],
        "map": {"style": "https://evil.example"},
    }
    figure["data"][0]["marker"] = {"color": "#fff", "href": "https://evil.example"}
    found = figures.cleaned(figure, "map.json")
    assert "evil.example" not in json.dumps(found)
    assert found["data"][0]["marker"] == {"color": "#fff"}


def test_links_and_pictures_in_labels_become_text() -> None:
    found = figures.cleaned(
        points(name=f'<a href="https://evil.example">go</a><b>x</b><br>{HOSTILE}'), "m"
    )
    name = found["data"][0]["name"]
    assert name.startswith('&lt;a href="https://evil.example">go&lt;/a><b>x</b><br>')
    assert not re.search(r"<(?!/?(?:b|br)>)", name)


@pytest.mark.parametrize("kind", ["scattermap", "choropleth", "image", "scattergeo"])
def test_a_trace_that_loads_maps_or_pictures_is_refused(kind: str) -> None:
    with pytest.raises(Refused, match="not drawn here"):
        figures.cleaned(points(type=kind), "map.json")


@pytest.mark.parametrize("figure", [[], {"data": 3}, {"data": ["x"]}, "x", None])
def test_what_is_no_figure_is_refused(figure: object) -> None:
    with pytest.raises(Refused, match="no traces"):
        figures.cleaned(figure, "map.json")


@pytest.mark.parametrize("text", ["{", "[" * 100_000])
def test_a_broken_figure_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "map.json").write_text(text)
    with pytest.raises(Refused, match="not JSON"):
        figures.load(tmp_path, "map.json")


@pytest.mark.parametrize("name", ["../map.json", "/etc/passwd", "requests/guide-r01.json"])
def test_a_figure_is_opened_within_its_run_or_not_at_all(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused):
        figures.load(tmp_path, name)


def test_a_large_figure_is_saved_as_a_drawing_alone() -> None:
    small, large = points(), points(text=["x" * 1_000] * 2_000)
    assert figures.MIME in figures.bundle(small, "figure")
    assert set(figures.bundle(large, "figure")) == {"text/plain", "image/svg+xml"}


def test_a_figure_without_a_drawing_keeps_its_interactive_form() -> None:
    assert set(figures.bundle(points(type="box"), "figure")) == {"text/plain", figures.MIME}


def test_a_drawing_holds_titles_names_and_one_sign_a_point() -> None:
    drawing = vectors.draw(points()) or ""
    assert "Gold" in drawing
    assert drawing.count("<circle") == 2


def test_equal_scale_is_kept_in_a_drawing() -> None:
    figure = points(x=[0.0, 100.0, 0.0], y=[0.0, 0.0, 300.0])
    figure["layout"] |= {"yaxis": {"scaleanchor": "x"}}
    (a, b), (c, d), (e, f) = [
        (float(x), float(y))
        for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', vectors.draw(figure) or "")
    ]
    assert b == d
    assert a == e
    assert (b - f) / (c - a) == pytest.approx(3, rel=1e-3)


def test_a_logarithmic_axis_places_decades_evenly() -> None:
    figure = points(x=[1.0, 10.0, 100.0, 0.0], y=[1.0, 1.0, 1.0, 1.0])
    figure["layout"]["xaxis"] = {"type": "log"}
    places = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', vectors.draw(figure) or "")]
    assert len(places) == 3
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=0.02)


def test_a_bar_is_as_high_as_its_count() -> None:
    figure = points(type="bar", x=[1, 2], y=[10, 40], marker={"color": "#2f6f9f"})
    heights = re.findall(r'height="([\d.]+)" fill="#2f6f9f"', vectors.draw(figure) or "")
    assert float(heights[1]) / float(heights[0]) == pytest.approx(4, rel=1e-3)


def test_hostile_words_and_colours_are_harmless_in_a_drawing() -> None:
    figure = points(name=HOSTILE, marker={"color": "url(https://evil.example/x)", "size": "9e9"})
    figure["layout"] = {"title": {"text": HOSTILE}, "showlegend": True}
    drawing = vectors.draw(figures.cleaned(figure, "m")) or ""
    assert drawing
    assert set(re.findall(r"<(\w+)", drawing)) <= {
        "svg",
        "title",
        "rect",
        "text",
        "tspan",
        "path",
        "circle",
    }
    assert "url(" not in drawing
    assert not re.search(r"\s(?:on\w+|href)=", re.sub(r">[^<]*<", "><", drawing))


def test_thinned_points_are_said() -> None:
    figure = points(x=list(range(12_000)), y=list(range(12_000)))
    drawing = vectors.draw(figure) or ""
    assert "every 3th of 12,000 points is drawn" in drawing
    assert drawing.count("<circle") == 4_000


def test_a_heat_map_is_drawn_from_the_top_with_its_words_and_colours_between_the_stops() -> None:
    factors = np.array([[1.0, 2.0], [0.5, np.nan]])
    made = panels.heat_map("t", ("s", "c"), ["Au", "<As>"], ["1", "2"], factors)
    drawing = vectors.draw(figures.cleaned({"data": list(made.traces), "layout": made.layout}, "m"))
    assert drawing is not None
    cells = re.findall(
        r'<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="[\d.]+" fill="(#\w+)"', drawing
    )
    assert [shade for _, shade in cells] == ["#ffffff", "#f7c7ab", "#aad2ec", "#ffffff"]
    assert [y for y, _ in cells] == sorted((y for y, _ in cells), key=float)
    assert [text for text in ("1×", "2×", "0.5×", "&lt;As&gt;") if f">{text}<" not in drawing] == []


@pytest.mark.parametrize(
    "spoiled",
    [
        {"colorscale": [[0, "url(http://x.y)"], ["a", "#zzzzzz"], 5]},
        {"zmin": "low"},
        {"zmin": 2, "zmax": 2},
        {"z": [["1", None], [True]]},
    ],
)
def test_a_heat_map_that_is_none_is_drawn_white_or_not_at_all(spoiled: dict[str, Any]) -> None:
    trace = {"type": "heatmap", "x": ["a", "b"], "y": ["c", "d"], "zmin": 0, "zmax": 1}
    trace |= {"z": [[0, 1], [1, 0]], "text": [["1", "2"], ["3", "4"]], **spoiled}
    drawing = vectors.draw({"data": [trace], "layout": {}}) or ""
    assert set(re.findall(r'fill="([^"]+)"/', drawing)) <= {"#ffffff"}
    for lost in ({"x": [1, 2]}, {"text": 5}, {"z": [1, 2]}):
        assert vectors.draw({"data": [{**trace, **lost}], "layout": {}}) is None


@pytest.mark.parametrize("values", [[], [None, None], [float("nan")]])
def test_a_figure_without_a_number_has_no_drawing(values: list[float | None]) -> None:
    assert vectors.draw(points(x=values, y=values)) is None


def artefact(key: str, path: str, media_type: str, tool: str = "plot_map") -> Artefact:
    return Artefact(key, path, 9, "0" * 64, media_type, None, None, {"tool": tool})


def test_a_page_is_drawn_from_the_data_of_the_same_call_beside_it() -> None:
    page, data = artefact("d01a1", "m.html", "text/html"), artefact("d01a2", "m.json", figures.MIME)
    foreign = artefact("d01a3", "m.json", figures.MIME, "run_script")
    assert figures.drawn_from(page, [page, data]) is data
    assert figures.drawn_from(data, [page, data]) is data
    assert figures.drawn_from(page, [page, foreign]) is None
    assert figures.drawn_from(artefact("d01a4", "t.csv", "text/csv"), [page, data]) is None


def test_a_figure_takes_the_colours_of_a_dark_page() -> None:
    figure = points()
    figure["layout"] |= {"paper_bgcolor": "#ffffff", "font": {"color": palette.INK}}
    found = figures.dark(figure)
    assert found["layout"]["paper_bgcolor"] == "rgba(0,0,0,0)"
    assert found["layout"]["font"]["color"] not in {palette.INK, "#000000"}
    assert found["data"] == figure["data"]
    house = {palette.INK, palette.SOFT, palette.GRID, palette.AXIS}
    assert all(figures.dark(colour) != colour for colour in house)
