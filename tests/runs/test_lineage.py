"""Lineage: what a result came from, as the ledgers of a conversation tell it."""

from __future__ import annotations

import hashlib
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from workbench.errors import Refused
from workbench.ledger import Ledger
from workbench.limits import Limits
from workbench.runs import lineage, lineage_shown

SOURCE = hashlib.sha256(b"id,Au\ns1,5\n").hexdigest()
FIRST, SECOND = "20261130-100000-first-aaa", "20261130-110000-second-bbb"
SVG = "{http://www.w3.org/2000/svg}"


class Record:
    """A run as its files tell it."""

    def __init__(self, results: Path, name: str, follows: str = "", **view: object) -> None:
        self.name, self.folder, self._numbers = name, results / name, iter(range(1, 99))
        self.folder.mkdir(parents=True)
        whole = {"schema": 1, "run": name, "status": "answered", "follows": follows, **view}
        (self.folder / "run.json").write_text(json.dumps(whole))
        self._ledger = Ledger(self.folder / "events.jsonl", name, Limits())
        self._ledger.append("run_started", {"question": "q", "version": "0.1.0"})

    def step(
        self,
        tool: str,
        inputs: Mapping[str, str],
        outputs: Mapping[str, str],
        *,
        told: bool = True,
        **parameters: object,
    ) -> None:
        """Record a call that made files."""
        made: dict[str, Any] = {"tool": tool, "parameters": parameters, "seed": 7}
        made["inputs"] = dict(inputs)
        ids = []
        for path, sha256 in outputs.items():
            ids.append(f"d01a{next(self._numbers)}")
            data = {"id": ids[-1], "path": path, "bytes": 9, "sha256": sha256, "made_by": made}
            data |= {"media_type": "text/csv", "rows": 3, "columns": 2}
            self._ledger.append("artefact", data, "d01")
        if told:
            done = {"call": f"d01c{ids[0][4:]}", "tool": tool, "artefacts": ids, "seconds": 1.25}
            self._ledger.append("tool_done", done, "d01")

    def close(self) -> None:
        self._ledger.close()


@pytest.fixture
def results(tmp_path: Path) -> Iterator[Path]:
    """Two runs of one conversation: filtered, clustered and scaled from it, then both merged."""
    folder = tmp_path / "data" / "results"
    one = Record(folder, FIRST, overrides={"a.csv": {"Au": {"unit": "ppb"}}})
    one.step("filter_rows", {"a.csv": SOURCE}, {"a_filtered.csv": "f1"}, path="a.csv")
    one.step(
        "cluster", {"results/…/a_filtered.csv": "f1"}, {"k.csv": "k1", "profile.csv": "p1"}, k=3
    )
    one.step("anomaly", {"a.csv": SOURCE}, {"aside.csv": "x1"})
    two = Record(folder, SECOND, FIRST)
    two.step("scale_columns", {"results/…/a_filtered.csv": "f1"}, {"s.csv": "s1"})
    two.step("merge", {"results/…/s.csv": "s1", "results/…/k.csv": "k1"}, {"m.csv": "m1"})
    (tmp_path / "data" / "a.csv").write_bytes(b"id,Au\ns1,5\n")
    yield folder
    one.close()
    two.close()


def test_a_result_is_followed_over_the_runs_of_a_conversation(results: Path) -> None:
    found = lineage.of_result(results, "m.csv")
    assert [step.tool for step in found.steps] == [
        "filter_rows",
        "cluster",
        "scale_columns",
        "merge",
    ]
    assert [used.made for used in found.steps[-1].inputs] == [f"{SECOND}/d01a1", f"{FIRST}/d01a2"]
    assert [(used.name, used.sha256) for used in found.sources] == [("a.csv", SOURCE)]
    assert found.target == f"{SECOND}/d01a2"


