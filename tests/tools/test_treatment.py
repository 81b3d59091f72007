"""What became of censored values is said as far as there were any."""

from __future__ import annotations

import pytest
from toolbench import Bench


@pytest.mark.parametrize(
    ("cells", "policy"),
    [
        (["5", "7", "9"], None),
        (["5", "<1", "9"], "half the limit below detection"),
        (["5", ">100", "9"], "the limit above range"),
        (["<1", ">100", "9"], "half the limit below detection, the limit above range"),
    ],
)
def test_only_a_treatment_that_was_applied_is_told(
    bench: Bench, cells: list[str], policy: str | None
) -> None:
    rows = [f"s{n},{cell}" for n, cell in enumerate([*cells, *map(str, range(2, 30))])]
    path = bench.write("soils.csv", "\n".join(["SampleID,Au_ppb", *rows]) + "\n")
    told = bench.facts("anomaly", path=path, column="Au_ppb")
    assert told.get("policy") == policy
