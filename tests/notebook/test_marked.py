"""What was seen whole, in part or not, of results that the tools themselves made."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.asking.run import Setting
from workbench.asking.starting import start_child
from workbench.limits import Limits
from workbench.models.scripted import Say, ScriptedModel
from workbench.notebook import open_cell
from workbench.notebook.opening import Opening
from workbench.session import Session
from workbench.workspace import Workspace

FILE = "meridian_ridge_geochem.csv"
DATA = Path(__file__).resolve().parents[2] / "data" / FILE
MADE = "results/…/meridian_ridge_geochem_filtered.csv"
ORDERED = "SELECT SampleID, Au_ppb, As_ppm FROM meridian_ridge_geochem ORDER BY Au_ppb DESC"
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("query_data", {"path": FILE, "operation": "head", "n": 5}),
    ("filter_rows", {"path": FILE, "expression": "As_ppm > 10"}),
    ("query_data", {"path": MADE, "operation": "head", "n": 5, "columns": ["SampleID", "Au_ppb"]}),
    ("anomaly_index", {"path": FILE, "columns": ["Au_ppb", "As_ppm"]}),
    ("sql", {"query": ORDERED}),
    ("finish", {"status": "success", "results": ["done"]}),
)
Told = Callable[[str, str], tuple[str, str, dict[str, Any]]]
SPAN = {"offset": 0, "limit": 200, "first": 0, "width": 40, "filters": [], "order": None}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ask a specialist that makes the calls; return the results folder."""
    data = tmp_path_factory.mktemp("marked") / "data"
    data.mkdir()
    shutil.copy(DATA, data)
    model = ScriptedModel({"d01": [Say(calls=(call,)) for call in CALLS]}, 200_000)
    setting = Setting(Workspace.at(data), model, Limits(), start_child)
    answer = Session(setting).ask("What is there?", agent="analytics")
    assert answer.status == "answered", answer.reason
    return data / "results"


@pytest.fixture
def seen(results: Path) -> Iterator[Told]:
    """Return what opens an id and tells head, gap and marks of one call."""
    known = []

    def told(key: str, call: str) -> tuple[str, str, dict[str, Any]]:
        one = Opening(results, key)
        known.append(one)
        assert "error" not in one.answer({"ask": "columns"})
        side = one.answer({"ask": "seen", "call": call})
        page = one.answer({"ask": "rows", **SPAN, "call": call})
        return json.dumps(side["scale"]), json.dumps(side["left"]), page

    yield told
    for one in known:
        one.close()


def test_rows_at_the_head_of_a_file_were_seen_whole(seen: Told) -> None:
    head, gap, page = seen("d01c1", "d01c1")
    assert page["seen"] == [2] * 5 + [0] * 195
    assert "5 of 240 rows seen" in head
    assert "in part" not in head
    assert "235 rows" in head
    assert "235 rows" in gap


def test_a_result_of_which_no_row_was_shown_was_not_seen(seen: Told) -> None:
    head, _, page = seen("d01a1", "d01c2")
    assert set(page["seen"]) == {0}
    assert "0 of 93 rows seen" in head


def test_rows_shown_with_two_columns_were_seen_in_part(seen: Told) -> None:
    head, gap, page = seen("d01a1", "d01c3")
    assert page["seen"] == [1] * 5 + [0] * 88
    assert page["shown"] == ["SampleID", "Au_ppb"]
    assert "5 of 93 rows seen in part" in head
    assert "2 of 26 columns: SampleID, Au_ppb" in head
    left = next(words for words in head.split('"') if words.startswith("88 rows"))
    assert f"{left} left out" in gap


def test_head_and_right_side_count_the_same_columns(results: Path) -> None:
    one = Opening(results, "d01a1")
    try:
        # Stored with the limits and flags of its values it has 40; a grid sets those in the cells.
        assert "93 rows × 40 columns" in one.answer({"ask": "seen", "call": "d01c3"})["facts"]
        assert len(one.answer({"ask": "columns"})["columns"]) == 26
        side = one.answer({"ask": "seen", "call": "d01c3"})
        assert "93 rows × 26 columns" in side["facts"]
        assert "2 of 26 columns" in json.dumps(side["scale"])
    finally:
        one.close()


def test_ranked_rows_are_found_where_the_file_has_them(seen: Told) -> None:
    head, _, page = seen("d01a2", "d01c4")
    assert "10 of 238 rows seen" in head
    assert sum(page["seen"]) == 2 * 10


def test_the_first_rows_of_a_query_were_seen_whole(seen: Told) -> None:
    head, _, page = seen("d01a3", "d01c5")
    assert page["seen"] == [2] * 20 + [0] * 180
    assert "20 of 240 rows seen" in head


def test_the_form_without_a_kernel_has_the_rows_and_their_marks(results: Path) -> None:
    still = open_cell.shown(results, "d01c3", None, "seen")["text/html"]
    assert still.count("wb-was-part") == still.count("◐") + still.count(".wb-was-part") == 5 + 2
    assert "MR-0009" in still
    assert "5 of 93 rows seen in part" in still
