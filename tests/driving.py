"""What a person does in JupyterLab: open a notebook, run cells, save, reload, restart."""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed: pip install -e '.[dev]'")
from playwright.sync_api import Error

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PATIENCE = 40_000
_TRIES = 4


@dataclass
class Lab:
    """A running JupyterLab.

    Attributes
    ----------
    url : str
        Its address, without a path.
    token : str
        What opens it.
    root : Path
        The folder it serves: ``notebooks`` and ``data``.
    settings : Path
        Where its settings are.
    """

    url: str
    token: str
    root: Path
    settings: Path

    def notebook(self, name: str) -> str:
        """Return the address of a notebook, in a window where nothing else is open."""
        window = secrets.token_hex(4)
        return f"{self.url}/lab/workspaces/{window}/tree/notebooks/{name}?token={self.token}"

    def theme(self, name: str) -> None:
        """Set the theme of pages opened from now on."""
        settings(self.settings, "apputils-extension/themes", {"theme": name})


@dataclass
class Watched:
    """A browser page and all that it asked for or said.

    Attributes
    ----------
    page : Page
        The page.
    outside : list of str
        Requests that would have left this machine; they are refused.
    dialogs : list of str
        Dialogs that opened.
    """

    page: Page
    outside: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)


def settings(folder: Path, name: str, values: dict[str, Any]) -> None:
    """Write settings of JupyterLab, as a person would make them."""
    place = folder / "@jupyterlab" / f"{name}.jupyterlab-settings"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps(values), encoding="utf-8")


def opened(page: Page, url: str) -> None:
    """Open a notebook and wait for its kernel."""
    page.goto(url)
    page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell", timeout=PATIENCE)
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for(timeout=PATIENCE)


def cell(page: Page, number: int) -> Locator:
    """Return a code cell by its place, from 0."""
    return page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell").nth(number)


def run(page: Page, number: int) -> None:
    """Run a code cell; waits until it has begun."""
    wanted = cell(page, number)
    for _ in range(_TRIES):
        wanted.locator(".jp-InputArea-editor").click()
        page.keyboard.press("Control+Enter")
        try:
            page.wait_for_function(
                "prompt => prompt.textContent.trim() !== '[ ]:'",
                arg=wanted.locator(".jp-InputPrompt").element_handle(),
                timeout=PATIENCE // _TRIES,
            )
        except Error:
            # On a busy machine the page may still be taking shape under the first press.
            continue
        return
    raise AssertionError(f"cell {number} did not begin")


def done(page: Page, number: int) -> None:
    """Wait until a code cell has run."""
    prompt = cell(page, number).locator(".jp-InputPrompt")
    page.wait_for_function(
        "prompt => /^\\[\\d+\\]:$/.test(prompt.textContent.trim())",
        arg=prompt.element_handle(),
        timeout=PATIENCE,
    )


def layout_saved(lab: Lab, page: Page, panel: str) -> None:
    """Wait until JupyterLab has written of this window that a panel is open on its right."""
    window = page.url.partition("/lab/workspaces/")[2].partition("/")[0]
    url = f"{lab.url}/lab/api/workspaces/{window}?token={lab.token}"
    end, right = time.monotonic() + PATIENCE / 1_000, {}
    while time.monotonic() < end:
        saved = page.request.get(url).json().get("data", {})
        right = saved.get("layout-restorer:data", {}).get("right") or {}
        if right.get("current") == panel and not right.get("collapsed"):
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"window {window} was not saved with {panel} open: {right}")


def save(page: Page) -> None:
    """Save and wait until nothing is left to save."""
    page.keyboard.press("Control+s")
    page.wait_for_selector(".jp-mod-dirty", state="detached", timeout=PATIENCE)
