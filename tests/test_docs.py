"""The documents: generated parts are up to date, examples work, links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from workbench import docs, docs_models, tokens
from workbench.agents import registry as agents
from workbench.cli.usage import COMMANDS, overview
from workbench.errors import Refused
from workbench.limits import LIMITS, Limits
from workbench.notebook.subcommands import known
from workbench.tools import registry as tools

CHECKOUT = Path(__file__).resolve().parent.parent
README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/*.md")])


FRESH = docs.generated(README)
EDITED = FRESH.replace("| `cell_chars` | 200 |", "| `cell_chars` | 250 |")


def part(name: str) -> str:
    """Return one generated part of the README."""
    found = re.search(rf"<!-- generated: {name} -->\n(.*?)<!-- end: {name} -->", README, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_generated_parts_are_up_to_date() -> None:
    assert docs.stale(README) == []


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("limits", [row.key for row in LIMITS]),
        ("commands", [f"workbench {name}" for name in COMMANDS]),
        ("subcommands", [f"%agent {item.name} {item.usage}".strip() for item in known().values()]),
        ("tools", list(tools.tools())),
        ("agents", list(agents.agents())),
    ],
)
def test_a_table_has_one_line_for_each(name: str, known: list[str]) -> None:
    lines = [line.split("|")[1] for line in part(name).splitlines()[2:]]
    assert [re.sub(r"[★` ]+", " ", line).strip() for line in lines] == known


def test_the_rows_that_were_given_are_starred() -> None:
    starred = re.findall(r"^\| ★ `(\w+)`", part("limits"), re.MULTILINE)
    assert starred == [row.key for row in LIMITS if row.source]


def test_a_part_that_was_edited_by_hand_is_found() -> None:
    assert docs.stale(EDITED) == ["limits"]


def test_making_the_parts_twice_changes_nothing() -> None:
    assert docs.generated(FRESH) == FRESH


def test_a_part_that_is_missing_is_refused() -> None:
    with pytest.raises(Refused, match="planner"):
        docs.generated(README.replace("<!-- generated: planner -->", ""))


def test_checking_tells_what_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "README.md"
    page.write_text(EDITED, encoding="utf-8")
    monkeypatch.setattr(docs, "README", page)
    assert docs.main(["--check"]) == 1
    assert "limits out of date" in capsys.readouterr().err
    assert docs.main([]) == 0
    assert page.read_text(encoding="utf-8") == FRESH
    assert docs.main(["--check"]) == 0


def test_the_error_of_the_rule_of_thumb_is_that_of_the_sample_table() -> None:
    text = (CHECKOUT / "data" / "meridian_ridge_geochem.csv").read_text()
    assert f"the vocabulary counts {tokens.count(text):,}" in part("band")
    assert f"{tokens.count(text) / (len(text) / 3):.2f} times as many" in part("band")


def test_signs_that_would_break_a_table_are_escaped() -> None:
    assert docs._table(("a",), [("x | y\nz",)]).splitlines()[2] == "| x \\| y z |"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    inner = [target for target in targets if not target.startswith("http")]
    assert [target for target in inner if not (page.parent / target).exists()] == []


def test_every_shell_example_is_a_command_that_is_understood() -> None:
    lines = re.findall(r"^\.venv/bin/workbench (.+)$", README, re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        word, *rest = shlex.split(line)
        COMMANDS[word].read(rest)


def test_every_make_target_that_is_named_exists() -> None:
    rules = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", rules, re.MULTILINE))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named = re.findall(r"`make ([a-z]+)`|^make ([a-z]+)", text, re.MULTILINE)
        assert {one or other for one, other in named} <= targets


def test_every_module_that_is_named_exists() -> None:
    for page in PAGES:
        for name in re.findall(
            r"`((?:workbench|tests)/[\w/.]+)`", page.read_text(encoding="utf-8")
        ):
            assert (CHECKOUT / name).exists(), f"{page.name}: {name}"


PROMISE = f"a preview shows a model at most {Limits()['preview_rows'].number} rows"


@pytest.mark.parametrize(
    "place",
    ["README.md", "CHANGELOG.md", "pyproject.toml", "notebooks/01_quickstart.ipynb", "--help"],
)
def test_what_a_model_sees_of_a_table_is_said_in_one_way_everywhere(place: str) -> None:
    text = overview() if place == "--help" else (CHECKOUT / place).read_text(encoding="utf-8")
    said = " ".join(re.sub(r'\\n",\s*"', " ", text).split())
    assert PROMISE in said
    assert "raw rows" not in said


def test_the_page_on_models_is_up_to_date_and_names_no_key() -> None:
    page = docs.MODELS.read_text(encoding="utf-8")
    assert docs.stale(page, docs_models.PARTS) == []
    assert "shown-nowhere" not in page


def test_the_page_on_an_ugly_file_is_made_from_a_reading_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = docs.UGLY.read_text(encoding="utf-8")
    assert "The bytes were taken as cp1252" in text
    assert "Line 11, column Au: `abc` is no number" in text
    old = tmp_path / "ugly-file.md"
    old.write_text(text.replace("cp1252", "utf-8"), encoding="utf-8")
    assert docs._whole_page(old, text, check=True) == 1
    assert "out of date" in capsys.readouterr().err
    assert docs._whole_page(docs.UGLY, text, check=True) == 0
