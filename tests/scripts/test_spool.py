"""What is kept of a program's output, however it comes."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from workbench.limits import Limits
from workbench.scripts.spool import Output, Spool

MARK = "a-mark "


def spooled(tmp_path: Path, *chunks: bytes, **limits: object) -> tuple[Output, bytes]:
    log = tmp_path / "log.txt"
    spool = Spool(
        log.open("wb", buffering=0), Limits().changed(limits), [("/secret/place", "here")], MARK
    )
    for chunk in chunks:
        spool.feed(chunk)
    spool.close()
    return spool.seen(), log.read_bytes()


def test_a_result_is_what_stands_between_its_marks(tmp_path: Path) -> None:
    text = b"before\n===RESULT===\nn = 3\n===END_RESULT===\nafter\n"
    out, log = spooled(tmp_path, text)
    assert (out.lines, out.result, out.closed) == (("before", "after"), "n = 3", True)
    assert log == text


def test_a_result_that_is_not_closed_is_told(tmp_path: Path) -> None:
    out, _ = spooled(tmp_path, b"===RESULT===\nn = 3")
    assert (out.result, out.closed) == ("n = 3", False)


def test_the_ends_of_much_output_are_kept_and_all_of_it_is_in_the_log(tmp_path: Path) -> None:
    text = b"".join(b"line %d\n" % n for n in range(50))
    limits = {"command_spill_lines": 20, "command_spill_keep": 3}
    out, log = spooled(tmp_path, text, **limits)
    assert out.lines == ("line 0", "line 1", "line 2", "line 47", "line 48", "line 49")
    assert (out.total, out.spilled, log) == (50, "command_spill_lines", text)


def test_long_lines_spill_by_their_bytes(tmp_path: Path) -> None:
    out, _ = spooled(tmp_path, (b"x" * 999 + b"\n") * 9, command_spill_bytes=5_000)
    assert out.spilled == "command_spill_bytes"


def test_a_line_without_end_is_not_held_in_memory(tmp_path: Path) -> None:
    out, log = spooled(tmp_path, *[b"x" * 50_000] * 40)
    assert len(log) == 2_000_000
    assert sum(map(len, out.lines)) < 200_000


def test_a_log_does_not_outgrow_a_file(tmp_path: Path) -> None:
    out, log = spooled(tmp_path, b"abcdefghij\n" * 10, artefact_bytes=25)
    assert (len(log), out.full) == (25, True)


def test_a_path_of_this_machine_is_in_neither_log_nor_view(tmp_path: Path) -> None:
    out, log = spooled(tmp_path, b"open /secret/place/a.csv\n")
    assert out.lines == ("open here/a.csv",)
    assert b"secret" not in log


def test_the_line_about_the_walls_is_no_output(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    spool = Spool(log.open("wb", buffering=0), Limits(), [], MARK)
    spool.feed(b'a-mark {"files": "enforced"}\na-mark {"files": "forged"}\n')
    spool.close()
    assert spool.first == b'{"files": "enforced"}'
    assert spool.seen().lines == ('a-mark {"files": "forged"}',)


@given(st.binary(max_size=400), st.lists(st.integers(1, 40), max_size=20))
def test_how_output_is_cut_into_pieces_changes_nothing(
    tmp_path_factory: object, data: bytes, sizes: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("spool")  # type: ignore[attr-defined]
    pieces, at = [], 0
    for size in sizes:
        pieces.append(data[at : at + size])
        at += size
    assert spooled(folder, *pieces, data[at:]) == spooled(folder, data)


class FullDisk(io.RawIOBase):
    """A log of which the disk takes ten bytes, three at a time."""

    def __init__(self) -> None:
        self.kept = b""

    def write(self, data: Any) -> int:  # noqa: ANN401 - the stream's own signature
        piece = bytes(data)[: min(3, 10 - len(self.kept))]
        if not piece:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.kept += piece
        return len(piece)


def test_a_full_disk_ends_the_log_and_is_told_and_the_output_is_counted_to_its_end() -> None:
    log = FullDisk()
    spool = Spool(log, Limits(), [], MARK)
    spool.feed(b"abcdefgh\n" * 4)
    spool.close()
    out = spool.seen()
    assert (out.total, out.lost, out.full) == (4, os.strerror(errno.ENOSPC), False)
    assert log.kept == b"abcdefgh\na"
