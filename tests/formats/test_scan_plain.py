"""The quick look agrees with the thorough one, or says nothing."""

from __future__ import annotations

import io

import numpy as np
import pytest
from filebench import FileBench
from hypothesis import given
from hypothesis import strategies as st

from workbench.formats import scan_plain as module
from workbench.formats.scan import scan
from workbench.formats.scan_plain import scan_plain

ROW = b"S1,1.5,22.75,basalt\n"


def test_it_counts_what_the_thorough_look_counts() -> None:
    for text in (ROW * 100, (ROW * 100).replace(b"\n", b"\r\n"), ROW * 3 + ROW.rstrip()):
        quick, whole = scan_plain(io.BytesIO(text), ",", 4, 7), scan(io.BytesIO(text), ",", 4, 7)
        assert quick is not None
        assert (quick.records, quick.widest, quick.line_end) == (
            whole.records,
            whole.widest,
            whole.line_end,
        )
        assert [quick.lines.line(row) for row in (0, 3)] == [7, 10]


@pytest.mark.parametrize(
    "odd",
    [
        b'S1,"1.5",22.75,basalt\n',
        b"S1,1.5 ,22.75,basalt\n",
        b"S1, 1.5,22.75,basalt\n",
        b"S1,1.5,22.75,basalt \n",
        b"S1,1.5,\t22.75,basalt\n",
        b"S1,1.5,\xc2\xa022.75,basalt\n",
        b"\n",
        b",,,\n",
        b"S1,1.5,22.75\n",
        b"S1,1.5,22.75,basalt,\n",
        b"S1,1.5,22.75,basalt\r\n",
        b"S1,1.5,22.75,ba\rsalt\n",
        b"S1,1.5,22.75,ba\0salt\n",
    ],
)
@pytest.mark.parametrize("before", [0, 1, 40])
def test_anything_odd_is_left_to_the_thorough_look(odd: bytes, before: int) -> None:
    assert scan_plain(io.BytesIO(ROW * before + odd + ROW * 40), ",", 4) is None


@given(st.binary(max_size=80), st.integers(min_value=8, max_value=64))
def test_where_it_speaks_both_looks_agree(tail: bytes, block: int) -> None:
    text = ROW * 2 + tail
    before, module._BLOCK = module._BLOCK, block
    try:
        quick = scan_plain(io.BytesIO(text), ",", 4)
    finally:
        module._BLOCK = before
    if quick is not None:
        whole = scan(io.BytesIO(text), ",", 4)
        assert quick.records == whole.records
        assert quick.line_end == whole.line_end
        assert not whole.blank
        # Records of other widths may hide from it, in pairs; the strict reading finds them.
        assert whole.regular


def test_a_short_and_a_long_record_are_found_though_their_sum_is_right(bench: FileBench) -> None:
    body = "".join(f"S{at},{at},{at * 2}\n" for at in range(2_000))
    table = bench.table("id,Au_ppb,As_ppm\n" + body + "T1,5\nT2,6,7,8\n" + body)
    assert (table.rows, table.report.short_rows, table.report.long_rows) == (4_002, 1, 1)
    assert table.report.ragged_lines == (2_002, 2_003)


def test_plain_numbers_keep_their_last_digit(bench: FileBench) -> None:
    values = np.random.default_rng(5).lognormal(0, 4, 3_000)
    table = bench.table("v\n" + "".join(f"{value!r}\n" for value in values.tolist()))
    import pyarrow.parquet as pq

    assert pq.read_table(table.path)["v"].to_pylist() == values.tolist()


@pytest.mark.parametrize("odd", ["1_000", "+-5", "inf", "nan", "1e999"])
def test_what_only_the_engine_takes_for_a_number_is_none(bench: FileBench, odd: str) -> None:
    body = "".join(f"S{at},{at}\n" for at in range(1, 101))
    column = bench.table(f"id,Au_ppb\n{body}T,{odd}\n").column("Au_ppb")
    assert column.count == 100
    assert column.rejected + sum(column.missing.values()) == 1
