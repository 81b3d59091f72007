"""The questions that analysts ask of a table, each with the test of a number of its answer.

Numbered as in the field's own list: A what have I got (1-8), B cleaning, units and limits (9-17),
D one or two elements (26-33), E several elements (34-37, 43), F anomalies and targets (44-50). A
number is checked against another library, a closed form, a published value or planted truth.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.spatial import cKDTree
from toolbench import Bench

HERE = Path(__file__).resolve().parent.parent
GEOCHEM = "meridian_ridge_geochem.csv"

TESTS: dict[int, tuple[str, ...]] = {
    1: ("tools/test_look.py::an_inventory_names_kind_rows_samples_and_holes_of_each_table",),
    2: ("tools/test_questions.py::how_many_samples_elements_units_and_methods",),
    3: ("tools/test_questions.py::which_sheet_has_the_assays",),
    4: ("tables/test_place.py::coordinates_are_said_for_what_they_look_like",),
    5: ("tools/test_reshape.py::one_row_an_element_becomes_one_row_a_sample",),
    6: ("tools/test_look.py::missing_values_are_counted_by_reason",),
    7: (
        "tools/test_combine.py::repeats_with_the_same_and_with_other_values_are_told_apart",
        "tools/test_duplicates.py::a_duplicate_of_a_sample_is_no_repeat_of_it",
    ),
    8: ("tools/test_combine.py::an_inner_join_agrees_with_pandas",),
    9: ("tools/test_questions.py::the_share_below_detection_of_each_element",),
    10: ("tools/test_best.py::non_detects_are_filled_beside_the_old_column",),
    11: ("tools/test_look.py::a_median_that_lies_among_the_non_detects_is_given_as_their_limit",),
    12: ("tools/test_censored.py::order_statistics_give_the_numbers_of_statsmodels",),
    13: ("tools/test_convert.py::every_element_comes_to_one_unit_with_its_limits",),
    14: ("tools/test_best.py::an_over_range_value_gives_way_to_the_ore_method",),
    15: ("tables/test_decide.py::repeated_negative_results_are_limits_and_said_so",),
    16: ("tools/test_convert.py::iron_is_put_in_one_form_and_says_where_from",),
    17: ("tools/test_issues.py::a_planted_fault_is_found",),
    26: ("tools/test_query.py::percentiles_by_group_agree_with_pandas",),
    27: ("tools/test_targets.py::a_break_lies_between_two_populations",),
    28: ("tools/test_query.py::percentiles_by_group_agree_with_pandas",),
    29: ("tools/test_find.py::planted_correlations_are_found_with_their_pairs",),
    30: ("tools/test_show.py::a_scatter_leaves_out_what_a_log_axis_cannot_show",),
    31: ("tools/test_ratio.py::a_censored_part_makes_a_bound_of_a_ratio",),
    32: ("tools/test_find.py::each_group_has_a_threshold_of_its_own",),
    33: ("tools/test_questions.py::two_surveys_are_compared_at_sites_that_are_near",),
    34: (
        "tools/test_multivariate.py::components_agree_with_another_librarys_on_centred_log_ratios",
    ),
    35: ("tools/test_multivariate.py::variation_is_the_variance_of_each_log_ratio",),
    36: ("tools/test_group.py::labels_sizes_and_silhouette_agree_with_another_run",),
    37: ("tools/test_profile.py::levels_and_chances_are_those_of_another_library",),
    43: ("tools/test_questions.py::logged_rock_is_compared_with_the_chemistry",),
    44: ("tools/test_targets.py::each_rule_gives_the_number_of_its_formula",),
    45: ("tools/test_targets.py::an_index_is_the_weighted_mean_of_robust_scores",),
    46: ("tools/test_multivariate.py::planted_outliers_are_the_farthest_rows",),
    47: (_AREA := "tools/test_targets.py::each_rule_gives_the_number_of_its_formula",),
    48: ("tools/test_aggregate.py::statistics_by_group_are_those_of_another_library",),
    49: ("tools/test_targets.py::neighbours_high_in_two_elements_lead",),
    50: ("tools/test_questions.py::a_target_table_has_reasons_from_files",),
}


def test_every_question_of_these_groups_has_a_test() -> None:
    asked = [*range(1, 18), *range(26, 38), 43, *range(44, 51)]
    assert sorted(TESTS) == asked
    for place in {one for each in TESTS.values() for one in each}:
        file, _, name = place.partition("::")
        assert re.search(rf"^def test_{name}\(", (HERE / file).read_text(), re.MULTILINE), place


@pytest.fixture
def raw(sample_data: Path) -> pd.DataFrame:
    """The sample set as texts."""
    return pd.read_csv(sample_data / GEOCHEM, dtype=str, keep_default_na=False)


def test_how_many_samples_elements_units_and_methods(ridge: Bench, raw: pd.DataFrame) -> None:
    told = ridge.facts("describe_table", path=GEOCHEM)
    columns = {key: one for key, one in told.items() if key.startswith("column ")}
    units = [one["unit"] for one in columns.values() if one["role"] == "element"]
    named = [name for name in raw.columns if re.fullmatch(r"[A-Z][a-z]?_(ppm|ppb|pct)", name)]
    assert told["rows"] == len(raw) == raw["SampleID"].nunique()
    assert sorted(units) == sorted(name.rpartition("_")[2] for name in named)


def test_which_sheet_has_the_assays(ridge: Bench) -> None:
    rows = ridge.read(ridge.facts("list_files", contents=True)["output"])
    book = rows[rows["file"] == "meridian_ridge_certificate.xlsx"].set_index("sheet")
    assert book["elements"].idxmax() == "Certificate"
    assert book.loc["Certificate", "rows"] == 114


def test_the_share_below_detection_of_each_element(ridge: Bench, raw: pd.DataFrame) -> None:
    table = ridge.read(ridge.facts("query_data", path=GEOCHEM, operation="limits")["output"])
    for _, line in table.iterrows():
        cells = raw[line["column"]]
        below = cells.str.startswith("<")
        known = below | cells.str.startswith(">") | pd.to_numeric(cells, "coerce").notna()
        assert line["below"] == below.sum()
        assert line["share_below"] == pytest.approx(below.sum() / known.sum(), rel=1e-5)
        limits = sorted({float(cell[1:]) for cell in cells if cell[:1] in {"<", ">"}})
        assert [float(one) for one in str(line["limits"]).split() if one != "nan"] == limits


def test_two_surveys_are_compared_at_sites_that_are_near(bench: Bench) -> None:
    draw = np.random.default_rng(3)
    sites = draw.uniform(0, 5_000, (60, 2))
    old = np.column_stack([sites, draw.lognormal(3, 0.5, 60)])
    new = np.column_stack([sites + draw.normal(0, 8, (60, 2)), old[:, 2] * 1.3])
    for name, table in (("s2012", old), ("s2019", new)):
        body = "".join(
            f"{name}-{n},{x!r},{y!r},{v!r}\n" for n, (x, y, v) in enumerate(table.tolist())
        )
        bench.write(f"{name}.csv", "SampleID,Easting,Northing,Cu_ppm\n" + body)
    query = (
        "SELECT count(*) AS pairs, median(ln(b.Cu_ppm / a.Cu_ppm)) AS shift FROM s2012 a JOIN "
        "s2019 b ON sqrt((a.Easting-b.Easting)**2 + (a.Northing-b.Northing)**2) < 15"
    )
    made = bench.facts("sql", query=query, paths=["s2012.csv", "s2019.csv"])
    [found] = bench.read(made["output"]).to_dict("records")
    pairs = cKDTree(old[:, :2]).query_ball_tree(cKDTree(new[:, :2]), 15)
    logs = [np.log(new[j, 2] / old[i, 2]) for i, each in enumerate(pairs) for j in each]
    assert found["pairs"] == len(logs)
    assert found["shift"] == pytest.approx(np.median(logs), rel=1e-6)


def test_logged_rock_is_compared_with_the_chemistry(ridge: Bench, raw: pd.DataFrame) -> None:
    names = ["Ni_ppm", "Cr_ppm", "Co_ppm", "Cu_ppm"]
    made = ridge.facts("cluster", path=GEOCHEM, columns=names, k=3)
    view = Path(made["output"]).stem
    query = f'SELECT Lithology, cluster, count(*) AS n FROM "{view}" GROUP BY ALL'  # noqa: S608 - ours
    table = ridge.read(ridge.facts("sql", query=query, paths=[made["output"]])["output"])
    labels = ridge.read(made["output"])
    crossed = labels.groupby(["Lithology", "cluster"]).size()
    mine = table.dropna(subset=["cluster"]).set_index(["Lithology", "cluster"])["n"]
    assert crossed.to_dict() == mine.to_dict()


def test_a_target_table_has_reasons_from_files(ridge: Bench) -> None:
    names = ["Au_ppb", "As_ppm", "Sb_ppm"]
    index = ridge.facts("anomaly_index", path=GEOCHEM, columns=names)
    table = ridge.read(index["output"])
    scores = next(name for name in table.columns if "index" in name.casefold())
    first = table.sort_values(scores, ascending=False).iloc[0]
    claim = {"value": float(first["As_ppm"]), "statistic": "max", "column": "As_ppm"}
    claim["filter"] = f'SampleID == "{first["SampleID"]}"'
    told = ridge.facts("verify_claims", path=GEOCHEM, claims=[claim])
    assert told["verified"] == 1
