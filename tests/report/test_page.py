"""The page of a report: everything as text, nothing fetched, figures with words."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from reporting import GEOCHEM, MAP, hand, scripted

from workbench.models.scripted import call, finish
from workbench.report import book, page, writing

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>[a](javascript:alert(3))"


def cell(**parts: object) -> dict[str, object]:
    return {"id": "x", "metadata": {}, "source": "", **parts}


def notebook(*cells: dict[str, object]) -> dict[str, object]:
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def output(**data: object) -> dict[str, object]:
    shown = {"output_type": "display_data", "data": data, "metadata": {}}
    return cell(cell_type="code", outputs=[shown])


def test_every_section_is_in_the_contents(run: Path) -> None:
    made = page.render(book.build(run, run / "r.ipynb"))
    for title in ("Answer", "Data", "Plan", "Limits met", "Versions", "Verification"):
        assert re.search(rf'<li><a href="#[\w-]+">{title}</a>', made)
    assert "<h1>Group the samples by Au, As and Cu.</h1>" in made


def test_text_of_model_and_data_never_becomes_markup(field: Path) -> None:
    text = (field / GEOCHEM).read_text().replace("Basalt", "<script>alert(1)</script>", 3)
    (field / GEOCHEM).write_text(text.replace("Dacite", "=cmd|' /C calc'!A0", 3))
    query = 'SELECT Lithology AS "<img src=x onerror=alert(9)>" FROM meridian_ridge_geochem'
    scripts = {
        "guide": [hand("analytics", HOSTILE)],
        "d01": [call("sql", query=query), call("plot_map", path=HOSTILE), finish(HOSTILE)],
    }
    folder = scripted(field, scripts).ask(HOSTILE).folder
    made = page.render(book.build(folder, folder / "r.ipynb"))
    assert made.count("<script>") == 1  # that of the page
    assert "<img" not in made
    assert 'href="javascript' not in made
    assert "&lt;script&gt;alert(1)" in made


def test_html_of_a_notebook_is_left_out(run: Path) -> None:
    made = page.render(notebook(output(**{"text/html": HOSTILE, "text/plain": "plain"})))
    assert "alert" not in made
    assert '<pre class="">plain</pre>' in made


def test_raw_html_in_a_cell_is_shown_as_text() -> None:
    made = page.render(notebook(cell(cell_type="markdown", source=f"## A\n\n{HOSTILE}")))
    assert "&lt;script&gt;" in made
    assert 'href="javascript' not in made


def test_only_the_scripts_of_the_page_are_named_to_the_browser(field: Path) -> None:
    scripts = {"guide": [hand("geoviz", "Map.")], "d01": [MAP, finish("done")]}
    folder = scripted(field, scripts).ask("Map gold.").folder
    made = page.render(book.build(folder, folder / "r.ipynb"))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', made)
    assert policy is not None
    assert "unsafe-inline" not in policy[1].split("script-src")[1].split(";")[0]
    named = set(re.findall(r"'sha256-([^']*)'", policy[1]))
    scripts_in = re.findall(r"<script>(.*?)</script>", made, re.DOTALL)
    assert len(scripts_in) == 2
    assert named == {
        base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts_in
    }
    assert len(made) < 6_000_000


def test_a_figure_has_a_drawing_words_and_a_caption(field: Path) -> None:
    scripts = {"guide": [hand("geoviz", "Map.")], "d01": [MAP, finish("done")]}
    folder = scripted(field, scripts).ask("Map gold.").folder
    made = page.render(book.build(folder, folder / "r.ipynb"))
    assert re.search(r'<img src="data:image/svg\+xml;base64,[^"]+" alt="Map of Au_ppb; ', made)
    assert "<figcaption>d01a2: Map of Au_ppb" in made


def test_a_figure_that_would_load_something_is_refused() -> None:
    figure = {"data": [{"type": "scattermapbox"}], "layout": {}}
    made = page.render(notebook(output(**{"application/vnd.plotly.v1+json": figure})))
    assert "are not drawn here" in made


def test_a_table_shows_what_is_left_out(run: Path) -> None:
    made = page.render(book.build(run, run / "r.ipynb"))
    assert "10 of 41 columns" in made
    assert '<th class="gap">+31</th>' in made


def test_the_page_is_the_same_twice(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    first = writing.write(run, [target])[0].read_bytes()
    assert writing.write(run, [target])[0].read_bytes() == first


def test_markdown_has_drawings_beside_it_and_no_markup_of_the_data(field: Path) -> None:
    scripts = {"guide": [hand("geoviz", HOSTILE)], "d01": [MAP, finish(f"```\n{HOSTILE}")]}
    folder = scripted(field, scripts).ask("Map gold.").folder
    (made,) = writing.write(folder, [field / "r.md"])
    text = made.read_text(encoding="utf-8")
    assert "![Map of Au\\_ppb" in text
    assert (field / "r_files" / "figure-d01a2.svg").read_text().startswith("<svg")
    outside = re.sub(r"(`{3,})\w+\n.*?\n\1", "", text, flags=re.DOTALL)
    assert "<script" not in outside
    assert "<img" not in outside


@pytest.mark.parametrize("name", ["r.txt", "r.docx", "r"])
def test_a_form_that_is_not_written_is_refused_by_name(name: str) -> None:
    from workbench.errors import Refused

    with pytest.raises(Refused, match=r"a report ends in .*\.html"):
        writing.place(name)


def test_two_hundred_dispatches_stay_small(field: Path) -> None:
    (made,) = writing.write(many(field, 200), [field / "r.html"])
    assert made.stat().st_size < 15_000_000
    assert made.read_text(encoding="utf-8").count("<h2>d") == 200


def many(field: Path, number: int) -> Path:
    """Return a run of so many dispatches with a map each: one that was, its record repeated."""
    scripts = {"guide": [hand("geoviz", "Map.")], "d01": [MAP, finish("done")]}
    folder = scripted(field, scripts).ask("Map gold.").folder
    place = folder / "events.jsonl"
    events = [json.loads(line) for line in place.read_text().splitlines()]
    own = [event for event in events if event["dispatch"] == "d01"]
    rest = [event for event in events if event["dispatch"] != "d01"]
    lines = []
    for n in range(1, number + 1):
        lines += [json.dumps(event).replace("d01", f"d{n:02d}") for event in own]
    for place_of in ("requests", "responses"):
        for kept in list((folder / place_of).glob("d01*")):
            for n in range(2, number + 1):
                new = kept.with_name(kept.name.replace("d01", f"d{n:02d}"))
                new.write_bytes(kept.read_bytes())
    whole = [json.dumps(rest[0]), *lines, *(json.dumps(event) for event in rest[1:])]
    place.write_text("\n".join(whole) + "\n")
    (folder / "run.json").unlink()
    return folder


@pytest.mark.parametrize(
    ("words", "departs"),
    [
        ("verified: 1 input and 2 results are the same", False),
        ("other data: soils.csv is not what was recorded; 2 results differ, as they may", True),
        ("NOT the same: the first result that departs is d01a2", True),
    ],
)
def test_a_page_of_cells_run_on_other_data_says_so_at_its_head(words: str, departs: bool) -> None:  # noqa: FBT001 - a case of the table
    last = {**output(**{"text/plain": words}), "id": "verification"}
    titles = [cell(cell_type="markdown", source=text) for text in ("# Which soils?", "## Last")]
    made = page.render(notebook(*titles, last))
    head = made.split("</header>")[0]
    assert (words in head) is departs
    assert ("are those of the record, not of these data" in head) is departs
