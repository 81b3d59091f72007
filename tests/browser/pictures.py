"""Take the picture of the sidebar for the README anew: make pictures. Look at what comes of it."""

from __future__ import annotations

import base64
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import labserver  # noqa: E402 - the helpers of the tests
import panels  # noqa: E402
from driving import PATIENCE, Lab, done  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZE = {"width": 1280, "height": 820}
SIDEBAR = {"x": 905, "y": 27, "width": 330, "height": 765}
IMAGES = HERE.parents[1] / "docs" / "images"
_FLAGS = ["--no-sandbox", "--disable-gpu"]


def _asked(browser: Browser, lab: Lab, name: str) -> Page:
    """Put the question in a window of its own, with the file browser put away."""
    page = browser.new_context(viewport=SIZE).new_page()
    panels.asked(page, panels.question(lab, name))
    page.keyboard.press("Control+b")
    row = page.locator("#workbench-panel [data-loop=d01] .wbp-filled > span")
    row.nth(2).wait_for(state="attached", timeout=PATIENCE)
    return page


def _sidebar(page: Page) -> bytes:
    box = page.locator("#workbench-panel").bounding_box()
    clip = SIDEBAR if box is None else {**SIDEBAR, "x": box["x"], "y": box["y"]}
    width = SIDEBAR["width"] if box is None else box["width"]
    return page.screenshot(clip={**clip, "width": width})  # type: ignore[typeddict-item]


def _light(browser: Browser, lab: Lab) -> list[bytes]:
    page = _asked(browser, lab, "soils")
    page.wait_for_timeout(500)
    found = [page.screenshot()]
    done(page, 1)
    panels.state(page, "answered")
    panel = page.locator("#workbench-panel")
    panel.locator(".wbp-answer").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(500)
    found.append(_sidebar(page))
    panels.tab(panel, "Agents")
    panel.locator("[data-loop=d01]").click()
    panel.locator(".wbp-legend").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(500)
    found.append(_sidebar(page))
    page.context.close()
    return found


def _dark(browser: Browser, lab: Lab) -> list[bytes]:
    lab.theme("JupyterLab Dark")
    page = _asked(browser, lab, "soils-dark")
    done(page, 1)
    panels.state(page, "answered")
    panels.tab(page.locator("#workbench-panel"), "Limits")
    page.wait_for_timeout(500)
    found = [_sidebar(page)]
    page.context.close()
    return found


def _together(browser: Browser, pictures: list[bytes], target: Path) -> None:
    """Put pictures side by side on a white ground."""
    page = browser.new_context(viewport={"width": 2400, "height": SIZE["height"]}).new_page()
    drawn = "".join(
        f'<img src="data:image/png;base64,{base64.b64encode(one).decode()}">' for one in pictures
    )
    look = "display:inline-flex;gap:14px;align-items:flex-start;background:#fff"
    page.set_content(f'<body style="margin:0"><div style="{look}">{drawn}</div>')
    page.locator("div").screenshot(path=target)
    page.context.close()


def main() -> None:
    """Write docs/images/sidebar.png."""
    folder = Path(tempfile.mkdtemp())
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with labserver.serving(folder, sys.executable) as lab, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        pictures = [*_light(browser, lab), *_dark(browser, lab)]
        _together(browser, pictures, IMAGES / "sidebar.png")
        browser.close()
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
