"""Typing in a key, and choosing a model at an address, from a cell."""

from __future__ import annotations

import getpass
import json
import shutil
from pathlib import Path

import pytest
from cells import Shell
from models import player
from models.provider_server import Act, Asked, ProviderServer, act, error

from workbench.errors import Refused
from workbench.models import keys
from workbench.notebook.failing import CellFailed

KEY = "sk-canary-typed-1"


def test_a_key_is_typed_in_and_shown_nowhere(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(getpass, "getpass", lambda prompt: asked.append(prompt) or KEY)
    shown = json.dumps(shell.run("%agent key"))
    assert asked == ["key (is not shown): "]
    assert keys.place("", {}).key.secret == KEY
    assert KEY not in shown
    assert KEY not in json.dumps(shell.shell.user_ns, default=repr)


def test_a_session_names_the_address_of_its_model(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_API_KEY", KEY)
    (tmp_path / "a.csv").write_text("id,Au_ppb\ns1,5\n")
    url = "http://127.0.0.1:9"
    shown = shell.text(f"%agent use {tmp_path} -m anthropic:m --base-url {url}")
    assert f"model: anthropic:m at {url}" in shown
    assert f"anthropic:m at {url}" in shell.text("%agent status")
    assert KEY not in shown


def test_an_address_that_is_none_is_one_line(shell: Shell, tmp_path: Path) -> None:
    with pytest.raises((CellFailed, Refused), match="base address: write it as"):
        shell.run(f"%agent use {tmp_path} -m anthropic:m --base-url nonsense")


def test_the_models_of_a_server_are_listed_with_their_windows(shell: Shell) -> None:
    with ProviderServer([act()], models=[{"id": "mine\u202e", "n_ctx": 4_096}]) as server:
        shown = shell.text(f"%agent models --base-url {server.url}")
    assert "anthropic:mine\\u202e" in shown
    assert "4,096" in shown


def test_a_key_is_in_nothing_that_a_whole_notebook_leaves(
    tmp_path: Path, sample_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel of its own asks, fails, shows a traceback, and is saved with all its outputs."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    with ProviderServer(player.playing) as server:
        given = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url, "HOME": str(tmp_path)}
        given |= {"IPYTHONDIR": str(tmp_path / "ipython"), "XDG_CONFIG_HOME": str(tmp_path / "c")}
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        data = tmp_path / "field"
        data.mkdir()
        shutil.copy(sample_data / "meridian_ridge_geochem.csv", data)
        cells = [
            "%load_ext workbench",
            f"%agent use {data}",
            f"%%agent -o found\n{player.QUESTIONS[1]}",
            "found",
            "%xmode Verbose\nsession = found\n1 / 0",
            "%agent status",
            "%%agent\nQuestion 0: refuse",
        ]
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])

        def refusing(asked: Asked) -> Act:
            if b"Question 0: refuse" in asked.body:
                return error(401, "authentication_error", asked.headers["Authorization"])
            return player.playing(asked)

        server.script = refusing
        client = nbclient.NotebookClient(book, timeout=120, allow_errors=True)
        client.execute(cwd=str(tmp_path))
        nbformat.write(book, tmp_path / "asked.ipynb")
    saved = (tmp_path / "asked.ipynb").read_text(encoding="utf-8")
    assert player.answer(2) in saved
    assert "ZeroDivisionError" in saved
    assert "the key was refused" in saved
    assert server.asked[0].headers["Authorization"] == f"Bearer {KEY}"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 20
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
