"""Opening in full: what a browser asks is checked, and answered for from the ledger alone."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from openedruns import HEADER, ROWS, hostile
from sampleview import HOSTILE

from workbench import artefacts, ledger
from workbench.cli import main
from workbench.errors import Refused
from workbench.notebook import open_cell, open_view
from workbench.notebook.marked import NOT, WHOLE
from workbench.notebook.nodes import texts
from workbench.notebook.opening import Opening
from workbench.runs.infull import TableInFull
from workbench.session import Session

SPAN = {"offset": 0, "limit": 100, "first": 0, "width": 40}
PLAIN: dict[str, Any] = {"filters": [], "order": None}
ROW = {**PLAIN, **SPAN, "call": ""}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile(tmp_path_factory.mktemp("opened"))


Open = Callable[[str], Opening]


@pytest.fixture(scope="module")
def opened(results: Path) -> Iterator[Open]:
    """Return what opens an id, once."""
    known: dict[str, Opening] = {}

    def found(key: str) -> Opening:
        if key not in known:
            known[key] = Opening(results, key)
        return known[key]

    yield found
    for one in known.values():
        one.close()


def ask(one: Opening, name: str, **fields: object) -> dict[str, Any]:
    answer = one.answer({"id": "1", "ask": name, **fields})
    assert "error" not in answer, answer
    return answer


def test_a_result_opens_as_a_table_with_the_calls_that_showed_it(opened: Open) -> None:
    one = opened("d01a1")
    facts = ask(one, "open")
    assert (facts["kind"], facts["rows"]) == ("table", ROWS)
    assert [call["call"] for call in facts["seen"]] == ["d01c1", "d01c2"]
    assert ask(one, "sound") == {"sound": True}


def test_rows_say_which_of_them_a_model_saw(opened: Open) -> None:
    one = opened("d01a1")
    assert [column["name"] for column in ask(one, "columns")["columns"]][3] == HEADER
    page = ask(one, "rows", **{**ROW, "call": "d01c2"})
    assert page["seen"] == [1, 2, 2, 1, 2] + [0] * 95  # the long cells of two were cut
    assert page["rows"][0][1] == "<0.5"
    assert page["rows"][0][3] == HOSTILE
    assert page["shown"] == ["Sample", "Au_ppb", "Rock", HEADER]
    assert set(ask(one, "rows", **{**ROW, "call": "d01c1"})["seen"]) == {0}
    assert "seen" not in ask(one, "rows", **ROW)


def test_the_seen_side_of_a_result_counts_its_rows(opened: Open) -> None:
    first = ask(opened("d01a1"), "seen", call="")
    assert f"0 of {ROWS} rows seen" in json.dumps(first["scale"])
    later = ask(opened("d01a1"), "seen", call="d01c2")
    assert f"5 of {ROWS} rows seen" in json.dumps(later["scale"])


def test_a_call_opens_beside_the_file_it_read(opened: Open) -> None:
    one = opened("d01c3")
    assert ask(one, "open")["kind"] == "text"
    first = ask(one, "text", offset=0, limit=len(HOSTILE))
    assert first["text"] == HOSTILE
    assert first["chars"] == len(HOSTILE) + 1 + 9_000 * 16
    stretches = ask(one, "seen", call="")["stretches"]
    assert [state for _, _, state in stretches] == [WHOLE, NOT]
    assert (stretches[0][0], stretches[1][1]) == (0, first["chars"])
    found = ask(one, "search", pattern="line of notes")
    assert found["total"] == 9_000
    assert found["hits"][0]["offset"] == len(HOSTILE) + 3


def test_what_is_no_table_after_all_opens_as_a_text(opened: Open, results: Path) -> None:
    one = opened("d01c3")
    text = one.full
    session = Session.open(results.parent, results, "offline")
    one.full = TableInFull(session, "notes.txt", {"label": "notes.txt", "media_type": "text/csv"})
    assert "notes.txt" in one.answer({"id": "1", "ask": "columns"})["error"]
    assert ask(one, "open")["kind"] == "text"
    assert ask(one, "text", offset=0, limit=len(HOSTILE))["text"] == HOSTILE
    one.close()
    one.full = text


def test_an_agent_at_work_opens_as_its_whole_talk(opened: Open) -> None:
    told = ask(opened("d01"), "transcript")["entries"]
    assert [one["kind"] for one in told[:4]] == ["system", "tools", "user", "call"]
    assert told[2]["text"] == HOSTILE
    assert [one["title"] for one in told if one["kind"] == "call"] == [
        *("filter_rows", "query_data", "read_range", "finish")
    ]
    assert sum(one["kind"] == "result" for one in told) == 3


def test_filtered_rows_are_exported_as_a_result_of_a_run(opened: Open, results: Path) -> None:
    one = opened("d01a1")
    ask(one, "columns")
    filters = [{"column": 1, "condition": "min", "value": 10}]
    view = {"filters": filters, "order": {"column": 1, "descending": True}}
    sql = ask(one, "sql", **view)["sql"]
    assert re.search(r'WHERE .*"Au_ppb" >= 10.*ORDER BY "Au_ppb" DESC', sql)
    made = ask(one, "export", **view)
    assert made["rows"] == ask(one, "rows", **{**ROW, **view})["matched"] == 142
    text = (results / made["run"] / made["path"]).read_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["Sample"] for row in rows[:2]] == ["S239", "S238"]
    again = Opening(results, made["id"], made["run"])
    assert again.facts["tool"] == "sql"
    again.close()


@pytest.mark.parametrize(
    "message",
    [
        {"ask": "rows", **ROW, "path": "/etc/passwd"},
        {"ask": "rows", **ROW, "offset": -1},
        {"ask": "rows", **ROW, "offset": "0"},
        {"ask": "rows", **ROW, "filters": [{"column": "Au_ppb", "condition": "min", "value": 1}]},
        {"ask": "rows", **ROW, "filters": [{"column": 1, "condition": "1=1 --", "value": 1}]},
        {"ask": "rows", **ROW, "filters": [{"column": 1, "condition": "min", "value": [1]}]},
        {"ask": "rows", **ROW, "order": {"column": 1, "descending": "yes"}},
        {"ask": "sql", **PLAIN, "sql": "SELECT 1"},
        {"ask": "__class__"},
        {"ask": "text", "offset": True, "limit": 10},
        {"ask": ["open"]},
        "open",
        None,
    ],
)
def test_c4_a_message_of_another_shape_is_not_acted_on(opened: Open, message: object) -> None:
    assert "unknown shape" in opened("d01a1").answer(message)["error"]


def test_a_refusal_is_an_answer_in_one_line(opened: Open) -> None:
    one = opened("d01a1")
    assert "it is no text" in one.answer({"ask": "text", "offset": 0, "limit": 9})["error"]
    far = {"ask": "column", "column": 99, "filters": []}
    assert "the table has 4" in one.answer(far)["error"]


def test_what_no_run_has_is_refused(results: Path) -> None:
    for key in ("d77a1", "../../etc/passwd", "d77"):
        with pytest.raises(Refused, match="no run"):
            Opening(results, key)


def test_the_form_without_a_kernel_shows_both_sides_as_text(results: Path) -> None:
    still = open_cell.shown(results, "d01c3", None, "seen")
    assert "characters left out" in still["text/plain"]
    assert "<script" not in still["text/html"].replace("<style", "")
    assert "&lt;script&gt;" in still["text/html"]
    page = open_cell.shown(results, "d01a1", None)
    assert f"of {ROWS} rows" in page["text/plain"]


def test_an_artefact_opens_where_it_is_displayed(results: Path) -> None:
    run = next(place for place in results.iterdir() if "script" in place.name)
    (item,) = [
        artefacts.Artefact(**{**one.__dict__, "folder": run})
        for one in artefacts.from_events(list(ledger.read(run / "events.jsonl").events))
    ]
    assert "folder" not in item.to_json()
    artefacts.OPENERS.clear()
    assert item.open() == run / "soils_filtered.csv"
    artefacts.OPENERS.append(open_cell.of_artefact)
    still = item.open(seen=True)._repr_mimebundle_()  # type: ignore[attr-defined]
    assert f"0 of {ROWS} rows seen" in still["text/plain"]
    artefacts.OPENERS.clear()


def test_the_command_line_prints_what_was_seen(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--data", str(results.parent)]
    assert main(["open", "d01a1", "--seen", *place]) == 0
    said = capsys.readouterr().out
    assert "── d01c2 query_data, seen by transform:" in said
    assert f"── left out: 235 of {ROWS} rows" in said
    assert main(["open", "d01", *place]) == 0
    assert "── call filter_rows" in capsys.readouterr().out
    assert main(["open", "d01c3", *place]) == 0
    assert "characters; whole: notes.txt" in capsys.readouterr().out


def test_the_modules_are_one_script_that_imports_nothing() -> None:
    text = open_view.script()
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert re.findall(r"^export .*", text, re.MULTILINE) == ["export default { render };"]
    grid = (Path(open_view.__file__).parent / "open" / "grid.js").read_text(encoding="utf-8")
    # A tab has no other way to the element; in a cell the modules stand in one script.
    assert 'import "./regular-table.js";' in grid
    names = {path.stem for path in (Path(open_view.__file__).parent / "open").glob("*.js")}
    assert names == {*open_view.MODULES, "regular-table"}
    assert "innerHTML" not in "".join(text.rpartition("})();")[2])


def test_both_sides_are_drawn_with_texts_alone(opened: Open) -> None:
    one = opened("d01c3")
    seen = one.seen_first()
    assert seen is not None
    from workbench.notebook import seen_card

    words = "".join(texts(seen_card.left(seen, None)))
    assert HOSTILE in words
