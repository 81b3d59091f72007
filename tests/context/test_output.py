"""What an agent sees of a program's output."""

from __future__ import annotations

import pytest

from workbench import marker
from workbench.context import render
from workbench.context.output import printed
from workbench.context.render import Rendered
from workbench.context.said import Tally
from workbench.context.steps import Steps
from workbench.limits import Limits
from workbench.reply import Text

STEPS = Steps(("run_script", "search_text", "read_range"))
TABLE = [f"s{n}  {n}.5  {n * 2}  basalt" for n in range(30)]
WORDS = [f"step {n} of the work went as it was meant to go" for n in range(30)]


def shown(
    lines: list[str], total: int | None = None, most: int = 100_000, **limits: object
) -> tuple[Rendered, list[list[str]]]:
    kept: list[list[str]] = []

    def keep(rows: object) -> str:
        kept.append(list(rows))  # type: ignore[call-overload]
        return f"d01a{len(kept)} results/…/x.txt"

    body = "\n".join(lines)
    item = Text(body, "d01_output_1", "output", len(body), total or len(lines))
    fits = render.by_chars(most)
    table = Limits().changed(limits)
    return printed(item, table, fits, "read_share", STEPS, Tally(20), keep), kept


def test_words_pass_as_they_are() -> None:
    part, kept = shown(WORDS)
    assert part.text == "\n".join(WORDS)
    assert (part.hits, kept) == ((), [])


def test_a_table_among_words_becomes_a_file_and_a_marker() -> None:
    part, kept = shown([*WORDS[:3], *TABLE, *WORDS[3:6]])
    assert kept == [TABLE]
    (mark,) = marker.parse(part.text)
    assert (mark.left, mark.full) == (30, "d01a1 results/…/x.txt")
    assert part.text.startswith("\n".join(WORDS[:3]))
    assert part.text.endswith("\n".join(WORDS[3:6]))


def test_the_first_rows_of_small_tables_stay_until_twenty_were_shown() -> None:
    blocks = [line for n in range(8) for line in (*TABLE[:5], WORDS[n])]
    part, kept = shown(blocks)
    assert part.text.count("basalt") == 20
    assert len(kept) == 4


@pytest.mark.parametrize(
    "line",
    [
        str([[f"s{n}", n * 1.5] for n in range(60)]),
        "{" + ", ".join(f'"s{n}": {n}.5' for n in range(60)) + "}",
        ";".join(f"s{n},{n}.5" for n in range(60)),
    ],
)
def test_a_table_on_one_line_is_one_too(line: str) -> None:
    part, kept = shown([WORDS[0], line, WORDS[1]])
    assert kept == [[line]]
    assert "s17" not in part.text


def test_more_lines_than_come_back_are_cut_in_the_middle() -> None:
    lines = [f"{word}, and so on in round {n}" for n in range(30) for word in WORDS]
    part, _ = shown(lines)
    assert len(part.text.splitlines()) == 501
    assert part.text.startswith(lines[0])
    assert part.text.endswith(lines[-1])
    (mark,) = marker.parse(part.text)
    assert (mark.left, mark.total) == (400, 900)
    assert [hit.key for hit in part.hits] == ["command_lines"]


def test_the_ends_of_what_spilled_are_joined_by_a_marker_that_counts_all() -> None:
    part, _ = shown([*WORDS[:10], *WORDS[-10:]], total=5_000)
    (mark,) = marker.parse(part.text)
    assert (mark.left, mark.total, mark.full) == (4_980, 5_000, "d01_output_1")


def test_a_table_in_what_spilled_is_in_the_log_already() -> None:
    part, kept = shown([*TABLE, *WORDS], total=5_000)
    assert kept == []
    assert [mark.full for mark in marker.parse(part.text)] == ["d01_output_1"] * 2


@pytest.mark.parametrize("most", [3_000, 900, 400])
def test_what_does_not_fit_loses_its_middle_and_never_passes_the_share(most: int) -> None:
    part, _ = shown([f"{word} {'and on ' * 20}" for word in WORDS], most=most)
    assert len(part.text) <= most
    assert part.hits[-1].key == "read_share"
    assert marker.parse(part.text)
