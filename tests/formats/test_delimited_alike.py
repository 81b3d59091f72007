"""Texts of one layout are read in short only where that gives what a look at each alone gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from filebench import FileBench

from workbench.formats.delimited import DelimitedText
from workbench.formats.format import RawTable
from workbench.formats.reading import Reading

FIRST = "Batch 7,,\nSampleID,Au_ppm,Lithology\nA1,0.5,Basalt\nA2,<0.01,Dacite\nA3,1.25,Basalt\n"


@pytest.fixture
def bench(tmp_path: Path) -> FileBench:
    return FileBench(tmp_path)


def cells(reading: Reading, raw: RawTable) -> list[tuple[object, ...]]:
    part = reading.part(raw.relation, range(len(raw.headers)))
    return reading.con.execute(f"SELECT * FROM {part}").fetchall()  # noqa: S608 - our own name


def told(raw: RawTable) -> tuple[object, ...]:
    lines = [raw.lines.line(row) for row in range(raw.rows)]
    return (raw.headers, raw.rows, raw.layout, raw.notes, raw.preamble, lines, raw.short_rows)


def both(bench: FileBench, other: str | bytes, first: str = FIRST) -> bool:
    """Read a text after another; tell whether it was read in short, and that all is the same."""
    paths = bench.write("first.csv", first), bench.write("other.csv", other)
    text = DelimitedText()
    with (
        Reading(bench.snapshots, bench.limits) as reading,
        bench.opened(paths[0]) as start,
        bench.opened(paths[1]) as file,
    ):
        text.read(start, reading)
        found = text.read_alike(file, reading)
        if found is None:
            return False
        (short,), (whole,) = found, text.read(file, reading)
        assert cells(reading, short) == cells(reading, whole)
        assert told(short) == told(whole)
        return True


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "end"])
def test_a_text_of_the_same_layout_is_read_in_short(bench: FileBench, end: str, last: str) -> None:
    other = "\n".join([*FIRST.splitlines()[:2], "B1,2.5,Schist", "B2,,Gneiss", "B3,<0.02,Schist"])
    text, first = (one.replace("\n", end) for one in (other + ("\n" if last else ""), FIRST))
    assert both(bench, text, first)


def test_a_footer_is_left_out_of_it_as_well(bench: FileBench) -> None:
    rows = "".join(f"B{n},{n}.5,Schist\n" for n in range(40))
    head = "".join(FIRST.splitlines(keepends=True)[:2])
    assert both(bench, f"{head}{rows}Total,820.0,\n")


@pytest.mark.parametrize(
    "other",
    [
        FIRST.replace("Batch 7", "Batch 8"),
        FIRST.replace("Au_ppm", "Au_ppb"),
        FIRST.replace("A1,0.5,Basalt", "Units,ppm,name"),
        FIRST.replace("Dacite", '"Dacite, fine"'),
        FIRST.replace("A2,<0.01,Dacite", "A2,<0.01"),
        FIRST.replace("A3,1.25,Basalt", "A3,1.25,Basalt,4"),
        FIRST.replace("A2,", "A2 ,"),
        FIRST + "\n",
        FIRST.replace("Dacite\n", "Dacite\r\n"),
        FIRST.replace("Dacite", "Grès").encode("cp1252"),
        "".join(FIRST.splitlines(keepends=True)[:2]),
        "",
    ],
)
def test_any_other_text_is_looked_at_like_the_first(bench: FileBench, other: str | bytes) -> None:
    assert not both(bench, other)


def test_without_a_header_nothing_is_taken_for_granted(bench: FileBench) -> None:
    assert not both(bench, "B1,2.5,Schist\nB2,3.5,Gneiss\n", "A1,0.5,Basalt\nA2,0.7,Dacite\n")


def test_commas_in_the_cells_are_looked_at(bench: FileBench) -> None:
    first = "SampleID;Au_ppm\nA1;0.5\nA2;0.7\nA3;0.9\n"
    assert both(bench, first.replace("0.7", "1.7"), first)
    assert not both(bench, first.replace("0.7", "1,7"), first)


def test_a_text_in_another_extension_is_another(bench: FileBench) -> None:
    paths = bench.write("first.csv", FIRST), bench.write("other.txt", FIRST)
    with (
        Reading(bench.snapshots, bench.limits) as reading,
        bench.opened(paths[0]) as start,
        bench.opened(paths[1]) as file,
    ):
        DelimitedText().read(start, reading)
        assert DelimitedText().read_alike(file, reading) is None
