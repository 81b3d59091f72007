"""The quickstart in JupyterLab: the card fills while it works, and stays without a kernel."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest
from driving import PATIENCE, Lab, Watched, cell, done, opened, run, save
from sampleview import QUESTION

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(240)]

nbformat = pytest.importorskip(
    "nbformat", reason="nbformat is not installed: pip install -e '.[dev]'"
)
NOTEBOOK = "01_quickstart.ipynb"
USE = "%agent use ../data -m offline"


def _fresh(lab: Lab, name: str, more: str = "") -> str:
    """Copy the quickstart with a results folder of its own: nothing is known of the files yet."""
    text = (lab.root / "notebooks" / NOTEBOOK).read_text(encoding="utf-8")
    place = lab.root / "notebooks" / f"{name}.ipynb"
    place.write_text(text.replace(USE, f"{USE} --results ../{name}{more}"))
    return lab.notebook(place.name)


def _asked(page: Page, url: str) -> None:
    opened(page, url)
    run(page, 0)
    done(page, 0)
    run(page, 1)


def _reads(page: Page) -> None:
    """See that the static card and the figure are there."""
    card = cell(page, 1).locator(".wb-run-answered")
    card.wait_for(timeout=PATIENCE)
    assert "three groups" in card.locator(".wb-answer").inner_text()
    assert card.locator(".wb-artefacts tbody tr").count() >= 2
    assert card.locator(".wb-strip tbody tr").count() >= 3
    # A saved figure is shown as its picture until the mouse comes near it.
    drawn = ".jp-RenderedPlotly :is(.scatterlayer, img.plot-img[src^='data:image/png'])"
    cell(page, 1).locator(drawn).first.wait_for(timeout=PATIENCE)
    assert page.locator("text=Loading widget").count() == 0
    assert page.locator(".wb-run-running").count() == 0


def test_the_card_fills_while_it_works_and_the_answer_stays_after_a_reload(
    lab: Lab, watched: Watched
) -> None:
    page = watched.page
    _asked(page, _fresh(lab, "live"))
    began = time.monotonic()
    live = page.locator(".jp-OutputArea-output .wb-run-running")
    live.wait_for(timeout=PATIENCE)
    sys.stderr.write(f"first paint after {time.monotonic() - began:.1f} s\n")
    live.locator(".wb-loop").nth(2).wait_for(timeout=PATIENCE)
    assert live.locator(".wb-window[role=img]").first.get_attribute("aria-label")
    live.locator(".wb-raw").first.wait_for(state="attached", timeout=PATIENCE)
    done(page, 1)
    _reads(page)
    save(page)
    page.reload()
    page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell", timeout=PATIENCE)
    _reads(page)
    assert watched.outside == []


def test_a_kernel_that_dies_leaves_no_card_that_says_working(lab: Lab, watched: Watched) -> None:
    page = watched.page
    url = _fresh(lab, "dies", "\\nimport os; open('kernel.pid', 'w').write(str(os.getpid()))")
    _asked(page, url)
    page.locator(".jp-OutputArea-output .wb-run-running .wb-loop").first.wait_for(timeout=PATIENCE)
    save(page)
    os.kill(int((lab.root / "notebooks" / "kernel.pid").read_text()), signal.SIGKILL)
    page.locator(".wb-silence").wait_for(timeout=PATIENCE)
    assert page.locator(".wb-pill").inner_text().lower() == "was working"
    saved = nbformat.read(lab.root / "notebooks" / "dies.ipynb", as_version=4)
    for form in ("text/plain", "text/html"):
        assert "when this notebook was last saved" in saved.cells[3].outputs[0].data[form]
    page.goto("about:blank")
    opened(page, url)
    page.wait_for_timeout(2_000)
    assert page.locator(".wb-run-running").count() == 0


def _end_kernels(lab: Lab, page: Page) -> None:
    for session in page.request.get(f"{lab.url}/api/sessions?token={lab.token}").json():
        page.request.delete(f"{lab.url}/api/sessions/{session['id']}?token={lab.token}")


def test_the_answer_reads_with_a_kernel_that_knows_nothing(lab: Lab, watched: Watched) -> None:
    page = watched.page
    _asked(page, lab.notebook(NOTEBOOK))
    done(page, 1)
    save(page)
    page.goto("about:blank")
    _end_kernels(lab, page)
    opened(page, lab.notebook(NOTEBOOK))
    _reads(page)


def test_the_stop_button_ends_the_question_with_one_line(lab: Lab, watched: Watched) -> None:
    page = watched.page
    # A results folder of its own: nothing is known of the files yet, so there is time to stop.
    sources = [
        "%load_ext workbench\n%agent use ../data --results ../stopped",
        f"%%agent\n{QUESTION}",
    ]
    book = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text, id=f"cell-{n}") for n, text in enumerate(sources)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(book, lab.root / "notebooks" / "stopped.ipynb")
    opened(page, lab.notebook("stopped.ipynb"))
    run(page, 0)
    done(page, 0)
    run(page, 1)
    cell(page, 1).locator(".wb-run-running .wb-loop").nth(1).wait_for(timeout=PATIENCE)
    page.locator("[data-command='notebook:interrupt-kernel'], [title*='Interrupt']").first.click()
    cell(page, 1).locator(".wb-run-interrupted").wait_for(timeout=PATIENCE)
    error = cell(page, 1).locator("[data-mime-type='application/vnd.jupyter.stderr']")
    assert error.inner_text().strip().startswith("%%agent: interrupted")
    assert "\n" not in error.inner_text().strip()
