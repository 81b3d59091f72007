"""Percentiles that a question names are told, by group too, or said to be none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.models.planner import percentile
from workbench.session import Session


@pytest.fixture
def field(tmp_path: Path) -> Session:
    rows = "".join(f"S{n},{n * n % 97 + 1},{'Basalt' if n % 3 else 'Dacite'}\n" for n in range(60))
    (tmp_path / "soils.csv").write_text("SampleID,Cu_ppm,Lithology\n" + rows)
    return Session.open(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("the 95th percentile of Cu", ("95",)),
        ("P90 and p98 of Cu where As is above 10", ("90", "98")),
        ("99 percentile of Cu above 20", ("99",)),
        ("median of Cu in the 2nd batch", ()),
        ("the 97.5th percentile and P99.5 of Cu", ("97.5", "99.5")),
        ("97.5 percentile of Cu", ("97.5",)),
    ],
)
def test_percentiles_are_known_by_their_words(text: str, named: tuple[str, ...]) -> None:
    assert percentile.asked(text) == named


def test_a_percentile_is_told_for_each_group(field: Session) -> None:
    text = field.ask("Median and 95th percentile of copper by lithology").text
    for name, kept in (("Basalt", True), ("Dacite", False)):
        values = [n * n % 97 + 1 for n in range(60) if bool(n % 3) == kept]
        told = text.split(f"{name} ")[1].split("95th percentile ")[1].split(" ppm")[0]
        assert float(told) == pytest.approx(float(np.percentile(values, 95)), rel=5e-3)


def test_a_percentile_beyond_the_usual_ones_is_told(field: Session) -> None:
    values = [n * n % 97 + 1 for n in range(60)]
    text = field.ask("99th percentile of copper").text
    told = text.split("99th percentile ")[1].split(" ppm")[0]
    assert float(told) == pytest.approx(float(np.percentile(values, 99)), rel=5e-3)


def test_a_percentile_that_is_not_worked_out_is_said(field: Session) -> None:
    text = field.ask("Median and 90th percentile of copper by lithology").text
    assert "Not worked out here: the 90th percentile" in text
