"""The wheel in a clean environment with no node: the sidebar is there and fills."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import labserver
import panels
import pytest
from driving import PATIENCE, Watched

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        "WORKBENCH_TEST_WHEEL" not in os.environ,
        reason="it installs an environment of its own: make test-wheel",
    ),
]
pytest.importorskip("uv", reason="uv is not installed: pip install uv")
CHECKOUT = labserver.CHECKOUT


def _uv(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "uv", *words], check=True, cwd=CHECKOUT)


def test_an_installed_wheel_shows_the_sidebar_where_there_is_no_node(
    tmp_path: Path, watched: Watched
) -> None:
    _uv("build", "--quiet", "--wheel", "--out-dir", str(tmp_path / "dist"))
    wheel = next((tmp_path / "dist").glob("*.whl"))
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if "labextensions/workbench-panel/static/remoteEntry" in name]
    assert [name for name in names if "node_modules" in name or "extension/" in name] == []
    clean = tmp_path / "clean"
    venv.create(clean)
    scripts = clean / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / "python")
    limits = ("-c", str(CHECKOUT / "constraints.txt"))
    # With byte code: the first question would have to wait for it.
    install = ("pip", "install", "--quiet", "--compile-bytecode", "--python", python)
    _uv(*install, f"{wheel}[lab]", *limits)
    assert not [*scripts.glob("node*"), *scripts.glob("npm*")]
    folder = tmp_path / "lab"
    folder.mkdir()
    with labserver.serving(folder, python, {"PATH": str(scripts), "VIRTUAL_ENV": ""}) as lab:
        page = watched.page
        panels.asked(page, panels.question(lab, "wheel"))
        page.locator("#workbench-panel [data-loop=d01]").wait_for(timeout=3 * PATIENCE)
        page.locator("#workbench-panel .wbp-pill:text-is('answered')").wait_for(
            timeout=3 * PATIENCE
        )
    assert watched.outside == []
