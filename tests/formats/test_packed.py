"""Tables in ZIP and GZIP files: read as if they lay beside, under limits, by no name inside."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from filebench import FileBench
from lasbench import las

from workbench.errors import LimitReached, Refused
from workbench.formats.lines import head_lines, is_data_file
from workbench.limits import Limits

CSV = "Sample,Au_ppb\nS1,1\nS2,<1\nS3,7\n"
LAS = las(("DEPT.M", "GR.GAPI"), "1 2\n2 3\n")


def zipped(parts: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return target.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.zip", zipped({"soils.csv": CSV})),
        ("a.zip", zipped({"soils.csv": CSV}, zipfile.ZIP_STORED)),
        ("a.csv.gz", gzip.compress(CSV.encode())),
        ("a.bin", gzip.compress(CSV.encode())),
        ("a.gz", gzip.compress(CSV.encode()[:20]) + gzip.compress(CSV.encode()[20:])),
    ],
    ids=["zip", "stored", "gz", "by content", "gz of two members"],
)
def test_one_table_is_read_as_if_it_lay_beside(bench: FileBench, name: str, content: bytes) -> None:
    plain, packed = bench.table(CSV), bench.table(content, name)
    assert packed.columns == plain.columns
    assert packed.rows == 3


def test_several_tables_are_told_apart_and_what_is_not_read_is_named(bench: FileBench) -> None:
    content = zipped(
        {
            "2024/soils.csv": CSV,
            "2023/soils.csv": CSV + "S4,9\n",
            "logs/MRD001.las": LAS,
            "points.json": '[{"a": 1}, {"a": 2}]',
            "readme.txt": "Please read this first.\n",
            "lab.xlsx": zipped({"xl/workbook.xml": "<x/>"}),
            "picture.png": b"\x89PNG\x00\x01\x02\x03" * 40,
            "__MACOSX/._soils.csv": b"\0\5\x16\7" * 40,
            ".DS_Store": b"\0\0\0\1Bud1" * 40,
        }
    )
    found = bench.tables(bench.write("all.zip", content))
    assert [(one.sheet, one.rows) for one in found.tables] == [
        ("2024/soils.csv", 3),
        ("2023/soils.csv", 4),
        ("MRD001.las", 2),
        ("points.json", 2),
    ]
    (note,) = found.notes
    for part, why in (
        ("readme.txt", "no table"),
        ("lab.xlsx", "workbook"),
        ("picture.png", "binary"),
    ):
        assert f"'{part}' ({why}" in note.replace("an archive or a workbook", "workbook")
    assert "MACOSX" not in note
    # What was noted of one log stays with its table.
    assert any("LAS 2.0" in one for one in found.tables[2].notes)


def test_texts_of_other_encodings_do_not_get_into_each_others_way(bench: FileBench) -> None:
    parts = {
        f"{codec}.csv": f"Name,n\n{word},1\n{word},2\n".encode(codec)
        for codec, word in (("cp1252", "Görlitz"), ("utf-16", "Łódź"))
    }
    found = bench.tables(bench.write("a.zip", zipped(parts)))
    rows = [one.columns[0].count for one in found.tables]
    assert rows == [2, 2]
    assert [one.rows for one in bench.raws(bench.data / "a.zip")] == [
        [("Görlitz", "1"), ("Görlitz", "2")],
        [("Łódź", "1"), ("Łódź", "2")],
    ]


@pytest.mark.parametrize(
    "name", ["../../etc/passwd.csv", "/etc/shadow.csv", "C:\\x\\a.csv", "a\n\u202eb.csv"]
)
def test_names_inside_are_words_and_never_paths(bench: FileBench, name: str) -> None:
    before = set(bench.folder.rglob("*"))
    found = bench.tables(bench.write("a.zip", zipped({name: CSV})))
    assert found.table().rows == 3
    assert "\n" not in found.notes[0]
    assert "\u202e" not in found.notes[0]
    made = {path for path in bench.folder.rglob("*") if path.is_file()} - before
    assert {path.parent.name for path in made} == {"data", "snapshots"}
    assert {path.suffix for path in made} == {".zip", ".json", ".parquet"}


def test_names_that_are_alike_are_numbered(bench: FileBench) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a.csv", CSV)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.csv", CSV + "S4,9\n")
    found = bench.tables(bench.write("a.zip", target.getvalue()))
    assert [(one.sheet, one.rows) for one in found.tables] == [("a.csv", 3), ("a.csv 2", 4)]


ROWS = "\n".join(f"{at},{at}" for at in range(100_000))


@pytest.mark.parametrize("name", ["a.zip", "a.csv.gz"])
@pytest.mark.parametrize(
    ("content", "limits", "key"),
    [
        ("a,b\n" + "1,1\n" * 3_000_000, {}, "inflate_ratio"),
        ("a,b\n" + ROWS, {"inflate_bytes": 500_000}, "inflate_bytes"),
        ("a,b\n" + ROWS, {"load_bytes": 600_000}, "load_bytes"),
    ],
)
def test_what_grows_too_large_is_refused_with_the_way_to_raise_it(
    tmp_path: Path, name: str, content: str, limits: dict[str, int], key: str
) -> None:
    bench = FileBench(tmp_path, Limits().changed(limits))
    packed = zipped({"a.csv": content}) if name == "a.zip" else gzip.compress(content.encode())
    with pytest.raises(LimitReached, match=f"-l {key}=") as refusal:
        bench.table(packed, name)
    assert refusal.value.key == key


def test_a_part_that_is_larger_than_declared_is_not_believed(bench: FileBench) -> None:
    content = bytearray(zipped({"a.csv": "a,b\n" + ROWS}))
    true = len("a,b\n" + ROWS)
    lie = bytes(content).replace(struct.pack("<I", true), struct.pack("<I", 100))
    with pytest.raises(Refused, match=r"larger than the file declares|damaged packed file"):
        bench.table(lie, "a.zip")


def test_a_gzip_size_that_lies_does_not_help_a_bomb(bench: FileBench) -> None:
    bomb = gzip.compress(b"a,b\n" + b"1,1\n" * 3_000_000)
    with pytest.raises(LimitReached, match="inflate_ratio"):
        bench.table(bomb[:-4] + struct.pack("<I", 10), "a.csv.gz")


def test_parts_that_overlap_are_refused(bench: FileBench) -> None:
    content = zipped({"a.csv": "a,b\n" + ROWS})
    start, end = content.index(b"PK\1\2"), content.rindex(b"PK\5\6")
    entry, tail = content[start:end], bytearray(content[end:])
    struct.pack_into("<HHI", tail, 8, 3, 3, 3 * len(entry))
    with pytest.raises(Refused, match="overlap"):
        bench.table(content[:start] + 3 * entry + bytes(tail), "a.zip")


def pointing_outside() -> bytes:
    content = bytearray(zipped({"a.csv": CSV}))
    struct.pack_into("<I", content, content.index(b"PK\1\2") + 42, 2**32 - 2)
    return bytes(content)


def locked() -> bytes:
    content = bytearray(zipped({"a.csv": CSV}))
    content[6] |= 1
    content[content.index(b"PK\1\2") + 8] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (zipped({"a.csv": CSV})[:60], "damaged packed file"),
        (zipped({"a.csv": "a,b\n" + ROWS})[:-30], "damaged packed file"),
        (zipped({}), "no files"),
        (zipped({"readme.txt": "Please read this.\n"}), "no table inside that is read"),
        (zipped({"inner.zip": zipped({"a.csv": CSV})}), "an archive or a workbook in the archive"),
        (zipped({"a.csv": CSV}, zipfile.ZIP_LZMA), "a method that is not opened"),
        (locked(), "locked with a password"),
        (pointing_outside(), "damaged packed file"),
        (zipped({f"{at}.csv": CSV for at in range(201)}), "201 tables inside"),
    ],
    ids=[
        "cut",
        "no directory",
        "empty",
        "no table",
        "nested",
        "method",
        "locked",
        "outside",
        "many",
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(
    bench: FileBench, content: bytes, why: str
) -> None:
    with pytest.raises(Refused, match=why) as refusal:
        bench.table(content, "a.zip")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (gzip.compress(ROWS.encode())[:-2000], "damaged packed file"),
        (b"\x1f\x8b" + b"\x99" * 80, "damaged packed file"),
        (b"\x1f\x8b", "damaged packed file"),
        (gzip.compress(gzip.compress(CSV.encode())), "an archive or a workbook in the archive"),
        (gzip.compress(b"\0" * 257 + b"ustar" + b"\0" * 250), "an archive or a workbook"),
        (gzip.compress(b""), "no table"),
    ],
    ids=["cut", "noise", "two bytes", "nested", "tar", "empty"],
)
def test_a_broken_gzip_file_is_refused_in_one_line(
    tmp_path: Path, content: bytes, why: str
) -> None:
    bench = FileBench(tmp_path, Limits().changed({"inflate_ratio": 100_000}))
    with pytest.raises(Refused, match=why) as refusal:
        bench.table(content, "a.csv.gz")
    assert "\n" not in str(refusal.value)


def test_a_table_that_is_broken_leaves_the_others_readable(bench: FileBench) -> None:
    content = zipped(
        {"good.csv": CSV, "bad.geojson": '{"type": "FeatureCollection", "features": ['}
    )
    found = bench.tables(bench.write("a.zip", content))
    assert [one.rows for one in found.tables] == [3]
    assert any("bad.geojson" in note and "not valid JSON" in note for note in found.notes)


def test_a_document_of_an_office_program_is_no_packed_table(bench: FileBench) -> None:
    content = zipped({"[Content_Types].xml": "<x/>", "word/document.xml": "<x/>"})
    with pytest.raises(Refused, match="word documents"):
        bench.table(content, "report.docx")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.zip", zipped({"a.csv": CSV, "b.csv": CSV})),
        ("a.csv.gz", gzip.compress((CSV * 2).encode())),
    ],
    ids=["zip", "gz"],
)
def test_the_read_guard_sees_lines_and_counts_them_all(
    bench: FileBench, name: str, content: bytes
) -> None:
    with bench.opened(bench.write(name, content)) as file:
        assert is_data_file(file)
        head = head_lines(file, 2)
    assert (head.lines, head.total, head.exact) == (("Sample,Au_ppb", "S1,1"), 8, True)
