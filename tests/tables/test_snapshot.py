"""A snapshot is made once, found by content, pinned by its hash, and never half there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from filebench import FileBench

from workbench.errors import Failed, Refused
from workbench.tables import store
from workbench.tables.table import Table

CSV = "SampleID,Au_ppb,Lith\nS1,3,BIF\nS2,<1,BIF\nS3,LNR,Basalt\nS4,>100,\n" + "".join(
    f"T{i},{i}.5,Basalt\n" for i in range(20)
)


def test_a_second_opening_reads_nothing_anew(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = bench.write("t.csv", CSV)
    first = bench.tables(path)

    def never(*_: object) -> None:
        raise AssertionError("it was read again")

    monkeypatch.setattr("workbench.tables.snapshot._build", never)
    assert bench.tables(path) == first
    assert bench.tables(path, pinned=first.sha256) == first


def test_equal_content_gives_equal_bytes_under_another_name(bench: FileBench) -> None:
    first = bench.tables(bench.write("a.csv", CSV))
    second = bench.tables(bench.write("b.csv", CSV))
    assert first.sha256 == second.sha256
    assert [table.name for table in (*first.tables, *second.tables)] == ["a", "b"]
    assert second.source.path == "b.csv"
    for file in bench.snapshots.iterdir():
        file.unlink()
    assert bench.tables(bench.write("c.csv", CSV)).sha256 == first.sha256


def test_a12_a_changed_file_fails_where_it_was_pinned(bench: FileBench) -> None:
    path = bench.write("t.csv", CSV)
    first = bench.tables(path)
    bench.write("t.csv", CSV.replace("S1,3", "S1,4"))
    with pytest.raises(Failed, match="changed since this run opened it"):
        bench.tables(path, pinned=first.sha256)


@pytest.mark.parametrize("suffix", [".parquet", ".json"])
def test_a_damaged_snapshot_is_made_anew(bench: FileBench, suffix: str) -> None:
    path = bench.write("t.csv", CSV)
    first = bench.tables(path)
    part = next(file for file in first.files if file.suffix == suffix)
    part.write_bytes(part.read_bytes()[:-3] + b"xxx")
    again = bench.tables(path, pinned=first.sha256)
    assert again == first
    assert pq.read_table(again.table().path).num_rows == 24


def test_a_missing_part_is_made_anew(bench: FileBench) -> None:
    path = bench.write("t.csv", CSV)
    first = bench.tables(path)
    first.table().path.unlink()
    assert bench.tables(path) == first


def test_nothing_else_is_left_in_the_folder(bench: FileBench) -> None:
    opened = bench.tables(bench.write("t.csv", CSV))
    assert set(bench.snapshots.iterdir()) == set(opened.files)


def test_a_reading_that_fails_leaves_nothing(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("workbench.tables.snapshot.publish", broken)
    with pytest.raises(OSError, match="No space"):
        bench.tables(bench.write("t.csv", CSV))
    assert list(bench.snapshots.iterdir()) == []


def test_a_file_that_changes_while_it_is_read_is_refused(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = bench.write("t.csv", CSV)

    def told(stage: str, _: float) -> None:
        if stage == "write":
            path.write_text(CSV + "X,1,BIF\n")

    with pytest.raises(Refused, match="changed while it was read"):
        bench.tables(path, progress=told)
    assert list(bench.snapshots.iterdir()) == []


def test_another_reader_makes_another_snapshot(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = bench.write("t.csv", CSV)
    first = bench.tables(path)
    monkeypatch.setattr(store, "reader_version", lambda: "another")
    assert bench.tables(path).key != first.key


def test_children_that_build_at_once_agree(bench: FileBench) -> None:
    path = bench.write("t.csv", CSV * 1 + "".join(f"U{i},{i},BIF\n" for i in range(20_000)))
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[3]);"
        "from filebench import FileBench;"
        "opened = FileBench(Path(sys.argv[1])).tables(Path(sys.argv[2]));"
        "print(opened.sha256, opened.table().rows)"
    )
    tests = str(Path(__file__).resolve().parents[1])
    command = [sys.executable, "-c", code, str(bench.folder), str(path), tests]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    answers = {child.communicate(timeout=100)[0] for child in children}
    assert all(child.returncode == 0 for child in children)
    assert len(answers) == 1
    opened = bench.tables(path)
    assert answers == {f"{opened.sha256} {opened.table().rows}\n"}
    assert set(bench.snapshots.iterdir()) == set(opened.files)


def test_the_snapshot_holds_plain_numbers_flags_and_limits(bench: FileBench) -> None:
    table = bench.table(CSV)
    rows = pq.read_table(table.path).slice(0, 4).to_pylist()
    assert [(row["Au_ppb"], row["Au_ppb__flag"], row["Au_ppb__limit"]) for row in rows] == [
        (3.0, None, None),
        (None, "<", 1.0),
        (None, "LNR", None),
        (None, ">", 100.0),
    ]
    assert rows[3]["Lith"] is None


def test_row_groups_hold_ten_million_cells_or_122880_rows(bench: FileBench) -> None:
    content = "a,b\n" + "".join(f"{i},{i}\n" for i in range(130_000))
    table = bench.table(content)
    parquet = pq.ParquetFile(table.path)
    assert [parquet.metadata.row_group(i).num_rows for i in range(2)] == [122_880, 7_120]


def test_describe_has_the_shape_of_the_contract(bench: FileBench) -> None:
    opened = bench.tables(bench.write("t.csv", CSV))
    told = json.loads(json.dumps(opened.to_json()))
    assert list(told) == ["source", "tables", "notes"]
    assert list(told["source"]) == [
        "path", "sha256", "format", "encoding", "delimiter", "decimal", "line_end", "header_rows",
        "skipped_lines",
    ]  # fmt: skip
    assert list(told["tables"][0]) == ["name", "sheet", "rows", "columns", "notes"]
    assert told["tables"][0]["columns"][1] == {
        "name": "Au_ppb", "header": "Au_ppb", "role": "element", "kind": "number", "unit": "ppb",
        "element": "Au", "method": None, "count": 21, "below": 1, "above": 1,
        "missing": {"LNR": 1}, "rejected": 0, "limits": [1.0, 100.0], "median": 9.5, "min": 0.5,
        "max": 19.5,
    }  # fmt: skip


def adds_up(table: Table) -> bool:
    return all(
        one.count + one.below + one.above + one.rejected + sum(one.missing.values()) == table.rows
        for one in table.columns
    )


def test_the_cells_of_every_column_add_up_to_the_rows(bench: FileBench, real_data: Path) -> None:
    assert adds_up(bench.table(CSV))
    for name in ("gswa-rockchip-au/area4_rockchip_au.csv", "kola-moss/kola_moss_eu.csv"):
        assert adds_up(bench.tables(real_data / name).table())


def test_everything_works_from_a_descriptor_of_a_file_that_lost_its_name(bench: FileBench) -> None:
    path = bench.write("t.csv", CSV)
    with bench.opened(path) as file:
        if not str(file.path).startswith("/proc"):
            pytest.skip("this system has no paths of open files")
        path.unlink()
        from workbench.tables.snapshot import open_tables

        assert open_tables(file, bench.snapshots, bench.limits).table().rows == 24
