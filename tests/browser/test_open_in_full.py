"""What is open in full, in a browser: a million rows, both sides of a cut, and hostile words.

The page has the product's own script and answers; only the messages travel as HTTP.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from driving import PATIENCE, Watched
from openedruns import HEADER, MILLION, ROWS, hostile, million
from openserver import serving
from sampleview import HOSTILE

from workbench import launch
from workbench.notebook.opening import Opening

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(240)]

MARKED = "tr:is(.wbo-was-seen, .wbo-was-part)"
GROWTH_BYTES = 200_000_000
ACTING = (
    "script, img, iframe, a, form:not(.wbo-form, .wbo-find), object, embed, [onclick], [onload]"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the run with hostile names, and as ``m-…`` the one of a million rows."""
    few = hostile(tmp_path_factory.mktemp("few"))
    many = million(tmp_path_factory.mktemp("many"))
    launch.warm()

    def made(key: str) -> Opening:
        return Opening(many if key.startswith("m-") else few, key.removeprefix("m-"))

    with serving(made) as url:
        yield url


def shown(
    watched: Watched, address: str, key: str, face: str = "full", theme: str = "light"
) -> Page:
    page: Page = watched.page
    page.goto(f"{address}/?key={key}&face={face}&theme={theme}")
    page.locator(".wbo-name").wait_for(timeout=PATIENCE)
    return page


def line(page: Page, text: str) -> None:
    """Wait until the line above the rows says something."""
    page.locator(".wbo-line").get_by_text(text).wait_for(timeout=3 * PATIENCE)


def column(page: Page, place: int) -> list[str]:
    """Return the texts of a column's cells in view, row numbers at place 0."""
    rows = page.locator("regular-table tbody tr")
    return [str(text) for text in rows.locator(f":nth-child({place + 1})").all_text_contents()]


def serious(page: Page) -> list[str]:
    """Return what axe finds amiss and calls serious or worse."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is not installed"
    )
    found: dict[str, Any] = axe.Axe().run(page).response
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary'][:300]}"
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
    ]


def test_a_million_rows_are_scrolled_sorted_and_filtered(watched: Watched, address: str) -> None:
    before = psutil.Process().memory_info().rss
    page = shown(watched, address, "m-d01a1")
    page.locator("regular-table tbody td").first.wait_for(timeout=PATIENCE)
    sys.stderr.write(f"first rows after {page.evaluate('window.firstRows'):.0f} ms\n")
    line(page, f"of {MILLION:,} rows")
    assert column(page, 1)[0] == "S0000000"
    page.locator("regular-table").evaluate("table => { table.scrollTop = table.scrollHeight }")
    page.get_by_text("S0999999", exact=True).wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Sort by Au_ppb").click()
    page.locator("th[aria-sort=ascending]").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Sort by Au_ppb").click()
    page.locator("th[aria-sort=descending]").wait_for(timeout=PATIENCE)
    gold = [float(text) for text in column(page, 2)]
    assert gold == sorted(gold, reverse=True)
    assert gold[0] > 100
    page.get_by_role("button", name="Filter Au_ppb").click()
    page.get_by_label("cells").select_option("censored")
    page.get_by_role("button", name="Apply").click()
    line(page, f"of {MILLION // 10:,} rows (filtered from {MILLION:,})")
    assert set(column(page, 2)) == {"<0.5"}
    assert page.locator("td.wbo-censored").count() > 5
    assert psutil.Process().memory_info().rss - before < GROWTH_BYTES
    page.locator("svg.wbo-histogram rect").nth(20).wait_for(state="attached", timeout=PATIENCE)


def in_view(page: Page, words: str) -> None:
    """Wait until the bar of the whole says what of it is in view."""
    page.locator(f"[role=slider][aria-valuetext^='{words}']").wait_for(timeout=PATIENCE)


def test_seen_and_full_stand_side_by_side(watched: Watched, address: str) -> None:
    page = shown(watched, address, "d01a1", "seen")
    page.get_by_text(f"0 of {ROWS} rows seen").wait_for(timeout=PATIENCE)
    page.get_by_label("Which call").select_option("d01c2")
    page.get_by_text(f"5 of {ROWS} rows seen").wait_for(timeout=PATIENCE)
    page.locator(MARKED).nth(4).wait_for(timeout=PATIENCE)
    assert page.locator(MARKED).count() == 5
    page.get_by_text("235 rows").first.wait_for(timeout=PATIENCE)
    # The long cells of two rows were cut: those were seen in part, and the head says so.
    page.get_by_text(f"5 of {ROWS} rows seen, 2 of them in part").wait_for(timeout=PATIENCE)
    assert page.locator("tr.wbo-was-part").count() == 2
    tops = page.locator(".wb-sf-head").evaluate_all("them => them.map(one => one.offsetTop)")
    assert len(tops) == 2
    assert len(set(tops)) == 1
    assert serious(page) == []
    page.get_by_role("button", name="Go to what was not seen").click()
    line(page, "showing 6–")
    in_view(page, "6 to ")
    page.get_by_role("button", name="Show what was left out").click()
    page.get_by_role("button", name="Go to what was seen").click()
    in_view(page, "1 to ")
    page.get_by_role("button", name="Full", exact=True).click()
    page.locator(MARKED).first.wait_for(state="detached", timeout=PATIENCE)
    assert not page.locator(".wbo-left").is_visible()


# Holds back the answers to what `window.hold` names, each until it is let go.
HOLDING = """
window.hold = HOLD;
window.waiting = [];
window.held = (message) => window.hold.includes(message.ask) && new Promise((go) =>
  window.waiting.push({ go, words: JSON.stringify(message) }));
