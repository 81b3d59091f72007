"""The sidebar in JupyterLab: it fills while a question works, stops it, and outlives its kernel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import panels
import pytest
from driving import PATIENCE, Lab, Watched, cell, done, layout_saved, opened, run, save
from sampleview import HOSTILE, QUESTION, Story, answered

from workbench.notebook import static

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(240)]
nbformat = panels.nbformat


def _row(page: Page, loop: str) -> None:
    page.locator(f"#workbench-panel [data-loop={loop}]").wait_for(timeout=PATIENCE)


def test_it_fills_and_stops_also_after_a_reload_in_mid_run(lab: Lab, watched: Watched) -> None:
    page = watched.page
    panel = panels.asked(page, panels.question(lab, "fills"))
    _row(page, "d01")
    panels.state(page, "working")
    assert "tokens" in (panel.locator("[data-loop=guide]").get_attribute("aria-label") or "")
    # Heard by the kernel while the cell runs.
    panel.get_by_role("button", name="Stop").click()
    panels.state(page, "stopped")
    stderr = "[data-mime-type='application/vnd.jupyter.stderr']"
    cell(page, 1).locator(stderr).wait_for(timeout=PATIENCE)
    assert "interrupted" in cell(page, 1).locator(stderr).inner_text()

    run(page, 1)
    panels.state(page, "working")
    _row(page, "d01")
    save(page)
    page.reload()
    page.wait_for_selector(".jp-NotebookPanel .jp-CodeCell", timeout=PATIENCE)
    panel = panels.shown(page)
    # Nothing was opened to the kernel yet, and it shows how the run stands.
    panel.locator(".wbp-question").wait_for(timeout=PATIENCE)
    assert panel.locator(".wbp-question").inner_text() == QUESTION
    if panel.locator(".wbp-pill").inner_text() == "working":
        panel.get_by_role("button", name="Stop").click()
    page.locator("#workbench-panel .wbp-pill:text-matches('stopped|answered')").wait_for(
        timeout=PATIENCE
    )
    # What came of it stands in the cell too, though nobody draws the card of the page before.
    cell(page, 1).locator(":is(.wb-run-interrupted, .wb-run-answered)").wait_for(timeout=PATIENCE)
    assert cell(page, 1).get_by_text("Error displaying widget").count() == 0
    assert watched.outside == []


# A script that asks for two packages, and then works until it is stopped.
ASKS = """
import time
from workbench.models.scripted import ScriptedModel, call
from workbench.session import Session
desk = get_ipython().magics_manager.registry["AgentMagics"].desk
def said(heard):
    while heard.number > 1 and not desk.jobs[-1].stop.is_set():
        time.sleep(0.1)
    return call("run_command", line="pip install alpha-of-nobody beta-of-nobody")
