"""Files of kinds that are not read are refused by name with what to do, and soon."""

from __future__ import annotations

import io
import sqlite3
import struct
import zipfile

import pytest
from filebench import FileBench

from workbench.errors import LimitReached, Refused
from workbench.tables import snapshot


def packed(*names: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            archive.writestr(name, "<x/>")
    return target.getvalue()


KINDS: dict[str, tuple[bytes, str]] = {
    "a.shp": (b"\0\0\x27\x0a" + b"\0" * 96, "shapefiles"),
    "a.dbf": (b"\x03\x7a\x01\x01" + struct.pack("<IHH", 3, 65, 20) + b"\0" * 80, "dBASE tables"),
    "a.pdf": (b"%PDF-1.4\n" + b"1 2 3\n" * 100, "PDF documents"),
    "a.docx": (packed("[Content_Types].xml", "word/document.xml"), "word documents"),
    "a.pptx": (packed("[Content_Types].xml", "ppt/presentation.xml"), "presentations"),
    "a.kmz": (packed("doc.kml"), "Google Earth files"),
    "a.sgy": (b"C 1 CLIENT".ljust(80) * 40 + bytes(range(256)), "SEG-Y"),
    "a.dlis": (b"   1V1.00RECORD".ljust(80) + bytes(range(256)), "DLIS"),
    "a.asc": (b"ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 5 6\n", "grids of cells"),
    "a.npy": (b"\x93NUMPY\x01\0" + b"\0" * 90, "arrays and objects"),
    "a.pkl": (b"\x80\x04\x95" + b"\0" * 90, "arrays and objects"),
    "a.rtf": (rb"{\rtf1\ansi 1,2,3\par 2,3,4\par}", "RTF documents"),
    "a.xls": (b"<html><body><table><tr><td>1</td></tr></table></body></html>", "HTML pages"),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_that_is_not_read_is_refused_by_name_with_what_to_do(
    bench: FileBench, name: str
) -> None:
    content, kind = KINDS[name]
    with pytest.raises(Refused, match=kind) as refusal:
        bench.tables(bench.write(name, content))
    assert "; " in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["a.sqlite", "a.gpkg"])
def test_a_database_is_refused_by_name(bench: FileBench, name: str) -> None:
    with sqlite3.connect(bench.data / name) as made:
        made.execute("CREATE TABLE t (a)")
    with pytest.raises(Refused, match="databases and GeoPackages"):
        bench.tables(bench.data / name)


def test_an_archive_of_tables_may_hold_any_names(bench: FileBench) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("word/a.csv", "id,Au\n1,2\n3,4\n")
        archive.writestr("doc.kml", "<kml/>")
    assert bench.tables(bench.write("a.zip", target.getvalue())).table().rows == 2


@pytest.mark.parametrize(
    ("name", "start", "error"),
    [
        ("a.csv", b"id,Au\n1,2\n", Refused),
        ("a.bin", b"", Refused),
        ("a.xlsx", b"PK\x03\x04", LimitReached),
    ],
)
def test_a_huge_file_is_refused_before_its_bytes_are_gone_through(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch, name: str, start: bytes,
    error: type[Exception],
) -> None:  # fmt: skip
    path = bench.write(name, start)
    with path.open("r+b") as file:
        file.truncate(10 * 2**30)

    def gone_through(*_: object) -> str:
        pytest.fail("its bytes were gone through")

    monkeypatch.setattr(snapshot, "content_hash", gone_through)
    with pytest.raises(error):
        bench.tables(path)
