"""Typing in a key, and choosing a model at an address, from a cell."""

from __future__ import annotations

import getpass
import json
from pathlib import Path

import pytest
from cells import Shell

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
