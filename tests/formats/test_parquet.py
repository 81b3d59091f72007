"""Parquet: every type arrives as the text that gives the value back."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from filebench import FileBench

from workbench.errors import LimitReached, Refused
from workbench.limits import Limits


def test_cells_are_text_and_gaps_stay_gaps(bench: FileBench) -> None:
    table = pa.table(
        {
            "id": [" 007\u00a0", None],
            "Au ppb": [0.1 + 0.2, None],
            "single": pa.array([0.1, 2.0], pa.float32()),
            "day": [dt.date(2024, 1, 5), None],
            "a.b": [[1, 2], None],
        }
    )
    path = bench.data / "t.parquet"
    pq.write_table(table, path)
    raw = bench.raws(path)[0]
    assert raw.names == ["id", "Au ppb", "single", "day", "a.b"]
    assert raw.rows[0] == ("007", "0.30000000000000004", "0.1", "2024-01-05", "[1, 2]")
    assert raw.rows[1] == (None, None, "2.0", None, None)


def test_a_damaged_file_is_refused(bench: FileBench) -> None:
    path = bench.data / "t.parquet"
    pq.write_table(pa.table({"a": [1]}), path)
    path.write_bytes(path.read_bytes()[:40] + b"xxxxPAR1")
    with pytest.raises(Refused, match="damaged Parquet"):
        bench.raws(path)


def test_more_cells_than_may_be_unpacked_are_refused(bench: FileBench) -> None:
    path = bench.data / "t.parquet"
    pq.write_table(pa.table({"a": [1] * 5_000}), path)
    bench.limits = Limits().changed({"inflate_bytes": 1_000})
    with pytest.raises(LimitReached, match="5,000 cells") as caught:
        bench.raws(path)
    assert caught.value.key == "inflate_bytes"
