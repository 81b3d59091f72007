"""A reply as text: cut in every direction, a marker at every cut."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from workbench import marker
from workbench.context import render
from workbench.limits import Limits
from workbench.reply import Preview, Text

LIMITS = Limits()
STEP = 'query_data(path="x.csv", operation="describe")'


def _preview(columns: int, rows: int, cell: object = 1.5, total: int | None = None) -> Preview:
    names = tuple(f"c{number}" for number in range(columns))
    cells = tuple(tuple(cell for _ in names) for _ in range(rows))
    return Preview("rows", names, cells, rows if total is None else total, "d01a1 results/…/x.csv")


def _keys(item: render.Rendered) -> list[str]:
    return [hit.key for hit in item.hits]


def test_facts_are_lines_a_planner_can_parse() -> None:
    part = render.facts({"rows_in": 240, "sizes": {"1": 80}, "rule": "median + 2 MAD"}, LIMITS)
    pairs = dict(line.split(": ", 1) for line in part.text.splitlines())
    assert json.loads(pairs["rows_in"]) == 240
    assert json.loads(pairs["sizes"]) == {"1": 80}
    assert pairs["rule"] == "median + 2 MAD"


def test_a_preview_within_its_limits_has_no_marker() -> None:
    part = render.preview(_preview(3, 4), LIMITS, "preview_rows", 200, STEP)
    assert part.hits == ()
    assert marker.parse(part.text) == []
    assert part.text.splitlines()[0] == "rows (4 of 4 rows)"


def test_rows_beyond_twenty_are_cut_with_the_whole_count() -> None:
    part = render.preview(_preview(2, 900, total=10_000), LIMITS, "preview_rows", 200, STEP)
    (mark,) = marker.parse(part.text)
    assert (mark.left, mark.total, mark.unit) == (9_980, 10_000, "rows")
    assert mark.full == "d01a1 results/…/x.csv"
    assert mark.next == STEP
    assert _keys(part) == ["preview_rows"]


def test_the_rows_of_a_dispatch_are_bounded_together() -> None:
    part = render.preview(_preview(2, 15), LIMITS, "preview_rows", 5, STEP)
    assert _keys(part) == ["preview_rows_total"]
    assert "(5 of 15 rows)" in part.text


def test_wide_previews_are_cut_by_columns() -> None:
    part = render.preview(_preview(400, 2), LIMITS, "preview_rows", 200, STEP)
    units = {mark.unit: mark.left for mark in marker.parse(part.text)}
    assert units == {"columns": 340}
    assert "preview_columns" in _keys(part)


def test_a_long_cell_is_cut_with_its_count() -> None:
    part = render.preview(_preview(1, 1, "x" * 6_400), LIMITS, "preview_rows", 200, STEP)
    (left,) = marker.short_marks(part.text)
    assert left > 6_190
    assert _keys(part) == ["cell_chars"]


def test_many_legal_cells_are_cut_by_characters() -> None:
    part = render.preview(_preview(50, 20, "y" * 150), LIMITS, "preview_rows", 200, STEP)
    assert len(part.text) <= LIMITS["preview_chars"].number
    assert "preview_chars" in _keys(part)


@given(cell=st.text(max_size=300), name=st.text(max_size=300))
def test_no_cell_or_name_can_start_a_line_or_hide_a_sign(cell: str, name: str) -> None:
    item = Preview(name, (name, "b"), ((cell, 2),), 1, "x.csv")
    part = render.preview(item, LIMITS, "preview_rows", 200, STEP)
    assert len(part.text.split("\n")) == 3
    assert all(char.isprintable() or char == "\n" for char in part.text)


def _data(lines: int) -> Text:
    body = "\n".join(["id,Au_ppb", *(f"s{n},{n}.5" for n in range(1, min(lines, 51)))])
    return Text(body, "x.csv", "data", 3_000, lines)


def _text(item: Text, tokens: int = 24_000) -> render.Rendered:
    return render.text(
        item, LIMITS, render.by_tokens(tokens), "read_share", lambda _: lambda _: STEP
    )


def test_a_data_file_over_fifty_lines_shows_five_and_its_total() -> None:
    part = _text(_data(241))
    (mark,) = marker.parse(part.text)
    assert part.text.splitlines()[:2] == ["id,Au_ppb", "s1,1.5"]
    assert len(part.text.splitlines()) == 6
    assert (mark.left, mark.total, mark.unit) == (236, 241, "lines")
    assert _keys(part) == ["data_file_lines", "data_file_head"]


def test_a_data_file_of_fifty_lines_is_shown_whole() -> None:
    item = Text("\n".join(f"{n},{n}" for n in range(50)), "x.csv", "data", 240, 50)
    assert _text(Text(item.body, "x.csv", "data", len(item.body), 50)).hits == ()


def test_rows_that_call_themselves_prose_are_still_rows() -> None:
    body = "\n".join(f"s{n},{n}.5,{n * 2},{n * 3}" for n in range(500))
    part = _text(Text(body, "notes.txt", "prose", len(body), 500))
    assert _keys(part) == ["data_file_lines", "data_file_head"]
    assert len(part.text.splitlines()) == 6


def test_prose_is_cut_at_seventy_two_thousand_characters_with_the_way_on() -> None:
    body = "The gold lies in quartz veins, and the veins follow the shear zone to depth.\n" * 2_000
    part = _text(Text(body, "notes.md", "prose", len(body), 2_000))
    (mark,) = marker.parse(part.text)
    assert 70_000 < len(part.text) <= 72_000
    assert mark.left + len(part.text) - len(str(mark)) - 1 == len(body)
    assert _keys(part) == ["read_share"]


def test_a_line_of_five_megabytes_is_cut() -> None:
    part = _text(Text("z" * 100_000, "one.txt", "prose", 5_000_000, 1))
    assert len(part.text) < 4_000
    assert "line_chars" in _keys(part)
