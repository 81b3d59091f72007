"""Comparing what the reader makes of a file with facts that were worked out by another route.

Every key of a ``NAME.facts.json`` has one check here; a key without a check fails, so that no
stated fact is passed over. What the tables hold is read from the snapshot, as every tool reads it.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy import stats

from workbench.tables.opened import Opened
from workbench.tables.table import FLAG, LIMIT, Column, Table
from workbench.tables.units import unit_named

Facts = Mapping[str, Any]
GAP = "sentinel"
SUFFIX = ".facts.json"


def facts_of(path: Path) -> dict[str, Any]:
    """Return what is stated of a file."""
    text = path.with_name(path.name + SUFFIX).read_text(encoding="utf-8")
    told: dict[str, Any] = json.loads(text)
    return told


@dataclass(frozen=True)
class Answer:
    """One file as it was opened, its facts, and one table where facts are about a table."""

    path: Path
    opened: Opened
    facts: Facts
    table: Table | None

    @property
    def data(self) -> Table:
        """The table the facts are about."""
        assert self.table is not None, "the facts tell of a table and none was read"
        return self.table

    @functools.cached_property
    def cells(self) -> dict[str, list[Any]]:
        """The snapshot, by column."""
        return dict(pq.read_table(self.data.path).to_pydict())

    def is_label(self, name: str) -> bool:
        """Tell whether a column names samples, holes or jobs."""
        return self.data.column(name).role in {"id", "hole"}

    def numbers(self, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The plain numbers of a column, NaN for all else."""
        kept = [
            float(value) if isinstance(value, int | float) else math.nan
            for value in self.cells[self.data.column(name).name]
        ]
        return np.array(kept)


Check = Callable[[Answer, Any], None]
CHECKS: dict[str, Check] = {}


def check(*keys: str) -> Callable[[Check], Check]:
    """Register a check for some keys of a facts file."""

    def register(function: Check) -> Check:
        CHECKS.update(dict.fromkeys(keys, function))
        return function

    return register


@check("file")
def _file(one: Answer, told: str) -> None:
    assert one.opened.source.path == told


@check("bytes")
def _bytes(one: Answer, told: int) -> None:
    assert one.path.stat().st_size == told


@check("sha256")
def _sha(one: Answer, told: str) -> None:
    assert one.opened.source.sha256 == told


@check("kind")
def _kind(one: Answer, told: str) -> None:
    formats = {"csv": "delimited text", "ws": "delimited text", "xlsx": "workbook"}
    assert one.opened.source.format == {**formats, "las": "LAS log"}[told]


@check("encoding")
def _encoding(one: Answer, told: str) -> None:
    assert one.opened.source.encoding == told


@check("newline")
def _newline(one: Answer, told: str) -> None:
    assert one.opened.source.line_end == told


@check("delimiter")
def _delimiter(one: Answer, told: str) -> None:
    assert one.opened.source.delimiter == told


@check("decimal")
def _decimal(one: Answer, told: str) -> None:
    assert one.opened.source.decimal == told


@check("preamble_lines")
def _preamble(one: Answer, told: int) -> None:
    assert one.opened.source.skipped_lines == told


@check("blank_header_names")
def _blank_names(one: Answer, told: int) -> None:
    assert sum(not column.header.strip() for column in one.data.columns) == told


@check("ragged_rows")
def _ragged(one: Answer, told: int) -> None:
    report = one.table.report if one.table else None
    assert (report.short_rows + report.long_rows if report else 0) == told


@check("rows")
def _rows(one: Answer, told: int) -> None:
    assert (one.table.rows if one.table else 0) == told
    if one.table:
        assert len(next(iter(one.cells.values()))) == told


@check("columns")
def _columns(one: Answer, told: int) -> None:
    assert len(one.data.columns) == told


@check("column_names")
def _names(one: Answer, told: Sequence[str]) -> None:
    assert [column.name for column in one.data.columns] == [name.strip() for name in told]


@check("numeric_columns")
def _numeric(one: Answer, told: int) -> None:
    numbers = {column.name for column in one.data.columns if column.kind == "number"}
    # Facts count identifiers of digits among the numbers; here they are text for ever.
    numbers |= {name for name in one.facts["medians"] if one.is_label(name)}
    # Integers that code for a group may be counted either way.
    coded = numbers & set(one.facts.get("groups", {}))
    assert told in {len(numbers), len(numbers - coded)}


@check("missing_cells")
def _missing(one: Answer, told: int) -> None:
    missing = sum(sum(column.missing.values()) for column in one.data.columns)
    assert missing - sum(map(_sentinels, one.data.columns)) == told


def _sentinels(column: Column) -> int:
    return sum(n for reason, n in column.missing.items() if reason.startswith(GAP))


