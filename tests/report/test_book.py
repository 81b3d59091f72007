"""The report as a notebook: what stands in it, and that nothing of it runs or depends on luck."""

from __future__ import annotations

import ast
import json
from importlib import metadata
from pathlib import Path
from typing import Any

import nbformat
import pytest
from markdown_it import MarkdownIt
from reporting import CLUSTER, GEOCHEM, MAP, grouped, hand, scripted

from workbench.models.scripted import call, finish
from workbench.report import book, saved, writing
from workbench.report.book import Book
from workbench.report.shown import Room
from workbench.report.toolbox import Toolbox
from workbench.runs import past
from workbench.runs.recorded import Recorded


def cells(notebook: dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    return {cell["id"]: cell for cell in notebook["cells"] if cell["cell_type"] == kind}


def test_every_part_of_a_run_has_its_cell(run: Path, tmp_path: Path) -> None:
    found = book.build(run, tmp_path / "r.ipynb")
    nbformat.validate(nbformat.from_dict(found))
    words, code = cells(found, "markdown"), cells(found, "code")
    for key in ("title", "answer", "data", "plan", "d01", "saw", "limits", "cost", "versions"):
        assert words[key]["source"].startswith("#")
    assert 'Three groups of 240[*?*](#Claims "no source") samples.' in words["answer"]["source"]
    assert "Group the samples." in words["d01"]["source"]
    assert code["parameters"]["metadata"]["tags"] == ["parameters"]
    assert code["call-d01c1"]["source"].startswith("d01c1 = tools.cluster(")
    for part in ("transform='log'", "k=3", "seed=42"):
        assert part in code["call-d01c1"]["source"]
    assert list(code)[-1] == "verification"


def test_what_the_model_saw_stands_under_its_call(run: Path, tmp_path: Path) -> None:
    code = cells(book.build(run, tmp_path / "r.ipynb"), "code")
    shown = code["call-d01c1"]["outputs"][0]["data"]["text/plain"]
    requests = [json.loads(one.read_text()) for one in (run / "requests").glob("d01-r02.json")]
    (part,) = requests[0]["messages"][-1]["content"]
    assert shown == part["content"]
    table = code["table-d01a1"]["outputs"][0]["data"]
    assert "of 41 columns" in table["text/plain"] or "columns" in table["text/plain"]
    assert "gt_table" in table["text/html"]


def test_the_same_run_gives_the_same_bytes(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "r.ipynb"
    first = writing.write(run, [target])[0].read_bytes()
    assert writing.write(run, [target])[0].read_bytes() == first


def test_the_metadata_names_inputs_calls_and_results(run: Path, tmp_path: Path) -> None:
    told = book.build(run, tmp_path / "r.ipynb")["metadata"]["workbench"]
    assert (told["schema"], told["run"]) == (1, run.name)
    made = [
        event["data"]
        for event in json.loads(told["record"])["events"]
        if event["kind"] == "artefact"
    ]
    (sha256,) = [item["made_by"]["inputs"][GEOCHEM] for item in made]
    assert told["inputs"] == {GEOCHEM: sha256}
    assert [one["id"] for one in told["calls"]] == ["guidec1", "d01c1"]
    assert told["calls"][1]["artefacts"] == ["d01a1"]
    assert told["claims"] == []


def test_run_again_it_gives_the_same_results_and_says_so(run: Path, tmp_path: Path) -> None:
    space = executed(book.build(run, run.parent / "r.ipynb"), run.parent)
    assert space["checked"].same
    assert "1 input and 1 result are the same" in repr(space["checked"])


def test_calls_say_to_the_letter_what_the_model_saw(run: Path) -> None:
    found = book.build(run, run.parent / "r.ipynb")
    space = executed(found, run.parent)
    code = cells(found, "code")
    for key in ("guidec1", "d01c1"):
        recorded = code[f"call-{key}"]["outputs"][0]["data"]["text/plain"]
        assert repr(space[key]) == recorded


def executed(found: dict[str, Any], folder: Path, **parameters: str) -> dict[str, Any]:
    """Run the code cells of a notebook in a namespace, as a kernel in that folder would."""
    space: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for cell in found["cells"]:
            if cell["cell_type"] == "code":
                exec(cell["source"], space)  # noqa: S102 - the report under test
                if cell["id"] == "parameters":
                    space.update(parameters)
    assert isinstance(space["box"], Toolbox)
    return space


def test_other_data_is_told_as_other_data(run: Path) -> None:
    next_season(run.parent.parent)
    found = book.build(run, run.parent / "r.ipynb")
    space = executed(found, run.parent, file_1="next.csv")
    assert not space["checked"].same
    assert f"other data: {GEOCHEM}" in repr(space["checked"])
    assert space["d01c1"].ok
    assert "rows_in: 200" in space["d01c1"].text


def next_season(folder: Path) -> None:
    """Write a shorter table under another name beside the first."""
    lines = (folder / GEOCHEM).read_text().splitlines(keepends=True)
    (folder / "next.csv").write_text("".join(lines[:201]))


def test_a_call_on_a_result_takes_it_from_the_cell_that_makes_it(field: Path) -> None:
    name = "results/…/meridian_ridge_geochem_kmeans_3.csv"
    scripts = {
        "guide": [hand("analytics", "Group, then look.")],
        "d01": [CLUSTER, call("query_data", path=name, operation="describe"), finish("done")],
    }
    folder = scripted(field, scripts).ask("Group the samples.").folder
    code = cells(book.build(folder, folder.parent / "r.ipynb"), "code")
    assert "path=d01c1.path" in code["call-d01c2"]["source"]


def test_results_of_an_earlier_question_are_made_anew_first(field: Path) -> None:
    scripts = {
        "guide": [hand("analytics", "Group the samples."), hand("analytics", "Look again.")],
        "d01": [CLUSTER, finish("done"), finish("done")],
    }
    name = "results/…/meridian_ridge_geochem_kmeans_3.csv"
    held = scripted(field, scripts)
    first = held.ask("Group the samples.")
    look = {
        "guide": [hand("analytics", "Look again.")],
        "d01": [call("query_data", path=name, operation="head"), finish("done")],
    }
    second = held.apart(scripted(field, look).setting.model)
    second.trial = False
    folder = second.ask("What is in it?").folder
    found = book.build(folder, folder.parent / "r.ipynb")
    told = cells(found, "markdown")
    assert f"goes on from run `{first.run}`" in told["title"]["source"]
    assert f"- `{first.run}`: Group the samples." in told["earlier"]["source"]
    code = cells(found, "code")
    assert code["call-earlier1"]["source"].startswith("earlier1 = tools.cluster(")
    assert "path=earlier1.path" in code["call-d01c1"]["source"]
    assert first.view["versions"]["scikit-learn"] == metadata.version("scikit-learn")
    assert "scikit-learn" not in past.view(folder)["versions"]  # it only looked
    space = executed(found, folder.parent)
    assert space["d01c1"].ok


def test_a_figure_stands_with_words_and_a_drawing(field: Path) -> None:
    scripts = {"guide": [hand("geoviz", "Map gold.")], "d01": [MAP, finish("done")]}
    folder = scripted(field, scripts).ask("Map gold.").folder
    assert past.view(folder)["versions"]["plotly"] == metadata.version("plotly")
    code = cells(book.build(folder, folder.parent / "r.ipynb"), "code")
    (figure,) = [cell for key, cell in code.items() if key.startswith("figure-")]
    assert "Au_ppb" in figure["metadata"]["workbench"]["alt"]
    assert figure["outputs"][0]["data"]["image/svg+xml"].startswith("<svg")


def test_figures_without_room_are_counted_and_verify_all_the_same(field: Path) -> None:
    scripts = {"guide": [hand("geoviz", "Map gold.")], "d01": [MAP, finish("done")]}
    folder = scripted(field, scripts).ask("Map gold.").folder
    recorded = Recorded.of(folder)

    def made(room: Room) -> dict[str, Any]:
        return Book(recorded, "r.ipynb", "..", "", folder, recorded.text, {}, room=room).notebook()

    small = made(Room(1, 1))
    assert "drawings of 1 of its figures" in cells(small, "markdown")["left"]["source"]
    (shown,) = cells(small, "code")["figure-d01a2"]["outputs"]
    assert set(shown["data"]) == {"text/plain"}
    assert "left" not in cells(made(Room()), "markdown")
    assert all(row.same for row in saved.cells(small, made(Room(1, 1, keep=True)), {}))


HOSTILE = '"],); __import__("os").system("id") #\n\\n{{x}}`$a$`<script>alert(1)</script>'


def test_words_of_a_model_never_become_code(field: Path) -> None:
    scripts = {
        "guide": [hand("analytics", f"{HOSTILE}\n# Title\n- item [a](javascript:x)")],
        "d01": [
            call("cluster", path=HOSTILE, columns=[HOSTILE], k=3),
            call("sql", query=f"SELECT '{HOSTILE}'"),
            call(HOSTILE, x=1),
            call("cluster", **{HOSTILE: 1}),
            finish(HOSTILE),
        ],
    }
    folder = scripted(field, scripts).ask(HOSTILE).folder
    found = book.build(folder, folder.parent / "r.ipynb")
    for cell in cells(found, "code").values():
        for node in ast.walk(ast.parse(cell["source"])):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id  # type: ignore[attr-defined]
                assert name in {"call", "cluster", "sql", "Toolbox", "dispatch", "skip", *OURS}
    for cell in cells(found, "markdown").values():
        assert "<script" not in cell["source"]
        tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(cell["source"])
        inner = {child.type for token in tokens for child in token.children or ()}
        assert not inner & {"link_open", "html_inline", "image"}
        assert sum(token.type == "heading_open" for token in tokens) <= 1


OURS = ("verify", "close", "table", "figure")


def test_a_report_without_kept_requests_says_so(run: Path, tmp_path: Path) -> None:
    for place in (run / "requests").iterdir():
        place.unlink()
    code = cells(book.build(run, tmp_path / "r.ipynb"), "code")
    assert "removed" in code["call-d01c1"]["outputs"][0]["data"]["text/plain"]


def test_arguments_too_long_for_the_ledger_are_whole_in_the_report(field: Path) -> None:
    text = "x" * 9_000
    scripts = {
        "guide": [hand("analytics", "Store it.")],
        "d01": [call("store_text", content=text), finish("done")],
    }
    folder = scripted(field, scripts).ask("Store a text.").folder
    code = cells(book.build(folder, folder.parent / "r.ipynb"), "code")
    assert code["call-d01c1"]["source"].count("x") > 9_000


def test_a_single_call_is_reported_like_a_question(field: Path) -> None:
    outcome = scripted(field, {}).call("check_missing", {"path": GEOCHEM})
    folder = field / "results" / outcome.run
    code = cells(book.build(folder, folder.parent / "r.ipynb"), "code")
    assert "tools.check_missing(" in code["call-callc1"]["source"]
    assert code["call-callc1"]["outputs"][0]["data"]["text/plain"] == outcome.text


def test_grouped_runs_of_one_folder_differ_only_by_their_ids(field: Path) -> None:
    first, second = (
        book.build(grouped(field).folder, field / "r.ipynb")["cells"] for _ in range(2)
    )
    assert [cell["id"] for cell in first] == [cell["id"] for cell in second]
    assert first[5]["source"].startswith("## Data")
    assert first[5] == second[5]
