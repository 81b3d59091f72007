"""A JupyterLab of its own on a copy of the sample project, and a browser that may not leave it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import labserver
import pytest
from driving import Lab, Watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Route

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Start JupyterLab on a copy of notebooks and data; end it and its kernels afterwards."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed: pip install -e '.[dev]'")
    with labserver.serving(tmp_path_factory.mktemp("lab"), sys.executable) as served:
        yield served


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
