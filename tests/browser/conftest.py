"""A JupyterLab of its own on a copy of the sample project, and a browser that may not leave it."""

from __future__ import annotations

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
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from driving import Lab, Watched, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Route

CHECKOUT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)
_QUIET = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
_START_SECONDS = 60


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Start JupyterLab on a copy of notebooks and data; end it and its kernels afterwards."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed: pip install -e '.[dev]'")
    folder = tmp_path_factory.mktemp("lab")
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
            yield Lab(f"http://127.0.0.1:{port}", token, root, place)
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


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start a browser; skipped with a note where there is none.

    It keeps an event loop running, which other tests must not find: it ends with its module.
    """
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        missing = "no chromium on this machine: install it with the system's packages"
        # Where the browser is required, a browser test that is left out proves nothing.
        (pytest.fail if os.environ.get("WORKBENCH_REQUIRE_BROWSER") else pytest.skip)(missing)
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
