"""A file's format is told by its content, then by its name; what is not read is refused by name."""

from __future__ import annotations

import bz2
import os
from pathlib import Path

import pytest
from filebench import FileBench

from workbench.errors import Refused
from workbench.formats.registry import find, formats

KINDS: dict[str, tuple[bytes | str, str]] = {
    "scan.las": (b"LASF\0\0\1\2" + bytes(100), "LAS point clouds are not read"),
    "records.dat": ("X 11701 01-99-111\nX 11702 55-11-11\n", "fixed-width .dat files are not read"),
    "map.json": ('{"type": "Topology", "objects": {}}', "TopoJSON files are not read"),
    "page.html": ("<!DOCTYPE html><html></html>", "HTML pages are not read"),
    "table.xls": ("<html><table><tr><td>1</td></tr></table>", "HTML pages are not read"),
    "paper.pdf": (b"%PDF-1.7\n\x00\x01", "PDF documents are not read"),
    "photo.csv": (b"\x89PNG\r\n\x1a\n" + bytes(100), "pictures are not read"),
    "packed.csv": (bz2.compress(b"a,b\n1,2\n"), "packed files are not read yet; unpack them"),
    "db.csv": (b"SQLite format 3\0" + bytes(100), "databases and GeoPackages are not read"),
    "run.log": ("started\nstopped\n", "log files without a table are not read"),
    "model.kml": ("<?xml version='1.0'?><kml/>", "XML files are not read"),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_that_is_not_read_is_refused_by_its_name(bench: FileBench, name: str) -> None:
    content, words = KINDS[name]
    with pytest.raises(Refused) as caught:
        bench.raw(content, name)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"'{name}'")


@pytest.mark.parametrize("name", ["t.xlsx", "t.parquet", "t.dat", "t.md", "t", "t.log"])
def test_a_table_is_read_whatever_it_is_called(bench: FileBench, name: str) -> None:
    raw = bench.raw("id,Au_ppb\nS1,3\nS2,4\nS3,5\n", name)
    assert raw.rows[0] == ("S1", "3")


def test_a_folder_and_a_pipe_are_refused(bench: FileBench) -> None:
    (bench.data / "f.csv").mkdir()
    os.mkfifo(bench.data / "p.csv")
    for name, word in (("f.csv", "folder"), ("p.csv", "named pipe")):
        with pytest.raises(Refused, match=word):
            bench.raws(bench.data / name)


def test_every_format_says_what_it_is() -> None:
    for item in formats():
        assert item.name
        assert all(word == word.casefold().lstrip(".") for word in item.extensions)


def test_no_extension_belongs_to_two_formats() -> None:
    words = [word for item in formats() for word in item.extensions]
    assert len(words) == len(set(words))


def test_the_public_files_are_told_apart(bench: FileBench, real_data: Path) -> None:
    wanted = {".csv": "delimited text", ".tsv": "delimited text", ".xlsx": "workbook"}
    wanted |= {".las": "LAS log"}
    seen = 0
    for path in sorted(real_data.rglob("*.*")):
        name = wanted.get(path.suffix.casefold())
        if name is not None:
            with bench.opened(path) as file:
                assert find(file).name == name, path.name
            seen += 1
    assert seen > 20
