"""Encodings are told by the bytes, and the text comes out as it was written."""

from __future__ import annotations

import codecs

import pytest
from filebench import FileBench

from workbench.formats.encoding import decide, guess

TEXT = "Probe;Größe;µg\nS1;12°;é\nS2;13°;ü\n"


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8-sig"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.encode("utf-16-le"), "utf-16"),
        (TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.encode("cp1252"), "cp1252"),
    ],
)
def test_the_same_table_comes_out_of_every_encoding(
    bench: FileBench, content: bytes, name: str
) -> None:
    raw = bench.raw(content)
    assert raw.layout["encoding"] == name
    assert raw.names == ["Probe", "Größe", "µg"]
    assert raw.rows == [("S1", "12°", "é"), ("S2", "13°", "ü")]


def test_a_bad_byte_far_behind_the_start_makes_the_file_cp1252(bench: FileBench) -> None:
    content = b"a,b\n" + b"1,2\n" * 30_000 + "3,é\n".encode("cp1252")
    raw = bench.raw(content)
    assert raw.layout["encoding"] == "cp1252"
    assert raw.rows[-1] == ("3", "é")


def test_a_sign_cut_at_the_edge_of_a_block_does_no_harm(bench: FileBench) -> None:
    path = bench.write("t.csv", "x" * (4 * 1024 * 1024 - 1) + "é")
    with bench.opened(path) as file:
        first = guess(b"x")
        assert first is not None
        assert decide(file, first).name == "utf-8"


def test_bytes_full_of_control_signs_are_no_text() -> None:
    assert guess(bytes(range(32)) * 10) is None


def test_bytes_without_a_meaning_in_cp1252_are_shown_and_break_nothing(bench: FileBench) -> None:
    raw = bench.raw(b"a,b\n1,\x81\xe9\n2,x\n")
    assert raw.rows == [("1", "?é"), ("2", "x")]
