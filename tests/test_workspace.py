"""Names are not permission: every way out of the data folder is refused."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from pathlib import Path

import pytest

from workbench.errors import Fault, Refused
from workbench.files.newfile import new_file
from workbench.files.recordnames import SNAPSHOTS
from workbench.files.resultsplace import prepare
from workbench.workspace import Workspace

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX names and links")


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    for name in ("data", "data-old", "outside"):
        (tmp_path / name).mkdir()
    (tmp_path / "data" / "inner").mkdir()
    (tmp_path / "data" / "a.csv").write_text("x\n1\n")
    (tmp_path / "data" / "inner" / "b.csv").write_text("y\n2\n")
    (tmp_path / "data-old" / "a.csv").write_text("secret\n")
    (tmp_path / "outside" / "s.csv").write_text("secret\n")
    return Workspace.at(tmp_path / "data")


BAD_NAMES = [
    "../data-old/a.csv",
    "inner/../../data-old/a.csv",
    "/etc/passwd",
    "~/a.csv",
    "C:\\a.csv",
    "..\\data-old\\a.csv",
    "a\0.csv",
    "x" * 4_096,
    "",
    "   ",
    ".",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_could_leave_is_refused_in_one_line(place: Workspace, name: str) -> None:
    with pytest.raises(Refused) as error:
        place.open(name)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_files_open_by_relative_name(place: Workspace) -> None:
    with place.open("inner/b.csv") as file:
        assert file.read() == b"y\n2\n"
        assert file.name == "inner/b.csv"
        assert file.path.read_bytes() == b"y\n2\n"


@POSIX
def test_links_that_lead_out_are_refused_whatever_their_form(
    place: Workspace, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    (data / "file.csv").symlink_to(tmp_path / "outside" / "s.csv")
    (data / "up.csv").symlink_to("../outside/s.csv")
    (data / "folder").symlink_to(tmp_path / "outside")
    (data / "chain.csv").symlink_to("file.csv")
    (data / "loop.csv").symlink_to("loop.csv")
    for name in ("file.csv", "up.csv", "folder/s.csv", "chain.csv", "loop.csv"):
        with pytest.raises(Refused, match="leads out"):
            place.open(name)


@POSIX
def test_a_link_that_stays_inside_opens(place: Workspace, tmp_path: Path) -> None:
    (tmp_path / "data" / "same.csv").symlink_to("inner/b.csv")
    with place.open("same.csv") as file:
        assert file.read() == b"y\n2\n"


@POSIX
def test_a2_a_link_swapped_during_ten_thousand_opens_never_reads_outside(
    place: Workspace, tmp_path: Path
) -> None:
    link = tmp_path / "data" / "swap.csv"
    done = threading.Event()

    def swap() -> None:
        targets = ("inner/b.csv", str(tmp_path / "outside" / "s.csv"))
        number = 0
        while not done.is_set():
            fresh = link.with_name("swap.new")
            fresh.symlink_to(targets[number % 2])
            fresh.replace(link)
            number += 1

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        opened = 0
        for _ in range(10_000):
            try:
                with place.open("swap.csv") as file:
                    assert os.pread(file.fd, 10, 0) == b"y\n2\n"
                    opened += 1
            except Refused:
                continue
    finally:
        done.set()
        thread.join()
    assert opened > 0


@POSIX
@pytest.mark.parametrize("name", ["pipe.csv", "device.csv", "folder.csv"])
def test_pipes_devices_and_folders_are_named_and_refused_at_once(
    place: Workspace, tmp_path: Path, name: str
) -> None:
    data = tmp_path / "data"
    if name == "pipe.csv":
        os.mkfifo(data / name)
    elif name == "folder.csv":
        (data / name).mkdir()
    else:
        try:
            os.mknod(data / name, 0o20666, os.makedev(1, 5))
        except PermissionError:
            pytest.skip("only root makes device files")
    started = time.perf_counter()
    with pytest.raises(Refused, match=r"named pipe|device|folder"):
        place.open(name)
    assert time.perf_counter() - started < 10  # who waits for a pipe waits for ever


def test_an_unknown_name_suggests_the_nearest(place: Workspace) -> None:
    with pytest.raises(Refused, match=r"no such file.*nearest: 'inner/b.csv'"):
        place.open("inner/c.csv")


def test_records_of_runs_are_opened_by_no_tool(place: Workspace) -> None:
    run = place.results / "20260101-000000-x-abc"
    (run / "requests").mkdir(parents=True)
    (place.results / SNAPSHOTS).mkdir()
    for name in ("requests/guide-r01.json", "events.jsonl", "run.json"):
        (run / name).write_text("{}")
    (place.results / SNAPSHOTS / "k.parquet").write_text("x")
    (place.results / "index.jsonl").write_text("{}")
    (run / "table.csv").write_text("x\n1\n")
    inside = f"results/{run.name}"
    closed = [
        f"{inside}/requests/guide-r01.json",
        f"{inside}/events.jsonl",
        f"{inside}/run.json",
        f"results/{SNAPSHOTS}/k.parquet",
        "results/index.jsonl",
    ]
    for name in closed:
        with pytest.raises(Refused, match="records"):
            place.open(name)
    with place.open(f"{inside}/table.csv") as file:
        assert file.size == 4
    for name in ("events.jsonl", "requests/guide-r01.json"):
        with pytest.raises(Refused, match="records"):
            place.open_result(run, name)


def test_a_single_file_opens_only_itself(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("x\n1\n")
    (tmp_path / "two.csv").write_text("x\n1\n")
    place = Workspace.at(tmp_path / "one.csv")
    assert [entry.name for entry in place.walk()] == ["one.csv"]
    with pytest.raises(Refused, match=r"only 'one.csv'"):
        place.open("two.csv")


def test_a_listing_leaves_out_results_hidden_names_and_links(
    place: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "data" / ".hidden").write_text("x")
    place.results.mkdir()
    (place.results / "r.csv").write_text("x")
    if sys.platform != "win32":
        (tmp_path / "data" / "out").symlink_to(tmp_path / "outside")
    assert [entry.name for entry in place.walk()] == ["a.csv", "inner/b.csv"]


def test_missing_data_says_so_before_anything_else(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no such file or folder"):
        Workspace.at(tmp_path / "nowhere")


def test_f5_a_results_folder_that_cannot_be_made_is_a_fault_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "file").write_text("")
    place = Workspace.at(tmp_path / "data", tmp_path / "file" / "results")
    with pytest.raises(Fault, match="--results DIR"):
        prepare(place.results)


def test_new_files_never_replace_and_never_appear_half(tmp_path: Path) -> None:
    for _ in range(3):
        with new_file(tmp_path, "a kmeans/3", "csv") as (part, _):
            part.write_text("x")
    with contextlib.suppress(RuntimeError), new_file(tmp_path, "broken", "csv") as (part, _):
        part.write_text("half")
        raise RuntimeError
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["a_kmeans_3-2.csv", "a_kmeans_3-3.csv", "a_kmeans_3.csv"]


def test_results_of_an_older_session_are_neither_listed_nor_opened_as_data(
    place: Workspace, tmp_path: Path
) -> None:
    old = tmp_path / "data" / "results" / "20260101-000000-x-abc"
    (old / "requests").mkdir(parents=True)
    (old.parent / "index.jsonl").write_text("{}")
    (old / "requests" / "guide-r01.json").write_text("{}")
    (old / "events.jsonl").write_text("{}")
    elsewhere = Workspace.at(tmp_path / "data", tmp_path / "elsewhere")
    assert [entry.name for entry in elsewhere.walk()] == ["a.csv", "inner/b.csv"]
    for name in ("index.jsonl", f"{old.name}/events.jsonl", f"{old.name}/requests/guide-r01.json"):
        with pytest.raises(Refused, match="records"):
            elsewhere.open(f"results/{name}")