@check("sentinel_cells")
def _gaps(one: Answer, told: Mapping[str, int]) -> None:
    found: Counter[str] = Counter()
    for column in one.data.columns:
        for reason, n in column.missing.items():
            if reason.startswith(GAP):
                found[str(float(reason.removeprefix(GAP)))] += n
    assert found == told


@check("bdl")
def _below(one: Answer, told: Mapping[str, int]) -> None:
    assert sum(column.below for column in one.data.columns) == sum(told.values())


@check("bdl_by_column")
def _below_by_column(one: Answer, told: Mapping[str, Mapping[str, int]]) -> None:
    for name, kinds in told.items():
        assert one.data.column(name).below == sum(kinds.values()), name


_STATISTICS = ("median_excl_bdl", "min", "max", "median_half_dl")


@check("medians")
def _medians(one: Answer, told: Mapping[str, Mapping[str, Any]]) -> None:
    for name, fact in told.items():
        column = one.data.column(name)
        assert (column.count, column.below) == (fact["n"], fact["n_bdl"]), name
        if one.is_label(name):
            values = [float(value) for value in one.cells[name] if value is not None]
            assert np.median(values) == fact["median_excl_bdl"], name
            continue
        seen = (column.median, column.min, column.max, _half(one, column))
        for value, key in zip(seen, _STATISTICS, strict=True):
            assert value == (fact[key] and pytest.approx(fact[key], rel=1e-7)), (name, key)


def _half(one: Answer, column: Column) -> float | None:
    """The median with half the limit for each value below one."""
    values = one.cells[column.name]
    flags = one.cells.get(column.name + FLAG, [None] * len(values))
    limits = one.cells.get(column.name + LIMIT, [None] * len(values))
    kept = [
        limit / 2 if flag == "<" else value
        for value, flag, limit in zip(values, flags, limits, strict=True)
        if flag == "<" or value is not None
    ]
    return float(np.median(kept)) if kept else None


@check("top_correlations")
def _correlations(one: Answer, told: Sequence[Mapping[str, Any]]) -> None:
    for fact in told:
        x, y = one.numbers(fact["x"]), one.numbers(fact["y"])
        both = np.isfinite(x) & np.isfinite(y)
        assert both.sum() == fact["n"], fact
        rank = stats.spearmanr(x[both], y[both]).statistic
        assert rank == pytest.approx(fact["spearman"], abs=1e-6), fact
        if "pearson_log10" in fact:
            linear = stats.pearsonr(np.log10(np.abs(x[both])), np.log10(np.abs(y[both]))).statistic
            assert linear == pytest.approx(fact["pearson_log10"], abs=1e-6), fact


@check("id_column")
def _id_column(one: Answer, told: str) -> None:
    assert one.data.column(told).role in {"id", "hole"}
    assert one.data.column(told).kind == "text"


@check("distinct_ids")
def _ids(one: Answer, told: int) -> None:
    assert len(set(one.cells[one.facts["id_column"]])) == told


@check("rows_with_repeated_id")
def _repeated(one: Answer, told: int) -> None:
    values = one.cells[one.facts["id_column"]]
    assert len(values) - len(set(values)) == told


@check("coordinate_range")
def _range(one: Answer, told: Mapping[str, tuple[float, float]]) -> None:
    for name, bounds in told.items():
        column = one.data.column(name)
        assert [column.min, column.max] == pytest.approx(bounds), name
    roles = {one.data.column(name).role for name in told}
    assert roles in ({"longitude", "latitude"}, {"easting", "northing"})


@check("crs_note")
def _crs(one: Answer, told: str) -> None:
    # A remark, not an answer: no file states its system, and none may be claimed for it.
    assert told
    assert not any("EPSG" in note for note in (*one.opened.notes, *one.data.notes))


@check("groups")
def _groups(one: Answer, told: Mapping[str, Mapping[str, Any]]) -> None:
    for name, fact in told.items():
        values = ["" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
                  for value in one.cells[name]]  # fmt: skip
        found = Counter(values)
        assert len(found) == fact["distinct"], name
        assert {key: found[key] for key in fact["top"]} == fact["top"], name


@check("value_counts")
def _counts(one: Answer, told: Mapping[str, Mapping[str, int]]) -> None:
    for name, fact in told.items():
        for value, times in fact.items():
            assert int((one.numbers(name) == float(value)).sum()) == times, name


@check("intervals")
def _intervals(one: Answer, told: Mapping[str, Any]) -> None:
    hole, top, base = (one.data.with_role(role)[0].name for role in ("hole", "from", "to"))
    if one.data.column(one.facts["id_column"]).role == "id":
        hole = one.facts["id_column"]
    rows = sorted(zip(*(one.cells[name] for name in (hole, top, base)), strict=True))
    pairs = [(a, b) for a, b in itertools.pairwise(rows) if a[0] == b[0]]
    assert told == {
        "holes": len({row[0] for row in rows}),
        "gaps": sum(after[1] > before[2] + 1e-6 for before, after in pairs),
        "overlaps": sum(after[1] < before[2] - 1e-6 for before, after in pairs),
        "to_not_above_from": sum(row[2] <= row[1] for row in rows),
        "exact_repeats": len(rows) - len(set(rows)),
        "total_length": pytest.approx(sum(row[2] - row[1] for row in rows)),
    }


