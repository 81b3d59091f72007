"""A page on paper: printed to PDF by a browser of this machine, which may reach no network."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from workbench.doctor import browser
from workbench.errors import Failed, Refused

_SECONDS = 180
_FLAGS = (
    *("--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--no-pdf-header-footer"),
    # Every name leads nowhere: what is printed asks for nothing, and could not.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def to_pdf(page: str, target: Path) -> None:
    """Print a page to PDF.

    Parameters
    ----------
    page : str
        HTML that needs nothing from outside.
    target : Path
        The PDF.

    Raises
    ------
    Refused
        If there is no browser.
    Failed
        If it prints nothing, or not in time.
    """
    program = browser()
    if program is None:
        raise Refused(
            "report: a PDF is printed by a browser, and there is none here; install chromium, or "
            "open the page (-o FILE.html) in one and print it"
        )
    with tempfile.TemporaryDirectory(prefix="workbench-") as name:
        folder = Path(name)
        (folder / "page.html").write_text(page, encoding="utf-8", errors="replace")
        _print(program, folder)
        made = folder / "page.pdf"
        if not made.is_file() or not made.stat().st_size:
            raise Failed(f"report '{target}': {program} printed nothing; print the page by hand")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, target)


def _print(program: str, folder: Path) -> None:
    words = [program, *_FLAGS, f"--user-data-dir={folder / 'profile'}"]
    # Its own sandbox refuses root; the page holds no script but ours, by its policy.
    words += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    words += [f"--print-to-pdf={folder / 'page.pdf'}", (folder / "page.html").as_uri()]
    try:
        subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603 - a browser, our page
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(f"report: {program} did not print: {error}; print the page by hand") from None
