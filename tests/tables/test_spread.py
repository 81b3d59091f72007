"""How the numbers of a column lie agrees with counting them one by one."""

from __future__ import annotations

import statistics
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from workbench.tables.spread import Spread, spread


@pytest.mark.parametrize("rows", [1, 2, 5, 200, 201])
def test_it_is_what_counting_one_by_one_gives(rows: int) -> None:
    draw = np.random.default_rng(rows)
    cells = [None if n % 7 == 3 else float(x) for n, x in enumerate(draw.integers(-3, 4, rows))]
    cells[0] = 2.5
    numbers = [cell for cell in cells if cell is not None]
    found = spread(pa.chunked_array([pa.array(cells[:3]), pa.array(cells[3:], pa.float64())]))
    times = Counter(numbers)
    often = [*sorted(times.values(), reverse=True), 0]
    assert found == Spread(
        len(numbers),
        statistics.median(numbers),
        min(numbers),
        max(numbers),
        times[min(numbers)],
        sum(number < 0 for number in numbers),
        min(number for number, n in times.items() if n == often[0]),
        often[0],
        often[1],
    )


def test_a_column_of_gaps_has_no_numbers() -> None:
    assert spread(pa.chunked_array([pa.nulls(3, pa.float64())])) == Spread(0)
