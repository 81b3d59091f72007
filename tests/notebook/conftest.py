"""A shell with the magics, and one whose session answers by a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cells import Shell
from conversation import session

from workbench.models.scripted import Say


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """Return a shell that leaves the settings of the person who tests alone."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    made = Shell.made()
    yield made
    made.close()


@pytest.fixture
def asked(shell: Shell, tmp_path: Path) -> Shell:
    """Return a shell whose session answers every question with one sentence."""
    shell.magics.desk.session = session(tmp_path, {"guide": lambda _: Say("Three groups.")})
    return shell
