"""Arrays of a table, against pandas and NumPy on the text of the same file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from filebench import FileBench

from workbench.errors import LimitReached, Refused
from workbench.tables.connection import Connection
from workbench.tables.frame import ABOVE, BELOW, MISSING, PLAIN, Frame, read_frame
from workbench.tables.policy import Policy

GEOCHEM = "meridian_ridge_geochem.csv"
RESULTS = ("Au_ppb", "As_ppm", "Sb_ppm", "Mo_ppm", "S_pct", "Ba_ppm")
SHARES = {Policy.HALF: 0.5, Policy.LIMIT: 1.0, Policy.ZERO: 0.0, Policy.SQRT2: 2**-0.5}


@pytest.fixture
def text(sample_data: Path) -> pd.DataFrame:
    return pd.read_csv(sample_data / GEOCHEM, dtype=str, keep_default_na=False)


@pytest.fixture
def frame(bench: FileBench, sample_data: Path) -> Frame:
    return read_frame(bench.tables(sample_data / GEOCHEM).table(), [*RESULTS, "Lithology", "Grid"])


def by_hand(cells: pd.Series, share: float | None) -> np.ndarray:
    """Replace censored values by a route of its own."""
    plain = np.array(pd.to_numeric(cells, errors="coerce"), dtype=float)
    below, above = cells.str.startswith("<"), cells.str.startswith(">")
    limit = np.array(pd.to_numeric(cells.str.lstrip("<>"), errors="coerce"), dtype=float)
    if share is not None:
        plain[below] = limit[below] * share
        plain[above] = limit[above]
    return plain


@pytest.mark.parametrize("policy", list(Policy))
def test_every_policy_agrees_with_pandas(
    bench: FileBench, sample_data: Path, text: pd.DataFrame, policy: Policy
) -> None:
    frame = read_frame(bench.tables(sample_data / GEOCHEM).table(), RESULTS, policy)
    for name in RESULTS:
        wanted = by_hand(text[name], SHARES.get(policy))
        np.testing.assert_allclose(frame.series[name].values, wanted, rtol=1e-15, err_msg=name)


def test_flags_limits_and_reasons_agree_with_the_text(frame: Frame, text: pd.DataFrame) -> None:
    for name in RESULTS:
        cells, series = text[name], frame.series[name]
        below, above = cells.str.startswith("<"), cells.str.startswith(">")
        numbers = pd.to_numeric(cells, errors="coerce").notna()
        np.testing.assert_array_equal(series.below, below)
        np.testing.assert_array_equal(series.above, above)
        np.testing.assert_array_equal(series.plain, numbers)
        np.testing.assert_array_equal(series.flag == MISSING, ~(below | above | numbers))
        reasons = cells[~(below | above | numbers)].replace("", "blank").value_counts()
        assert dict(series.missing) == reasons.to_dict()
        told = series.limit[below | above]
        np.testing.assert_array_equal(told, cells[below | above].str[1:].astype(float))
        assert np.isnan(series.limit[numbers]).all()


def test_text_columns_come_as_text(frame: Frame, text: pd.DataFrame) -> None:
    assert list(frame.series["Lithology"].text) == list(text["Lithology"])
    assert np.isnan(frame.series["Lithology"].values).all()


def test_the_rows_are_accounted_for(frame: Frame, text: pd.DataFrame) -> None:
    told = frame.accounting(["Au_ppb", "S_pct"])
    good = ~text["Au_ppb"].isin(["LNR", "NSS", ""]) & ~text["S_pct"].isin(["LNR", "I/S", ""])
    assert (told.rows, told.used) == (240, int(good.sum()))
    assert told.dropped == {"Au_ppb": {"NSS": 5, "LNR": 2}, "S_pct": {"I/S": 4, "LNR": 2}}
    assert told.censored == {"Au_ppb": (int((good & text["Au_ppb"].str.startswith("<")).sum()), 0)}
    np.testing.assert_array_equal(frame.complete(["Au_ppb", "S_pct"]), good)


def test_dropped_censored_values_are_accounted_for(bench: FileBench, sample_data: Path) -> None:
    table = bench.tables(sample_data / GEOCHEM).table()
    told = read_frame(table, ["Au_ppb"], Policy.DROP).accounting()
    assert told.dropped["Au_ppb"]["censored"] == 37
    assert told.used == 196


def test_a_matrix_has_a_column_for_each_name(frame: Frame) -> None:
    assert frame.matrix(RESULTS).shape == (240, len(RESULTS))
    assert frame.matrix([]).shape == (240, 0)
    np.testing.assert_array_equal(frame.matrix(["As_ppm"])[:, 0], frame.series["As_ppm"].values)


def test_bare_values_have_no_number_but_zero(bench: FileBench) -> None:
    table = bench.table("id,Au_ppb\nS1,BDL\nS2,3\nS3,4\nS4,<2\n")
    assert np.isnan(read_frame(table, ["Au_ppb"]).series["Au_ppb"].values[0])  # noqa: PD011 - an array, not a data frame
    assert read_frame(table, ["Au_ppb"], Policy.ZERO).series["Au_ppb"].values[0] == 0.0  # noqa: PD011 - an array, not a data frame
    told = read_frame(table, ["Au_ppb"]).accounting()
    assert told.dropped == {"Au_ppb": {"below an unstated limit": 1}}


def test_rejected_texts_are_accounted_for(bench: FileBench) -> None:
    table = bench.table("id,Au_ppb\n" + "".join(f"S{i},{i}\n" for i in range(1, 21)) + "X,12m\n")
    told = read_frame(table, ["Au_ppb"]).accounting()
    assert told.dropped == {"Au_ppb": {"not a number": 1}}


def test_dates_come_as_text_and_empty_columns_as_gaps(bench: FileBench) -> None:
    table = bench.table("day,e,v\n2024-01-05,,1\n2024-02-06,,2\n")
    frame = read_frame(table, ["day", "e"])
    assert list(frame.series["day"].text) == ["2024-01-05", "2024-02-06"]
    assert frame.series["e"].count(MISSING) == 2
    assert np.isnan(frame.series["e"].values).all()


def test_an_unknown_column_is_refused_with_the_nearest(frame: Frame) -> None:
    with pytest.raises(Refused, match="column 'Au_pb': not in .* nearest: 'Au_ppb'"):  # noqa: RUF043 - the dot stands for any sign
        read_frame(frame.table, ["Au_pb"])


def test_names_are_found_without_regard_to_case(frame: Frame) -> None:
    assert list(read_frame(frame.table, ["au_PPB", "Au_ppb"]).series) == ["Au_ppb"]


def test_codes_are_counted(frame: Frame) -> None:
    series = frame.series["Au_ppb"]
    assert (series.count(PLAIN), series.count(BELOW), series.count(ABOVE)) == (196, 37, 0)
    assert series.count(PLAIN, BELOW, ABOVE, MISSING) == 240


def test_columns_without_room_in_a_child_are_refused_before_one_is_read(
    bench: FileBench, tmp_path: Path
) -> None:
    table = replace(bench.table("a,b,c\n1,2,3\n"), rows=1_000_000)
    limits = bench.limits.changed({"child_memory": 24_000_000})
    refused = pytest.raises(LimitReached, match="name at most 2 columns")
    with Connection(limits, tmp_path) as connection, refused as caught:
        connection.frame(table, ["a", "b", "c"])
    assert caught.value.key == "child_memory"


def test_a_want_of_memory_is_not_told_as_a_snapshot_that_cannot_be_read(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise pa.ArrowMemoryError("malloc failed")

    table = bench.table("a\n1\n")
    monkeypatch.setattr("workbench.tables.frame._series", full)
    with pytest.raises(MemoryError):
        read_frame(table, ["a"])
