"""Equal input, parameters and seed give equal bytes; nothing in a result tells the time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toolbench import Bench

GEOCHEM = "meridian_ridge_geochem.csv"
CALLS = [
    ("cluster", {"columns": ["Au_ppb", "As_ppm", "Cu_ppm", "Sb_ppm"]}),
    ("correlate", {}),
    ("anomaly", {"column": "Au_ppb", "by": "Lithology"}),
    ("filter_rows", {"expression": "Au_ppb > 5 or Lithology == 'Basalt'"}),
    ("log_ratio", {"columns": ["Au_ppb", "Cu_ppm"], "impute": "multiplicative"}),
    ("plot_map", {"color": "As_ppm"}),
    ("plot_scatter", {"x": "Au_ppb", "y": "As_ppm", "color": "Lithology", "log": True}),
    ("plot_histogram", {"column": "Au_ppb"}),
    ("describe_table", {}),
    ("query_data", {"operation": "sample", "n": 20}),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_the_same_call_gives_the_same_bytes(
    make_bench: Callable[..., Bench], sample_data: Path, tool: str, arguments: dict[str, Any]
) -> None:
    replies = []
    for _ in range(2):
        bench = make_bench()
        (bench.data / GEOCHEM).write_bytes((sample_data / GEOCHEM).read_bytes())
        replies.append(bench.call(tool, path=GEOCHEM, **arguments))
    first, second = replies
    assert first == second
    assert [made.sha256 for made in first.made] == [made.sha256 for made in second.made]


def test_a_result_names_its_tool_parameters_seed_and_inputs(ridge: Bench) -> None:
    reply = ridge.call("filter_rows", path=GEOCHEM, expression="Au_ppb > 5")
    made = reply.made[0].made_by
    assert made["tool"] == "filter_rows"
    assert made["parameters"] == {"path": GEOCHEM, "expression": "Au_ppb > 5"}
    assert made["seed"] == 42
    assert set(made["inputs"]) == {GEOCHEM}
    assert set(reply.snapshots) == {GEOCHEM}
    assert reply.raw_tokens[GEOCHEM] > 10_000
