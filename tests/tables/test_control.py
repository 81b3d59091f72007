"""Rows of quality control are recognised, said, and left out of the arrays of tools."""

from __future__ import annotations

import numpy as np
import pytest
from filebench import FileBench

from workbench.tables.frame import CONTROL, read_frame

TYPED = (
    "SampleID,Type,Au_ppb\n"
    + "".join(f"S{n},ORIG,{n + 1}\n" for n in range(10))
    + "S3,DUP,5\nX1,STD,900\nX2,BLK,0.1\nX3,CRM,910\n"
)


def test_a_column_of_sample_types_tells_rows_of_quality_control(bench: FileBench) -> None:
    table = bench.table(TYPED)
    assert table.control is not None
    assert (table.control.column, table.control.how) == ("Type", "type")
    assert dict(table.control.counts) == {"standard": 2, "blank": 1, "duplicate": 1}
    assert any("4 rows of quality control (2 standards, 1 blank" in n for n in table.notes)
    assert (table.rows, table.column("Au_ppb").count) == (14, 14)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        ("STD-01", "standard"), ("OREAS 45d", "standard"), ("CRM 12", "standard"),
        ("BLANK", "blank"), ("BLK003", "blank"), ("S003_DUP", "duplicate"), ("DUP-7", "duplicate"),
        ("STDX", None), ("BLACKROCK-1", None), ("DUPLEX9", None), ("S-STAND", None),
    ],
)  # fmt: skip
def test_the_look_of_a_sample_number_tells(bench: FileBench, number: str, kind: str | None) -> None:
    text = "SampleID,Au_ppb\n" + "".join(f"S{n},{n + 1}\n" for n in range(9)) + f"{number},3\n"
    control = bench.table(text).control
    assert (None if control is None else dict(control.counts)) == (
        None if kind is None else {kind: 1}
    )


def test_a_table_of_nothing_but_standards_is_a_table_of_samples(bench: FileBench) -> None:
    table = bench.table("SampleID,Au_ppb\nSTD-1,1\nSTD-2,2\nSTD-3,3\nS4,3\n")
    assert table.control is None


def test_a_person_may_take_them_for_samples(bench: FileBench) -> None:
    assert bench.table(TYPED, overrides={"Type.control": "keep"}).control is None


def test_arrays_of_tools_leave_them_out_and_say_so(bench: FileBench) -> None:
    frame = read_frame(bench.table(TYPED), ["Au_ppb"])
    series = frame.series["Au_ppb"]
    assert frame.samples is not None
    assert int(frame.samples.sum()) == 10
    np.testing.assert_array_equal(series.values[frame.samples], np.arange(1.0, 11.0))
    assert np.isnan(series.values[~frame.samples]).all()
    assert dict(series.missing) == {CONTROL: 4}


def test_sample_numbers_that_occur_more_than_once_are_noted(bench: FileBench) -> None:
    table = bench.table("SampleID,Au_ppb\na,1\na,2\nb,3\nc,4\nd,5\n")
    assert any("1 sample number occurs more than once (2 rows)" in n for n in table.notes)


def test_a_batch_that_many_rows_share_is_no_repeated_number(bench: FileBench) -> None:
    table = bench.table("Batch,Au_ppb\n" + "".join(f"B1,{n}\n" for n in range(9)))
    assert not any("more than once" in note for note in table.notes)