desk.use(Session.open("../data", results="../panel-card", model=ScriptedModel({"d01": said})))
"""


def test_packages_are_decided_and_a_question_is_stopped_from_its_card(
    lab: Lab, watched: Watched
) -> None:
    page = watched.page
    url = panels.book(lab, "card", f"%load_ext workbench{ASKS}", "%%agent extended\ninstall them")
    panel = panels.asked(page, url)
    controls = cell(page, 1).locator(".wbp-controls")
    controls.get_by_role("button", name="Approve alpha-of-nobody").click()
    panel.get_by_text("alpha-of-nobody: approved").wait_for(timeout=PATIENCE)
    panel.get_by_role("button", name="Refuse beta-of-nobody").click()
    controls.get_by_text("beta-of-nobody: refused").wait_for(timeout=PATIENCE)
    decided = next((lab.root / "panel-card").glob("*/full/decisions.jsonl"))
    lines = [json.loads(line) for line in decided.read_text(encoding="utf-8").splitlines()]
    assert [(one["name"], one["status"]) for one in lines] == [
        ("alpha-of-nobody", "approved"),
        ("beta-of-nobody", "refused"),
    ]
    assert panels.faults(page, ".wbp-controls") == []
    controls.get_by_role("button", name="Stop").click()
    cell(page, 1).locator(".wb-run-interrupted").wait_for(timeout=PATIENCE)
    assert cell(page, 1).get_by_role("button", name="Stop").count() == 0
    panels.state(page, "stopped")


def _becomes_a_table(page: Page, panel: Locator) -> None:
    """See that a table is text as long as nobody reads it, and no longer than that."""
    panels.tab(panel, "Results")
    panel.get_by_role("option").first.click()
    tab = page.locator(".wbp-opened")
    tab.locator("pre:has-text('MR-0001')").wait_for(timeout=PATIENCE)
    page.locator(".lm-TabBar-tab:has-text('reads.ipynb')").click()
    run(page, 0)
    tab.locator("regular-table tbody td").first.wait_for(timeout=PATIENCE)


def test_a_run_is_read_in_full_with_a_kernel_and_without(lab: Lab, watched: Watched) -> None:
    page = watched.page
    url = panels.question(lab, "reads")
    panel = panels.asked(page, url)
    done(page, 1)
    panels.state(page, "answered")
    said = panel.locator(".wbp-answer")
    said.wait_for(timeout=PATIENCE)
    assert "three groups" in said.inner_text()
    assert panel.get_by_text("computed again and equal").count() == 1
    assert panels.faults(page) == []

    def first_request() -> str:
        panels.tab(panel, "Agents")
        panel.locator("[data-loop=d01]").click()
        panel.get_by_role("button", name="r01", exact=True).click()
        panel.locator(".wbp-part", has_text="tools").first.wait_for(timeout=PATIENCE)
        panel.get_by_role("button", name="Exact text").click()
        panel.locator(".wbp-reader [role=status]:has-text('of')").wait_for(timeout=PATIENCE)
        return str(panel.locator(".wbp-reader pre").evaluate("e => e.textContent"))

    runs = lab.root / "panel-reads"
    sent = next(runs.glob("*/requests/d01-r01.json")).read_text(encoding="utf-8")
    assert first_request() == sent[:20_000]
    panels.tab(panel, "Limits")
    for badge in ("code", "prompt"):
        assert panel.locator(f".wbp-badge.wbp-by-{badge}").count() > 1
    assert panel.get_by_text("kept 1 of 1").count() >= 1
    assert panels.faults(page) == []
    panels.tab(panel, "Results")
    panel.get_by_role("option").first.click()
    page.locator(".lm-TabBar-tab:has-text('d01a1')").first.wait_for(timeout=PATIENCE)
    # A second one joins it: the area is split once.
    cell(page, 1).locator(".wbp-id").last.wait_for(timeout=PATIENCE)
    panels.tab(panel, "Agents")
    panel.locator("[data-loop=d01]").click()
    panel.get_by_role("button", name="Whole talk").click()
    page.wait_for_function(
        "tabs => tabs.querySelectorAll('.lm-TabBar-tab').length === 2",
        arg=page.locator(".lm-TabBar:has-text('d01a1')").element_handle(),
        timeout=PATIENCE,
    )
    page.locator(".lm-TabBar-tab:has-text('reads.ipynb')").click()
    save(page)

    # A kernel that knows nothing: everything comes from the files of the run.
    page.goto("about:blank")
    for session in page.request.get(f"{lab.url}/api/sessions?token={lab.token}").json():
        page.request.delete(f"{lab.url}/api/sessions/{session['id']}?token={lab.token}")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    opened(page, url)
    panel = panels.shown(page)
    panels.state(page, "answered")
    panel.get_by_text("Read from the files").wait_for(timeout=PATIENCE)
    assert first_request() == sent[:20_000]
    panels.tab(panel, "Runs")
    panel.get_by_role("option").first.wait_for(timeout=PATIENCE)
    assert panel.get_by_role("option").count() == 1
    # The folder of runs is never listed.
    assert [one for one in asked if "/api/contents/panel-reads?" in one] == []
    _becomes_a_table(page, panel)
    assert watched.outside == []


def test_each_notebook_shows_its_own_run_and_a_restart_is_said(lab: Lab, watched: Watched) -> None:
    page = watched.page
    panel = panels.asked(page, panels.question(lab, "two-a"))
    done(page, 1)
    panels.state(page, "answered")
    panels.book(lab, "two-b", "1 + 1")
    page.locator(".jp-DirListing-item:has-text('two-b.ipynb')").dblclick()
    page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)").get_by_text("1 + 1").wait_for(
        timeout=PATIENCE
    )
    panel.get_by_text("No question yet").wait_for(timeout=PATIENCE)
    assert panel.locator(".wbp-pill").count() == 0
    page.locator(".lm-TabBar-tab:has-text('two-a.ipynb')").click()
    panels.state(page, "answered")
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.locator(".lm-Menu-itemLabel", has_text="Restart Kernel…").first.click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    panel.get_by_text("has ended or was restarted").wait_for(timeout=PATIENCE)
    panels.state(page, "answered")


def _saved(view: dict[str, object], results: str) -> list[object]:
    bundle = static.bundle(view, "1 s", None)
    bundle[static.MIME] = {**bundle[static.MIME], "results": results}
    if len(bundle["text/html"]) > 1_000_000:
        bundle["text/html"] = "<p>a card of its own would be as long as the run</p>"
    return [nbformat.v4.new_output("display_data", data=bundle)]


def test_five_thousand_dispatches_are_moved_through_by_keys(lab: Lab, watched: Watched) -> None:
    story = Story()
    story.begin()
    story.loop("guide", "guide")
    for number in range(1, 5_001):
        name = f"d{number:02d}"
        story.loop(name, "dataops", f"look at file {number}")
        story.request(name, system=700, tool_results=number)
        story.end(name)
    story.end(status="answered")
    view = story.view()
    folder = lab.root / "many" / str(view["run"])
    folder.mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps(view), encoding="utf-8")
    outputs = _saved(view, f"../many/{view['run']}")
    page = watched.page
    opened(page, panels.book(lab, "many", "1", outputs=outputs))
    panel = panels.shown(page)
    panels.tab(panel, "Agents")
    _row(page, "d01")
    tree = panel.get_by_role("tree")
    assert panel.get_by_role("treeitem").count() < 60
    tree.focus()
    page.keyboard.press("End")
    _row(page, "d5000")
    last = panel.locator("[data-loop=d5000]")
    assert last.get_attribute("aria-posinset") == last.get_attribute("aria-setsize") == "5001"
    page.keyboard.press("Enter")
    panel.get_by_text("look at file 5000").wait_for(timeout=PATIENCE)


def test_hostile_words_are_text_and_hostile_places_are_not_read(lab: Lab, watched: Watched) -> None:
    view = answered(HOSTILE, HOSTILE, HOSTILE)
    page = watched.page
    url = panels.book(lab, "evil", "1", outputs=_saved(view, "../../../../etc/evil"))
    place = lab.root / "notebooks" / "evil.ipynb"
    text = place.read_text(encoding="utf-8")
    bad = "<script>alert(9)</script><img src=x onerror=alert(8)><a href=javascript:alert(7)>a</a>"
    place.write_text(text.replace("<header class", f"{bad}<header class", 1), encoding="utf-8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    opened(page, url)
    panel = panels.shown(page)
    panels.state(page, "answered")
    # Out of Jupyter's reach: what the notebook kept is shown, and that it is no more than that.
    panel.get_by_text("outside of the folder that Jupyter serves").wait_for(timeout=PATIENCE)
    assert panel.locator(".wbp-question").evaluate("e => e.textContent") == HOSTILE
    assert HOSTILE[:40] in cell(page, 0).locator(".wbp-output").evaluate("e => e.textContent")
    for part in (panel, cell(page, 0).locator(".wbp-output")):
        assert (
            part.locator("script, img, iframe, a, form, object, [onclick], [onerror]").count() == 0
        )
    assert [one for one in asked if "etc/" in one or "evil.example" in one] == []
    assert watched.outside == []
    assert watched.dialogs == []


def focused(page: Page, what: str) -> None:
    """Wait until the focus is where it should be: it moves when the panel is drawn."""
    page.wait_for_function(what, timeout=PATIENCE)


def test_the_sidebar_is_reached_by_the_palette_and_stays_where_it_was(
    lab: Lab, watched: Watched
) -> None:
    page = watched.page
    url = panels.book(lab, "palette", "1")
    opened(page, url)
    page.keyboard.press("Control+Shift+c")
    page.locator(".lm-CommandPalette-input").fill("workbench sidebar")
    page.keyboard.press("Enter")
    page.locator("#workbench-panel").wait_for(timeout=PATIENCE)
    focused(page, "document.activeElement.getAttribute('role') === 'tab'")
    page.keyboard.press("ArrowRight")
    focused(page, "document.activeElement.textContent === 'Limits'")
    assert panels.faults(page) == []
    save(page)
    layout_saved(lab, page, "workbench-panel")
    page.reload()
    page.locator("#workbench-panel").wait_for(timeout=PATIENCE)


def test_every_source_of_the_panel_is_short_and_sets_text_as_text() -> None:
    sources = Path(__file__).resolve().parents[2] / "extension"
    long, unsafe = {}, []
    for path in [*sources.glob("src/*.ts*"), *sources.glob("*.py")]:
        text = path.read_text(encoding="utf-8")
        if (lines := len(text.splitlines())) >= 200:
            long[path.name] = lines
        words = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(")
        unsafe += [f"{path.name}: {word}" for word in words if word in text]
    assert long == {}
    assert unsafe == []
