"""Figures: their numbers, their honesty about censored values, and that nothing in them runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from toolbench import Bench

from workbench.errors import Refused
from workbench.figures import points

GEOCHEM = "meridian_ridge_geochem.csv"


def drawn(bench: Bench, facts: dict[str, Any]) -> dict[str, Any]:
    """Return a figure's data and layout, checked by the drawing library's own rules."""
    whole: dict[str, Any] = json.loads((bench.run / facts["data"].rpartition("/")[2]).read_text())
    go.Figure(whole)
    return whole


def test_a_map_has_classes_open_circles_and_equal_scales(ridge: Bench) -> None:
    facts = ridge.facts("plot_map", path=GEOCHEM, color="Au_ppb")
    whole = drawn(ridge, facts)
    assert whole["layout"]["yaxis"]["scaleanchor"] == "x"
    assert whole["layout"]["yaxis"]["scaleratio"] == 1
    names = [trace["name"] for trace in whole["data"]]
    assert names[0] == "below detection  (n = 37)"
    assert whole["data"][0]["marker"]["symbol"] == "circle-open"
    assert names[-1].startswith("above P98: 921–2,610 ppb")
    assert sum(len(trace["x"]) for trace in whole["data"]) == facts["rows_used"] == 233
    assert facts["rows_dropped"] == 7
    assert facts["grid"] == "GDA2020 / MGA zone 51"


def test_a_map_of_groups_has_one_colour_a_group(ridge: Bench) -> None:
    facts = ridge.facts("plot_map", path=GEOCHEM, color="Lithology")
    traces = drawn(ridge, facts)["data"]
    assert len({trace["marker"]["color"] for trace in traces}) == 5
    assert "Basalt  (n = 94)" in {trace["name"] for trace in traces}


def test_cluster_numbers_are_drawn_as_groups(ridge: Bench) -> None:
    made = ridge.facts("cluster", path=GEOCHEM, columns=["Au_ppb", "As_ppm"])
    facts = ridge.facts("plot_map", path=made["output"], color="cluster")
    names = [trace["name"] for trace in drawn(ridge, facts)["data"]]
    assert names == [f"{n}  (n = {size})" for n, size in made["sizes"].items()]


def test_degrees_are_drawn_with_the_scale_of_their_latitude(bench: Bench) -> None:
    rows = "\n".join(f"S{n},{120 + n / 100},{-30 - n / 100},{n + 1}" for n in range(20))
    bench.write("a.csv", f"SampleID,Longitude,Latitude,Cu_ppm\n{rows}\n")
    layout = drawn(bench, bench.facts("plot_map", path="a.csv"))["layout"]
    assert layout["yaxis"]["scaleratio"] == pytest.approx(1 / np.cos(np.radians(30.095)), rel=1e-4)
    assert "does not name the grid" in layout["title"]["subtitle"]["text"]
    assert layout["xaxis"]["title"]["text"] == "Longitude (°)"
    assert layout["yaxis"]["title"]["text"] == "Latitude (°)"


def test_a_scatter_leaves_out_what_a_log_axis_cannot_show(bench: Bench) -> None:
    rows = "\n".join(f"S{n},{n},{n + 1}" for n in range(20))
    bench.write("a.csv", f"SampleID,Cu_ppm,Zn_ppm\n{rows}\nX,<2,9\nY,,3\n")
    facts = bench.facts("plot_scatter", path="a.csv", x="Cu_ppm", y="Zn_ppm", log=True)
    whole = drawn(bench, facts)
    assert facts["dropped"] == {"Cu_ppm missing": 1, "Cu_ppm below an unstated limit": 1}
    assert whole["layout"]["xaxis"]["type"] == "log"
    open_trace = next(t for t in whole["data"] if t["name"].startswith("below detection"))
    assert (open_trace["x"], open_trace["y"]) == ([1.0], [9.0])
    assert open_trace["marker"]["symbol"] == "circle-open"


def test_a_censored_point_keeps_the_colour_of_its_group(bench: Bench) -> None:
    rows = [f"S{n},{n + 1},{n + 2},{'Chert' if n < 8 else 'Basalt'}" for n in range(20)]
    rows += ["X,<2,9,Chert", "Y,<2,8,Basalt"]
    bench.write("a.csv", "SampleID,Cu_ppm,Zn_ppm,Lithology\n" + "\n".join(rows) + "\n")
    facts = bench.facts("plot_scatter", path="a.csv", x="Cu_ppm", y="Zn_ppm", color="Lithology")
    traces = drawn(bench, facts)["data"]
    closed = {t["marker"]["color"] for t in traces if "symbol" not in t["marker"]}
    opened = {t["marker"]["color"] for t in traces if "symbol" in t["marker"]}
    assert closed == opened
    assert len(closed) == 2
    named = {t["name"] for t in traces if t.get("showlegend", True)}
    assert named == {
        "Chert  (n = 9)", "Basalt  (n = 13)", "below detection on an axis  (n = 2)",
    }  # fmt: skip
    assert sum(len(t["x"]) for t in traces) == 22


def test_a_group_of_censored_points_alone_is_in_the_legend(bench: Bench) -> None:
    rows = [f"S{n},{n + 1},{n + 2},Basalt" for n in range(9)] + ["X,<2,9,Chert"]
    bench.write("a.csv", "SampleID,Cu_ppm,Zn_ppm,Lithology\n" + "\n".join(rows) + "\n")
    facts = bench.facts("plot_scatter", path="a.csv", x="Cu_ppm", y="Zn_ppm", color="Lithology")
    named = {t["name"] for t in drawn(bench, facts)["data"] if t.get("showlegend", True)}
    assert named == {"Basalt  (n = 9)", "Chert  (n = 1)"}


def test_a_histogram_counts_every_value_once(ridge: Bench) -> None:
    facts = ridge.facts("plot_histogram", path=GEOCHEM, column="Au_ppb")
    whole = drawn(ridge, facts)
    bars = {trace["name"]: sum(trace["y"]) for trace in whole["data"]}
    assert bars == {"measured": 196, "below detection": 37}
    assert whole["layout"]["annotations"][0]["text"].endswith("median 3 ppb")


def test_a_histogram_by_group_has_a_panel_each(ridge: Bench) -> None:
    facts = ridge.facts("plot_histogram", path=GEOCHEM, column="As_ppm", by="Lithology")
    whole = drawn(ridge, facts)
    words = [item["text"] for item in whole["layout"]["annotations"]]
    assert len(words) == 5
    assert "Basalt" in words[0]
    assert sum(sum(trace["y"]) for trace in whole["data"]) == 238


def test_a_page_needs_no_network_and_runs_no_text_of_the_file(bench: Bench) -> None:
    name = "</script><img src=x onerror=alert(1)>"
    rows = "\n".join(f"<b>S{n}</b>,{n},{n},{n + 1},{name}" for n in range(1, 9))
    bench.write("a.csv", f"SampleID,Easting,Northing,{name},Rock\n{rows}\n")
    for arguments in ({"color": name}, {"color": "Rock"}):
        facts = bench.facts("plot_map", path="a.csv", **arguments)
        page = (bench.run / facts["figure"].rpartition("/")[2]).read_text()
        assert "default-src 'none'" in page
        assert "<img" not in page.replace("<img/", "")[page.rindex("</head>") :]
        assert page.count("</script>") == 2
        assert not re.search(
            r"<(?:script|link|img)[^>]+(?:src|href)=", page[: page.index("<script>")]
        )
        assert "&lt;img" in page


def test_many_points_are_sampled_and_the_extremes_are_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(points, "MOST_POINTS", 400)
    rows = "\n".join(f"S{n},{n % 40},{n % 37},{(n * 7919) % 1000 + 1}" for n in range(1000))
    bench.write("a.csv", f"SampleID,Easting,Northing,Cu_ppm\n{rows}\n")
    facts = bench.facts("plot_map", path="a.csv", color="Cu_ppm")
    assert facts["sampled"] == {"drawn": 400, "seed": 42}
    traces = drawn(bench, facts)["data"]
    assert sum(len(trace["x"]) for trace in traces) == 400
    top = next(trace for trace in traces if trace["name"].startswith("above P98"))
    assert top["name"].endswith("(n = 20)")
    assert len(top["x"]) == 20


def test_a_page_is_drawn_by_a_browser_without_errors(ridge: Bench) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = Path("/usr/bin/chromium")
    if not chromium.exists():
        pytest.skip("no chromium here")
    facts = ridge.facts("plot_map", path=GEOCHEM, color="Au_ppb")
    page_file = ridge.run / facts["figure"].rpartition("/")[2]
    errors: list[str] = []
    asked: list[str] = []
    with sync_api.sync_playwright() as play:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-quic"]
        browser = play.chromium.launch(executable_path=str(chromium), args=flags)
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page_file.as_uri())
        page.wait_for_selector(".main-svg .legend")
        shown = page.locator(".legendtext").all_text_contents()
        browser.close()
    assert errors == []
    assert [url for url in asked if url.startswith("http")] == []
    assert any("above P98" in text for text in shown)


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("plot_map", {"color": "Gold"}, "not in"),
        ("plot_map", {"x": "Easting"}, "both x and y"),
        ("plot_map", {"x": "Easting", "y": "Lithology"}, "holds text"),
        ("plot_scatter", {"x": "Au_ppb", "y": "Lithology"}, "holds text"),
        ("plot_scatter", {"x": "Au_ppb"}, "'y' is missing"),
        ("plot_histogram", {"column": "Lithology"}, "holds text"),
        ("plot_histogram", {"column": "Au_ppb", "by": "SampleID"}, "no group"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_refused(
    ridge: Bench, tool: str, arguments: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        ridge.call(tool, path=GEOCHEM, **arguments)


def test_a_map_without_coordinates_says_what_to_name(ridge: Bench) -> None:
    with pytest.raises(Refused, match="name x and y"):
        ridge.call("plot_map", path="meridian_ridge_assay.csv")


def test_an_empty_table_draws_nothing(bench: Bench) -> None:
    bench.write("a.csv", "SampleID,Easting,Northing,Cu_ppm\n")
    with pytest.raises(Refused):
        bench.call("plot_histogram", path="a.csv", column="Cu_ppm")
