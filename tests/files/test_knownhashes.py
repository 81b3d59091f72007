"""Hashes that are known: of an unchanged file alone, from a list that only the parent writes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from filebench import FileBench
from toolbench import Bench

from workbench.files import knownhashes
from workbench.files.recordnames import SNAPSHOTS
from workbench.tables.snapshot import open_tables
from workbench.tables.store import content_hash
from workbench.workspace import Workspace

TEXT = "SampleID,Au_ppb\nA,1\nB,2\n"


@pytest.fixture(autouse=True)
def _small_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knownhashes, "LEAST_BYTES", 1)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "soils.csv").write_text(TEXT, encoding="utf-8")
    (tmp_path / "results" / SNAPSHOTS).mkdir(parents=True)
    return Workspace(tmp_path, tmp_path / "results")


def told(workspace: Workspace, sha256: str = "planted") -> dict[str, object]:
    found = (workspace.root / "soils.csv").stat()
    return {"mark": knownhashes.mark(found), "sha256": sha256}


def hashed(workspace: Workspace, shelf: Path | None) -> str:
    with workspace.open("soils.csv") as file:
        return content_hash(file, None, shelf)


def test_a_file_that_is_known_is_not_read_again(workspace: Workspace) -> None:
    knownhashes.learn(workspace, ["soils.csv"], lambda _: told(workspace))
    assert hashed(workspace, workspace.results / SNAPSHOTS) == "planted"


def test_a_list_that_a_child_could_have_written_is_not_believed(tmp_path: Path) -> None:
    bench = FileBench(tmp_path)
    path = bench.write("soils.csv", TEXT)
    knownhashes.keep(bench.snapshots, knownhashes.mark(path.stat()), "planted")
    with bench.opened(path) as file:
        own = open_tables(file, bench.snapshots, bench.limits, shared=bench.snapshots)
    assert own.source.sha256 == hashlib.sha256(TEXT.encode()).hexdigest()


def test_a_process_goes_through_an_unchanged_file_once(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knownhashes, "SETTLED_SECONDS", -1.0)
    seen: list[float] = []
    with workspace.open("soils.csv") as file:
        first, again = (content_hash(file, lambda _, share: seen.append(share)) for _ in range(2))
    assert first == again == hashlib.sha256(TEXT.encode()).hexdigest()
    assert seen == [1.0]


@pytest.mark.parametrize("keep_times", [False, True])
def test_a_changed_file_is_hashed_anew(workspace: Workspace, *, keep_times: bool) -> None:
    knownhashes.learn(workspace, ["soils.csv"], lambda _: told(workspace))
    place = workspace.root / "soils.csv"
    before = place.stat()
    other = TEXT.replace("1", "3")
    while place.stat().st_ctime_ns == before.st_ctime_ns:  # a tick of the file system's clock
        place.write_text(other, encoding="utf-8")
        if keep_times:
            os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    found = hashed(workspace, workspace.results / SNAPSHOTS)
    assert found == hashlib.sha256(other.encode()).hexdigest()


def test_a_known_file_is_not_asked_about_again(workspace: Workspace) -> None:
    asked: list[str] = []

    def ask(name: str) -> Mapping[str, object]:
        asked.append(name)
        return told(workspace)

    for _ in range(3):
        knownhashes.learn(workspace, ["soils.csv", "results/…/x.csv", "*.csv"], ask)
    assert asked == ["soils.csv"]


def test_a_hash_of_another_state_is_not_kept(workspace: Workspace) -> None:
    other = {"mark": "1-2-3-4-5", "sha256": "planted"}
    knownhashes.learn(workspace, ["soils.csv"], lambda _: other)
    assert not (workspace.results / SNAPSHOTS / "known.jsonl").exists()


def test_a_torn_or_foreign_line_of_the_list_does_no_harm(workspace: Workspace) -> None:
    shelf = workspace.results / SNAPSHOTS
    (shelf / "known.jsonl").write_text('{"mark": "1"}\n[]\n{"mar', encoding="utf-8")
    knownhashes.learn(workspace, ["soils.csv"], lambda _: told(workspace))
    assert hashed(workspace, shelf) == "planted"


def test_a_child_hashes_a_file_and_says_which_state_of_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knownhashes, "SETTLED_SECONDS", -1.0)
    facts = Bench(workspace.root, workspace.results).facts("hash_file", path="soils.csv")
    assert facts == told(workspace, hashlib.sha256(TEXT.encode()).hexdigest())


def test_a_file_that_changed_this_moment_is_not_settled(tmp_path: Path) -> None:
    place = tmp_path / "now"
    place.write_text("x", encoding="utf-8")
    assert not knownhashes.is_settled(place.stat())
