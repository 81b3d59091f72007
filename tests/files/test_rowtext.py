"""Rows in any dress are data; prose, code and settings are not: measured on two corpora."""

from __future__ import annotations

import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dresses import DRESSES, records

from workbench.check import planted
from workbench.files.rowtext import is_rows
from workbench.formats.lines import is_data_file
from workbench.workspace import Workspace

GLIMPSE = 65_536
# Shorter files are shown whole whatever they are.
LONG = 50


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("count", [60, 600])
@pytest.mark.parametrize("seed", range(3))
def test_rows_are_rows_in_every_dress(dress: str, count: int, seed: int) -> None:
    assert is_rows(DRESSES[dress](records(count, seed)))


@pytest.mark.parametrize("dress", DRESSES)
def test_the_read_guard_takes_a_file_of_rows_for_data_whatever_it_is_called(
    tmp_path: Path, dress: str
) -> None:
    (tmp_path / "notes.txt").write_text("\n".join(DRESSES[dress](records())) + "\n")
    with Workspace.at(tmp_path).open("notes.txt") as file:
        assert is_data_file(file)


YAML = """
# Where the survey's files are, and how they are read
project: Meridian Ridge
grid: {datum: GDA2020, zone: 51}
survey:
  lines: 24
  spacing_m: 100
laboratory:
  name: North Assay
  methods: [FA50, ICP61, XRF]
  detection:
    Au_ppb: 0.5
    As_ppm: 1
contacts:
  - field crew
  - data desk
"""
INI = """
[survey]
; metres
spacing = 100
lines = 24
datum = GDA2020

[laboratory]
name = North Assay
method = FA50
repeat = yes
"""
CODE = """
def half(value, limit):
    # below detection
    if value < limit:
        return limit / 2
    return value


class Table:
    rows: int = 0
    columns: int = 0
"""
MARKDOWN = """
# Field notes

- **Day 1**: walked the ridge from north to south; thin soil over basalt.
- **Day 2**: sampled the drainage.

1. Ask for the survey of the old shaft.
2. Look at the core of hole 12.

> The laboratory says: results in 10 days.
"""
PAGE = """
<html><head><title>Ridge</title></head><body>
<p>The survey followed a ridge of weathered basalt.</p>
<p>Soil cover is thin where the drainage turns east.</p>
<ul><li>an old working</li><li>a shaft nobody has described</li></ul></body></html>
"""


@pytest.mark.parametrize(
    "text",
    [YAML, INI, CODE, MARKDOWN, PAGE, planted.prose(20_000), "", "one line", "\n\n"],
    ids=["yaml", "ini", "code", "markdown", "page", "prose", "nothing", "line", "blank"],
)
def test_words_settings_and_code_are_no_rows(text: str) -> None:
    assert not is_rows(text.split("\n"))


def long_texts(folder: Path, *patterns: str, most: int) -> Iterator[tuple[str, list[str]]]:
    """Yield texts of more than a screen below a folder, spread over all there are."""
    found = sorted({path for pattern in patterns for path in folder.rglob(pattern)})
    for path in found[:: max(len(found) // most, 1)]:
        data = path.read_bytes() if path.is_file() else b"\0"
        lines = data[:GLIMPSE].decode("utf-8", "replace").split("\n")
        if b"\0" not in data and len(lines) > LONG:
            yield str(path.relative_to(folder)), lines if len(data) <= GLIMPSE else lines[:-1]


@pytest.mark.parametrize(
    ("patterns", "allowed"),
    [
        (("LICENSE*", "COPYING*", "NOTICE*"), 0.0),
        (("METADATA", "*.md", "*.rst"), 0.0),
        (("*.toml", "*.cfg", "*.ini", "*.yml"), 0.0),
        # Some modules are tables: letter frequencies, colours, parameters of distributions.
        (("*.py",), 0.015),
    ],
    ids=["licences", "descriptions", "settings", "sources"],
)
def test_what_is_installed_here_reads_as_text(
    patterns: tuple[str, ...], allowed: float, record_property: Callable[[str, object], None]
) -> None:
    texts = list(long_texts(Path(sysconfig.get_path("purelib")), *patterns, most=150))
    taken = [name for name, lines in texts if is_rows(lines)]
    record_property("texts", len(texts))
    record_property("taken_for_rows", len(taken))
    assert len(taken) <= allowed * len(texts), f"{len(taken)} of {len(texts)}: {taken}"
