"""The chain behind one result is made again, to equal hashes or to a named difference."""

from __future__ import annotations

from pathlib import Path

import pytest
from reporting import CLUSTER, GEOCHEM, hand, scripted

from workbench.cli import main
from workbench.models.scripted import call, finish
from workbench.report.rechain import again
from workbench.runs import lineage

NAME = "results/…/meridian_ridge_geochem_kmeans_3.csv"


@pytest.fixture
def chained(field: Path) -> Path:
    """Return a run in which one result was made from another."""
    scripts = {
        "guide": [hand("analytics", "Group, then keep one.")],
        "d01": [
            CLUSTER,
            call("filter_rows", path=NAME, expression="As_ppm > 20"),
            finish("done"),
        ],
    }
    return scripted(field, scripts).ask("Group the samples.").folder


def test_the_files_of_the_chain_are_equal(chained: Path) -> None:
    found = lineage.of_result(chained.parent, "d01a2", chained.name)
    compared = again(chained.parent, found)
    assert [row.state for row in compared.rows] == ["same"] * 5
    assert compared.words == "verified: 1 input and 2 results are the same"


def test_a_file_that_was_changed_on_the_disk_is_told_from_what_the_calls_make(
    chained: Path,
) -> None:
    found = lineage.of_result(chained.parent, "d01a1", chained.name)
    lies = next(chained.glob("*_kmeans_3.csv"))
    lies.write_bytes(lies.read_bytes() + b"\n")
    compared = again(chained.parent, found)
    states = {row.name: row.state for row in compared.rows if row.what != "input"}
    name = f"{chained.name}/d01a1"
    assert states == {name: "same", f"{name} as it lies there": "changed"}
    assert compared.words == (
        f"NOT the same: made again all is as recorded, but not the file {name} as it lies there"
    )


def test_other_data_is_told_with_the_first_result_that_departs(
    chained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = chained.parent.parent / GEOCHEM
    place.write_text("".join(place.read_text().splitlines(keepends=True)[:200]))
    words = ["lineage", "d01a2", "--replay", "--data", str(place.parent)]
    assert main(words) == 1
    assert f"other data: {GEOCHEM} is not what was recorded" in capsys.readouterr().out
