"""The one output that stays: self-contained, small, and the same whoever opens it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from sampleview import HOSTILE, Story, answered

from workbench.notebook import static


def test_three_forms_travel_together(tmp_path: Path) -> None:
    found = static.bundle(answered(), "6.1 s", tmp_path / "results" / "run")
    assert list(found) == [static.MIME, "text/html", "text/plain"]


def test_the_page_has_no_script_and_refers_to_nothing(tmp_path: Path) -> None:
    page = static.bundle(answered(HOSTILE, HOSTILE, HOSTILE), "1 s", tmp_path)["text/html"]
    bare = page.replace(static.style(), "")
    assert (
        re.findall(
            r"<(?!/?(?:section|header|footer|div|span|pre|p|table|caption|thead|tbody|tr|th|td|h3|ul|li|code|strong|details|summary|style)\b)[a-z]\w*",
            bare,
        )
        == []
    )
    assert not re.search(r"url\(|@import|https?:", static.style())
    assert not re.search(
        r"\s(?:src|href|on\w+)=", re.sub(r">[^<]*<", "><", re.sub(r'"[^"]*"', "", bare))
    )


def test_a_place_is_saved_relative_to_the_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    found = static.bundle(answered(), "6.1 s", tmp_path / "data" / "results" / "run")
    assert found[static.MIME]["results"] == "../data/results/run"
    assert str(tmp_path) not in json.dumps(found)


def test_a_long_answer_is_cut_in_the_view_with_a_count_and_whole_in_the_page(
    tmp_path: Path,
) -> None:
    answer = "gold " * 40_000
    found = static.bundle(answered(answer=answer), "1 s", tmp_path)
    assert len(json.dumps(found[static.MIME]["view"])) <= static.VIEW_BYTES
    assert re.search(r"…\[\+[\d,]+\]$", found[static.MIME]["view"]["answer"])
    assert answer.strip() in found["text/html"]


def test_a_view_of_many_files_says_how_many_there_were() -> None:
    story = Story()
    story.begin()
    for number in range(2_000):
        story.artefact("d01", f"d01a{number}", f"soils_{number}.csv")
    kept = static.trimmed(story.view())
    assert len(json.dumps(kept)) <= static.VIEW_BYTES
    assert kept["trimmed"]["artefacts"] == 2_000
    assert 0 < len(kept["artefacts"]) < 2_000


def test_a_view_that_fits_is_whole() -> None:
    view = answered()
    kept = static.trimmed(view)
    assert "trimmed" not in kept
    assert kept["loops"] == view["loops"]
    assert kept["limits"] == {
        key: view["limits"][key]
        for key in view["limits"]
        if key in {"preview_rows", "result_asked", "rows_to_file", "context_warn", "context_full"}
    }