"""


def holding(page: Page, *asks: str) -> None:
    """Hold back answers from the page's start on."""
    page.add_init_script(HOLDING.replace("HOLD", json.dumps(asks), 1))


def held(page: Page, words: str) -> int:
    """Wait until an answer is held back whose question has these words; return its place."""
    find = "words => window.waiting.findIndex((one) => one.words.includes(words)) + 1"
    return int(page.wait_for_function(find, arg=words, timeout=PATIENCE).json_value()) - 1


def released(page: Page, *places: int) -> None:
    """Let answers go one after the other, each drawn before the next; then hold no more."""
    drawn = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
    page.evaluate("window.hold = []")
    for place in places:
        page.evaluate("place => window.waiting[place].go()", place)
        page.evaluate(drawn)


def five_are_marked(page: Page) -> None:
    page.get_by_text(f"5 of {ROWS} rows seen").wait_for(timeout=PATIENCE)
    page.locator(MARKED).nth(4).wait_for(timeout=PATIENCE)
    assert page.locator(MARKED).count() == 5


def test_rows_on_their_way_for_one_call_do_not_stand_for_the_next(
    watched: Watched, address: str
) -> None:
    holding(watched.page, "rows")
    page = shown(watched, address, "d01a1", "seen")
    page.get_by_text(f"0 of {ROWS} rows seen").wait_for(timeout=PATIENCE)
    first = held(page, '"ask":"rows"')
    page.get_by_label("Which call").select_option("d01c2")
    page.get_by_text(f"5 of {ROWS} rows seen").wait_for(timeout=PATIENCE)
    released(page, first)
    five_are_marked(page)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["in order", "the later first"])
def test_the_call_chosen_last_stands_whatever_answer_comes_last(
    watched: Watched, address: str, order: tuple[int, int]
) -> None:
    holding(watched.page)
    page = shown(watched, address, "d01a1", "seen")
    line(page, f"of {ROWS} rows")
    page.get_by_text(f"0 of {ROWS} rows seen").wait_for(timeout=PATIENCE)
    choose = page.get_by_label("Which call")
    choose.select_option("d01c2")
    five_are_marked(page)
    page.evaluate('window.hold = ["seen"]')
    choose.select_option("d01c1")
    places = [held(page, "d01c1")]
    choose.select_option("d01c2")
    places.append(held(page, "d01c2"))
    released(page, *(places[at] for at in order))
    five_are_marked(page)
    assert choose.input_value() == "d01c2"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["in order", "the later first"])
