"""Names of results: what was done is read off the name, however long the file's own name is."""

from __future__ import annotations

from workbench.files.newfile import result_stem


def test_a_name_says_the_file_the_operation_and_its_parameters() -> None:
    assert result_stem("ridge", "kmeans", 3) == "ridge_kmeans_3"
    assert (
        result_stem("ridge", "anomaly_scores", "Au_ppb", "mad") == "ridge_anomaly_scores_Au_ppb_mad"
    )
    assert result_stem("ridge", "filtered") == "ridge_filtered"


def test_a_long_file_name_hides_neither_operation_nor_parameters() -> None:
    found = result_stem("x" * 1_000, "kmeans_centres", 3)
    assert found.endswith("x_kmeans_centres_3")
    assert len(found) == 80


def test_long_parameters_hide_neither_file_nor_operation() -> None:
    found = result_stem("ridge", "anomaly_index", *["Element_ppm"] * 90)
    assert found.startswith("ridge_anomaly_index_Element_ppm_")
    assert len(found) <= 80


def test_a_name_holds_nothing_that_a_path_is_made_of() -> None:
    assert result_stem("../a b", "wide", "../../etc/passwd") == "a_b_wide_.._.._etc_passwd"
