"""Tables of public files and of the sample set, against answers that were worked out elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from filebench import FileBench

from workbench.tables.table import Table

# In every figure. Not here: a state template with eight header rows, log files, fixed-width records.  # noqa: E501
PUBLIC = (
    "babbitt-drillholes/assay_BABBITT.csv",
    "babbitt-drillholes/collar_BABBITT.csv",
    "babbitt-drillholes/survey_BABBITT.csv",
    "colorado-soil/co_soil_utf16.tsv",
    "cpt-collars/collar.csv",
    "gswa-drillholes/gswa_sample_collars.csv",
    "gswa-drillholes/gswa_sample_geology.csv",
    "gswa-rockchip-au/area4_rockchip_au.csv",
    "igneous-whole-rock/geochemistry_wtpct_ppm.csv",
    "kola-moss/kola_moss_eu.csv",
    "pge-below-detection/detection_limit_data.tsv",
    "striplog-cuttings/P-63_cuttings.csv",
    "tellus-ie-2013/tellus_2013_stream_sediment.csv",
    "tellus-ni-pge/regionalsedimentsxrfauandpge.csv",
    "vms-drillhole-xlsx/borehole_assays.xlsx",
    "vms-drillhole-xlsx/borehole_density.xlsx",
    "vms-drillhole-xlsx/borehole_lith.xlsx",
    "vms-drillhole-xlsx/borehole_survey.xlsx",
    "welly-logs/colorado_directional.csv",
)


def check_table(table: Table, facts: dict[str, Any]) -> None:
    """Compare a table with its facts in every figure."""
    assert table.rows == facts["rows"]
    assert [one.name for one in table.columns] == [name.strip() for name in facts["column_names"]]
    assert sum(one.kind == "number" for one in table.columns) == facts["numeric_columns"]
    sentinels = sum(facts.get("sentinel_cells", {}).values())
    missing = sum(sum(one.missing.values()) for one in table.columns)
    assert missing == facts["missing_cells"] + sentinels
    for name, told in facts["medians"].items():
        column = table.column(name)
        negatives = facts["bdl"].get("neg", 0)
        assert column.count == told["n"], name
        assert negatives or column.below == told["n_bdl"], name
        assert column.median == pytest.approx(told["median_excl_bdl"], rel=1e-7), name
        assert (column.min, column.max) == pytest.approx((told["min"], told["max"]), rel=1e-7), name


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_file_is_read_as_it_should_be(
    bench: FileBench, real_data: Path, name: str
) -> None:
    path = real_data / name
    facts = json.loads((path.parent / f"{path.name}.facts.json").read_text(encoding="utf-8"))
    opened = bench.tables(path)
    assert opened.source.sha256 == facts["sha256"]
    if "tables" in facts:
        for sheet, told in facts["tables"].items():
            check_table(opened.table(sheet), told)
        return
    check_table(opened.table(), facts)
    layout = (opened.source.encoding, opened.source.delimiter, opened.source.decimal)
    assert layout == (facts["encoding"], facts["delimiter"], facts["decimal"])
    assert opened.source.skipped_lines == facts["preamble_lines"]


def test_coordinates_of_public_files_are_in_their_range(bench: FileBench, real_data: Path) -> None:
    path = real_data / "gswa-rockchip-au/area4_rockchip_au.csv"
    facts = json.loads((path.parent / f"{path.name}.facts.json").read_text(encoding="utf-8"))
    table = bench.tables(path).table()
    for name, (low, high) in facts["coordinate_range"].items():
        assert (table.column(name).min, table.column(name).max) == pytest.approx((low, high))
    assert [table.column(name).role for name in ("X", "Y")] == ["longitude", "latitude"]


@pytest.fixture
def truth(sample_data: Path) -> dict[str, Any]:
    text = (sample_data / "meridian_ridge_truth.json").read_text(encoding="utf-8")
    told: dict[str, Any] = json.loads(text)
    return told


def test_the_sample_survey_agrees_with_its_truth(
    bench: FileBench, sample_data: Path, truth: dict[str, Any]
) -> None:
    table = bench.tables(sample_data / "meridian_ridge_geochem.csv").table()
    assert table.rows == truth["rows"]["meridian_ridge_geochem.csv"]
    for name, told in truth["geochem"]["columns"].items():
        column = table.column(name)
        assert (column.count, column.below, column.above) == (
            told["count"], told["below"], told["above"],
        ), name  # fmt: skip
        assert dict(column.missing) == told["missing"], name
        assert column.median == pytest.approx(told["median"], abs=1e-9), name
        assert column.unit == told["unit"], name
        assert set(column.limits) <= {told["lower_limit"], told["upper_limit"]}, name
        assert bool(column.limits) == bool(column.below or column.above), name


@pytest.mark.parametrize("part", ["collar", "survey", "assay", "lithology"])
def test_the_sample_holes_have_their_rows_and_roles(
    bench: FileBench, sample_data: Path, truth: dict[str, Any], part: str
) -> None:
    name = f"meridian_ridge_{part}.csv"
    table = bench.tables(sample_data / name).table()
    assert table.rows == truth["rows"][name]
    assert table.column("HoleID").role == "hole"
    assert not table.report.rejected_total
    if part in {"assay", "lithology"}:
        assert (table.column("From_m").role, table.column("To_m").role) == ("from", "to")


def test_the_sample_certificate_carries_units_and_methods(
    bench: FileBench, sample_data: Path, truth: dict[str, Any]
) -> None:
    table = bench.tables(sample_data / "meridian_ridge_certificate.xlsx").tables[0]
    assert table.rows == truth["rows"]["meridian_ridge_certificate.xlsx"]
    for name, told in truth["geochem"]["columns"].items():
        column = table.column(name.split("_")[0])
        assert (column.unit, column.method) == (told["unit"], told["method"]), name
