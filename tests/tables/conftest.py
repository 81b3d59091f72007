"""A bench of files for every test of the tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from filebench import FileBench


@pytest.fixture
def bench(tmp_path: Path) -> FileBench:
    return FileBench(tmp_path)
