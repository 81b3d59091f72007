"""Hostile files and names, by the numbers of the threat model: A1 to A8.

Each goes the way of a model's call: session, gate, real child.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench import workspace
from workbench.check import planted
from workbench.check.bench import Bench
from workbench.errors import Refused
from workbench.marker import parse
from workbench.workspace import Workspace

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX names and links")
OUTSIDE = "outside-canary"
NAMES = [
    "../outside.csv",
    "inner/../../outside.csv",
    "..\\outside.csv",
    "/etc/hostname",
    "~/outside.csv",
    "C:\\outside.csv",
    "a\0.csv",
    "x" * 4_096,
    "../data-old/s.csv",
    "",
]
DOORS = [
    ("read_file", "path"),
    ("read_range", "id"),
    ("describe_table", "path"),
    ("check_missing", "path"),
]


@pytest.fixture
def outside(bench: Bench) -> Path:
    """Files beside the data folder that nothing may reach."""
    old = bench.data.parent / "data-old"
    old.mkdir()
    (old / "s.csv").write_text(f"id,note\n1,{OUTSIDE}\n")
    (bench.data.parent / "outside.csv").write_text(f"id,note\n1,{OUTSIDE}\n")
    bench.plant("inner/x.csv", "id\n1\n")
    return bench.data.parent / "outside.csv"


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:12] or "empty")
def test_a1_a_name_that_leaves_the_folder_is_refused_at_once_and_opens_nothing(
    bench: Bench, outside: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*_: object) -> int:
        raise AssertionError("something was opened")

    monkeypatch.setattr(workspace, "open_beneath", opened)
    place = Workspace.at(bench.data)
    began = time.thread_time()
    with pytest.raises(Refused) as refused:
        place.open(name)
    assert time.thread_time() - began < 0.005
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door[0])
def test_a1_no_tool_opens_a_name_that_leaves_the_folder(
    bench: Bench, outside: Path, door: tuple[str, str]
) -> None:
    tool, argument = door
    for name in NAMES:
        trace = bench.call(tool, **{argument: name})
        assert not trace.ok
        assert trace.text.startswith("error: ")
        assert OUTSIDE not in trace.text
        assert "\0" not in trace.text


@POSIX
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door[0])
def test_a2_no_link_leads_out(bench: Bench, outside: Path, door: tuple[str, str]) -> None:
    tool, argument = door
    (bench.data / "file.csv").symlink_to(outside)
    (bench.data / "up.csv").symlink_to("../outside.csv")
    (bench.data / "folder").symlink_to(outside.parent / "data-old")
    (bench.data / "chain.csv").symlink_to("file.csv")
    (bench.data / "loop.csv").symlink_to("loop.csv")
    (bench.data / "round").symlink_to(".")
    for name in ("file.csv", "up.csv", "folder/s.csv", "chain.csv", "loop.csv"):
        trace = bench.call(tool, **{argument: name})
        assert not trace.ok, name
        assert OUTSIDE not in trace.text
    assert bench.call("read_file", path="round/round/inner/x.csv").ok


@POSIX
def test_a2_a_link_into_the_records_of_runs_opens_none_of_them(bench: Bench) -> None:
    bench.plant("a.csv", "id\n1\n")
    old = bench.call("list_files").folder
    (bench.data / "index.txt").symlink_to("results/index.jsonl")
    (bench.data / "runs").symlink_to("results")
    for name in ("index.txt", "runs/index.jsonl", f"runs/{old.name}/events.jsonl"):
        trace = bench.call("read_file", path=name)
        assert not trace.ok, name
        assert trace.hits("own_records") == 1
        assert "started" not in trace.text


@POSIX
def test_a2_a_listing_follows_no_link_and_comes_to_an_end(bench: Bench, outside: Path) -> None:
    (bench.data / "round").symlink_to(".")
    (bench.data / "out").symlink_to(outside.parent)
    trace = bench.call("list_files")
    assert "files: 1\n" in trace.text
    assert "inner/x.csv" in trace.text


@POSIX
def test_a3_a_hard_link_is_read_and_never_written(bench: Bench, outside: Path) -> None:
    outside.write_text(planted.table(60))
    before = outside.read_bytes(), outside.stat().st_ino
    os.link(outside, bench.data / "same.csv")
    trace = bench.call("filter_rows", path="same.csv", expression="`V1_ppm` > 40")
    assert trace.ok, trace.text
    made = [trace.folder / data["path"] for data in trace.of("artefact")]
    assert made
    assert all(path.stat().st_ino != before[1] for path in made)
    assert (outside.read_bytes(), outside.stat().st_ino) == before


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(path.parent)  # a socket's name must be short
        try:
            server.bind(path.name)
        finally:
            os.chdir(here)


def _device(path: Path) -> None:
    try:
        os.mknod(path, 0o020600, os.makedev(1, 5))
    except (PermissionError, OSError):
        pytest.skip("a device cannot be made here")


@POSIX
@pytest.mark.parametrize("make", [_pipe, _socket, _device])
def test_a4_what_is_no_file_is_refused_and_never_waited_for(
    bench: Bench, make: Callable[[Path], None]
) -> None:
    make(bench.data / "data.csv")
    began = time.perf_counter()
    with pytest.raises(Refused):
        Workspace.at(bench.data).open("data.csv")
    assert time.perf_counter() - began < 10  # who waits for a pipe waits for ever
    for tool, argument in DOORS:
        trace = bench.call(tool, **{argument: "data.csv"})
        assert not trace.ok
        assert trace.seconds < 30
    assert "files: 0\n" in bench.call("list_files").text


ODD = {
    "binary.csv": bytes(range(256)) * 40,
    "empty.csv": b"",
    "header.csv": b"id,Au_ppb,As_ppm\n",
    "utf16.csv": "\ufeffid,Au_ppb\n".encode("utf-16-le")
    + b"".join(f"s{n},{n}.5\n".encode("utf-16-le") for n in range(60)),
    "latin1.csv": b"id;Gr\xf6\xdfe_mm\n" + b"".join(b"s%d;%d,5\n" % (n, n) for n in range(60)),
    "newlines.csv": b"id,Au_ppb\r\n" + b"s1,1.5\rs2,2.5\ns3,3.5\r\n" * 20,
    "bom.csv": b"\xef\xbb\xbfid,Au_ppb\n" + b"s1,1.5\n" * 60,
    "nulls.csv": b"id,Au_ppb\n" + b"s1,\x001.5\n" * 60,
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("tool", ["read_file", "describe_table"])
def test_a5_odd_bytes_end_in_words_never_in_a_crash(bench: Bench, name: str, tool: str) -> None:
    bench.plant(name, ODD[name])
    trace = bench.call(tool, path=name)
    assert "Traceback" not in trace.text
    assert "failed unexpectedly" not in trace.text
    assert all(sign.isprintable() or sign == "\n" for sign in trace.text.replace("\t", ""))
    shown = [line for line in trace.text.splitlines() if line.startswith(("s1", "s2", "s3"))]
    assert len(shown) <= 5
    if not trace.ok:
        assert name in trace.text


@pytest.mark.parametrize(
    ("name", "column"), [("utf16.csv", "Au_ppb"), ("latin1.csv", "Größe_mm"), ("bom.csv", "Au_ppb")]
)
def test_a5_an_encoding_is_found_out_and_the_columns_are_right(
    bench: Bench, name: str, column: str
) -> None:
    bench.plant(name, ODD[name])
    trace = bench.call("describe_table", path=name)
    assert trace.ok, trace.text
    assert f"column {column}: " in trace.text
    assert "rows: 60\n" in trace.text


def test_a5_a_binary_is_named_as_what_it_is(bench: Bench) -> None:
    bench.plant("binary.csv", ODD["binary.csv"])
    assert "binary" in bench.call("read_file", path="binary.csv").text


def test_a6_a_line_of_five_megabytes_is_cut_with_its_count(bench: Bench) -> None:
    bench.plant("line.txt", "x" * 5_000_000)
    trace = bench.call("read_file", path="line.txt")
    assert len(trace.text) < 3_000
    assert trace.hits("line_chars") == 1


def test_a6_duplicate_and_empty_headers_are_made_unique_and_told(bench: Bench) -> None:
    bench.plant("a.csv", "Au_ppb,Au_ppb,,au_PPB\n" + "1,2,3,4\n" * 5)
    trace = bench.call("describe_table", path="a.csv")
    names = [line.split(":")[0] for line in trace.text.splitlines() if line.startswith("column ")]
    assert len(names) == 4
    assert len({name.casefold() for name in names}) == 4


@pytest.mark.slow
def test_a6_a_thousand_columns_are_described_in_one_short_answer(bench: Bench) -> None:
    bench.plant("wide.csv", planted.table(10, columns=1_000))
    trace = bench.call("describe_table", path="wide.csv")
    assert trace.ok, trace.text
    assert "columns: 1000\n" in trace.text
    assert len(trace.text) <= 4_000


@pytest.fixture
def sparse(bench: Bench) -> Path:
    """Write a table of a hundred rows and a hole behind it: 10 GB that take no room."""
    rows = "".join(f"s{n},{n}.5\n" for n in range(20_000))
    path = bench.data / bench.plant("big.csv", "id,Au_ppb\n" + rows)
    if not hasattr(path.stat(), "st_blocks"):
        pytest.skip("no sparse files here")
    os.truncate(path, 10_000_000_000)
    if path.stat().st_blocks * 512 > 1_000_000_000:
        pytest.skip("no sparse files here")
    return path


def test_a7_ten_gigabytes_are_shown_by_their_first_lines_and_not_counted_to_their_end(
    bench: Bench, sparse: Path
) -> None:
    trace = bench.call("read_file", path="big.csv")
    assert trace.ok, trace.text
    assert [line for line in trace.text.splitlines() if line.startswith("s")] == [
        f"s{n},{n}.5" for n in range(4)
    ]
    (mark,) = parse(trace.text)
    assert (mark.least, mark.total, mark.left) == (True, 20_001, 19_996)
    assert "of at least 20,001 lines left out" in trace.text
    assert "bytes: 10000000000" in trace.text
    assert trace.seconds < 30


@pytest.mark.parametrize("tool", ["describe_table", "check_missing", "search_text"])
def test_a7_what_is_too_large_to_load_is_refused_before_its_bytes_are_read(
    bench: Bench, sparse: Path, tool: str
) -> None:
    more = {"id": sparse.name, "pattern": "s1"} if tool == "search_text" else {"path": sparse.name}
    trace = bench.call(tool, **more)
    assert not trace.ok
    if tool != "search_text":
        assert "10,000,000,000 bytes" in trace.text
        assert "-l load_bytes=10000000000" in trace.text
        assert trace.hits("load_bytes") == 1
    assert trace.seconds < 30


def test_a7_a_set_with_too_large_a_file_is_refused_before_its_bytes_are_read(
    bench: Bench, sparse: Path
) -> None:
    bench.plant("big2.csv", "id,Au_ppb\ns1,1.5\n")
    trace = bench.call("describe_table", path="big*.csv")
    assert not trace.ok
    assert "-l load_bytes=" in trace.text
    assert trace.seconds < 30


def test_a7_a_text_too_large_to_load_is_refused_and_ends_no_child(bench: Bench) -> None:
    os.truncate(
        bench.data / bench.plant("big.txt", "A report about soils.\n" * 9_000), 10_000_000_000
    )
    for tool, more in (
        ("read_file", {"path": "big.txt"}),
        ("search_text", {"id": "big.txt", "pattern": "soil"}),
    ):
        trace = bench.call(tool, **more)
        assert not trace.ok
        assert "not loaded" in trace.text
        assert trace.seconds < 30


def test_a8_a_hundred_thousand_files_are_listed_as_five_hundred_in_a_second(
    bench: Bench,
) -> None:
    folder = bench.data / "many"
    folder.mkdir()
    for number in range(100_000):
        (folder / f"h{number:06d}.csv").touch()
    bench.call("check_missing", path="none.csv")  # the first child starts the server
    began = time.monotonic()
    assert sum(entry.stat().st_size == 0 for entry in os.scandir(folder)) == 100_000
    bare = time.monotonic() - began
    trace = bench.call("list_files")
    assert "files: 100000\n" in trace.text
    assert trace.text.count("many/h") == 500
    assert trace.hits("list_entries") == 1
    # A machine at work takes longer for both.
    assert trace.seconds < 20 + 10 * bare
