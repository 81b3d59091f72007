"""Questions about whole tables, asked of real tools through the planner."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from workbench.models.planner.clauses import split
from workbench.models.planner.range import kind_of
from workbench.session import Session


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is wrong with assay.csv?", "issues"),
        ("Are there any data quality issues in the soils?", "issues"),
        ("Convert everything to ppm", "convert"),
        ("Please bring Au and Ag into ppb.", "convert"),
        ("Save soils.csv as an Excel workbook", "export"),
        ("Export the soils as GeoJSON in EPSG:28350", "export"),
        ("Rank the samples by a combined score of As and Sb", "index"),
        ("Convert the samples to a map", "map"),
        ("How many samples are there?", "count"),
        ("Samples anomalous in Au", "anomaly"),
    ],
)
def test_a_question_about_a_whole_table_is_known_by_its_words(question: str, kind: str) -> None:
    assert kind_of(question) == kind


def test_several_elements_together_are_one_clause() -> None:
    [clause] = split("Which samples are anomalous in Au, As and Sb together?")
    assert clause.kind == "index"
    assert [one.kind for one in split("Which samples are anomalous in Au, As and Sb?")] == [
        "anomaly"
    ]


@pytest.fixture
def field(tmp_path: Path) -> Session:
    rows = "".join(
        f"S{n},{400_000 + n * 50},{6_500_000 + n * 30},{n % 7 + 1},"
        f"{'oops' if n == 5 else n % 11 + 2}\n"
        for n in range(40)
    )
    (tmp_path / "soils.csv").write_text("SampleID,Easting,Northing,Au_ppb,Cu_ppm\n" + rows)
    return Session.open(str(tmp_path))


def test_faults_are_told_with_what_helps(field: Session) -> None:
    answer = field.ask("What is wrong with soils.csv?")
    assert "texts in number columns" in answer.text
    assert "Next: clean_values(" in answer.text


def test_columns_are_brought_to_a_unit(field: Session) -> None:
    answer = field.ask("Convert everything to ppm.")
    assert "Au_ppb → Au_ppm" in answer.text
    [made] = [item for item in answer.artefacts if item.path.endswith("converted_ppm.csv")]
    table = pd.read_csv(answer.folder / made.path)
    assert table["Au_ppm"].tolist() == pytest.approx([(n % 7 + 1) / 1_000 for n in range(40)])


def test_an_index_names_its_threshold_and_its_highest(field: Session) -> None:
    answer = field.ask("Which samples are anomalous in Au and Cu together?")
    assert re.search(r"By Au_ppb and Cu_ppm together, .*The highest: S\d+", answer.text)
