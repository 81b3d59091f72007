"""A name with a wildcard stands for listed files of one folder, and for nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from workbench.errors import Refused
from workbench.files.fileset import is_pattern, members, set_stem
from workbench.workspace import Workspace


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    wells = tmp_path / "data" / "wells"
    (wells / "old").mkdir(parents=True)
    for name in ("b.LAS", "a.las", "c.csv", ".hidden.las", "old/d.las", "x[1].las"):
        (wells / name).write_text("text\n")
    return Workspace.at(tmp_path / "data")


def test_it_matches_one_folder_in_name_order_without_regard_to_case(place: Workspace) -> None:
    assert members(place, "wells/*.las") == ["wells/a.las", "wells/b.LAS", "wells/x[1].las"]
    assert members(place, "wells/?.csv") == ["wells/c.csv"]
    assert members(place, "wells/x[1]*") == ["wells/x[1].las"]


def test_a_plain_name_asks_for_one_file(place: Workspace) -> None:
    assert not is_pattern("wells/x[1].las")
    assert members(place, "wells/a.las") is None


@pytest.mark.skipif(sys.platform == "win32", reason="no such names")
def test_a_file_of_that_very_name_is_meant(place: Workspace) -> None:
    (place.root / "wells" / "*.las").write_text("odd\n")
    assert members(place, "wells/*.las") is None


@pytest.mark.parametrize("name", ["../*.las", "/etc/*", "~/*", "wells/../../*", "we*/a.las"])
def test_it_leads_out_of_no_folder(place: Workspace, name: str) -> None:
    with pytest.raises(Refused):
        members(place, name)


def test_nothing_found_says_where_to_look(place: Workspace) -> None:
    with pytest.raises(Refused, match="see list_files"):
        members(place, "wells/*.parquet")


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_records_of_runs_and_links_are_never_matched(place: Workspace, tmp_path: Path) -> None:
    (tmp_path / "secret.las").write_text("secret\n")
    (place.root / "wells" / "z.las").symlink_to(tmp_path / "secret.las")
    run = place.results / "20260101-120000-a-question-abc"
    run.mkdir(parents=True)
    (run / "events.jsonl").write_text("{}\n")
    assert "wells/z.las" not in (members(place, "wells/*") or [])
    with pytest.raises(Refused):
        members(place, f"results/{run.name}/*")


def test_one_file_in_use_has_no_set(place: Workspace) -> None:
    alone = Workspace.at(place.root / "wells" / "c.csv")
    with pytest.raises(Refused):
        members(alone, "*.las")


def test_a_set_is_named_by_its_fixed_signs_or_its_folder() -> None:
    assert set_stem("certs/BV_*.csv") == "BV"
    assert set_stem("wells/*.las") == "wells"
    assert set_stem("*.csv") == "files"