def test_the_order_chosen_last_stands_whatever_answer_comes_last(
    watched: Watched, address: str, order: tuple[int, int]
) -> None:
    holding(watched.page)
    page = shown(watched, address, "d01a1")
    line(page, f"of {ROWS} rows")
    page.evaluate('window.hold = ["rows"]')
    sort = page.get_by_role("button", name="Sort by Sample")
    sort.click()
    places = [held(page, '"descending":false')]
    sort.click()
    places.append(held(page, '"descending":true'))
    released(page, *(places[at] for at in order))
    page.locator("th[aria-sort=descending]").wait_for(timeout=PATIENCE)
    page.get_by_text("S239", exact=True).wait_for(timeout=PATIENCE)
    assert column(page, 1)[0] == "S239"
    assert page.locator(".wbo-busy").inner_text() == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_text_that_was_seen_is_shown_exactly(
    watched: Watched, address: str, theme: str
) -> None:
    page = shown(watched, address, "d01c3", "seen", theme)
    page.locator(".wb-unseen").first.wait_for(timeout=PATIENCE)
    in_view(page, "1 to ")
    page.get_by_role("button", name="Show what was left out").click()
    page.locator("[role=slider]:not([aria-valuetext^='1 to '])").wait_for(timeout=PATIENCE)
    page.locator(".wbo-source").hover()
    page.mouse.wheel(0, -100_000)
    in_view(page, "1 to ")
    exact = page.locator(".wb-exact").all_text_contents()
    assert f"truncated: true\n{HOSTILE}\n" in exact[0]
    assert exact[1].startswith("[... truncated: ")
    assert page.locator(".wbo-source").inner_text().startswith(HOSTILE[:60])
    page.get_by_label("Find in the whole text").fill("line of notes")
    page.keyboard.press("Enter")
    page.get_by_text("9,000 places").wait_for(timeout=PATIENCE)
    page.locator("button.wbo-place").nth(3).click()
    page.locator(".wbo-hit").wait_for(timeout=PATIENCE)
    assert page.locator(".wbo-hit").inner_text() == "line of notes"
    assert serious(page) == []


def test_c2_hostile_names_and_cells_stay_words_and_nothing_leaves(
    watched: Watched, address: str
) -> None:
    page = shown(watched, address, "d01a1")
    line(page, f"of {ROWS} rows")
    page.locator("regular-table").evaluate("table => { table.scrollLeft = table.scrollWidth }")
    page.get_by_role("button", name=f"Sort by {HEADER}").wait_for(timeout=PATIENCE)
    assert HOSTILE in column(page, 4)
    page.get_by_role("button", name=f"Filter {HEADER}").click()
    page.get_by_label("contains").fill(HOSTILE[:25])
    page.keyboard.press("Enter")
    line(page, "1–2 of 2 rows")
    page.locator("regular-table thead").get_by_text("2 values").first.wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Copy as SQL").click()
    page.locator(".wbo-sql").get_by_text("SELECT * FROM").wait_for(timeout=PATIENCE)
    assert page.locator(f".wbo :is({ACTING})").count() == 0
    assert serious(page) == []
    page.get_by_role("button", name="Export rows").click()
    page.locator(".wbo-done").get_by_text("2 rows: ca1 ").wait_for(timeout=PATIENCE)
    shown(watched, address, "d01")
    page.locator(".wbo-entry").nth(5).wait_for(timeout=PATIENCE)
    assert HOSTILE in page.locator(".wbo-entry pre").all_text_contents()
    assert page.locator(f".wbo :is({ACTING})").count() == 0
    assert serious(page) == []
    assert watched.outside == []
    assert watched.dialogs == []
