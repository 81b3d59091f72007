"""Questions for derived columns and for ways of grouping, put to the real tools without a model."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from inprocess import start_in_process

from workbench.asking.run import Setting
from workbench.limits import Limits
from workbench.models.offline import OfflineModel
from workbench.models.planner.range import kind_of
from workbench.session import Session
from workbench.workspace import Workspace

GEOCHEM = "meridian_ridge_geochem.csv"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many natural groups are there in Cu and Zn?", "cluster"),
        ("Draw a dendrogram of the samples by Cu and Zn.", "cluster"),
        ("What is the ratio of Cu to Zn?", "ratio"),
        ("Make additive log-ratios of Cu and Zn.", "logratio"),
        ("Running median of Au over 4 m.", "smooth"),
        ("Mean of Cu per cell of a 100 m grid.", "aggregate"),
        ("Show the concentration-area plot of Cu.", "thresholds"),
    ],
)
def test_what_an_analyst_would_ask_is_known(question: str, kind: str) -> None:
    assert kind_of(question) == kind


@pytest.fixture(scope="module")
def session(sample_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("ridge")
    for name in ("geochem", "assay"):
        shutil.copy(sample_data / f"meridian_ridge_{name}.csv", folder)
    return Session(Setting(Workspace.at(folder), OfflineModel(), Limits(), start_in_process))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            f"How many natural groups of {GEOCHEM} by Au, As, Cu and Sb?",
            ["were taken by silhouette", "gap statistic 4", "figure of the numbers of groups"],
        ),
        (
            f"Cluster the samples of {GEOCHEM} by Au, As, Cu and Sb with HDBSCAN.",
            ["HDBSCAN on log values", "5 samples belong to no group"],
        ),
        (
            "Smooth Au over 5 m down the holes.",
            ["smoothed over 5 m within 12 holes", "1.51 before, 1.17 after"],
        ),
        ("Make the molar ratio of K2O to Al2O3.", ["median 0.126 over 232 samples"]),
        ("Aggregate Cu on a 200 m grid.", ["37 cells hold 240 of 240 samples"]),
        ("Make ilr coordinates of Cu, Zn and Ni.", ["Isometric log-ratios", "basis: results"]),
    ],
)
def test_the_answer_says_the_numbers_and_the_files(
    session: Session, question: str, said: list[str]
) -> None:
    answer = session.ask(question)
    for words in said:
        assert words in answer.text
    assert "Not taken into account" not in answer.text
