"""Every public LAS file against its facts, which were worked out by another route."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filebench import FileBench

from workbench.tables.opened import Opened
from workbench.tables.table import Column, Table

HERE = Path(__file__).resolve().parent
PUBLIC = HERE.parents[1].parent / "shared" / "data" / "real"
FILES = sorted(
    str(path.relative_to(PUBLIC))
    for path in PUBLIC.rglob("*")
    if path.suffix.lower() == ".las" and path.is_file()
)
# Units in the tables' spelling; all others are kept as the file writes them.
SPELT = {"M": "m", "MM": "mm", "ft": "ft", "K/M3": "kg/m3", "DEG": "deg"}


@pytest.fixture(scope="session")
def logs(
    tmp_path_factory: pytest.TempPathFactory, real_data: Path
) -> Callable[[str], tuple[Opened, dict[str, Any]]]:
    """Open a public log, each one once, and return it with its facts."""
    bench = FileBench(tmp_path_factory.mktemp("logs"))

    @functools.cache
    def opened(name: str) -> tuple[Opened, dict[str, Any]]:
        path = real_data / name
        facts = json.loads((path.parent / f"{path.name}.facts.json").read_text(encoding="utf-8"))
        return bench.tables(path), facts

    return opened


@pytest.fixture(params=FILES)
def log_file(
    request: pytest.FixtureRequest, logs: Callable[[str], tuple[Opened, dict[str, Any]]]
) -> tuple[Opened, dict[str, Any]]:
    """One public log and its facts."""
    return logs(request.param)


def log(found: Opened) -> Table | None:
    """Return the log data: the only table, or the one of that name."""
    logs = [one for one in found.tables if one.sheet in {None, "Log_Data"}]
    return logs[0] if logs else None


def texts(column: Column) -> int:
    """Count the cells that are neither a number nor the null value."""
    if column.kind in {"text", "date", "boolean"}:
        return column.count
    words = sum(n for reason, n in column.missing.items() if not reason.startswith("sentinel"))
    return column.rejected + words


def nulls(column: Column) -> int:
    return sum(n for reason, n in column.missing.items() if reason.startswith("sentinel"))


def test_every_public_log_is_here(real_data: Path) -> None:
    assert len(FILES) == 14


def test_rows_columns_and_encoding_agree_with_the_facts(
    log_file: tuple[Opened, dict[str, Any]],
) -> None:
    found, facts = log_file
    table = log(found)
    said = (found.source.encoding, found.source.line_end)
    assert said == (facts["encoding"], facts["newline"])
    if not facts["curves"]:
        assert table is None
        return
    assert table is not None
    assert (table.rows, len(table.columns)) == (facts["rows"], facts["n_curves"])
    assert [one.header for one in table.columns] == [one["mnemonic"] for one in facts["curves"]]
    assert table.report.short_rows + table.report.long_rows == facts["ragged_rows"]


def test_units_agree_with_the_facts(log_file: tuple[Opened, dict[str, Any]]) -> None:
    found, facts = log_file
    table = log(found)
    columns = table.columns if table else ()
    said = [one["unit"] for one in facts["curves"]]
    wanted = [SPELT.get(unit, unit or None) for unit in said]
    if said[:1] == ["F"]:
        wanted[0] = "ft"  # of an index: feet, not Fahrenheit
    assert [one.unit for one in columns] == wanted


def test_every_curve_agrees_with_the_facts(log_file: tuple[Opened, dict[str, Any]]) -> None:
    found, facts = log_file
    table = log(found)
    for column, fact in zip(table.columns if table else (), facts["curve_stats"], strict=True):
        numbers = 0 if column.kind == "text" else column.count
        assert (numbers, nulls(column), texts(column)) == (
            fact["n"],
            fact["nulls"],
            fact["text"],
        ), column.name
        assert [column.min, column.max, column.median] == pytest.approx(
            [fact["min"], fact["max"], fact["median"]]
        ), column.name


def test_the_other_sections_agree_with_the_facts(log_file: tuple[Opened, dict[str, Any]]) -> None:
    found, facts = log_file
    others = {one.sheet: one.rows for one in found.tables if one is not log(found)}
    assert others == facts.get("other_data_sections", {})


def test_the_header_of_the_well_is_told(log_file: tuple[Opened, dict[str, Any]]) -> None:
    found, facts = log_file
    well, told = facts["well"], " / ".join(found.notes)
    for key in ("STRT", "STOP", "STEP", "WELL", "UWI"):
        assert well.get(key, "") in told, key
    assert f"LAS {facts['las_version']}:" in told
    null = facts["null_value"]
    assert "null value not stated" in told if null is None else f"null value {null}" in told


def test_the_sample_log_agrees_with_its_planted_truth(bench: FileBench, sample_data: Path) -> None:
    text = (sample_data / "meridian_ridge_truth.json").read_text(encoding="utf-8")
    truth = json.loads(text)["las"]
    found = bench.tables(sample_data / f"meridian_ridge_{truth['hole']}.las")
    table = found.table()
    index, *curves = table.columns
    assert (table.rows, index.role, index.unit) == (truth["rows"], "depth", "m")
    assert (index.min, index.max, index.count) == (truth["start_m"], truth["stop_m"], truth["rows"])
    assert f"well {truth['hole']}" in found.notes[0]
    for curve in curves:
        fact = truth["curves"][curve.name]
        unit = {"G/C3": "g/cm3"}.get(fact["unit"], fact["unit"])
        assert (nulls(curve), curve.median, curve.unit) == (fact["nulls"], fact["median"], unit)
    assert [one.name for one in curves] == list(truth["curves"])
