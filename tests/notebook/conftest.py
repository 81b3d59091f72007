"""A shell whose session answers by a script."""

from __future__ import annotations

from pathlib import Path

import pytest
from cells import Shell
from conversation import session

from workbench.models.scripted import Say


@pytest.fixture
def asked(shell: Shell, tmp_path: Path) -> Shell:
    """Return a shell whose session answers every question with one sentence."""
    shell.magics.desk.session = session(tmp_path, {"guide": lambda _: Say("Three groups.")})
    return shell
