"""Claims are worked out again; what nearly fits does not fit, and one bad claim spoils no other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from toolbench import Bench

from workbench.errors import Refused

GEOCHEM = "meridian_ridge_geochem.csv"


def checked(bench: Bench, *claims: dict[str, Any]) -> list[dict[str, Any]]:
    facts = bench.facts("verify_claims", path=GEOCHEM, claims=list(claims))
    return [facts[f"claim {number}"] for number in range(1, len(claims) + 1)]


@pytest.fixture
def arsenic(ridge: Bench) -> np.ndarray:
    table = ridge.read(ridge.facts("sql", query="SELECT * FROM meridian_ridge_geochem")["output"])
    return table.loc[table["As_ppm__flag"].isna(), "As_ppm"].dropna().to_numpy()


def test_true_numbers_are_verified_to_the_digits_claimed(ridge: Bench, arsenic: np.ndarray) -> None:
    median = float(np.median(arsenic))
    claims = [
        {"value": f"{median:.1f}", "statistic": "median", "column": "As_ppm"},
        {"value": round(float(arsenic.mean()), 2), "statistic": "mean", "column": "As_ppm"},
        {"value": arsenic.size, "statistic": "count", "column": "As_ppm"},
        {"value": "240", "statistic": "rows"},
        {"value": f"{np.percentile(arsenic, 95):.2f}", "statistic": "p95", "column": "As_ppm"},
        {
            "value": int((arsenic > 100).sum()) + 2,
            "statistic": "rows",
            "filter": "As_ppm > 100",
        },
    ]
    assert [one["status"] for one in checked(ridge, *claims)] == ["verified"] * len(claims)


def test_a_number_that_is_off_in_its_last_digit_fails(ridge: Bench, arsenic: np.ndarray) -> None:
    median = float(np.median(arsenic))
    (found,) = checked(
        ridge, {"value": f"{median + 0.1:.1f}", "statistic": "median", "column": "As_ppm"}
    )
    assert found["status"] == "failed"
    assert found["found"] == pytest.approx(median, rel=1e-5)


def test_counts_hold_exactly_or_not_at_all(ridge: Bench) -> None:
    assert checked(ridge, {"value": 241, "statistic": "rows"})[0]["status"] == "failed"


def test_a_statistic_with_half_limits_says_its_basis(ridge: Bench) -> None:
    table = ridge.read(ridge.facts("sql", query="SELECT * FROM meridian_ridge_geochem")["output"])
    half = float(table["Au_ppb"].mean())
    (found,) = checked(ridge, {"value": f"{half:.2f}", "statistic": "mean", "column": "Au_ppb"})
    assert found["status"] == "verified"
    assert "half the limit" in found["basis"]


def test_one_bad_claim_spoils_no_other(ridge: Bench) -> None:
    claims = [
        {"value": "many", "statistic": "rows"},
        {"value": 1, "statistic": "mode", "column": "As_ppm"},
        {"value": 1, "statistic": "mean", "column": "Lithology"},
        {"value": 1, "statistic": "mean", "column": "As_pmm"},
        {"value": 1, "statistic": "mean", "column": "As_ppm", "tolerance": 1e9},
        {"value": 240, "statistic": "rows"},
    ]
    found = checked(ridge, *claims)
    assert [one["status"] for one in found] == ["error"] * 5 + ["verified"]
    assert "As_ppm" in found[3]["reason"]
    assert "no key 'tolerance'" in found[4]["reason"]


def test_too_many_claims_are_refused(ridge: Bench) -> None:
    with pytest.raises(Refused, match="51 claims"):
        ridge.call("verify_claims", path=GEOCHEM, claims=[{"value": 1, "statistic": "rows"}] * 51)
