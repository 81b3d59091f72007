"""A question in the background of a real kernel: free at once, drawn in its own cell, steered."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.notebook import static

pytest.importorskip("ipykernel", reason="ipykernel is not installed: pip install -e '.[dev]'")
import queue

from kernels import PATIENCE, Cell, Kernel

pytestmark = pytest.mark.slow

# A model that waits for a file before it goes on, so that a test decides how long a run is.
MODEL = """
import pathlib, time
from workbench.models.scripted import Say, ScriptedModel, call
def guide(heard):
    if heard.number == 1:
        return call("list_files")
    while not pathlib.Path("go").exists():
        time.sleep(0.02)
    return Say("north" if "only the north" in heard.body else "everywhere") if (
        heard.number > 2) else call("list_files")
from IPython import get_ipython
magics = get_ipython().magics_manager.registry["AgentMagics"]
from dataclasses import replace
session = magics.desk.session
session.setting = replace(session.setting, model=ScriptedModel({"guide": guide}))
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory, sample_data: Path) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("kernel")
    (folder / "data").mkdir()
    shutil.copy(sample_data / "meridian_ridge_collar.csv", folder / "data")
    made = Kernel(folder)
    made.folder = folder  # type: ignore[attr-defined]
    made.run("%load_ext workbench\n%agent use data")
    assert not made.run(MODEL).errors
    yield made
    made.close()


def go(kernel: Kernel) -> None:
    (kernel.folder / "go").write_text("")  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _wait_again(kernel: Kernel) -> None:
    (kernel.folder / "go").unlink(missing_ok=True)  # type: ignore[attr-defined]


def until(kernel: Kernel, code: str) -> str:
    """Ask the free kernel again and again until an expression holds; return what it printed."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        said = kernel.run(code)
        assert not said.errors, said.errors
        if said.text.strip():
            return said.text.strip()
        time.sleep(0.1)
    raise TimeoutError(code)


def later(kernel: Kernel, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the first message that comes and is wanted, whatever cell it belongs to."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        try:
            message = kernel.client.get_iopub_msg(timeout=0.2)
        except queue.Empty:
            continue
        if wanted(message):
            return message
    raise TimeoutError


def at_work(kernel: Kernel, flags: str = "-o found") -> Cell:
    cell = kernel.run(f"%%agent --background {flags}\nWhere is gold?")
    assert not cell.errors, cell.errors
    until(kernel, "if magics.desk.jobs[-1].view['usage']['requests'] > 1: print('two')")
    return cell


def test_the_cell_is_given_back_and_the_kernel_is_free(kernel: Kernel) -> None:
    cell = at_work(kernel)
    (card,) = cell.of("display_data")
    assert "application/vnd.jupyter.widget-view+json" in card["data"]
    assert kernel.run("print(1 + 1)").text == "2\n"
    status = kernel.run("%agent status").of("display_data")[0]["data"]["text/plain"]
    assert "at work: " in status
    assert "NameError" in "".join(kernel.run("found").errors)
    go(kernel)
    until(kernel, "if 'found' in globals(): print(found.status)")


def test_the_result_arrives_in_the_variable_and_in_the_cells_own_output(kernel: Kernel) -> None:
    cell = at_work(kernel)
    shown = cell.of("display_data")[0]["transient"]["display_id"]
    kernel.run("x = 1  # another cell is the newest by now")
    go(kernel)
    end = later(kernel, lambda message: message["msg_type"] == "update_display_data")
    assert end["content"]["transient"]["display_id"] == shown
    assert static.MIME in end["content"]["data"]
    assert end["parent_header"]["msg_id"] == cell.messages[0]["parent_header"]["msg_id"]
    until(kernel, "if 'found' in globals(): print('it is there')")
    assert kernel.run("print(found.text, found.status)").text == "everywhere answered\n"


def test_progress_is_drawn_while_the_kernel_is_free(kernel: Kernel) -> None:
    cell = kernel.run("%%agent --background\nWhere is gold?")
    (card,) = cell.of("display_data")
    model = card["data"]["application/vnd.jupyter.widget-view+json"]["model_id"]
    drawn = later(
        kernel,
        lambda message: (
            message["msg_type"] == "comm_msg"
            and message["content"]["comm_id"] == model
            and "guide" in str(message["content"]["data"])
        ),
    )
    assert drawn
    go(kernel)
    until(kernel, "if not magics.desk.at_work(): print('ended')")


def test_a_further_instruction_reaches_the_run(kernel: Kernel) -> None:
    at_work(kernel)
    told = kernel.run("%agent tell don't look everywhere, only the north")
    assert not told.errors, told.errors
    go(kernel)
    said = until(kernel, "if 'found' in globals(): print(found.text)")
    assert said == "north"


def test_stop_reaches_the_run(kernel: Kernel) -> None:
    at_work(kernel)
    assert kernel.run("%agent stop").of("display_data")[0]["data"]["text/plain"] == "1 stopped"
    go(kernel)
    assert until(kernel, "if 'found' in globals(): print(found.status)") == "interrupted"


def test_what_cannot_begin_fails_in_its_cell(kernel: Kernel) -> None:
    assert "no such agent" in kernel.run("%%agent nobody --background\nx").errors[0]
    assert "nothing is at work" in kernel.run("%agent tell hello").errors[0]


def test_a_conversation_outlives_its_kernel(kernel: Kernel, tmp_path: Path) -> None:
    go(kernel)
    kernel.run("%agent reset")
    kernel.run("%%agent -q\nWhere is gold?")
    kernel.run("%%agent -q\nAnd lead?")
    run = kernel.run("print(magics.desk.answers[-1].run)").text.strip()
    kernel.manager.restart_kernel(now=True)
    kernel.client.wait_for_ready(timeout=PATIENCE)
    kernel.run("%load_ext workbench\n%agent use data")
    assert not kernel.run(MODEL).errors
    said = kernel.run(f"%agent resume {run}")
    assert not said.errors, said.errors
    words = said.of("display_data")[0]["data"]["text/plain"]
    assert "2 questions answered" in words
    assert "- Where is gold?\n- And lead?" in words
    kernel.run("%%agent -q -o third\nAnd zinc?")
    assert kernel.run("print('And lead?' in third.seen[0])").text == "True\n"
    played = kernel.run("%agent replay").of("display_data")[0]["data"]["text/plain"]
    assert played.startswith("replay: the same as recorded: 0 dispatches")
