"""A JupyterLab of its own on a copy of the sample project, run by any Python."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from driving import Lab, settings

CHECKOUT = Path(__file__).resolve().parents[1]
_QUIET = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
_START_SECONDS = _END_SECONDS = 60


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serving(folder: Path, python: str, more: Mapping[str, str] | None = None) -> Iterator[Lab]:
    """Serve a copy of notebooks and data; the server and its kernels end with the block.

    Parameters
    ----------
    folder : Path
        An empty folder.
    python : str
        The Python whose JupyterLab it is.
    more : mapping, optional
        Environment beside the usual one.
    """
    root, place = folder / "project", folder / "settings"
    shutil.copytree(CHECKOUT / "notebooks", root / "notebooks")
    ignored = shutil.ignore_patterns("results", "*.py", "__pycache__")
    shutil.copytree(CHECKOUT / "data", root / "data", ignore=ignored)
    settings(place, "apputils-extension/notification", _QUIET)
    # Every cell is in the page, in view or not.
    settings(place, "notebook-extension/tracker", {"windowingMode": "none"})
    port, token = _free_port(), secrets.token_hex(16)
    environment = {
        **os.environ,
        "JUPYTERLAB_SETTINGS_DIR": str(place),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "IPYTHONDIR": str(folder / "ipython"),
        **(more or {}),
    }
    words = [
        *(python, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *(f"--ServerApp.root_dir={root}", f"--port={port}", "--ServerApp.port_retries=0"),
        f"--IdentityProvider.token={token}",
    ]
    with (folder / "lab.log").open("wb") as log:
        server = subprocess.Popen(words, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/api?token={token}", server, folder / "lab.log")
            yield Lab(f"http://127.0.0.1:{port}", token, root, place)
        finally:
            server.terminate()
            try:
                server.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own server
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"JupyterLab did not start: {log.read_text(errors='replace')[-2_000:]}")
