"""A table made to break tools: wide, long-named, with huge cells and names that are code."""

from __future__ import annotations

import csv
import json
import random
from typing import Any

import pytest
from toolbench import Bench

from workbench.errors import Refused

NAMES = [
    "SampleID",
    "Easting",
    "Northing",
    "Lithology",
    "<script>alert(1)</script>",
    '"; DROP TABLE x; --',
    "=cmd|' /C calc'!A0",
    "x" * 1_000,
    "Au_ppb",
    "row·keep",
    "cluster",
    "score",
    "a`b",
    'Au "q" ppm',
    *(f"E{n}_ppm" for n in range(386)),
]
PIPE = 1_000_000


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    root = tmp_path_factory.mktemp("hostile")
    (root / "data").mkdir()
    generator = random.Random(1)
    with (root / "data" / "hostile.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(NAMES)
        for n in range(60):
            row: list[object] = [f"S{n}", 1000 + n, 2000 + 2 * n]
            row.append("<img src=x onerror=alert(1)>" if n % 2 else "Basalt" * 50)
            row += [generator.random() + 0.1 for _ in range(3)]
            row.append("y" * 1_000_000 if n == 3 else "short")
            row.append("<1" if n % 5 == 0 else generator.lognormvariate(1, 1))
            row += [generator.random() + 0.1 for _ in range(5)]
            row += [generator.lognormvariate(0, 1) for _ in range(386)]
            writer.writerow(row)
    return Bench(root / "data", root / "results")


CALLS = [
    ("describe_table", {}),
    ("check_missing", {}),
    ("query_data", {"operation": "describe", "columns": NAMES[10:]}),
    ("query_data", {"operation": "percentiles", "columns": NAMES[10:]}),
    ("query_data", {"operation": "correlations", "columns": NAMES[8:120], "threshold": 0}),
    ("query_data", {"operation": "value_counts", "columns": ["x" * 1_000], "n": 100_000}),
    (
        "query_data",
        {"operation": "filter_summary", "expression": "`a``b` > 0.2 and `row·keep` > 0"},
    ),
    ("filter_rows", {"expression": '`"; DROP TABLE x; --` > 0.2 and E1_ppm * E2_ppm > 0.1'}),
    ("correlate", {"columns": NAMES[8:]}),
    ("correlate", {"columns": NAMES[8:60], "by": "Lithology"}),
    ("anomaly", {"column": "<script>alert(1)</script>", "log": False}),
    ("anomaly", {"column": "Au_ppb", "by": "Lithology"}),
    ("cluster", {"columns": ["Au_ppb", "<script>alert(1)</script>", "score"]}),
    ("cluster", {"columns": NAMES[14:], "k": 40}),
    ("cluster", {"columns": NAMES[14:40], "method": "hierarchical", "k": 40}),
    ("cluster", {"columns": NAMES[14:20], "method": "hdbscan", "min_samples": 2}),
    ("cluster", {"columns": ["<script>alert(1)</script>", "score"], "scan": 5}),
    ("profile_groups", {"by": "Lithology"}),
    ("profile_groups", {"by": "x" * 1_000}),
    ("plot_map", {"color": "<script>alert(1)</script>"}),
    ("plot_map", {"color": "x" * 1_000}),
    ("plot_scatter", {"x": "Au_ppb", "y": 'Au "q" ppm'}),
    ("plot_histogram", {"column": "Au_ppb", "by": "Lithology"}),
    ("read_file", {}),
    ("pca", {"columns": NAMES[14:], "transform": "log"}),
    ("pca", {"columns": NAMES[14:], "components": 10}),
    ("pca", {"columns": NAMES[14:44], "transform": "raw"}),
    ("outliers", {"columns": NAMES[14:34], "transform": "log"}),
    ("outliers", {"columns": NAMES[14:34], "method": "isolation_forest", "transform": "raw"}),
    ("element_groups", {"columns": NAMES[14:], "k": 30}),
    ("compare_thresholds", {"column": "Au_ppb"}),
    ("compare_thresholds", {"column": "<script>alert(1)</script>"}),
    ("anomaly_index", {"columns": NAMES[14:]}),
    ("anomaly_index", {"columns": ["Au_ppb", "a`b"], "by": "Lithology"}),
    ("anomaly_groups", {"columns": NAMES[8:60], "radius": 5.0}),
    ("censored_stats", {"columns": NAMES[8:]}),
    ("censored_stats", {"columns": ["Au_ppb"], "by": "Lithology"}),
    ("merge", {"right_path": "hostile.csv", "on": ["SampleID"]}),
    ("find_duplicates", {}),
    ("find_duplicates", {"keys": ["x" * 1_000]}),
    ("reshape", {"how": "long", "keys": ["SampleID"], "values": NAMES[14:]}),
    ("reshape", {"how": "wide", "keys": ["x" * 1_000], "names": "SampleID", "values": ["Au_ppb"]}),
    ("convert_units", {"to": "ppb", "columns": NAMES[14:]}),
    ("convert_units", {"to": "pct"}),
    ("fill_below", {"columns": NAMES[8:]}),
    ("scale_columns", {"columns": NAMES[14:]}),
    ("scale_columns", {"columns": ["row·keep", "=cmd|' /C calc'!A0"], "method": "standard"}),
    ("log_ratio", {"columns": NAMES[14:]}),
    ("log_ratio", {"columns": NAMES[14:], "method": "ilr"}),
    ("log_ratio", {"columns": NAMES[14:30], "method": "alr", "impute": "lognormal"}),
    ("ratio", {"over": NAMES[14:300], "under": ["E385_ppm"]}),
    ("aggregate", {"by": ["x" * 1_000]}),
    ("aggregate", {"by": ["Lithology"], "cell": 50.0, "columns": NAMES[8:40]}),
    ("aggregate", {"cell": 1e-9, "columns": ["Au_ppb"], "statistics": ["mean", "p90"]}),
    ("compare_thresholds", {"column": "Au_ppb", "by": "Lithology"}),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_every_tool_answers_shortly_on_a_hostile_table(
    hostile: Bench, tool: str, arguments: dict[str, Any]
) -> None:
    reply = hostile.call(tool, path="hostile.csv", **arguments)
    assert len(json.dumps(reply.to_json())) < PIPE
    if tool != "read_file":
        assert len(json.dumps(reply.facts, ensure_ascii=False)) < 6_000
    for made in reply.made:
        assert len(made.path) < 120
        assert (hostile.run / made.path).stat().st_size == made.bytes


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("total_iron", {"columns": NAMES[14:]}),
        ("best_value", {"columns": NAMES[14:]}),
        ("element_groups", {"columns": NAMES[14:], "k": 40}),
        ("merge", {"right_path": "hostile.csv", "on": ["x" * 1_000]}),
        (
            "reshape",
            {"how": "wide", "keys": ["SampleID"], "names": "x" * 1_000, "values": ["Au_ppb"]},
        ),
        (
            "verify_claims",
            {"claims": [{"text": "z" * 100_000, "value": 1.0, "column": "Au_ppb"}] * 200},
        ),
    ],
)
def test_what_no_method_can_do_with_it_is_refused_shortly(
    hostile: Bench, tool: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as caught:
        hostile.call(tool, path="hostile.csv", **arguments)
    assert len(str(caught.value)) < 2_500


@pytest.mark.parametrize("operation", ["head", "tail", "sample"])
def test_a_preview_of_huge_cells_passes_the_pipe(hostile: Bench, operation: str) -> None:
    reply = hostile.call("query_data", path="hostile.csv", operation=operation, n=10**9)
    assert len(json.dumps(reply.to_json())) < PIPE
    cells = [cell for row in reply.previews[0].rows for cell in row if isinstance(cell, str)]
    assert max(map(len, cells)) <= 4_000


def test_a_huge_cell_keeps_its_true_length_in_its_marker(hostile: Bench) -> None:
    reply = hostile.call(
        "query_data", path="hostile.csv", operation="head", columns=["x" * 1_000], n=5
    )
    cell = str(reply.previews[0].rows[3][0])
    assert cell.endswith("]")
    assert (
        int(cell.rpartition("…[+")[2].strip("]").replace(",", "")) + len(cell.partition("…")[0])
        == 1_000_000
    )


def test_added_columns_never_take_the_name_of_one_that_is_there(hostile: Bench) -> None:
    facts = hostile.facts("cluster", path="hostile.csv", columns=["Au_ppb", "score"], k=2)
    header = hostile.read(facts["output"]).columns
    assert {"cluster", "cluster_2"} <= set(header)
    facts = hostile.facts("anomaly", path="hostile.csv", column="score")
    header = hostile.read(facts["scores"]).columns
    assert {"score", "score_2"} <= set(header)


def test_names_in_refusals_are_cut(hostile: Bench) -> None:
    with pytest.raises(Refused) as caught:
        hostile.call("anomaly", path="hostile.csv", column="x" * 1_000)
    assert len(str(caught.value)) < 800


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("describe_table", {}),
        ("query_data", {"operation": "describe", "columns": ["Cu_ppm"]}),
        ("filter_rows", {"expression": "Cu_ppm > 1"}),
        ("cluster", {"columns": ["Cu_ppm"]}),
        ("anomaly", {"column": "Cu_ppm"}),
        ("correlate", {"columns": ["Cu_ppm", "Zn_ppm"]}),
        ("plot_map", {}),
    ],
)
def test_a_table_without_rows_is_answered_or_refused_plainly(
    bench: Bench, tool: str, arguments: dict[str, Any]
) -> None:
    bench.write("empty.csv", "SampleID,Easting,Northing,Cu_ppm,Zn_ppm\n")
    try:
        facts = bench.facts(tool, path="empty.csv", **arguments)
    except Refused as error:
        assert "\n" not in str(error)  # noqa: PT017 - either way is right
    else:
        assert facts.get("rows", facts.get("rows_in")) == 0