def test_a_step_says_call_parameters_seed_time_version_and_settings(results: Path) -> None:
    [step] = lineage.of_result(results, "d01a1", FIRST).steps
    assert (step.call, step.seed, step.seconds, step.version) == ("d01c1", 7, 1.25, "0.1.0")
    assert step.parameters == {"path": "a.csv"}
    assert step.inputs[0].settings == {"Au": {"unit": "ppb"}}


def test_what_one_call_made_is_one_step(results: Path) -> None:
    [_, cluster, _] = lineage.of_run(results / FIRST).steps
    assert [item.path for item in cluster.outputs] == ["k.csv", "profile.csv"]


def test_a_run_shows_all_it_made_and_what_that_came_from(results: Path) -> None:
    assert [step.tool for step in lineage.of_run(results / SECOND).steps] == [
        *("filter_rows", "cluster", "scale_columns", "merge")
    ]
    assert len(lineage.of_run(results / FIRST).steps) == 3


def test_a_name_with_other_bytes_is_no_result_of_the_run(results: Path) -> None:
    record = Record(results, "20261130-120000-third-ccc", SECOND)
    record.step("pca", {"results/…/s.csv": "changed"}, {"t.csv": "t1"}, told=False)
    record.close()
    found = lineage.of_result(results, "t.csv")
    assert [used.name for used in found.sources] == ["results/…/s.csv"]
    assert found.steps[0].seconds is None


def test_the_tree_names_each_call_once(results: Path) -> None:
    text = lineage_shown.text(lineage.of_result(results, "m.csv"), {"a.csv": "unchanged"})
    assert text.splitlines()[0] == "d01a2 m.csv (3 × 2, sha256 m1)"
    assert text.count("by filter_rows(") == 1
    assert "see above" in text
    assert 'set by hand: Au = {"unit": "ppb"}' in text
    assert f"a.csv (source, sha256 {SOURCE[:12]}, unchanged)" in text


def test_a_source_that_changed_or_went_is_told(results: Path) -> None:
    folder, found = results / FIRST, lineage.of_result(results, "k.csv")
    source = results.parent / "a.csv"
    assert lineage.standing(folder, found) == {"a.csv": "unchanged"}
    source.write_bytes(b"id,Au\ns1,6\n")
    assert lineage.standing(folder, found) == {"a.csv": "changed since"}
    source.unlink()
    assert lineage.standing(folder, found) == {"a.csv": "not there"}


def test_parameters_that_the_ledger_cut_are_told(results: Path) -> None:
    record = Record(results, "20261130-120000-third-ccc")
    record.step("filter_rows", {"a.csv": SOURCE}, {"z.csv": "z1"}, expression="x" * 9_000)
    record.close()
    found = lineage.of_result(results, "z.csv")
    assert found.steps[0].cut
    assert "cut in the ledger" in lineage_shown.text(found)


def test_an_unknown_result_is_refused_with_what_to_do(results: Path) -> None:
    with pytest.raises(Refused, match=r"no run in .* see workbench show RUN"):
        lineage.of_result(results, "d09a9")


def test_the_drawing_has_a_box_a_file_and_an_arrow_an_input(results: Path) -> None:
    drawn = ET.fromstring(lineage_shown.drawing(lineage.of_result(results, "m.csv")))  # noqa: S314 - our own
    assert len(drawn.findall(f"{SVG}g")) == 6
    assert len(drawn.findall(f"{SVG}path")) == 2 * 6


def test_hostile_names_stay_text(results: Path) -> None:
    record = Record(results, "20261130-120000-third-ccc")
    record.step("sql", {'<b>"&\u202e.csv': "h"}, {"h.csv": "h1"}, sql="</title><script>")
    record.close()
    found = lineage.of_result(results, "h.csv")
    drawn = lineage_shown.drawing(found)
    assert ET.fromstring(drawn) is not None  # noqa: S314 - our own
    assert "<script" not in drawn
    assert "\u202e" not in drawn + lineage_shown.text(found)
