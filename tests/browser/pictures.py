"""Take the pictures of README.md anew: make pictures. Look at what comes of it.

All show the sample data and the offline planner, through JupyterLab as a person uses it.
"""

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
from driving import PATIENCE, Lab, cell, done, opened, run  # noqa: E402
from openserver import serving  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from workbench.models.scripted import ScriptedModel, call, finish  # noqa: E402
from workbench.notebook.opening import Opening  # noqa: E402
from workbench.report import writing  # noqa: E402
from workbench.session import Session  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZE = {"width": 1280, "height": 820}
SIDEBAR = {"x": 905, "y": 27, "width": 330, "height": 765}
IMAGES = HERE.parents[1] / "docs" / "images"
_MAP = "figure.drawn:has(img[alt*=Map])"
_FLAGS = ["--no-sandbox", "--disable-gpu"]
_USE = "%load_ext workbench\n%agent use ../data -m offline --results ../pictures"
QUESTION = (
    "Group the samples by Au, As, Cu and Sb into three clusters, tell me what each group is, "
    "and map gold."
)
GEOCHEM = "meridian_ridge_geochem.csv"


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


def _quickstart(browser: Browser, lab: Lab) -> Path:
    """Take the quickstart's question at work and answered; return the folder of its run."""
    size = {"width": 1180, "height": 2600}
    page = browser.new_context(viewport=size, device_scale_factor=1.4).new_page()  # type: ignore[arg-type]
    opened(page, panels.book(lab, "quickstart", _USE, f"%%agent -o answer\n{QUESTION}"))
    page.keyboard.press("Control+b")
    run(page, 0)
    done(page, 0)
    run(page, 1)
    card = page.locator(".wb-run-running")
    card.locator(".wb-loop").nth(3).wait_for(timeout=PATIENCE)
    card.locator(".wb-raw").nth(1).wait_for(timeout=PATIENCE)
    card.screenshot(path=IMAGES / "quickstart-running.png")
    done(page, 1)
    cell(page, 1).locator(".js-plotly-plot .scatterlayer").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(1_500)
    cell(page, 1).screenshot(path=IMAGES / "quickstart.png")
    page.context.close()
    (folder,) = (lab.root / "pictures").glob("2*")
    return folder


def _report(browser: Browser, run: Path, folder: Path) -> list[bytes]:
    """Take a report's head on a desk and its map on a phone."""
    (written,) = writing.write(run, [folder / "report.html"])
    found = []
    for width, place in ((1080, "section#answer"), (390, f"{_MAP}[data-state=drawn]")):
        page = browser.new_context(viewport={"width": width, "height": 940}).new_page()
        page.goto(written.as_uri())
        page.locator(_MAP).scroll_into_view_if_needed()
        page.locator(place).first.wait_for(timeout=PATIENCE)
        page.wait_for_timeout(800)
        if width > SIZE["width"] // 2:
            page.evaluate("window.scrollTo(0, 0)")
        found.append(page.screenshot())
        page.context.close()
    return found


def _looked(folder: Path) -> Path:
    """Have an agent look at five rows of a result; return the folder of results."""
    shutil.copy(HERE.parents[1] / "data" / GEOCHEM, folder)
    made = "results/…/meridian_ridge_geochem_filtered.csv"
    calls = [
        call("filter_rows", path=GEOCHEM, expression="As_ppm > 10"),
        call("query_data", path=made, operation="head", n=5, columns=["SampleID", "Au_ppb"]),
        finish("93 samples"),
    ]
    session = Session.open(folder, model=ScriptedModel({"d01": calls}))
    return session.ask("Which samples are high?", agent="analytics").folder.parent


def _seen(browser: Browser, results: Path) -> None:
    """Take what a model saw beside the whole, in both themes."""
    with serving(lambda key: Opening(results, key)) as url:
        for theme in ("light", "dark"):
            page = browser.new_context(viewport={"width": 1200, "height": 600}).new_page()
            page.goto(f"{url}/?key=d01a1&face=seen&theme={theme}")
            page.get_by_label("Which call").select_option("d01c2")
            page.locator(".wbo-was-part").first.wait_for(timeout=PATIENCE)
            page.wait_for_timeout(1_000)
            box = {"x": 4, "y": 4, "width": 1192, "height": 576}
            page.screenshot(path=IMAGES / f"seen-full-{theme}.png", clip=box)  # type: ignore[arg-type]
            page.context.close()


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
    """Write the pictures of docs/images but the grid's, whose run has a million rows."""
    folder = Path(tempfile.mkdtemp())
    (folder / "looked").mkdir()
    looked = _looked(folder / "looked")  # before a browser's loop is there
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with labserver.serving(folder / "lab", sys.executable) as lab, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        pictures = [*_light(browser, lab), *_dark(browser, lab)]
        _together(browser, pictures, IMAGES / "sidebar.png")
        lab.theme("JupyterLab Light")
        asked = _quickstart(browser, lab)
        _together(browser, _report(browser, asked, folder), IMAGES / "report.png")
        _seen(browser, looked)
        browser.close()
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
