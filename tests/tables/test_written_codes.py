"""A text kept as codes gives the same snapshot and the same description as one that is not."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from filebench import FileBench

from workbench.errors import Refused
from workbench.formats import coded, delimited_rows
from workbench.tables import written, written_codes
from workbench.tables.opened import Opened

Both = Callable[[str], tuple[Opened, Opened]]
LITH = ("Basalt", "Dacite", "Schist")


def row(n: int) -> str:
    gold = "<0.5" if n % 7 == 0 else "LNR" if n % 31 == 0 else f"{n % 97 / 10:g}"
    return (
        f"MR-{n:06d},{350000 + n % 1000}.25,{6610000 + n % 500},{n % 40 / 10},{LITH[n % 3]},{gold},"
        f"{'' if n % 11 == 0 else n % 53},{-0.2 if n % 9 == 0 else n % 13 + 1},"
        f"{'<' if n % 5 == 0 else ''},{n % 5 + 1},2024-{1 + n % 12:02d}-{1 + n % 28:02d},"
        f"{'true' if n % 2 else 'false'},{-9999 if n % 17 == 0 else n % 300 / 100}"
    )


HEADER = (
    "SampleID,Easting,Northing,Depth_m,Lithology,Au_ppm,Cu_ppm,As_ppm,Zn_q,Zn_ppm,Date,Checked,"
    "Pb_ppm"
)


def text(rows: int, odd: dict[int, str] | None = None, end: str = "\n") -> str:
    lines = [HEADER, *((odd or {}).get(n, row(n)) for n in range(rows))]
    return end.join(lines) + end


@pytest.fixture
def both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Both:
    """Open a text in both ways, in blocks of a few rows."""

    def run(content: str) -> tuple[Opened, Opened]:
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()
        plain, codes = FileBench(tmp_path / "a"), FileBench(tmp_path / "b")
        first = plain.tables(plain.write("t.csv", content))
        monkeypatch.setattr(delimited_rows, "CODED_BYTES", 1)
        monkeypatch.setattr(coded, "BLOCK_BYTES", 20_000)
        monkeypatch.setattr(coded, "_LOOSE", 50)
        monkeypatch.setattr(coded, "_KEPT_IN_ALL", 400 * len(HEADER.split(",")))
        return first, codes.tables(codes.write("t.csv", content))

    return run


def content(opened: Opened) -> list[tuple[object, ...]]:
    with duckdb.connect() as con:
        return con.execute("FROM read_parquet(?)", [str(opened.table().path)]).fetchall()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_values_flags_limits_and_description_are_the_same(both: Both, end: str) -> None:
    first, second = both(text(2_500, end=end))
    assert json.dumps(first.to_json(), default=str) == json.dumps(second.to_json(), default=str)
    assert content(first) == content(second)


def test_cells_that_do_not_parse_are_listed_by_the_same_lines(both: Both) -> None:
    odd = {n: row(n).replace(f",{LITH[n % 3]},", ",Basalt,what ", 1) for n in (3, 700, 701, 2_400)}
    first, second = both(text(2_500, odd))
    report = second.table().report
    assert report == first.table().report
    assert [cell.line for cell in report.rejected] == [5, 702, 703, 2402]


def test_what_is_not_plain_is_read_as_before(both: Both) -> None:
    odd = {1_800: row(1_800).replace("Basalt", '"Basalt, altered"')}
    first, second = both(text(2_500, odd))
    assert content(first) == content(second)
    assert (
        second.table().rows,
        content(second)[1_800][4],
    ) == (2_500, "Basalt, altered")


def test_a_record_of_another_width_is_counted_as_before(both: Both) -> None:
    first, second = both(text(2_500, {2_000: row(2_000) + ",more"}))
    assert second.table().report.long_rows == first.table().report.long_rows == 1


def test_notes_under_a_table_are_no_rows(both: Both) -> None:
    footer = {2_499: "Total" + "," * HEADER.count(",")}
    first, second = both(text(2_500, footer))
    assert second.table().rows == first.table().rows == 2_499


def test_equal_content_gives_equal_bytes_with_any_threads(both: Both, tmp_path: Path) -> None:
    _, second = both(text(2_500))
    alone = FileBench(tmp_path, FileBench(tmp_path).limits.changed({"child_threads": 1}))
    again = alone.tables(alone.write("t.csv", text(2_500)))
    assert again.table().sha256 == second.table().sha256


@pytest.mark.parametrize("stage", ["load", "profile", "write"])
def test_progress_is_told_and_can_cancel_at_every_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    bench = FileBench(tmp_path)
    monkeypatch.setattr(delimited_rows, "CODED_BYTES", 1)
    monkeypatch.setattr(coded, "BLOCK_BYTES", 20_000)
    monkeypatch.setattr(written, "_GROUP_ROWS", 500)

    def cancel(word: str, share: float) -> None:
        if word == stage and share > 0:
            raise Refused("cancelled")

    with pytest.raises(Refused, match="cancelled"):
        bench.tables(bench.write("t.csv", text(2_500)), progress=cancel)
    assert list(bench.snapshots.iterdir()) == []


def test_where_codes_find_no_room_the_text_is_read_as_before(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.EFBIG, "no room")

    monkeypatch.setattr(coded, "_packed", full)
    first, second = both(text(2_500))
    assert content(first) == content(second)


def test_nothing_of_it_is_left(both: Both, tmp_path: Path) -> None:
    both(text(2_500))
    assert {place.suffix for place in (tmp_path / "b" / "snapshots").iterdir()} == {
        ".json",
        ".parquet",
    }


def test_a_long_text_stands_alone_so_that_none_is_set_aside_for_its_neighbours() -> None:
    long = "y" * 1_000_000
    cells = ["short", None, "other", long, long, "short", *["short", None] * 500]
    column = written_codes._wide_codes(pa.array(cells).dictionary_encode())
    found = written_codes._long_apart(column)
    assert found.to_pylist() == cells
    assert found.type == column.type
    for piece in found.chunks:
        sizes = [len(text) for text in piece.dictionary.to_pylist()]
        assert np.mean(sizes) * len(piece) < 3_000_000
    plain = written_codes._wide_codes(pa.array(["a", None]).dictionary_encode())
    assert written_codes._long_apart(plain) is plain


def test_words_are_kept_as_words_and_not_written_out_cell_by_cell(both: Both) -> None:
    _, second = both(text(2_500))
    file = pq.ParquetFile(second.table().path)
    place = file.schema_arrow.names.index("Lithology")
    groups = [file.metadata.row_group(at).column(place) for at in range(file.num_row_groups)]
    assert len(groups) > 2
    # A page of words and one of codes; where words were written out, pages follow without them.
    assert all(one.total_uncompressed_size < 2 * one.num_values + 100 for one in groups)


def test_few_texts_of_many_blocks_are_put_together_as_they_come() -> None:
    texts = coded.Texts()
    for n in range(100):
        texts.add(pa.table({"cell": ["1", None, str(n % 3)], "n": [2, 1, 1]}))
        assert len(texts.parts or ()) <= 2 * coded._PARTS
    texts.settle()
    counts: dict[str | None, int] = {}
    for part in texts.parts or ():
        for line in part.to_pylist():
            counts[line["cell"]] = counts.get(line["cell"], 0) + line["n"]
    assert counts == {"1": 233, None: 100, "0": 34, "2": 33}
