"""The strict result of a dispatch, and its bound as a whole."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.context.result import LISTS, Result

NOTICE = "the whole result is kept: d01a1 results/…/d01_result.json"


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "plain text",
        {"status": "success"},
        {"status": "done", "results": ["x"]},
        {"status": "success", "results": "x"},
        {"status": "success", "results": [1]},
        {"status": "success", "results": ["x"], "rows": []},
        {"status": "success", "results": [["a", "b"]]},
    ],
)
def test_anything_but_the_strict_shape_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"result|status|list|results"):
        Result.of(data)


def test_words_put_results_first_and_name_the_rest() -> None:
    result = Result("partial", ("Gold is high.",), errors=("no map",), recommendations=("Map it.",))
    assert result.words() == "Gold is high.\n\nNext:\n- Map it.\n\nErrors:\n- no map"


@given(
    lists=st.fixed_dictionaries(
        {key: st.lists(st.text(max_size=3_000), max_size=6) for key in LISTS}
    ),
    cap=st.integers(1_500, 9_000),
)
def test_a_bounded_result_is_within_its_cap_and_keeps_entries_in_order(
    lists: dict[str, list[str]], cap: int
) -> None:
    whole = Result("success", **{key: tuple(items) for key, items in lists.items()})
    bounded = whole.bounded(cap, lambda _: NOTICE)
    assert len(bounded.text()) <= cap
    if len(whole.text()) <= cap:
        assert bounded == whole
        return
    assert NOTICE in bounded.errors
    for key in LISTS:
        kept = [item for item in getattr(bounded, key) if item in lists[key]]
        order = [lists[key].index(item) for item in kept]
        assert order == sorted(order)


def test_an_entry_that_does_not_fit_becomes_a_note_of_its_length() -> None:
    whole = Result("success", ("short", "x" * 9_000, "also short"))
    bounded = whole.bounded(8_000, lambda _: NOTICE)
    assert bounded.results[0] == "short"
    assert "9,000 characters left out" in bounded.results[1]
    assert bounded.results[2] == "also short"
    assert json.loads(bounded.text())["status"] == "success"
