"""A cell that packs many values counts as many: what a query joins is not one row."""

from __future__ import annotations

import json

import pytest

from workbench.context.packing import values_in, within
from workbench.visible import cell

IDS = [f"MR-{number:04}" for number in range(12)]
FORMS = {
    "joined by a comma": ",".join(IDS),
    "joined by a bar": " | ".join(IDS),
    "joined by a blank": " ".join(IDS),
    "joined by a slash": "/".join(IDS),
    "joined by nothing": "".join(IDS),
    "joined by a colon": "::".join(IDS),
    "numbers": ", ".join(f"{n}.5" for n in range(12)),
    "a list": IDS,
    "a list of structures": [{"id": one} for one in IDS],
    "a structure": dict.fromkeys(IDS, 1),
    "a list in a structure": {"ids": IDS},
    "json as text": json.dumps(IDS),
    "json records as text": json.dumps([{"id": one, "n": 1.5} for one in IDS]),
    "a text of a list": str(IDS),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_packed_cell_counts_as_its_values(form: str) -> None:
    assert values_in(FORMS[form]) >= len(IDS)


@pytest.mark.parametrize(
    "value",
    [
        *("MR-0001", "basalt", "12.5", "<0.5", "", 7, 2.5, None, True, "2026-11-30", "10:30:15"),
        *("2026-11-30 10:30:15.250+08:00", "2026-11-30T10:30:15Z"),
        "quartz, pyrite and sericite along the contact",
        "drilled to 120 m; 3 % Cu between 45 and 48 m, see hole MRD001",
        "qtz, py, ser, chl, carb",
        "GDA2020 / MGA zone 51",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "7b1ff7a4-3c0e-4a59-9d2a-0c6f4a6f6a4e",
        "https://example.org/a/b",
    ],
)
def test_a_plain_cell_is_one_value(value: object) -> None:
    assert values_in(value) == 1


@pytest.mark.parametrize("form", FORMS)
def test_of_packed_rows_as_many_values_are_shown_as_rows_may_be(form: str) -> None:
    found = within([("basalt", FORMS[form])] * 20, 20)
    assert found is not None
    assert found.shown == 20
    assert found.total == 20 * values_in(FORMS[form])
    text = " ".join(cell(one) for row in found.rows for one in row)
    assert text.count("MR-") <= 20
    assert "…[+" in text


def test_rows_that_pack_nothing_are_left_as_they_are() -> None:
    assert within([("MR-0001", 1.5, "basalt")] * 500, 20) is None


def test_a_short_list_of_percentiles_is_shown_whole() -> None:
    row = ("basalt", [1.5, 2.5, 4.0, 8.0])
    found = within([row], 20)
    assert found is not None
    assert found.rows == (row,)
