"""What the read guard asks: how many lines, which first ones, and is it data."""

from __future__ import annotations

import io
import time
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from filebench import FileBench
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import Refused
from workbench.formats import counting
from workbench.formats.counting import count_lines
from workbench.formats.encoding import Encoding
from workbench.formats.lines import head_lines, is_data_file

UTF8 = Encoding("utf-8", "utf-8")
MOST = 1_000_000


def by_hand(data: bytes) -> int:
    """Count sign by sign."""
    lines, place = 0, 0
    while place < len(data):
        if data[place : place + 2] == b"\r\n":
            place += 1
        lines += data[place] in {10, 13}
        place += 1
    return lines + bool(data and data[-1] not in {10, 13})


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b",1"]), max_size=40))
def test_every_mix_of_line_ends_is_counted_as_by_hand(parts: list[bytes]) -> None:
    data = b"".join(parts)
    for size in (1, 2, 3, 1024):
        before, counting._BLOCK = counting._BLOCK, size
        try:
            assert count_lines(io.BytesIO(data), UTF8, MOST)[:2] == (by_hand(data), True)
        finally:
            counting._BLOCK = before


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_wide_text_is_counted_by_signs_not_bytes(codec: str) -> None:
    # U+010A and U+0A0D hold the bytes of line ends and end no line.
    data = "Ċ\u0a0d\na\r\nb".encode(codec)
    assert count_lines(io.BytesIO(data), Encoding("utf-16", codec), MOST)[:2] == (3, True)


def test_lines_are_counted_no_further_than_asked() -> None:
    data = b"1,2\n" * 1_000_000
    found, exact, _ = count_lines(io.BytesIO(data), UTF8, MOST)
    assert not exact
    assert MOST // 4 <= found < 1_000_000


def test_the_first_lines_and_their_number_come_back(bench: FileBench) -> None:
    path = bench.write("t.csv", "a,b\r\n" + "1,2\r\n" * 99)
    with bench.opened(path) as file:
        head = head_lines(file, 2)
    assert (head.lines, head.total, head.exact) == (("a,b", "1,2"), 100, True)


@pytest.mark.parametrize(
    ("content", "signs"),
    [
        (b"a,b\n1,2\n", 8),
        (b"\xef\xbb\xbfa,b\n1,2\n", None),
        ("a,µ\n1,2\n".encode(), None),
        (b"a,b\n" * 200_000 + "µ,2\n".encode(), None),
        (b"a,b\n" * 200_000 + "µ,2\n".encode() + b"a,b\n" * 400_000, None),
        (b"a,b\n" * 600_000, 2_400_000),
        ("a,b\n1,2\n".encode("utf-16"), None),
    ],
)
def test_the_signs_of_a_text_are_told_where_each_is_one_byte(
    bench: FileBench, content: bytes, signs: int | None
) -> None:
    with bench.opened(bench.write("t.csv", content)) as file:
        assert head_lines(file, 2).characters == signs


def test_asking_for_no_lines_gives_none_and_still_counts(bench: FileBench) -> None:
    with bench.opened(bench.write("t.txt", "a\nb")) as file:
        assert head_lines(file, 0).lines == ()
        assert head_lines(file, -3).total == 2


def test_rows_of_a_workbook_count_as_lines(bench: FileBench) -> None:
    book = openpyxl.Workbook()
    for row in range(60):
        book.active.append([f"S{row}", row])
    book.create_sheet("more").append(["x"])
    book.save(bench.data / "b.xlsx")
    with bench.opened(bench.data / "b.xlsx") as file:
        head = head_lines(file, 2)
    assert head.total == 61
    assert head.lines == ("S0\t0", "S1\t1")


def test_rows_of_a_parquet_file_count_as_lines(bench: FileBench) -> None:
    pq.write_table(pa.table({"a": list(range(70)), "b": ["x"] * 70}), bench.data / "p.parquet")
    with bench.opened(bench.data / "p.parquet") as file:
        head = head_lines(file, 3)
    assert (head.total, head.names) == (70, "a\tb")
    assert head.lines == ("0\tx", "1\tx", "2\tx")


def test_a_binary_file_without_a_name_is_no_text_of_lines(bench: FileBench) -> None:
    picture = bench.write("x.png", b"\x89PNG\r\n" + bytes(range(256)))
    with bench.opened(picture) as file, pytest.raises(Refused, match="pictures are not read"):
        head_lines(file, 5)


@pytest.mark.slow
def test_counting_a_large_file_takes_little_more_than_reading_it(bench: FileBench) -> None:
    path = bench.write("big.csv", b"MR-0001,352353,6611117,Basalt,3,6.8,109\n" * 2_500_000)
    best, read = 1e9, 1e9
    for _ in range(3):
        with bench.opened(path) as file:
            start = time.perf_counter()
            assert head_lines(file, 5).total == 2_500_000
            best = min(best, time.perf_counter() - start)
        start = time.perf_counter()
        path.read_bytes().count(b"\n")
        read = min(read, time.perf_counter() - start)
    assert best < 3 * read + 0.2


