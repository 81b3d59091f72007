"""The magics in plain IPython: what they read, show and hand over, and how a cell fails."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from conftest import Shell
from conversation import session

from workbench import __version__
from workbench.answer import Answer
from workbench.models.scripted import say
from workbench.notebook import static, subcommands
from workbench.notebook.failing import CellFailed
from workbench.reply import Reply
from workbench.session import Session


@pytest.fixture
def asked(shell: Shell, tmp_path: Path) -> Shell:
    """A shell whose session answers every question with one sentence."""
    shell.magics.desk.session = session(tmp_path, {"guide": [say("Three groups.")] * 5})
    return shell
