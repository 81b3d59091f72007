"""What a person does in JupyterLab: open a notebook, run cells, save, reload, restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PATIENCE = 90_000


def opened(page: Page, url: str) -> None:
    """Open a notebook and wait for its kernel."""
    page.goto(url)
    page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell", timeout=PATIENCE)
    page.wait_for_selector(
        ".jp-Notebook-ExecutionIndicator[data-status=idle]", state="attached", timeout=PATIENCE
    )


def cell(page: Page, number: int) -> Locator:
    """Return a code cell by its place, from 0."""
    return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell").nth(number)


def run(page: Page, number: int) -> None:
    """Run a code cell; does not wait."""
    cell(page, number).locator(".jp-InputArea-editor").click()
    page.keyboard.press("Control+Enter")


def done(page: Page, number: int) -> None:
    """Wait until a code cell has run."""
    prompt = cell(page, number).locator(".jp-InputPrompt")
    page.wait_for_function(
        "prompt => /^\\[\\d+\\]:$/.test(prompt.textContent.trim())",
        arg=prompt.element_handle(),
        timeout=PATIENCE,
    )


def save(page: Page) -> None:
    """Save and wait until nothing is left to save."""
    page.keyboard.press("Control+s")
    page.wait_for_selector(".jp-mod-dirty", state="detached", timeout=PATIENCE)
