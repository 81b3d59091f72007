"""Opening in full in JupyterLab: as a widget in the cell, and from the sidebar as a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from driving import PATIENCE, Lab, Watched, cell, done, opened, run
from openedruns import ROWS, hostile

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(240)]
nbformat = pytest.importorskip(
    "nbformat", reason="nbformat is not installed: pip install -e '.[dev]'"
)
_CELLS = ("%load_ext workbench\n%agent use ../opened/data -m offline", "%agent open d01a1 --seen")


def test_a_result_opens_in_the_cell_and_in_a_tab(lab: Lab, watched: Watched) -> None:
    (lab.root / "opened").mkdir()
    hostile(lab.root / "opened")
    book = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text, id=f"cell-{n}") for n, text in enumerate(_CELLS)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(book, lab.root / "notebooks" / "opened.ipynb")
    page: Page = watched.page
    opened(page, lab.notebook("opened.ipynb"))
    run(page, 0)
    done(page, 0)
    run(page, 1)
    view = cell(page, 1).locator(".wbo")
    view.locator("regular-table tbody td").first.wait_for(timeout=PATIENCE)
    view.get_by_text(f"of {ROWS} rows", exact=False).first.wait_for(timeout=PATIENCE)
    view.get_by_text(f"0 of {ROWS} rows seen").wait_for(timeout=PATIENCE)
    view.get_by_role("button", name="Sort by Au_ppb").click()
    view.locator("th[aria-sort=ascending]").wait_for(timeout=PATIENCE)
    page.locator("#jp-main-statusbar .wbp-chip").click()
    page.locator("#wbp-tab-Results").click()
    page.get_by_role("option").filter(has_text="soils_filtered.csv").click()
    tab = page.locator(".wbp-infull .wbo")
    tab.locator("regular-table tbody td").first.wait_for(timeout=PATIENCE)
    tab.get_by_text(f"of {ROWS} rows", exact=False).first.wait_for(timeout=PATIENCE)
    tab.get_by_role("button", name="Seen / full").click()
    tab.get_by_text(f"0 of {ROWS} rows seen").wait_for(timeout=PATIENCE)
    assert watched.outside == []
    assert watched.dialogs == []
