"""A JupyterLab of its own on a copy of the sample project, and a browser that may not leave it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page, Route

CHECKOUT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)
_QUIET = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
_START_SECONDS = 60


@dataclass
class Lab:
    """A running JupyterLab.

    Attributes
    ----------
    url : str
        Its address, without a path.
    token : str
        What opens it.
    root : Path
        The folder it serves: ``notebooks`` and ``data``.
    settings : Path
        Where its settings are.
    """

    url: str
    token: str
    root: Path
    settings: Path

    def notebook(self, name: str) -> str:
        """Return the address of a notebook."""
        return f"{self.url}/lab/tree/notebooks/{name}?token={self.token}"

    def theme(self, name: str) -> None:
        """Set the theme of pages opened from now on."""
        _settings(self.settings, "themes", {"theme": name})


@dataclass
class Watched:
    """A browser page and all that it asked for or said.

    Attributes
    ----------
    page : Page
        The page.
    outside : list of str
        Requests that would have left this machine; they are refused.
    dialogs : list of str
        Dialogs that opened.
    """

    page: Page
    outside: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)


def _settings(folder: Path, name: str, values: dict[str, Any]) -> None:
    place = folder / "@jupyterlab" / "apputils-extension"
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{name}.jupyterlab-settings").write_text(json.dumps(values), encoding="utf-8")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Start JupyterLab on a copy of notebooks and data; end it and its kernels afterwards."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed: pip install -e '.[dev]'")
    folder = tmp_path_factory.mktemp("lab")
    root, settings = folder / "project", folder / "settings"
    shutil.copytree(CHECKOUT / "notebooks", root / "notebooks")
    ignored = shutil.ignore_patterns("results", "*.py", "__pycache__")
    shutil.copytree(CHECKOUT / "data", root / "data", ignore=ignored)
    _settings(settings, "notification", _QUIET)
    port, token = _free_port(), secrets.token_hex(16)
    environment = {
        **os.environ,
        "JUPYTERLAB_SETTINGS_DIR": str(settings),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "IPYTHONDIR": str(folder / "ipython"),
    }
    words = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *(f"--ServerApp.root_dir={root}", f"--port={port}", "--ServerApp.port_retries=0"),
        f"--IdentityProvider.token={token}",
    ]
    with (folder / "lab.log").open("wb") as log:
        server = subprocess.Popen(words, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/api?token={token}", server, folder / "lab.log")
            yield Lab(f"http://127.0.0.1:{port}", token, root, settings)
        finally:
            server.terminate()
            server.wait(20)


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own server
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"JupyterLab did not start: {log.read_text(errors='replace')[-2_000:]}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start a browser; skipped with a note where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine: install it with the system's packages")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def watched(chromium: Browser) -> Iterator[Watched]:
    """Return a page of its own that can reach this machine alone, and notes what it tries."""
    context = chromium.new_context(viewport={"width": 1360, "height": 1000})
    found = Watched(context.new_page())

    def judge(route: Route) -> None:
        url = route.request.url
        if url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "file:")):
            route.continue_()
        else:
            found.outside.append(url)
            route.abort()

    def dialog(opened: Dialog) -> None:
        found.dialogs.append(opened.message)
        opened.dismiss()

    context.route("**/*", judge)
    found.page.on("dialog", dialog)
    yield found
    context.close()
