"""``lineage``: of a result that real calls made, from the command line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from workbench import cli
from workbench.asking.onecall import Calls
from workbench.session import Session


@pytest.fixture
def made(geochem: Path) -> Path:
    """The data folder after two calls, the second on the result of the first."""
    calls = Calls(Session.open(str(geochem.parent)).setting, "two calls")
    calls.call("filter_rows", {"path": geochem.name, "expression": "Au_ppb > 5"})
    path = "results/…/meridian_ridge_geochem_filtered.csv"
    outcome = calls.call("scale_columns", {"path": path, "columns": ["Cu_ppm"]})
    assert outcome.ok, outcome.text
    calls.end("answered")
    return geochem.parent


def test_a_result_is_traced_to_the_bytes_of_its_source(
    made: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    drawing = tmp_path / "l.svg"
    words = ["lineage", "ca2", "--data", str(made)]
    assert cli.main([*words, "--json", "--svg", str(drawing)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [step["tool"] for step in found["steps"]] == ["filter_rows", "scale_columns"]
    source = made / "meridian_ridge_geochem.csv"
    assert found["sources"][0]["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()
    assert found["standing"] == {source.name: "unchanged"}
    assert drawing.read_text().startswith("<svg ")
    assert cli.main(words) == 0
    assert "by scale_columns(" in capsys.readouterr().out


def test_without_a_result_or_a_run_it_says_what_is_missing(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["lineage", "--data", str(geochem.parent)]) == 2
    (geochem.parent / "results").mkdir()
    assert cli.main(["lineage", "--data", str(geochem.parent), "--run", "x"]) == 1
    assert "no runs yet" in capsys.readouterr().err
