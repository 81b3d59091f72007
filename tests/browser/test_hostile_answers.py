"""Answers, names and figures that try to be a page: they are text, and nothing leaves."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from driving import PATIENCE, Lab, Watched, cell, done, opened, run
from sampleview import HOSTILE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(240)]
nbformat = pytest.importorskip(
    "nbformat", reason="nbformat is not installed: pip install -e '.[dev]'"
)

_STATIC = """
import sys; sys.path.insert(0, {tests!r})
from IPython.display import display
from sampleview import HOSTILE, answered
from workbench.notebook import static, card, figures
view = answered(HOSTILE, HOSTILE, HOSTILE)
display(static.bundle(view, "1 s", None), raw=True)
"""
_LIVE = """
from workbench.notebook.widget import RunCard
from workbench.notebook.nodes import to_json
live = RunCard(card=to_json(card.live({**view, "status": "running"}, "1 s")), elapsed=HOSTILE)
live
"""
# A tree that no code of ours would send: forged state of a widget.
_FORGED = """
bad = "background:url(https://evil.example/x)"
inner = ["img", {{"src": "https://evil.example/y.png", "onerror": "alert(8)"}}, []]
parts = [["script", {{}}, ["alert(7)"]], inner, {hostile!r}]
RunCard(card=["section", {{"class": "wb forged", "onclick": "alert(6)", "style": bad}}, parts])
"""
_FIGURE = """
trace = {"type": "scatter", "x": [1, 2], "y": [1, 2], "mode": "markers+text"}
picture = {"source": "https://evil.example/z.png", "x": 1, "y": 1, "sizex": 1, "sizey": 1}
wild = {
    "data": [{**trace, "name": HOSTILE, "text": [HOSTILE] * 2}],
    "layout": {"title": {"text": HOSTILE}, "images": [picture]},
}
display(figures.bundle(figures.cleaned(wild, "wild"), HOSTILE), raw=True)
"""


@pytest.fixture
def page_of_cells(lab: Lab, watched: Watched) -> Page:
    """Return a notebook whose cells show hostile things, run to its end."""
    tests = str(Path(__file__).resolve().parents[1])
    sources = [
        _STATIC.format(tests=tests),
        _LIVE,
        _FORGED.format(hostile=HOSTILE),
        _FIGURE,
    ]
    book = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(source.strip(), id=f"cell-{number}")
            for number, source in enumerate(sources)
        ],
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
        },
    )
    nbformat.write(book, lab.root / "notebooks" / "hostile.ipynb")
    page: Page = watched.page
    opened(page, lab.notebook("hostile.ipynb"))
    for number in range(len(sources)):
        run(page, number)
        done(page, number)
    cell(page, 0).locator(".wb").wait_for(timeout=PATIENCE)
    cell(page, 1).locator(".wb").wait_for(timeout=PATIENCE)
    cell(page, 2).locator(".forged").wait_for(timeout=PATIENCE)
    cell(page, 3).locator(".js-plotly-plot .scatterlayer").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(1_000)  # what would be typeset or fetched late has its chance
    return page


def test_hostile_words_stay_words_and_nothing_leaves(page_of_cells: Page, watched: Watched) -> None:
    page = page_of_cells
    assert cell(page, 0).locator(".wb-answer").evaluate("e => e.textContent") == HOSTILE
    for number in (0, 1):
        texts = cell(page, number).locator(".wb").evaluate("e => e.textContent")
        assert HOSTILE in texts
    acting = (
        "script, img, iframe, a, button:not(.wbp-id), form, object, embed, mjx-container, "
        "[onclick], [onload]"
    )
    ids = page.locator("button.wbp-id").all_text_contents()
    assert [one for one in ids if re.fullmatch(r"d\d\da\d", one) is None] == []
    for number in (0, 1, 2):
        assert cell(page, number).locator(f".wb :is({acting})").count() == 0, number
    assert cell(page, 2).locator(".forged").get_attribute("style") is None
    assert cell(page, 1).locator(".wb-elapsed").inner_text() in {"1 s", HOSTILE}
    figure = cell(page, 3).locator(".js-plotly-plot")
    assert figure.locator("a, image[href^=http], iframe, script").count() == 0
    assert watched.outside == []
    assert watched.dialogs == []


def test_c3_a_saved_hostile_notebook_opened_without_trust_does_nothing(
    page_of_cells: Page, lab: Lab, watched: Watched
) -> None:
    page = page_of_cells
    page.keyboard.press("Control+s")
    page.wait_for_selector(".jp-mod-dirty", state="detached", timeout=PATIENCE)
    book = json.loads((lab.root / "notebooks" / "hostile.ipynb").read_text(encoding="utf-8"))
    # Another content has another signature: nobody on this machine has ever run it.
    book["cells"][0]["outputs"][0]["data"]["text/html"] += "<script>alert(9)</script>"
    place = lab.root / "notebooks" / "foreign.ipynb"
    place.write_text(json.dumps(book), encoding="utf-8")
    page.goto("about:blank")
    opened(page, lab.notebook("foreign.ipynb"))
    shown = cell(page, 0).locator(".jp-OutputArea-output").first
    shown.wait_for(timeout=PATIENCE)
    page.wait_for_timeout(500)
    assert HOSTILE[:20] in shown.evaluate("e => e.textContent")
    assert watched.outside == []
    assert watched.dialogs == []
