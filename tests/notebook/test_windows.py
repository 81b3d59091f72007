"""A context window drawn: shares, marks, and words beside every colour."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.notebook import windows
from workbench.notebook.nodes import Node, texts, to_html
from workbench.notebook.static import style
from workbench.notebook.windows import Window
from workbench.sources.measures import CATEGORIES

LIMITS = {"context_warn": 70, "context_full": 90}


def window(raw: int = 0, **parts: int) -> Window:
    context = {"window": 200_000, "usable": 160_000, "raw_data_tokens": raw}
    return Window.of({**context, "by_category": parts}, LIMITS)


def find(item: Node | str, look: str) -> list[Node]:
    if isinstance(item, str):
        return []
    here = [item] if look in item.attributes.get("class", "").split() else []
    return here + [found for child in item.children for found in find(child, look)]


def lengths(item: Node, look: str) -> list[str]:
    return [found.attributes["style"] for found in find(item, look)]


def test_a_part_is_as_wide_as_its_share_of_the_whole_window() -> None:
    drawn = windows.scale(window(system=20_000, tool_results=50_000))
    assert lengths(drawn, "wb-part") == ["width:10.000%", "width:25.000%"]


def test_the_marks_stand_at_their_share_of_the_usable_part() -> None:
    drawn = windows.scale(window(system=1))
    assert lengths(drawn, "wb-mark") == ["left:56.000%", "left:72.000%"]


def test_the_reserve_is_what_is_not_usable() -> None:
    assert lengths(windows.scale(window(system=1)), "wb-reserve") == ["left:80.000%;width:20.000%"]


def test_raw_data_is_an_outline_at_the_same_scale() -> None:
    assert lengths(windows.scale(window(raw=31_200, system=1)), "wb-raw") == ["width:15.600%"]


def test_raw_data_larger_than_the_window_is_open_at_its_end() -> None:
    (outline,) = find(windows.scale(window(raw=900_000, system=1)), "wb-raw")
    assert outline.attributes["style"] == "width:100.000%"
    assert "wb-raw-over" in outline.attributes["class"]


@pytest.mark.parametrize(
    ("used", "level"),
    [(111_999, "calm"), (112_000, "warn"), (143_999, "warn"), (144_000, "full")],
)
def test_the_level_changes_exactly_at_its_mark(used: int, level: str) -> None:
    assert window(system=used).level == level


def test_a_passed_mark_is_said_in_words_too() -> None:
    said = " ".join(texts(windows.figures(window(system=120_000))))
    assert "past the 70 % mark" in said


def test_a_reader_of_the_screen_hears_every_number() -> None:
    label = windows.scale(window(raw=31_204, system=812, tool_results=1_180)).attributes[
        "aria-label"
    ]
    for word in (
        "1,992 of 160,000",
        "system 812",
        "tool results 1,180",
        "raw data 31,204",
        "reserve 40,000",
    ):
        assert word in label


def test_what_came_from_data_is_set_against_the_raw_data() -> None:
    said = "".join(
        texts(windows.figures(window(raw=31_000, system=9, tool_results=5_000, attachments=1_400)))
    )
    assert "6,400 of 31,000 raw" in said


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_has_a_colour_and_a_name(category: str) -> None:
    assert f".wb-c-{category} " in style()
    drawn = to_html(windows.bars(window(**{category: 100})))
    assert f"wb-c-{category}" in drawn
    assert category.replace("_", " ") in drawn


def test_a_loop_without_a_request_says_so() -> None:
    nothing: dict[str, Any] = {"window": 0, "usable": 0}
    assert "no request yet" in to_html(windows.bars(Window.of(nothing, LIMITS)))


def told(**more: Any) -> Window:  # noqa: ANN401 - of a context
    context = {"window": 200_000, "usable": 160_000, "by_category": {"system": 90_000}}
    return Window.of({**context, **more}, LIMITS)


def test_estimate_and_the_providers_figure_stand_side_by_side_and_the_gauge_is_the_latter() -> None:
    estimate = {"tokens": 110_000, "low": 104_500, "high": 115_500}
    provider = {"tokens": 112_000, "fresh": 12_000, "cached": 100_000, "estimated": False}
    before, after = told(estimate=estimate), told(estimate=estimate, provider=provider)
    assert (before.gauge, before.level) == (110_000, "calm")
    assert (after.gauge, after.level) == (112_000, "warn")
    assert windows.against(after) == [
        "estimate 110,000 ± 5.0 %",
        "provider 12,000 fresh, 100,000 cached",
    ]
    assert "112,000" in to_html(windows.figures(after))


def test_a_count_of_our_own_is_no_providers_figure() -> None:
    provider = {"tokens": 1, "fresh": 1, "cached": 0, "estimated": True}
    assert told(provider=provider).gauge == 90_000
