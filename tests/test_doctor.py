"""``doctor`` tries what it reports; what is missing is said with its consequence."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from workbench import doctor, tokens
from workbench.confine import WALLS
from workbench.errors import Failed
from workbench.walls import engines, landlock


def states() -> Mapping[str, doctor.Finding]:
    return {item.name: item for item in doctor.examine()}


def test_every_wall_is_reported_once() -> None:
    assert set(WALLS) <= set(states())


@pytest.mark.skipif(sys.platform != "linux" or not landlock.abi(), reason="needs Landlock")
def test_walls_that_stand_are_said_to_stand() -> None:
    found = states()
    for name in ("files", "network", "fork", "no_key"):
        assert found[name].state == "works", found[name].detail


def test_a_wall_that_a_child_does_not_have_is_named_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    walls = dict.fromkeys(WALLS, "enforced") | {"network": "not enforced: no seccomp here"}
    monkeypatch.setattr(doctor, "_started", lambda _folder: walls)
    found = states()
    assert found["network"].state == "not enforced"
    assert found["network"].detail == "a child has no network: no seccomp here"
    assert found["files"].state == "works"


def test_a_child_that_does_not_start_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_folder: Path) -> Mapping[str, str]:
        raise Failed("no process can be started")

    monkeypatch.setattr(doctor, "_started", refused)
    found = states()
    assert found["child"].state == "broken"
    assert "files" not in found


def test_a_missing_vocabulary_is_said_with_its_consequence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tokens, "exact", lambda: False)
    monkeypatch.setattr(doctor, "_child", _nothing)
    assert states()["tokens"].state == "missing"


def _nothing() -> Iterator[doctor.Finding]:
    return iter(())


def test_what_does_not_work_comes_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    walls = dict.fromkeys(WALLS, "not enforced: a test")
    monkeypatch.setattr(doctor, "_started", lambda _folder: walls)
    monkeypatch.setattr(doctor, "_version", lambda _name: "")
    monkeypatch.setattr(doctor, "BROWSERS", ("no-such-browser",))
    monkeypatch.setattr(engines, "found", lambda _without=(): None)
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    monkeypatch.setattr(tokens, "exact", lambda: False)
    for item in doctor.examine():
        assert bool(item.remedy) == (item.state != "works"), item


def test_the_engine_of_scripts_is_named_with_why_stronger_ones_are_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "_child", _nothing)
    monkeypatch.setattr(engines, "found", lambda _without=(): engines.ENGINES[1])
    walls = {"engine": "bubblewrap", "level": "partial", "processes": "partial: counted"}
    monkeypatch.setattr(doctor, "_tried", lambda: walls)
    found = states()["scripts"]
    assert found.detail.startswith("confined by bubblewrap, partial (sandlock: ")
    assert found.state == "not enforced"
    assert states()["script processes"].detail == "partial: counted"


def test_a_sidebar_that_was_not_built_is_said_with_the_way_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(doctor.site, "getuserbase", lambda: str(tmp_path / "user"))
    assert doctor._panel().state == "missing"
    assert "make panel" in doctor._panel().remedy
    place = tmp_path / "user" / "share/jupyter/labextensions/workbench-panel"
    place.mkdir(parents=True)
    (place / "package.json").write_text("{}")
    assert doctor._panel().state == "works"
