"""The questions of an analyst in other words: each is taken for what it asks, or for nothing."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from inprocess import start_in_process

from workbench.asking.run import Setting
from workbench.limits import Limits
from workbench.models.offline import OfflineModel
from workbench.models.planner.clauses import split
from workbench.models.planner.range import RANGE, nearest_questions, outside
from workbench.models.planner.range_made import AREA
from workbench.session import Session
from workbench.workspace import Workspace

ASKED = {
    "inventory": [
        "what have I got here?",
        "give me an overview of the files in this directory",
        "which data files are there?",
    ],
    "describe": [
        "tell me about the columns of soils.csv and their units",
        "which elements were analysed in the geochem file?",
        "which sheet of the certificate has the assays?",
        "what sheets does the workbook have?",
        "is soils.csv one row per sample or one row per element?",
        "is the geochem table in long or wide form?",
    ],
    "check": [
        "what projection are the samples of soils.csv in?",
        "are the coordinates in soils.csv in metres or degrees?",
        "what do the negative values mean in soils.csv?",
    ],
    "missing": [
        "how many samples have no gold result and for what reason?",
        "why is Au missing in some samples?",
        "count the samples without an arsenic assay",
    ],
    "repeats": [
        "are there duplicate sample IDs in soils.csv?",
        "was any sample entered twice in the geochem file?",
        "which samples have repeated labels?",
    ],
    "merge": [
        "join assay.csv with collar.csv on HoleID",
        "merge the collar table with the survey table by hole",
        "put the assays and the collars together by HoleID",
    ],
    "limits": [
        "what percentage of every element is below detection?",
        "how many non-detects are there per element?",
        "list the detection limits and the share of censored values",
    ],
    "fill": [
        "set values below detection to half the limit but keep a flag",
        "replace the non-detects in soils.csv by half the detection limit",
        "substitute Au and Ag below the limit with LOD/2",
    ],
    "censored": [
        "why does Ag have a median equal to its detection limit?",
        "why is the median of Bi below detection?",
        "estimate mean and median of W allowing for values below detection",
        "Kaplan-Meier statistics for Bi",
    ],
    "convert": [
        "convert all columns to ppm",
        "I want everything of soils.csv in ppm",
        "change Au from ppb to ppm",
    ],
    "best": [
        "combine Cu by ICP and Cu by the ore grade method into one column",
        "take the best copper value across methods",
        "where copper is over range by ICP use the ore-grade value",
    ],
    "iron": [
        "calculate total iron as FeO from FeO and Fe2O3",
        "recast Fe2O3 and FeO to FeOT",
        "make FeOT from FeO and Fe2O3. What is its median?",
    ],
    "issues": [
        "are there impossible values in soils.csv?",
        "do the oxides add up to about 100 %?",
        "check the geochem data for errors",
    ],
    "summary": [
        "median and P95 of Ni for each lithology",
        "how does As vary between the lithologies?",
        "box plot of Ni by lithology",
    ],
    "correlate": [
        "which elements go with gold?",
        "correlations of Au with all other elements",
        "what is gold correlated with?",
    ],
    "ratio": ["ratio of Cu to Zn", "compute Cu/Zn", "make the ratio of Sr to Y"],
    "anomaly": ["level Cu by lithology", "find Cu anomalies within each rock type"],
    "pca": ["PCA of the trace elements", "principal components of Cu, Ni, Co, Cr and Zn"],
    "families": [
        "which elements belong together?",
        "group the elements by their variation matrix",
        "what element associations are there?",
    ],
    "cluster": [
        "find natural groups of samples",
        "how many groups do the samples fall into by their chemistry?",
        "compare the clusters with the logged lithology",
    ],
    "agreement": [
        "does the logged lithology agree with the chemistry?",
        "is the logged rock type consistent with the geochemistry?",
        "which samples have a logged lithology that does not fit their chemistry?",
    ],
    "thresholds": [
        "above what value is Au anomalous?",
        "compare thresholds for gold by several methods",
        "draw a C-A plot for copper",
        "where does the concentration-area curve of copper break?",
        "how many populations does gold have?",
    ],
    "index": [
        "which samples are anomalous in Au, As and Sb together?",
        "rank the samples by a combined index of Au, As and Sb",
    ],
    "outlying": [
        "which samples are outliers considering all elements together?",
        "robust Mahalanobis distances of Cu, Ni, Co and Cr",
    ],
    "space": [
        "which gold anomalies are supported by neighbouring samples?",
        "which anomalies have several samples and several elements?",
        "rank targets for follow-up by gold and arsenic",
    ],
}
OUTSIDE = [
    "What is the weather at the site tomorrow?",
    "Write a poem about gold.",
    "How much will the drilling cost?",
    "Is the deposit economic at today's gold price?",
    "What is the resource estimate in tonnes and grade?",
    "Did the standards pass?",
    "Is there drift through the job?",
    "Name the volcanics by total alkali and silica.",
    "Plot REE patterns normalised to chondrite.",
    "Draw a variogram of log Cu and krige it.",
    "Composite the assays to 2 m within lithology.",
    "Desurvey the holes.",
    "What is the age of these rocks?",
    "Who collected the samples?",
    "Predict the gold of the next hole with a neural network.",
    "Translate the lithology names into German.",
    "How far is each sample from the nearest fault?",
    "What does the colour of the soil say about copper?",
    "Is copper high over basalt only because it is basalt?",
    "Prioritise the stream catchments.",
    "Are the blanks in certificate.xlsx clean for Au, As and Sb?",
    "What is the precision of the pulp duplicates for Cu?",
    "How many holes (HoleId) of collars.csv have no interval in geology.csv?",
]
# Words of one kind of question in another.
LIKE = [
    ("What share of this data set is below detection?", "limits"),
    ("Which samples of the set have Au below 5 ppb?", "filter"),
    ("Map Fe2O3T.", "map"),
    ("What is the median of FeOT?", "summary"),
    ("Correlate Fe2O3T and MgO.", "correlate"),
    ("Summarise all elements in ppm.", "summary"),
    ("Which samples are anomalous in several elements?", "outlying"),
    ("What is the median level of gold by lithology?", "summary"),
    ("Give the mean levels in soil by lithology", "summary"),
    ("Compute min/max of Cu.", "summary"),
    ("Draw a scatter of Mg in a Ca plot.", "scatter"),
    ("Fit a line to the geochemical data.", None),
]
PAIRS = [(kind, question) for kind, several in ASKED.items() for question in several]


@pytest.mark.parametrize(("kind", "question"), PAIRS)
def test_a_question_in_other_words_is_of_its_kind(kind: str, question: str) -> None:
    assert [clause.kind for clause in split(question)] == [kind]


@pytest.mark.parametrize(("question", "kind"), LIKE)
def test_a_word_of_another_kind_does_not_turn_a_question(question: str, kind: str | None) -> None:
    assert [clause.kind for clause in split(question)] == [kind]


def test_calcium_is_no_concentration_area_plot() -> None:
    assert re.search(AREA, "draw a C-A plot", re.IGNORECASE)
    assert not re.search(AREA, "compare thresholds for Ca", re.IGNORECASE)


@pytest.mark.parametrize("question", OUTSIDE)
def test_a_question_outside_the_range_is_taken_for_no_other(question: str) -> None:
    assert not any(clause.kind for clause in split(question))


def test_the_nearest_question_is_named_where_one_is_near() -> None:
    near = nearest_questions("draw a variogram of copper")
    assert set(near) <= {example for ability in RANGE for example in ability.examples}
    told = outside("draw a variogram of copper")
    assert [f"- “{one}”" for one in near] == [line for line in told.splitlines() if line[:1] == "-"]
    assert not nearest_questions("Who collected the samples?")
    assert "nearest" not in outside("Who collected the samples?")
    assert len(outside("Who collected the samples?").splitlines()) <= 12


def test_a_column_that_is_made_is_not_taken_for_the_elements_it_is_made_of() -> None:
    _, drawn = split("compute Cu/Zn and plot it against depth")
    assert "Cu" not in drawn.text


@pytest.fixture(scope="module")
def ridge(sample_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ridge")
    for name in ("geochem", "assay", "collar"):
        shutil.copy(sample_data / f"meridian_ridge_{name}.csv", folder)
    return folder


def ask(folder: Path, question: str) -> str:
    setting = Setting(Workspace.at(folder), OfflineModel(), Limits(), start_in_process)
    return Session(setting).ask(question).text


def numbers(folder: Path, column: str) -> pd.Series:
    table = pd.read_csv(folder / "meridian_ridge_geochem.csv", dtype=str)
    return pd.to_numeric(table[column], errors="coerce")


def test_two_tables_are_put_together_whichever_is_named_first(ridge: Path) -> None:
    said = ask(ridge, "Merge the collar table with the assay table by HoleID")
    assert "1,005 of 1,005 rows of meridian_ridge_assay.csv (100 %) found their row" in said
    assert "0 of 12 rows of meridian_ridge_collar.csv found none" in said


def test_total_iron_is_told_with_its_median(ridge: Path) -> None:
    said = ask(ridge, "Make total iron as FeO in meridian_ridge_geochem.csv. What is its median?")
    # FeO over Fe by atomic weights: 71.844 / 55.845.
    expected = numbers(ridge, "Fe_pct").median() * 71.844 / 55.845
    assert f"FeOT_pct: median {expected:.3g} %" in said


def test_one_column_is_no_choice_between_methods(ridge: Path) -> None:
    said = ask(ridge, "Take the best copper value across methods in meridian_ridge_geochem.csv")
    assert "has only Cu_ppm, and two are needed" in said


def test_values_below_detection_are_filled_in_columns_of_their_own(ridge: Path) -> None:
    said = ask(
        ridge, "Replace the non-detects of Au in meridian_ridge_geochem.csv by half the limit"
    )
    assert "37 values below detection were given a number (half the limit): Au_ppb 37" in said


def test_anomalies_that_lie_together_are_counted(ridge: Path) -> None:
    said = ask(ridge, "Which gold and arsenic anomalies are supported by neighbours within 100 m?")
    high = pd.Series(data=False, index=range(240))
    for name in ("Au_ppb", "As_ppm"):
        cells = pd.read_csv(ridge / "meridian_ridge_geochem.csv", dtype=str)[name]
        value = pd.to_numeric(cells.str.lstrip("<>"), errors="coerce")
        logs = np.log10(value.where(~cells.str.startswith("<", na=False), value / 2))
        spread = 1.4826 * (logs - logs.median()).abs().median()
        high |= logs > logs.median() + 2 * spread
    assert f"{high.sum()} of 240 samples are anomalous in at least one element" in said
    assert "2 groups have more than one of them within 100 m of each other" in said


def test_a_logged_group_is_set_beside_its_chemistry(ridge: Path) -> None:
    said = ask(ridge, "Does the logged lithology agree with the chemistry?")
    rock = pd.read_csv(ridge / "meridian_ridge_geochem.csv")["Lithology"]
    inside, rest = (numbers(ridge, "Cr_ppm")[rock.eq("Basalt") == side] for side in (True, False))
    assert f"Cr_ppm (× {inside.median() / rest.median():.3g})" in said
    assert "Grouped by chemistry alone into 5 groups" in said
    assert "No classifier is trained" in said


def test_what_no_table_has_is_not_ranked(ridge: Path) -> None:
    said = ask(ridge, "Rank the drainage catchments by copper.")
    assert "which drainage catchments: " in said
    assert "has no such column to group by" in said
