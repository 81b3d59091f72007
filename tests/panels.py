"""The sidebar as a person uses it: shown, read, driven by keys; and what axe finds in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from driving import PATIENCE, Lab, done, opened, run
from sampleview import QUESTION

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

nbformat = pytest.importorskip(
    "nbformat", reason="nbformat is not installed: pip install -e '.[dev]'"
)
AXE = Path(__file__).resolve().parents[1] / "extension" / "node_modules" / "axe-core" / "axe.min.js"
ICON = ".jp-SideBar [data-id='workbench-panel']"


def book(lab: Lab, name: str, *sources: str, outputs: list[Any] | None = None) -> str:
    """Write a notebook of code cells, the last with `outputs`; return its address."""
    cells = [
        nbformat.v4.new_code_cell(text, id=f"cell-{number}") for number, text in enumerate(sources)
    ]
    if outputs is not None:
        cells[-1].outputs, cells[-1].execution_count = outputs, 1
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(made, lab.root / "notebooks" / f"{name}.ipynb")
    return lab.notebook(f"{name}.ipynb")


def question(lab: Lab, name: str) -> str:
    """Write a notebook that asks, with results of its own: there is time to see it work."""
    use = f"%load_ext workbench\n%agent use ../data -m offline --results ../panel-{name}"
    return book(lab, name, use, f"%%agent\n{QUESTION}")


def asked(page: Page, url: str) -> Locator:
    """Open a notebook beside its sidebar and put its question; return the sidebar."""
    opened(page, url)
    panel = shown(page)
    run(page, 0)
    done(page, 0)
    run(page, 1)
    return panel


def shown(page: Page) -> Locator:
    """Show the sidebar; fails where the panel is not installed and a browser is required."""
    icon = page.locator(ICON)
    if not icon.count() and not os.environ.get("WORKBENCH_REQUIRE_BROWSER"):
        pytest.skip("the panel is not built: make panel")
    panel = page.locator("#workbench-panel")
    if not panel.is_visible():
        icon.click()
    panel.wait_for(timeout=PATIENCE)
    return panel


def state(page: Page, word: str) -> None:
    """Wait until the sidebar says how the run in front stands."""
    page.locator(f"#workbench-panel .wbp-pill:text-is('{word}')").wait_for(timeout=PATIENCE)


def tab(panel: Locator, name: str) -> None:
    """Turn to a tab."""
    panel.get_by_role("tab", name=name).click()


def faults(page: Page, part: str = "#workbench-panel") -> list[str]:
    """Return what axe calls serious or worse in a part of the page, with the element of each."""
    if not AXE.is_file():
        pytest.skip("axe is not installed: make panel")
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("part => axe.run(part, {resultTypes: ['violations']})", part)
    return [
        f"{one['id']}: {node['html'][:200]} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"]
    ]
