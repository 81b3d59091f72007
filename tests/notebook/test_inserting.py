"""``{{name}}`` in a question: values capped, tables as their schema, braces left alone."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from workbench import marker
from workbench.errors import Refused
from workbench.limits import Limits
from workbench.notebook.inserting import insert


def text(question: str, **names: object) -> str:
    return insert(question, names, Limits()).text


def test_a_value_takes_the_place_of_its_name() -> None:
    assert text("above {{ cutoff }} ppb", cutoff=100) == "above 100 ppb"


@pytest.mark.parametrize(
    "question", ["{cutoff}", "{ {cutoff} }", "{{cut off}}", "{{1}}", "$cutoff"]
)
def test_other_braces_are_never_touched(question: str) -> None:
    assert text(question, cutoff=100) == question


def test_what_was_inserted_is_not_read_again() -> None:
    assert text("{{a}}", a="{{b}}", b="secret") == "{{b}}"


def test_a_data_frame_enters_as_its_schema_without_a_value() -> None:
    frame = pd.DataFrame({"Au_ppb": [987654.0, 2.0], "Hole": ["MRD777", "MRD778"]})
    assert (
        text("{{soils}}", soils=frame)
        == "table soils: 2 rows, 2 columns: Au_ppb (float64), Hole (str)"
    )


def test_an_arrow_table_and_a_query_enter_as_their_schema() -> None:
    table = pa.table({"Au_ppb": [987654.0]})
    query = duckdb.sql("SELECT 987654 AS Au_ppb")
    assert text("{{t}}", t=table) == "table t: 1 rows, 1 columns: Au_ppb (double)"
    assert text("{{q}}", q=query) == "table q: rows not counted, 1 columns: Au_ppb (INTEGER)"


def test_a_column_and_an_array_enter_as_their_size() -> None:
    assert text("{{c}}", c=pd.Series([987654.0, 1.0], name="Au")) == "array c 'Au': 2, float64"
    assert text("{{a}}", a=np.full((30, 40), 987654.0)) == "array a: 30 × 40, float64"


def test_a_long_value_is_cut_with_a_marker_and_one_hit() -> None:
    found = insert("see {{log}}", {"log": "x" * 9_000}, Limits())
    (mark,) = marker.parse(found.text)
    assert len(found.text) <= 4_000 + len("see ")
    assert (mark.total, mark.full) == (9_000, "notebook variable log")
    assert [hit.key for hit in found.hits] == ["inserted_value_chars"]


def test_a_wide_table_is_cut_like_any_value() -> None:
    frame = pd.DataFrame({f"column_{n}": [1] for n in range(2_000)})
    found = insert("{{wide}}", {"wide": frame}, Limits())
    assert len(found.text) <= 4_000
    assert marker.parse(found.text)


def test_a_halved_limit_halves_what_enters() -> None:
    table = Limits().changed({"inserted_value_chars": 2_000})
    assert len(insert("{{log}}", {"log": "x" * 9_000}, table).text) <= 2_000


def test_an_unknown_name_names_the_nearest() -> None:
    with pytest.raises(Refused, match="nearest: 'soils'"):
        text("{{soil}}", soils=1)


def test_a_value_that_cannot_be_written_is_refused() -> None:
    class Broken:
        def __str__(self) -> str:
            raise RuntimeError("no text")

    with pytest.raises(Refused, match="no text"):
        text("{{broken}}", broken=Broken())


def test_signs_that_reorder_text_are_written_out() -> None:
    assert text("{{a}}", a="x\u202ey") == "x\\u202ey"
