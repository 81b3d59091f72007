"""The cases of SECURITY.md against the tests there are: none is claimed that is not tested."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "SECURITY.md"
ROW = re.compile(r"^\| ([A-F]\d+) \| ([^|]+) \| ([^|]*) \|$", re.MULTILINE)
NAMED = re.compile(r"^(?:async )?def test_([a-f]\d+)_", re.MULTILINE)


def covered() -> dict[str, list[str]]:
    """Return case → files that hold a test of its number."""
    found: dict[str, set[str]] = {}
    for path in HERE.rglob("test_*.py"):
        for case in NAMED.findall(path.read_text(encoding="utf-8")):
            found.setdefault(case.upper(), set()).add(path.relative_to(HERE).as_posix())
    return {case: sorted(files) for case, files in found.items()}


def claimed() -> dict[str, list[str]]:
    """Return case → files that the page names."""
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {case: re.findall(r"`([^`]+)`", files) for case, _, files in rows}


def test_every_case_stands_in_the_table_once_in_order() -> None:
    sizes = {"A": 15, "B": 17, "C": 8, "D": 3, "E": 7, "F": 11}
    assert list(claimed()) == [
        f"{part}{n}" for part, last in sizes.items() for n in range(1, last + 1)
    ]


def test_every_file_that_the_table_names_holds_a_test_of_that_case() -> None:
    found = covered()
    wrong = {case: set(files) - set(found.get(case, ())) for case, files in claimed().items()}
    assert {case: files for case, files in wrong.items() if files} == {}


def test_every_case_has_a_test_of_its_number() -> None:
    assert [case for case, files in claimed().items() if not files] == []
