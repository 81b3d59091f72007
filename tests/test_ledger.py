"""The ledger: append-only, a readable prefix always, no bulk."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from workbench import ledger
from workbench.errors import Fault
from workbench.ledger import Ledger
from workbench.limits import Limits


def _ledger(folder: Path) -> Ledger:
    return Ledger(folder / "events.jsonl", "run-1", Limits())


def test_events_are_numbered_from_one_without_gaps(tmp_path: Path) -> None:
    book = _ledger(tmp_path)
    for number in range(5):
        book.append("tick", {"n": number})
    book.close()
    reading = ledger.read(book.path)
    assert [event.seq for event in reading.events] == [1, 2, 3, 4, 5]
    assert reading.notices == []


def test_f6_every_cut_of_the_last_records_leaves_the_valid_prefix(tmp_path: Path) -> None:
    book = _ledger(tmp_path)
    for number in range(4):
        book.append("tick", {"n": number, "text": "line\u2028break\nand\ttab"})
    book.close()
    whole = book.path.read_bytes()
    third = whole.index(b"\n", whole.index(b"\n", whole.index(b"\n") + 1) + 1) + 1
    for end in range(third, len(whole)):
        book.path.write_bytes(whole[:end])
        reading = ledger.read(book.path)
        assert [event.seq for event in reading.events] == [1, 2, 3]
        assert len(reading.notices) == (end > third)


def test_f6_a_writer_after_a_torn_tail_starts_a_fresh_line(tmp_path: Path) -> None:
    book = _ledger(tmp_path)
    book.append("one", {})
    book.close()
    with book.path.open("ab") as file:
        file.write(b'{"seq":2,"run":"run-1","disp')
    again = _ledger(tmp_path)
    again.append("two", {})
    again.close()
    reading = ledger.read(book.path)
    assert [event.kind for event in reading.events] == ["one", "two"]
    assert len(reading.notices) == 1


def test_f6_nulls_glued_lines_and_gaps_are_told_and_hide_nothing_else(tmp_path: Path) -> None:
    book = _ledger(tmp_path)
    for number in range(3):
        book.append("tick", {"n": number})
    book.close()
    first, second, third = book.path.read_bytes().splitlines(keepends=True)
    book.path.write_bytes(first + b"\0\0\0\n" + second.rstrip(b"\n") + third + third)
    reading = ledger.read(book.path)
    assert [event.seq for event in reading.events] == [1, 3]
    assert any("event 3 follows 1" in notice for notice in reading.notices)


def test_an_event_is_never_longer_than_its_row_of_the_table(tmp_path: Path) -> None:
    book = _ledger(tmp_path)
    most = Limits()["event_bytes"].number
    for data in (
        {"text": "x" * 1_000_000},
        {"rows": [["cell"] * 50 for _ in range(5_000)]},
        {f"key{n}": "é" * 50 for n in range(3_000)},
        {"deep": {"a": {"b": {"c": "y" * 100_000}}}},
        {f"\u043a\u043b\u044e\u0447{n}" * 30: ["я" * 50] * 90 for n in range(90)},
        {
            "tool": "list_files",
            "arguments": {a: {b: ["z" * 20] * 9 for b in "bcdefghi"} for a in "abcdefghi"},
        },
    ):
        event = book.append("big", data)
        assert len(event.line()) <= most
        assert event.data["event_cut"] is True
    book.close()
    kept = [event for event in ledger.read(book.path).events if event.kind == "big"]
    assert len(kept) == 6
    assert kept[-1].data["tool"] == "list_files"


def test_f4_a_failed_write_leaves_the_file_as_it_was_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = _ledger(tmp_path)
    book.append("one", {})
    before = book.path.read_bytes()
    real = os.write

    def short(descriptor: int, data: bytes) -> int:
        real(descriptor, bytes(data)[:7])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", short)
    with pytest.raises(Fault, match="No space left on device; free some space"):
        book.append("two", {})
    monkeypatch.undo()
    assert book.path.read_bytes() == before
    assert book.append("two", {}).seq == 2


def test_f8_order_is_by_sequence_even_when_the_clock_goes_back(tmp_path: Path) -> None:
    now = [datetime(2026, 11, 30, 12, tzinfo=UTC)]
    book = Ledger(tmp_path / "events.jsonl", "r", Limits(), lambda: now[0])
    book.append("one", {})
    now[0] -= timedelta(hours=1)
    book.append("two", {})
    book.close()
    events = ledger.read(book.path).events
    assert [event.kind for event in events] == ["one", "two"]
    assert events[1].time < events[0].time


def test_listeners_hear_of_an_event_after_it_is_on_disk(tmp_path: Path) -> None:
    book = _ledger(tmp_path)
    seen: list[int] = []
    book.listen(lambda event: seen.append(len(ledger.read(book.path).events) - event.seq))
    book.append("one", {})
    book.append("two", {})
    assert seen == [0, 0]


def test_the_file_is_private_to_its_owner(tmp_path: Path) -> None:
    book = _ledger(tmp_path)
    book.append("one", {})
    assert book.path.stat().st_mode & 0o077 == 0


def test_a_line_is_plain_ascii_so_that_no_reader_splits_it(tmp_path: Path) -> None:
    book = _ledger(tmp_path)
    event = book.append("one", {"text": "a\u2028b\u0085c\rd"})
    assert event.line().count(b"\n") == 1
    assert len(event.line().decode("ascii").splitlines()) == 1
    assert json.loads(event.line())["data"]["text"] == "a\u2028b\u0085c\rd"
