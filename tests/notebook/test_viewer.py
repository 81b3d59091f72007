"""``%agent open``: tables page by page from a confined child, figures, texts; never as a page."""

from __future__ import annotations

import hashlib
import shutil
import time
from pathlib import Path

import pytest
from cells import Shell
from sampleview import HOSTILE

from workbench.errors import Refused
from workbench.notebook import figures, viewer
from workbench.notebook.viewer import Page
from workbench.session import Session

ROWS = 250


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a figure, its page and then a table, in two runs."""
    data = tmp_path_factory.mktemp("made") / "data"
    data.mkdir()
    lines = ["Sample,Au_ppb,<b>Note</b>", *(f"S{n:03d},{n},{HOSTILE[:8]}" for n in range(ROWS))]
    (data / "soils.csv").write_text("\n".join(lines) + "\n")
    session = Session.open(data)
    session.call("plot_histogram", {"path": "soils.csv", "column": "Au_ppb", "log": False})
    time.sleep(1.1)  # run ids sort by the second
    session.call("filter_rows", {"path": "soils.csv", "expression": "`Au_ppb` >= 0"})
    return data


@pytest.fixture
def results(made: Path, tmp_path: Path) -> Path:
    """Return a results folder of its own."""
    shutil.copytree(made, tmp_path / "data")
    return tmp_path / "data" / "results"


def test_a_table_is_shown_page_by_page(results: Path) -> None:
    first = viewer.opened(results, "ca1", None, Page())
    assert f"showing 1–100 of {ROWS} rows" in first["text/plain"]
    assert "--offset 100" in first["text/plain"]
    last = viewer.opened(results, "ca1", None, Page(offset=240))
    assert f"showing 241–250 of {ROWS} rows" in last["text/plain"]
    assert "next:" not in last["text/plain"]
    assert "S249" in last["text/html"]


def test_a_header_with_markup_is_shown_as_text(results: Path) -> None:
    shown = viewer.opened(results, "ca1", None, Page())
    assert "&lt;b&gt;Note&lt;/b&gt;" in shown["text/html"]
    assert "<b>" not in shown["text/html"]
    assert "<script" not in shown["text/html"]


def test_a_page_past_the_end_says_so(results: Path) -> None:
    shown = viewer.opened(results, "ca1", None, Page(offset=1_000))
    assert f"showing 0 of {ROWS} rows" in shown["text/plain"]


def test_a_page_out_of_range_is_refused(results: Path) -> None:
    with pytest.raises(Refused, match="1 to 1,000"):
        viewer.opened(results, "ca1", None, Page(limit=100_000))


def test_a_figure_is_shown_as_a_figure(results: Path) -> None:
    found = [path for path in results.rglob("*.json") if "histogram" in path.name]
    shown = viewer.opened(results, found[0].name, None, Page())
    assert set(shown) == {"text/plain", "image/svg+xml", figures.MIME}


def test_c7_a_page_of_html_is_shown_as_its_text(results: Path) -> None:
    found = [path for path in results.rglob("*.html") if "histogram" in path.name]
    shown = viewer.opened(results, found[0].name, None, Page(limit=200))
    assert "&lt;!DOCTYPE html&gt;" in shown["text/html"]
    assert "<html" not in shown["text/html"]
    assert "characters 1–200 of" in shown["text/plain"]


def test_a_changed_result_is_told(results: Path) -> None:
    (table,) = results.rglob("soils_filter*.csv")
    table.write_text(table.read_text().replace("S001", "X001"))
    assert "have changed" in viewer.opened(results, "ca1", None, Page())["text/plain"]


def test_two_ranges_join_without_a_gap(results: Path) -> None:
    (table,) = results.rglob("soils_filter*.csv")
    run = table.parent
    text = "zäöü" * 2_000
    (run / "full" / "kept.txt").write_text(text, encoding="utf-8")
    parts = [
        viewer.opened(results, "kept", run.name, Page(offset, 3_000))["text/plain"].split("\n", 1)[
            1
        ]
        for offset in (0, 3_000, 6_000)
    ]
    assert (
        hashlib.sha256("".join(parts).encode()).digest() == hashlib.sha256(text.encode()).digest()
    )


@pytest.mark.parametrize("page", [Page(0, 0), Page(0, 20_001)])
def test_a_stretch_out_of_range_is_refused(results: Path, page: Page) -> None:
    (table,) = results.rglob("soils_filter*.csv")
    (table.parent / "full" / "kept.txt").write_text("x")
    with pytest.raises(Refused, match="1 to 20,000"):
        viewer.opened(results, "kept", None, page)


def test_a_link_put_in_place_of_a_result_is_not_followed(results: Path, tmp_path: Path) -> None:
    (table,) = results.rglob("soils_filter*.csv")
    secret = tmp_path / "secret.csv"
    shutil.copyfile(table, secret)
    table.unlink()
    table.symlink_to(secret)
    with pytest.raises(Refused):
        viewer.opened(results, "ca1", None, Page())


def test_the_magic_opens_by_id(results: Path, shell: Shell) -> None:
    shell.run(f"%agent use {results.parent}")
    (shown,) = shell.run("%agent open ca1 --limit 2")
    assert f"showing 1–2 of {ROWS} rows" in shown["text/plain"]
