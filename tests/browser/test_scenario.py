"""The whole way through JupyterLab at one go, as often as is asked; tells what it measured.

It takes minutes and proves in one piece what other tests prove apart: make scenario.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import panels
import pytest
from driving import PATIENCE, Lab, Watched, cell, done, opened, run, save

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

TIMES = int(os.environ.get("WORKBENCH_SCENARIO", "0"))
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not TIMES, reason="it takes minutes: make scenario"),
]


class Figures:
    """How long steps took, for whoever reads the output; nothing is asserted of them."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    @contextmanager
    def of(self, what: str) -> Iterator[None]:
        began = time.monotonic()
        yield
        self.lines.append(f"{time.monotonic() - began:6.2f} s  {what}")


def _asks_and_stops(page: Page, url: str, figures: Figures) -> None:
    panel = panels.asked(page, url)
    with figures.of("from the press to the first agent in the sidebar"):
        panel.locator("[data-loop=guide]").wait_for(timeout=PATIENCE)
    filled = panel.locator("[data-loop=d01] .wbp-filled > span").first
    filled.wait_for(state="attached", timeout=PATIENCE)
    panels.tab(panel, "Limits")
    for badge in ("code", "prompt"):
        panel.locator(f".wbp-badge.wbp-by-{badge}").first.wait_for(timeout=PATIENCE)
    with figures.of("from Stop to stopped"):
        panel.get_by_role("button", name="Stop", exact=True).click()
        panels.state(page, "stopped")
    done(page, 1)


def _answer(page: Page, panel: Locator) -> None:
    """See that the answer stands in the cell and on the sidebar's first page."""
    words = cell(page, 1).locator(".wb-run-answered .wb-answer")
    words.wait_for(timeout=PATIENCE)
    assert "three groups" in words.inner_text()
    panels.state(page, "answered")
    panels.tab(panel, "Answer")
    panel.locator(".wbp-answer:has-text('three groups')").wait_for(timeout=PATIENCE)


def _reloads_in_mid_run(page: Page, figures: Figures) -> Locator:
    run(page, 1)
    panels.state(page, "working")
    save(page)
    page.reload()
    page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell", timeout=PATIENCE)
    with figures.of("after a reload, from the first cell to the run in the sidebar"):
        panel = panels.shown(page)
        panel.locator(".wbp-question").wait_for(timeout=PATIENCE)
    panels.state(page, "answered")
    with figures.of("from the end of the run to its answer in the cell that was left"):
        _answer(page, panel)
    return panel


def _opens_in_full(page: Page, figures: Figures) -> None:
    with figures.of("from the press on an id to the first rows of the table"):
        cell(page, 1).locator(".wbp-id").first.click()
        tab = page.locator(".wbp-infull .wbo")
        tab.locator("regular-table tbody td").first.wait_for(timeout=PATIENCE)
    tab.get_by_role("button", name="Seen / full").click()
    tab.get_by_text("rows seen").first.wait_for(timeout=PATIENCE)
    page.locator(".lm-TabBar-tab:has-text('scenario')").first.click()


def _restarts(page: Page, panel: Locator) -> None:
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.locator(".lm-Menu-itemLabel", has_text="Restart Kernel…").first.click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    panel.get_by_text("has ended or was restarted").wait_for(timeout=PATIENCE)
    _answer(page, panel)
    save(page)


def _cold(page: Page, lab: Lab, url: str) -> None:
    page.goto("about:blank")
    for session in page.request.get(f"{lab.url}/api/sessions?token={lab.token}").json():
        page.request.delete(f"{lab.url}/api/sessions/{session['id']}?token={lab.token}")
    opened(page, url)
    panel = panels.shown(page)
    panel.get_by_text("Read from the files").wait_for(timeout=PATIENCE)
    _answer(page, panel)


@pytest.mark.parametrize("turn", range(max(TIMES, 1)))
def test_from_a_question_to_a_cold_notebook(
    lab: Lab, watched: Watched, turn: int, capsys: pytest.CaptureFixture[str]
) -> None:
    page, figures = watched.page, Figures()
    url = panels.question(lab, f"scenario-{turn}")
    _asks_and_stops(page, url, figures)
    panel = _reloads_in_mid_run(page, figures)
    _opens_in_full(page, figures)
    _restarts(page, panel)
    _cold(page, lab, url)
    with capsys.disabled():
        lines = ["", f"turn {turn + 1} of {TIMES}", *figures.lines, ""]
        sys.stdout.write("\n".join(lines))
    assert watched.outside == []
    assert watched.dialogs == []