@check("sheets")
def _sheets(one: Answer, told: Sequence[Mapping[str, Any]]) -> None:
    notes = " / ".join(one.opened.notes)
    read = {table.sheet for table in one.opened.tables}
    for fact in told:
        name, state = fact["name"], fact["state"]
        if state == "visible":
            assert name in read or f"sheet '{name}': no table" in notes, name
        else:
            word = {"hidden": "hidden", "veryHidden": "very hidden"}[state]
            assert f"sheet '{name}': {word}" in notes, name
            assert name not in read


@check("tables")
def _tables(one: Answer, told: Mapping[str, Facts]) -> None:
    for sheet, facts in told.items():
        compare(Answer(one.path, one.opened, facts, one.opened.table(sheet)))


@check("units")
def _units(one: Answer, told: Mapping[str, str]) -> None:
    for name, unit in told.items():
        column = one.data.column(name)
        if column.kind == "number":
            assert column.unit == (unit_named(unit) or unit), name


# Units of logs in the tables' spelling; all others are kept as the file writes them.
_SPELT = {"M": "m", "MM": "mm", "ft": "ft", "K/M3": "kg/m3", "DEG": "deg"}


@check("las_version")
def _version(one: Answer, told: str) -> None:
    assert f"LAS {told}:" in " / ".join(one.opened.notes)


@check("wrap")
def _wrap(one: Answer, told: bool) -> None:  # noqa: FBT001 - the shape of a check
    # What wrapping means is that lines and rows differ.
    assert any("wrapped" in note for note in one.opened.notes) == told


@check("null_value")
def _null(one: Answer, told: float | None) -> None:
    notes = " / ".join(one.opened.notes)
    assert ("null value not stated" if told is None else f"null value {told}") in notes


@check("sections", "leftover_values")
def _sections(one: Answer, told: Sequence[str] | int) -> None:
    if isinstance(told, int):  # values of a wrapped log that fill no row
        assert not told
        return
    data = {name.strip("~") for name in told if "_data" in name.casefold()}
    assert data == {table.sheet for table in one.opened.tables if table.sheet}


@check("well")
def _well(one: Answer, told: Mapping[str, str]) -> None:
    notes = " / ".join(one.opened.notes)
    for key in ("STRT", "STOP", "STEP", "WELL", "UWI"):
        assert told.get(key, "") in notes, key


@check("index_unit")
def _index_unit(one: Answer, told: str) -> None:
    unit = {"F": "ft"}.get(told, _SPELT.get(told, told))
    if one.table is not None:
        assert one.table.columns[0].unit == unit


@check("n_curves")
def _n_curves(one: Answer, told: int) -> None:
    assert (len(one.table.columns) if one.table else 0) == told


@check("curves")
def _curves(one: Answer, told: Sequence[Mapping[str, str]]) -> None:
    columns = one.table.columns if one.table else ()
    assert [column.header for column in columns] == [fact["mnemonic"] for fact in told]
    wanted = [_SPELT.get(fact["unit"], fact["unit"] or None) for fact in told]
    if wanted[:1] == ["F"]:
        wanted[0] = "ft"  # of an index: feet, not Fahrenheit
    assert [column.unit for column in columns] == wanted


@check("curve_stats")
def _curve_stats(one: Answer, told: Sequence[Mapping[str, Any]]) -> None:
    for column, fact in zip(one.table.columns if one.table else (), told, strict=True):
        numbers = 0 if column.kind == "text" else column.count
        seen = (numbers, _sentinels(column), _texts(column))
        assert seen == (fact["n"], fact["nulls"], fact["text"]), column.name
        assert [column.min, column.max, column.median] == pytest.approx(
            [fact["min"], fact["max"], fact["median"]]
        ), column.name


def _texts(column: Column) -> int:
    """Count the cells that are neither a number nor the null value."""
    if column.kind in {"text", "date", "boolean"}:
        return column.count
    words = sum(n for reason, n in column.missing.items() if not reason.startswith(GAP))
    return column.rejected + words


@check("other_data_sections")
def _others(one: Answer, told: Mapping[str, int]) -> None:
    others = {table.sheet: table.rows for table in one.opened.tables if table is not one.table}
    assert others == told


def compare(one: Answer) -> None:
    """Compare everything that the facts state of a file, or of one of its tables."""
    for key, told in one.facts.items():
        CHECKS[key](one, told)
