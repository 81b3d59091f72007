"""The history paragraph: what was tried and how it ended, never what came out."""

from __future__ import annotations

from typing import Any

from workbench.context import history
from workbench.limits import Limits


def _entry(number: int, status: str = "success", **more: object) -> dict[str, Any]:
    return {
        "id": f"d{number:02d}",
        "agent": "analytics",
        "objective": f"task {number}",
        "status": status,
        "seconds": 1.24,
        "error": "",
        "result": "SECRET",
        **more,
    }


def test_no_dispatch_means_no_paragraph() -> None:
    assert history.paragraph([], Limits()).text == ""


def test_the_last_twenty_are_lines_and_older_ones_one_line() -> None:
    entries = [_entry(n, "error" if n == 2 else "success") for n in range(1, 31)]
    text = history.paragraph(entries, Limits()).text
    assert "10 earlier: 9 ended well, 1 with errors, 0 pending" in text
    assert text.count("-> success, 1.2 s") == 20
    assert "task 10:" not in text
    assert "d11 analytics: task 11 -> success" in text


def test_results_never_stand_in_it_and_errors_do() -> None:
    text = history.paragraph([_entry(1, "error", error="no column 'Xx'")], Limits()).text
    assert "SECRET" not in text
    assert "no column 'Xx'" in text


def test_a_long_objective_is_cut_with_its_count() -> None:
    text = history.paragraph([_entry(1, objective="word " * 800)], Limits()).text
    assert "…[+" in text
    assert len(text) < 500
