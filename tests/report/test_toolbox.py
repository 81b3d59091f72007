"""Tool calls from Python: the same confined calls, kept in one run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from reporting import GEOCHEM

from workbench.errors import Refused
from workbench.report.toolbox import Toolbox


@pytest.fixture
def box(field: Path, tmp_path: Path) -> Toolbox:
    return Toolbox(field, tmp_path / "again")


def test_a_call_gives_text_files_and_a_data_frame(box: Toolbox) -> None:
    tools = box.dispatch("d01", "analytics")
    made = tools.cluster(path=GEOCHEM, columns=["Au_ppb", "As_ppm"], k=2, seed=1)
    assert made.ok
    assert "seed: 1" in made.text
    assert [item.id for item in made.artefacts] == ["d01a1"]
    assert made.path == "results/…/meridian_ridge_geochem_kmeans_2.csv"
    assert len(made.df()) == len(made.file().read_text().splitlines()) - 1
    again = tools.query_data(path=made.path, operation="describe")
    assert again.ok


def test_a_refusal_is_the_outcome_and_its_files_are_refused(box: Toolbox) -> None:
    made = box.dispatch().cluster(path="no.csv", columns=["x"], k=2)
    assert not made.ok
    assert "no.csv" in made.text
    with pytest.raises(Refused, match="it made no file"):
        made.path  # noqa: B018 - asked for


def test_the_list_of_an_agent_holds(box: Toolbox) -> None:
    tools = box.dispatch("d01", "dataops")
    with pytest.raises(AttributeError, match="no such tool"):
        tools.cluster  # noqa: B018 - asked for
    assert "not in the list of dataops" in tools.call("cluster").text


def test_numbers_of_calls_go_on_past_those_that_need_a_model(box: Toolbox) -> None:
    tools = box.dispatch("guide", "guide")
    tools.skip("ask_specialist")
    assert tools.list_files().id == "guidec2"


def test_another_file_is_read_under_the_name_of_the_calls(field: Path, tmp_path: Path) -> None:
    (field / "next.csv").write_text("Sample,As_ppm\na,1\nb,2\n")
    box = Toolbox(field, tmp_path / "again", names={GEOCHEM: "next.csv"})
    assert "rows: 2" in box.dispatch().describe_table(path=GEOCHEM).text
    assert (field / GEOCHEM).read_text().count("\n") > 200


def test_a_file_that_is_not_there_is_refused_by_name(field: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"data 'next.csv': no such file"):
        Toolbox(field, tmp_path / "again", names={GEOCHEM: "next.csv"})


def test_a_name_that_leaves_the_folder_is_refused(field: Path, tmp_path: Path) -> None:
    (field / "next.csv").write_text("a\n1\n")
    with pytest.raises(Refused):
        Toolbox(field, tmp_path / "again", names={"../../../x.csv": "next.csv"})
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.parametrize(
    ("change", "state"), [("000000000001", "same"), ("9", "changed"), (None, "changed")]
)
def test_a_table_with_other_bytes_is_compared_by_value_where_the_recorded_one_lies(
    change: str | None, state: str, field: Path, tmp_path: Path
) -> None:
    (field / "a.csv").write_text("Sample,As_ppm\na,1.5\nb,2.5\n")
    box = Toolbox(field, tmp_path / "again")
    box.dispatch().filter_rows(path="a.csv", expression="As_ppm > 1")
    (made,) = box.artefacts
    old = tmp_path / "recorded" / made.path
    old.parent.mkdir()
    lines = (box.folder / made.path).read_text()
    assert "2.5" in lines
    old.write_text(lines.replace("2.5", f"2.5{change or '000000000001'}"))
    recorded = {made.id: hashlib.sha256(old.read_bytes()).hexdigest()}
    if change is None:  # a file that is not the recorded one proves nothing
        old.write_text(lines)
    found = box.verify({}, recorded, old.parent)
    assert [row.state for row in found.rows] == [state]
    assert ("equal within 1e-09" in repr(found)) is (state == "same")
    assert sorted(one.name for one in box.folder.iterdir() if "recorded" in one.name) == []


def test_closing_twice_ends_the_run_once(box: Toolbox) -> None:
    box.close()
    box.close()
    assert (box.folder / "run.json").is_file()
