"""The quickstart from end to end, headless, and what it leaves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench import demo
from workbench.errors import Failed, Refused
from workbench.notebook import figures, static

nbformat = pytest.importorskip(
    "nbformat", reason="nbformat is not installed: pip install -e '.[dev]'"
)
pytest.importorskip("nbclient", reason="nbclient is not installed: pip install -e '.[dev]'")

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run the demo once; return its folder and what it said."""
    target = tmp_path_factory.mktemp("demo")
    said: list[str] = []
    demo.run_demo(target, said.append)
    return target, "\n".join(said)


def outputs(target: Path) -> list[dict[str, object]]:
    book = nbformat.read(target / demo.QUICKSTART, as_version=4)
    return [
        dict(output.data)
        for cell in book.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "data" in output
    ]


def test_the_committed_quickstart_is_valid_and_has_no_output() -> None:
    book = nbformat.read(CHECKOUT / demo.QUICKSTART, as_version=4)
    nbformat.validate(book)
    for cell in book.cells:
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


@pytest.mark.slow
def test_the_demo_says_answers_artefacts_windows_and_where_everything_lies(
    ran: tuple[Path, str],
) -> None:
    _, said = ran
    for words in (
        *("three groups", "silhouette", "meridian_ridge_geochem_kmeans_3.csv", "anomalous"),
        *("Context windows", "Limits met", "01_quickstart.ipynb", "01_quickstart.html"),
        "rule-based planner, no language model",
    ):
        assert words in said


@pytest.mark.slow
def test_each_question_leaves_one_static_output_and_no_widget(ran: tuple[Path, str]) -> None:
    target, _ = ran
    found = outputs(target)
    assert sum(static.MIME in data for data in found) == 2
    assert not any("application/vnd.jupyter.widget-view+json" in data for data in found)
    text = (target / demo.QUICKSTART).read_text(encoding="utf-8")
    assert "widget-state" not in text


@pytest.mark.slow
def test_the_figures_are_kept_and_as_drawings_too(ran: tuple[Path, str]) -> None:
    shown = [data for data in outputs(ran[0]) if figures.MIME in data]
    assert len(shown) == 2
    drawn = [str(data["image/svg+xml"]) for data in shown if "image/svg+xml" in data]
    assert [text[:4] for text in drawn] == ["<svg", "<svg"]


@pytest.mark.slow
def test_the_saved_notebook_is_small_and_names_no_place_of_this_machine(
    ran: tuple[Path, str],
) -> None:
    target, _ = ran
    text = (target / demo.QUICKSTART).read_text(encoding="utf-8")
    assert len(text) < 600_000
    assert str(target) not in text
    assert str(Path.home()) not in text or str(Path.home()) == "/"


@pytest.mark.slow
def test_the_data_is_as_it_was(ran: tuple[Path, str]) -> None:
    target, _ = ran
    for file in (target / "data").iterdir():
        if file.is_file():
            assert file.read_bytes() == (CHECKOUT / "data" / file.name).read_bytes()


def test_a_failing_cell_is_told_in_one_line_and_what_ran_is_kept(tmp_path: Path) -> None:
    place = tmp_path / "broken.ipynb"
    book = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell("print('before')", id="a"),
            nbformat.v4.new_code_cell("%load_ext workbench\n%agent opne", id="b"),
            nbformat.v4.new_code_cell("print('after')", id="c"),
        ]
    )
    nbformat.write(book, place)
    with pytest.raises(Failed, match="a cell failed: %agent: subcommand 'opne'") as failed:
        demo.execute(place)
    assert "\n" not in str(failed.value)
    kept = json.loads(place.read_text())["cells"]
    assert [len(cell["outputs"]) for cell in kept] == [1, 1, 0]


def test_without_a_quickstart_the_demo_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo, "__file__", str(tmp_path / "package" / "demo.py"))
    monkeypatch.setattr(demo, "PACKAGED", tmp_path / "package" / "quickstart")
    with pytest.raises(Refused, match="run it in a checkout"):
        demo.project()
