"""Other scales, against scikit-learn and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from toolbench import Bench

from workbench.errors import Refused

GEOCHEM = "meridian_ridge_geochem.csv"


def scaled(bench: Bench, method: str) -> tuple[np.ndarray, np.ndarray, dict[str, object]]:
    facts = bench.facts("scale_columns", path=GEOCHEM, columns=["Cu_ppm"], method=method)
    table = bench.read(facts["output"])
    both = table[["Cu_ppm", f"Cu_ppm_{method}"]].dropna()
    assert len(table) == facts["rows_out"] == 240
    return both.iloc[:, 0].to_numpy(), both.iloc[:, 1].to_numpy(), facts


def test_scales_agree_with_other_libraries(ridge: Bench) -> None:
    raw, ours, _ = scaled(ridge, "minmax")
    assert np.allclose(ours, MinMaxScaler().fit_transform(raw[:, None])[:, 0])
    raw, ours, _ = scaled(ridge, "standard")
    theirs = StandardScaler().fit_transform(raw[:, None])[:, 0]
    assert np.allclose(ours, theirs * np.sqrt((raw.size - 1) / raw.size))
    raw, ours, _ = scaled(ridge, "robust")
    assert np.allclose(ours, (raw - np.median(raw)) / (1.4826 * stats.median_abs_deviation(raw)))
    raw, ours, _ = scaled(ridge, "ln")
    assert np.allclose(ours, np.log(raw))


def test_box_cox_has_the_likeliest_lambda(ridge: Bench) -> None:
    raw, ours, facts = scaled(ridge, "boxcox")
    theirs, power = stats.boxcox(raw)
    assert facts["columns"]["Cu_ppm"]["lambda"] == pytest.approx(power, abs=1e-3)
    assert np.allclose(ours, theirs, rtol=1e-3)


def test_values_without_a_logarithm_become_gaps_and_are_counted(bench: Bench) -> None:
    rows = "".join(f"S{n},{n - 2}\n" for n in range(10))
    name = bench.write("low.csv", "SampleID,Temp\n" + rows)
    facts = bench.facts("scale_columns", path=name, columns=["Temp"])
    assert facts["columns"]["Temp"]["dropped"] == {"not above 0": 3}
    assert bench.read(facts["output"])["Temp_log10"].isna().sum() == 3


def test_a_constant_column_is_refused(bench: Bench) -> None:
    name = bench.write("same.csv", "SampleID,Cu_ppm,Zn_ppm\nA,1,1\nB,1,2\nC,1,3\nD,1,4\n")
    with pytest.raises(Refused, match="all equal"):
        bench.call("scale_columns", path=name, columns=["Cu_ppm"], method="standard")
