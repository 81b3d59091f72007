"""A report's page in a browser with the network refused: it reads and draws, on a phone too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from driving import Watched
from reporting import GEOCHEM, MAP, hand, scripted

from workbench.models.scripted import call, finish
from workbench.report import writing

pytest.importorskip("nbformat", reason="nbformat is not installed: pip install -e '.[dev]'")
pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

HOSTILE = "<script>alert(1)</script><img src=http://x.y/z onerror=alert(2)>"
_LONG = 120_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page of a run with a map, a table and hostile text."""
    field = tmp_path_factory.mktemp("field")
    source = Path(__file__).resolve().parents[2] / "data" / GEOCHEM
    text = source.read_text(encoding="utf-8").replace("Basalt", HOSTILE, 4)
    (field / GEOCHEM).write_text(text, encoding="utf-8")
    query = 'SELECT SampleID, Lithology AS "<b>Lithology" FROM meridian_ridge_geochem'
    scripts = {
        "guide": [hand("geoviz", HOSTILE)],
        "d01": [MAP, call("filter_rows", path=GEOCHEM, expression="As_ppm > 10"), finish(HOSTILE)],
    }
    folder = scripted(field, scripts).ask(f"Map gold. {query}").folder
    return writing.write(folder, [field / "report.html"])[0]


@pytest.mark.parametrize("width", [1360, 390])
def test_the_page_draws_and_asks_for_nothing(made: Path, watched: Watched, width: int) -> None:
    page = watched.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(made.as_uri())
    figure = page.locator("figure.drawn").first
    figure.scroll_into_view_if_needed(timeout=_LONG)
    page.locator("figure.drawn[data-state=drawn] .main-svg").first.wait_for(timeout=_LONG)
    assert "Map of Au_ppb" in (figure.locator("img").get_attribute("alt") or "")
    # Numbers without a source carry a mark of ours; all else is the text as it was given.
    assert HOSTILE in page.locator("section#answer").inner_text().replace("?", "")
    assert page.locator("section#d01 table.data tbody tr").count() > 5
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert [url for url in asked if not url.startswith(("data:", "blob:"))] == [made.as_uri()]
    assert watched.outside == []
    assert watched.dialogs == []


def test_without_scripts_the_drawing_stays(made: Path, watched: Watched) -> None:
    context = watched.page.context.browser.new_context(java_script_enabled=False)  # type: ignore[union-attr]
    page = context.new_page()
    page.goto(made.as_uri())
    assert page.locator("figure.drawn img").first.is_visible()
    context.close()


def test_on_paper_nothing_is_wider_than_the_sheet_and_drawings_stand_for_figures(
    made: Path, watched: Watched
) -> None:
    page = watched.page
    # A4 between the margins of the page, in CSS pixels.
    page.set_viewport_size({"width": 672, "height": 980})
    page.emulate_media(media="print")
    page.goto(made.as_uri())
    page.locator("figure.drawn img").first.wait_for(timeout=_LONG)
    assert page.evaluate("document.documentElement.scrollWidth") <= 672
    assert not page.locator("nav.contents").is_visible()
    assert not page.locator("figure.drawn .plot").first.is_visible()
    assert page.locator("section#d01 table.data tbody tr").first.is_visible()


def test_it_prints_to_pdf_where_there_is_a_browser(made: Path, tmp_path: Path) -> None:
    if shutil.which("chromium") is None:
        pytest.skip("no chromium on this machine: install it with the system's packages")
    from workbench.report import printed

    printed.to_pdf(made.read_text(encoding="utf-8"), tmp_path / "r.pdf")
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")