def extreme() -> str:
    """Return a table whose numbers overflow when they are squared, multiplied or subtracted."""
    chance = random.Random(2)
    ends = ["1e308", "-1e308", "1.7e308", "5e-324", "0", "12"]
    east, north = ["1e308", "-1.7e308", "350000"], ["1e308", "6.6e6"]
    rows = [
        f"S{n},{chance.choice(east)},{chance.choice(north)},"
        f"{chance.choice(ends)},{n + 1},{chance.choice('ab')}"
        for n in range(60)
    ]
    return "\n".join(["SampleID,Easting,Northing,Au_ppb,As_ppm,Lithology", *rows])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("plot_histogram", {"column": "Au_ppb"}),
        ("plot_histogram", {"column": "Au_ppb", "log": False, "by": "Lithology"}),
        ("plot_scatter", {"x": "Au_ppb", "y": "As_ppm"}),
        ("plot_scatter", {"x": "Easting", "y": "As_ppm", "color": "Au_ppb", "log": True}),
        ("plot_map", {"color": "Au_ppb"}),
        ("plot_map", {}),
        ("anomaly", {"column": "Au_ppb"}),
    ],
)
def test_numbers_beyond_all_measure_are_left_out_and_counted(
    bench: Bench, tool: str, arguments: dict[str, Any]
) -> None:
    bench.write("h.csv", extreme())
    told = bench.facts(tool, path="h.csv", **arguments)
    assert told["rows_used"] > 0
    beyond = [n for key, n in told["dropped"].items() if "not within 1e-100 to 1e+100" in key]
    assert sum(beyond) > 0
    assert told["rows_used"] + told["rows_dropped"] == 60
