"""Tables of public files and of the sample set, against answers that were worked out elsewhere.

Every file of the folder that has a ``NAME.facts.json`` beside it is compared, in every fact, so
that a new file is tested by putting it there.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from filebench import FileBench
from rightanswers import CHECKS, SUFFIX, Answer, facts_of

from workbench.errors import Refused
from workbench.formats.lines import head_lines
from workbench.tables.store import content_hash
from workbench.tables.table import Table

PUBLIC = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "real"
FILES = sorted(
    str(path.relative_to(PUBLIC)).removesuffix(SUFFIX) for path in PUBLIC.rglob("*" + SUFFIX)
)
FACTS = [(name, key) for name in FILES for key in facts_of(PUBLIC / name)]
# Their only fact is what stands in their lines: no table is made of them.
REFUSED = "text"

UTF16 = "colorado-soil/co_soil_utf16.tsv"
JURA = "jura-legacy/juraset.dat"
COLLARS = "vms-drillhole-xlsx/borehole_collar.xlsx"
# Facts that do not hold for the bytes of their file, and what holds instead; each is shown by a
# test of its own below.
WRONG: dict[str, dict[str, Any]] = {
    UTF16: {"newline": "crlf"},
    JURA: {"encoding": "cp1252"},
    "snsm-sediment/Trace_BULK.csv": {"blank_header_names": 1, "first_name": "column_1"},
    "snsm-sediment/Major_BULK.csv": {"blank_header_names": 1, "first_name": "column_1"},
    COLLARS: {
        "rows": 2,
        "column_names": [f"column_{place}" for place in range(1, 6)],
        "medians": {
            "column_5": {
                "n": 2, "n_bdl": 0, "min": 343.6, "max": 508.4,
                "median_excl_bdl": 426.0, "median_half_dl": 426.0,
            },
        },
    },
}  # fmt: skip


def held(name: str) -> dict[str, Any]:
    """Return the facts of a file, with what holds in place of those shown wrong."""
    facts, wrong = facts_of(PUBLIC / name), dict(WRONG.get(name, {}))
    if "first_name" in wrong:
        facts["column_names"][0] = wrong.pop("first_name")
    if "tables" in facts:
        for table in facts["tables"].values():
            table.update(wrong)
        return facts
    return {**facts, **wrong}


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory, real_data: Path) -> Callable[[str], Answer]:
    """Open a public file, each one once, with its facts."""
    bench = FileBench(tmp_path_factory.mktemp("answers"))

    @functools.cache
    def answer(name: str) -> Answer:
        facts, opened = held(name), bench.tables(real_data / name)
        tables: list[Table] = [one for one in opened.tables if one.sheet in {None, "Log_Data"}]
        alone = tables[0] if tables and "tables" not in facts else None
        return Answer(real_data / name, opened, facts, alone)

    return answer


def test_the_folder_has_its_files() -> None:
    if not PUBLIC.is_dir():
        pytest.skip("the folder of public files is not here")
    files = [p for p in PUBLIC.glob("*/*") if p.is_file() and not p.name.endswith(SUFFIX)]
    assert {str(p.relative_to(PUBLIC)) for p in files} == set(FILES)
    assert len(FILES) >= 39


@pytest.mark.parametrize(("name", "key"), FACTS)
def test_a_fact_of_a_public_file_holds(
    answers: Callable[[str], Answer], bench: FileBench, name: str, key: str
) -> None:
    if facts_of(PUBLIC / name)["kind"] == REFUSED:
        check_refused(bench, name, key)
        return
    one = answers(name)
    CHECKS[key](one, one.facts[key])


def check_refused(bench: FileBench, name: str, key: str) -> None:
    """Compare what is said of a file of which no table is made."""
    path, told = PUBLIC / name, facts_of(PUBLIC / name)[key]
    with pytest.raises(Refused) as refusal:
        bench.tables(path)
    if key == "record_types":
        assert all(f"{code}: {times}" in str(refusal.value) for code, times in told.items())
    elif key == "lines":
        with bench.opened(path) as file:
            assert head_lines(file, 5).total == told
    elif key == "file":
        assert f"'{told}'" in str(refusal.value)
    else:
        with bench.opened(path) as file:
            found = {"bytes": file.size, "sha256": content_hash(file), "kind": REFUSED}
        assert found[key] == told


@pytest.mark.usefixtures("real_data")
def test_the_lines_of_the_soils_end_with_two_signs_not_one() -> None:
    text = (PUBLIC / UTF16).read_bytes().decode("utf-16")
    assert text.count("\r\n") == text.count("\n") == text.count("\r") == 961


@pytest.mark.usefixtures("real_data")
def test_latin_1_and_cp1252_are_the_same_text_for_the_jura_soils() -> None:
    data = (PUBLIC / JURA).read_bytes()
    assert data.decode("cp1252") == data.decode("latin-1")


@pytest.mark.parametrize("name", [name for name, wrong in WRONG.items() if "first_name" in wrong])
@pytest.mark.usefixtures("real_data")
def test_the_first_header_of_a_sediment_file_is_empty(name: str) -> None:
    assert (PUBLIC / name).read_bytes().startswith(b"\xef\xbb\xbf,")  # a mark, then no name


@pytest.mark.usefixtures("real_data")
def test_the_first_row_of_the_collars_is_a_hole_not_a_header() -> None:
    (sheet,) = openpyxl.load_workbook(PUBLIC / COLLARS).worksheets
    first, second = sheet.iter_rows(values_only=True)
    # Both holes stand at one collar; as a header the first would be lost, and its place a name.
    assert first == ("foo", *second[1:4], 508.4)
    assert second[0] == "bar"


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