TABLES = {
    "csv named md": ("notes.md", "SampleID,Au_ppb\nS1,3\nS2,4\nS3,<1\n"),
    "tabs": ("x", "a\tb\tc\n1\t2\t3\n4\t5\t6\n"),
    "pipes": ("x.txt", "| id | Au |\n|----|----|\n| S1 | 3 |\n| S2 | 4 |\n| S3 | 5 |\n"),
    "runs of blanks": ("x.txt", "X       Y    Cd\n2.386   3.077   1.74\n2.54   1.97   1.33\n"),
    "single blanks": ("x.txt", "id x y\nA1 1.2 3.4\nA2 1.3 3.5\nA3 1.4 3.6\n"),
    "semicolons": ("x.txt", "ID;X;Y\n1;547960,4;7693790,0\n2;770024,8;7679167,0\n3;1,2;4,5\n"),
    "long comments": (
        "x.txt",
        "hole,from,to,comment\n"
        + "".join(
            f'H{at},{at},{at + 1},"grey to dark grey, fine grained, strongly foliated basalt"\n'
            for at in range(9)
        ),
    ),
    "two columns of words": ("x.txt", "hole,lith\n" + "".join(f"H{i},basalt\n" for i in range(30))),
    "one column of numbers": ("x.txt", "Au\n" + "".join(f"{i}.5\n" for i in range(60))),
    "fixed width": (
        "x.txt",
        "".join(f"{i:06d}{i * 37 % 1000:05d}{i * 91 % 9999:07d}  {i:04d}\n" for i in range(60)),
    ),
    "json records": ("x.txt", '[{"a": 1}, {"a": 2}]'),
}


@pytest.mark.parametrize("case", TABLES)
def test_a_table_is_data_whatever_it_is_called(bench: FileBench, case: str) -> None:
    with bench.opened(bench.write(*TABLES[case])) as file:
        assert is_data_file(file)


def test_a_printed_data_frame_is_data(bench: FileBench) -> None:
    frame = pd.DataFrame({"Au_ppb": [1.0, 2.5, 2610.0], "As_ppm": [1.2, 7.7, 6990.0]})
    for text in (frame.describe().to_string(), frame.to_string()):
        with bench.opened(bench.write("printed.txt", text)) as file:
            assert is_data_file(file)


@pytest.mark.parametrize(
    "name",
    [
        *("a.csv", "a.tsv", "a.json", "a.jsonl", "a.ndjson", "a.xlsx", "a.xls", "a.xlsm"),
        *("a.xlsb", "a.ods", "a.log", "a.dat", "a.las", "a.parquet", "a.geojson", "A.CSV"),
    ],
)
def test_the_extensions_of_the_limits_table_are_data(bench: FileBench, name: str) -> None:
    with bench.opened(bench.write(name, "prose, and nothing else.\n")) as file:
        assert is_data_file(file)


PROSE = {
    "letter": "The samples, taken in May, were dried, sieved and split.\nSome, however, were lost "
    "in transit, and others, sadly, arrived wet.\nThe laboratory, in Perth, reported gold.\n" * 9,
    "log": "".join(
        f"2026-01-0{1 + i % 9} 10:00:0{i % 10},{100 + i} INFO worker-{i % 3}: job {i} started, "
        f"{i * 3} samples, waiting\n"
        for i in range(80)
    ),
    "plain log": "".join(
        f"[{i:04d}] INFO: loaded sample_{i} in {i * 0.1:.2f} s\n" for i in range(80)
    ),
    "bullets": "- one, two\n- three, four\n- five, six\n- seven, eight\n" * 9,
    "settings": "name: x\nversion: 1\nitems:\n  - a\n  - b\nother:\n  key: value\n" * 5,
    "requirements": "numpy>=2.2\npandas>=3.0\nduckdb>=2,<3\n" * 5,
    "C": 9
    * "int main(int argc, char **argv) {\n    int a, b;\n    a = f(1, 2);\n    return a;\n}\n",
    "makefile": ".PHONY: all\nall:\n\tpython -m build\ntest:\n\tpytest -q\n" * 5,
}


@pytest.mark.parametrize("case", PROSE)
def test_prose_code_and_ordinary_logs_are_no_data(bench: FileBench, case: str) -> None:
    with bench.opened(bench.write("notes.txt", PROSE[case])) as file:
        assert not is_data_file(file)


def test_the_sources_and_papers_of_this_checkout_are_no_data(bench: FileBench) -> None:
    checkout = Path(__file__).resolve().parents[2]
    paths = [*checkout.glob("*.md"), *(checkout / "workbench").rglob("*.py")]
    assert len(paths) > 50
    found = []
    for path in paths:
        with bench.opened(path) as file:
            found += [path.name] * is_data_file(file)
    assert found == []
