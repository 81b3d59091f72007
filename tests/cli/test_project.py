"""``lab`` as far as it can be seen without a browser, and the way in as a program."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from workbench import cli, demo
from workbench.cli import project

CHECKOUT = Path(__file__).resolve().parent.parent.parent


def test_lab_is_rooted_at_the_project_and_opens_the_notebook() -> None:
    assert project.lab_root() == CHECKOUT
    words = project.lab_words(CHECKOUT, demo.OWN, port=9_999, browser=False)
    assert words[:3] == [sys.executable, "-m", "jupyterlab"]
    assert f"--ServerApp.root_dir={CHECKOUT}" in words
    assert f"--LabApp.default_url=/lab/tree/{demo.OWN.as_posix()}" in words
    assert {"--port=9999", "--no-browser"} <= set(words)


def test_lab_works_in_a_copy_that_is_made_once_and_never_in_the_quickstart(tmp_path: Path) -> None:
    original = tmp_path / demo.QUICKSTART
    original.parent.mkdir()
    original.write_text("as committed")
    assert demo.own_copy(tmp_path) == demo.OWN
    (tmp_path / demo.OWN).write_text("worked in")
    assert demo.own_copy(tmp_path) == demo.OWN
    assert (tmp_path / demo.OWN).read_text() == "worked in"
    assert original.read_text() == "as committed"


def test_the_copy_is_left_out_of_version_control() -> None:
    ignored = (CHECKOUT / ".gitignore").read_text().split()
    assert f"/{demo.OWN.as_posix()}" in ignored


def test_without_a_quickstart_there_is_nothing_to_copy(tmp_path: Path) -> None:
    assert demo.own_copy(tmp_path) is None
    assert "--LabApp.default_url=/lab" in project.lab_words(tmp_path, None, port=None, browser=True)


def test_lab_without_a_quickstart_is_rooted_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "QUICKSTART", Path("notebooks", "nosuch.ipynb"))
    monkeypatch.chdir(tmp_path)
    assert project.lab_root() == tmp_path


def test_lab_that_is_not_installed_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert cli.main(["lab"]) == 1
    assert "workbench[lab]" in capsys.readouterr().err


def test_the_command_is_the_module() -> None:
    scripts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"workbench": "workbench.__main__:main"}
    done = subprocess.run(
        [sys.executable, "-m", "workbench", "version", "--json"], capture_output=True, check=True
    )
    assert set(json.loads(done.stdout)) == {"workbench", "python"}


def test_an_exit_status_reaches_the_shell() -> None:
    words = [sys.executable, "-m", "workbench", "nosuch"]
    done = subprocess.run(words, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1


def test_a_terminal_without_the_signs_gets_escapes_not_an_error(geochem: Path) -> None:
    geochem.write_text("id,note\n1,µ\n2,Pb²\n3,ö\n", encoding="utf-8")
    words = [sys.executable, "-m", "workbench", "rows", str(geochem)]
    done = subprocess.run(
        words, capture_output=True, check=True, env={"PYTHONIOENCODING": "ascii", "PATH": ""}
    )
    assert b"\\xb5" in done.stdout
