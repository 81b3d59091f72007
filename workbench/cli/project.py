"""``demo`` and ``lab``: the quickstart run headless, and JupyterLab rooted at the project."""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

from workbench import demo
from workbench.cli.terminal import out
from workbench.cli.usage import whole
from workbench.errors import Refused


def add_demo(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``demo``."""
    parser.add_argument(
        "--out", metavar="DIR", help="where to (default: demo, here); kept afterwards"
    )


def run_demo(arguments: argparse.Namespace) -> int:
    """Run a copy of the quickstart and print what its cells said."""
    out("runs the quickstart in a kernel of its own; its answers follow in a minute or less\n")
    sys.stdout.flush()
    demo.run_demo(Path(arguments.out) if arguments.out else Path.cwd() / "demo", out)
    out("see it with its figures: workbench lab (or make lab)")
    return 0


def add_lab(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lab``."""
    parser.add_argument("--port", type=whole(1), metavar="N", help="port of the server")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def run_lab(arguments: argparse.Namespace) -> int:
    """Start JupyterLab; return its exit status."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise Refused("lab: JupyterLab is not installed; pip install 'workbench[lab]' brings it")
    root = lab_root()
    notebook = demo.own_copy(root)
    words = lab_words(root, notebook, port=arguments.port, browser=not arguments.no_browser)
    if notebook:
        out(f"opens {notebook}")
    sys.stdout.flush()
    try:
        return subprocess.run(words, check=False).returncode  # noqa: S603 - our own interpreter
    except KeyboardInterrupt:
        return 0  # it was told to end, and has


def lab_root() -> Path:
    """Return the project, or the present folder where there is none to work in."""
    try:
        root = demo.project()
    except Refused:
        return Path.cwd()
    # What a wheel brings along lies in the installation, where nobody should work.
    return Path.cwd() if root == demo.PACKAGED else root


def lab_words(root: Path, notebook: Path | None, *, port: int | None, browser: bool) -> list[str]:
    """Return the command that starts JupyterLab rooted at a folder.

    Parameters
    ----------
    root : Path
        What the server may open.
    notebook : Path or None
        Opened at the start, relative to `root`.
    port : int or None
        Port of the server; JupyterLab's own choice if None.
    browser : bool
        Whether a browser is opened.
    """
    opened = f"/lab/tree/{notebook.as_posix()}" if notebook else "/lab"
    words = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={root}"]
    words.append(f"--LabApp.default_url={opened}")
    words.append(f"--KernelManager.transport_encryption={demo.encryption()}")
    words += [f"--port={port}"] if port is not None else []
    words += [] if browser else ["--no-browser"]
    # The server refuses root unless told; in a container there often is no other account.
    words += ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return words
