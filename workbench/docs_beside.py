"""The generated table of docs/beside.md: the tools of the nearest public tool server, and ours.

Each row names tools of the registry and is refused where one is not there; what is said to differ
is held by the test of that name in ``tests/tools/test_beside.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.tools import registry


@dataclass(frozen=True)
class Row:
    """One tool of the other server.

    Attributes
    ----------
    family, name : str
        As it calls them.
    ours : tuple of str
        Tools of ours that do its work; empty where there is none.
    how : str
        The call, or what there is instead.
    differs : str
        What is done in another way, and why.
    test : str
        Name of the test that holds it, without ``test_``; empty where nothing is claimed.
    """

    family: str
    name: str
    ours: tuple[str, ...]
    how: str
    differs: str = ""
    test: str = ""


_RASTERS = "rasters are not read"
ROWS = (
    Row("look", "list_files", ("list_files",), "also `contents`: kind, rows, samples, holes",
        "a listing says how many there are", "a_listing_names_what_each_table_is"),
    Row("look", "inspect_dataset", ("describe_table",), "",
        "a value below detection is a number with a limit, and no column becomes text for it",
        "one_non_detect_makes_no_column_text"),
    Row("look", "inspect_specific_columns", ("describe_table", "query_data"), "columns=[…]",
        "the exact name first; names that differ in case alone are kept apart",
        "names_that_differ_in_case_are_kept_apart"),
    Row("look", "inspect_raster", (), _RASTERS),
    Row("look", "check_missing", ("check_missing",), "by reason",
        "below detection is not missing", "below_detection_is_not_missing"),
    Row("look", "profile_geochem", ("query_data", "aggregate"), "statistics by hole",
        "composites of drillholes are not in this table yet"),
    Row("look", "query_data", ("query_data", "filter_rows"), "",
        "no number of rows, however odd, opens a table; censored values are compared as intervals",
        "odd_numbers_of_rows_are_refused"),
    Row("place", "reproject", ("export_table",), "GeoJSON in WGS 84, from the grid that is named",
        "the grid travels with the points", "places_do_not_go_without_their_grid"),
    Row("place", "resample", (), _RASTERS),
    Row("place", "clip_to_extent", ("filter_rows",), "samples by their coordinates; " + _RASTERS),
    Row("place", "align_grids", (), _RASTERS),
    Row("transform", "normalize", ("scale_columns",), "method=minmax",
        "a gap stays a gap", "gaps_are_not_filled_by_scaling"),
    Row("transform", "standardize", ("scale_columns",), "method=standard or robust",
        "a gap stays a gap", "gaps_are_not_filled_by_scaling"),
    Row("transform", "log_transform", ("scale_columns",), "method=log10 or ln",
        "a base that is not known is refused; what is not above 0 is counted",
        "an_unknown_option_is_refused_by_name"),
    Row("transform", "smooth", ("smooth",), "in depth, within each hole",
        "an unknown method is refused", "an_unknown_option_is_refused_by_name"),
    Row("transform", "pivot", ("reshape",), "how=wide",
        "two values for one cell are refused", "two_values_for_one_cell_are_refused"),
    Row("transform", "melt", ("reshape",), "how=long, flags and limits kept"),
    Row("transform", "merge_datasets", ("merge",), "",
        "matches and misses are counted; a join that multiplies rows is refused",
        "a_join_that_multiplies_rows_is_refused"),
    Row("transform", "filter_rows", ("filter_rows",), "one grammar of conditions",
        "a second filter never replaces the file of the first",
        "a_second_result_never_replaces_the_first"),
    Row("transform", "convert_dtype", ("clean_values",), "fix=kind",
        "what would be lost is said before anything is written",
        "what_another_kind_would_lose_is_said"),
    Row("feature", "select_bands", (), _RASTERS),
    Row("feature", "band_math", ("sql",), "on columns; " + _RASTERS,
        "no expression opens a file", "no_expression_opens_a_file"),
    Row("feature", "compute_gradient", (), _RASTERS),
    Row("feature", "texture_features", (), _RASTERS),
    Row("feature", "select_columns", ("sql",), "SELECT of the columns"),
    Row("feature", "compute_ratios", ("ratio", "log_ratio"), "by mass, in moles, or as log-ratios",
        "a name may hold a slash", "a_name_may_hold_a_slash"),
    Row("feature", "aggregate", ("aggregate",), "by grid or group", "the smallest value is one of "
        "its statistics", "the_smallest_value_of_a_group_can_be_asked_for"),
    Row("anomaly", "compute_anomaly", ("anomaly",), "z, MAD, Tukey, percentile; by rock",
        "thresholds and counts come back; a constant column has no threshold, and it is said",
        "a_constant_column_has_no_threshold"),
    Row("anomaly", "threshold", ("filter_rows", "compare_thresholds"), ""),
    Row("anomaly", "rank_by_metric", ("sql", "anomaly_index"), "",
        "a value below detection ranks low", "a_non_detect_is_never_a_top_target"),
    Row("group", "cluster", ("cluster", "profile_groups"), "five methods",
        "rows left out are counted; groups have centres and silhouettes",
        "rows_left_out_of_groups_are_counted"),
    Row("group", "reduce_dimensions", ("pca",), "plain, robust, of log-ratios",
        "shares and loadings come back", "shares_of_components_come_back"),
    Row("figure", "plot_histogram", ("plot_histogram",), "",
        "an empty table is refused", "an_empty_table_is_no_figure"),
    Row("figure", "plot_scatter", ("plot_scatter",), ""),
    Row("figure", "plot_map", ("plot_map",), "",
        "colours may be groups", "a_map_may_be_coloured_by_groups"),
    Row("figure", "plot_clusters", ("plot_map", "plot_scatter"), "color=cluster"),
    Row("prove", "summarize_provenance", ("summarise_artefacts",), "and `workbench lineage`",
        "calls, parameters, seeds and hashes, not names of files",
        "a_result_says_which_call_made_it"),
    Row("prove", "export_artifact", ("export_table",), "xlsx, gpkg, geojson, zip",
        "a grid is written, or the export refused", "places_do_not_go_without_their_grid"),
    Row("clean", "validate_geology", ("detect_issues", "describe_table"), "",
        "Y is yttrium beside other elements; a sample number is no hole",
        "columns_are_told_by_more_than_their_letters"),
    Row("clean", "detect_cleaning_issues", ("detect_issues",), "ranked, each with a call",
        "twelve issues at most come back", "a_hundred_faulty_columns_are_one_short_answer"),
    Row("clean", "fix_decimals", ("clean_values",), "fix=decimals",
        "a proposal first; negatives too; what is named is done",
        "a_decimal_sign_that_is_named_is_taken"),
    Row("clean", "parse_detection_limits", ("fill_below", "query_data"), "operation=limits",
        "one malformed cell spoils no other; flags and limits stay beside the number",
        "one_malformed_cell_spoils_no_other"),
    Row("clean", "remove_duplicates", ("find_duplicates",), "",
        "field and laboratory duplicates are kept", "duplicates_of_quality_control_are_kept"),
    Row("clean", "standardize_terms", ("clean_values",), "fix=terms",
        "a mapping is proposed, and what it does not name is left",
        "what_a_mapping_does_not_name_is_left"),
    Row("verify", "verify_claims", ("verify_claims",), "",
        "the tolerance is ours; one bad claim spoils no other", "one_bad_claim_spoils_no_other"),
)  # fmt: skip


def beside() -> str:
    """Return the table.

    Raises
    ------
    Refused
        If a row names a tool that is not registered.
    """
    head = ("family", "theirs", "ours", "what differs, each held by a test")
    lines = [head, ("---",) * len(head)]
    for row in ROWS:
        named = ", ".join(f"`{registry.get(name).name}`" for name in row.ours)
        ours = "; ".join(filter(None, (named, row.how))) if named else f"none: {row.how}"
        lines.append((row.family, f"`{row.name}`", ours, row.differs))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


PARTS: dict[str, Callable[[], str]] = {"beside": beside}
