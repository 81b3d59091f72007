"""The scan of a text agrees with a reader that goes sign by sign, at every block size."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.formats import scan as module
from workbench.formats.scan import Structure, scan

PARTS = [b"a", b"1", b",", b",", b"\n", b"\r", b"\r\n", b'""', b'"x,y"', b'"x\ny"']


def by_hand(data: bytes) -> tuple[list[tuple[int, int]], int]:
    """Return line and fields of every record that holds something, and the number of others."""
    records, line, fields, start, inside, place, first = [], 1, 1, 0, False, 0, 1
    while place < len(data):
        sign = data[place]
        if sign == ord('"'):
            inside = not inside
        elif sign in {10, 13}:
            end = place
            place += data[place : place + 2] == b"\r\n"
            line += 1
            if not inside:
                records.append((first, fields, end - start))
                start, fields, first = place + 1, 1, line
        elif sign == ord(",") and not inside:
            fields += 1
        place += 1
    if start < len(data):
        records.append((first, fields, len(data) - start))
    kept = [(at, size) for at, size, length in records if length not in {0, size - 1}]
    return kept, len(records) - len(kept)


def structure(data: bytes, block: int = 4 * 1024 * 1024) -> Structure:
    before, module._BLOCK = module._BLOCK, block
    try:
        return scan(io.BytesIO(data), ",", 3)
    finally:
        module._BLOCK = before


@pytest.mark.parametrize("block", [1, 2, 3, 7, 1000])
@given(parts=st.lists(st.sampled_from(PARTS), max_size=30))
def test_records_lines_and_widths_are_those_of_a_sign_by_sign_reader(
    block: int, parts: list[bytes]
) -> None:
    data = b"".join(parts)
    records, blank = by_hand(data)
    found = structure(data, block)
    assert found.records == len(records)
    assert found.blank == blank
    assert [found.lines.line(row) for row in range(found.records)] == [at for at, _ in records]
    assert sum(size * times for size, times in found.widths.items()) == sum(s for _, s in records)


def test_ragged_records_are_listed_by_line() -> None:
    found = structure(b"1,2,3\n4,5\n\n6,7,8,9\n")
    assert (found.short, found.long, found.ragged) == (1, 1, [(2, 2), (4, 4)])


@pytest.mark.parametrize("data", [b'a,5" pipe,c\n', b'a,"b"x,c\n', b'a, "b",c\n'])
def test_a_quote_inside_a_cell_is_noticed(data: bytes) -> None:
    assert not structure(data).regular


def test_a_quote_that_is_never_closed_is_noticed() -> None:
    assert structure(b'1,2,3\n"4,5,6\n7,8,9\n').open_quote


def test_a_quote_that_runs_on_is_given_up_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_RECORD_BYTES", 1_000)
    monkeypatch.setattr(module, "_BLOCK", 400)
    data = io.BytesIO(b'1,2,3\n"4,5,6\n' + b"7,8,9\n" * 10_000)
    assert scan(data, ",", 3).open_quote
    assert data.tell() < 3_000


@pytest.mark.parametrize(
    ("data", "end"),
    [(b"a\nb\n", "lf"), (b"a\r\nb\r\n", "crlf"), (b"a\rb\r", "cr"), (b"a\nb\r\n", "mixed")],
)
def test_line_ends_are_named(data: bytes, end: str) -> None:
    assert structure(data).line_end == end
