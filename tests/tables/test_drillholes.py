"""Tables of drillholes are known as such, and their depths and angles are looked at."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from filebench import FileBench


def notes(bench: FileBench, text: str) -> str:
    table = bench.table(text)
    return f"{table.holes} | " + " | ".join(table.notes)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("BHID,FROM,TO,CU,NI,S\na,0,1,1,2,3\na,1,2,2,3,4\n", "assay"),
        ("HoleID,From,To,Lithology\na,0,1,Basalt\na,1,2,Shale\n", "lithology"),
        ("SITE_ID,DEPTH_FROM,DEPTH_TO,LITHOLOGY\na,0,1,B\na,1,2,S\n", "lithology"),
        ("BHID,AT,AZ,DIP\na,0,90,-60\na,30,91,-61\n", "survey"),
        ("HoleID,Easting,Northing,RL\na,500000,7000000,1\nb,500010,7000000,1\n", "collar"),
        ("SampleID,Easting,Northing,Au_ppb\na,500000,7000000,1\nb,500010,7000000,2\n", ""),
    ],
)
def test_the_kind_is_told_by_names_and_content(bench: FileBench, text: str, kind: str) -> None:
    assert bench.table(text).holes == kind


def test_intervals_are_counted_for_what_is_wrong_with_them(bench: FileBench) -> None:
    said = notes(
        bench,
        "BHID,FROM,TO,Au_ppm\na,0,2,1\na,1,3,1\na,5,6,1\na,5,6,1\na,9,8,1\na,9,9,1\n"
        "b,0,1,1\nb,1,2,1\n",
    )
    for part in ("reversed 1", "zero length 1", "repeated 1", "overlaps 1", "gaps 1"):
        assert part in said


def test_depths_that_say_to_the_end_are_noted_and_kept(bench: FileBench) -> None:
    text = "BHID,AT,AZ,DIP\na,0,90,60\na,90000,90,60\nb,0,90,60\nb,90000,90,61\n"
    table = bench.table(text)
    assert table.column("AT").max == 90000
    assert any("90000 in 2 rows stands for 'to the end" in note for note in table.notes)


def test_dips_point_down_by_the_majority(bench: FileBench) -> None:
    said = notes(bench, "BHID,AT,AZ,DIP\na,0,90,-60\na,30,90,-61\nb,0,90,60\nb,30,90,-60\n")
    assert "negative in 3 of 4 rows, so negative is taken to point down; 1 rows have" in said


def test_lone_and_late_stations_are_noted(bench: FileBench) -> None:
    said = notes(bench, "BHID,AT,AZ,DIP\na,0,90,-60\nb,15,90,-61\nb,30,90,-60\n")
    assert "1 holes have one survey station" in said
    assert "1 holes have their first station below 0 (b)" in said


@pytest.mark.parametrize(
    "name", ["babbitt-drillholes/assay_BABBITT.csv", "gswa-drillholes/gswa_sample_geology.csv"]
)
def test_public_intervals_agree_with_their_facts(
    bench: FileBench, real_data: Path, name: str
) -> None:
    path = real_data / name
    facts = json.loads((path.parent / f"{path.name}.facts.json").read_text())["intervals"]
    (told,) = bench.tables(path).tables
    said = " | ".join(told.notes)
    for ours, theirs in (("gaps", "gaps"), ("overlaps", "overlaps"), ("repeated", "exact_repeats")):
        assert (f"{ours} {facts[theirs]:,}" in said) == bool(facts[theirs])
    assert f"table of {facts['holes']:,} holes" in said
