"""``doctor`` and ``version``: this machine and this installation."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from workbench.cli.terminal import err, out, out_json, table
from workbench.cli.usage import add_json

if TYPE_CHECKING:
    from workbench.doctor import Finding

_WIDE = 160


def add_doctor(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``doctor``."""
    add_json(parser)


def run_doctor(arguments: argparse.Namespace) -> int:
    """Say what works and what is not enforced; fail where something needed is broken."""
    from workbench.doctor import examine

    found = examine()
    if arguments.json:
        out_json([item.to_json() for item in found])
    else:
        rows = [(item.state, item.name, _told(item)) for item in found]
        out(table(("", "what", ""), rows, _WIDE))
    broken = [item.name for item in found if item.state == "broken"]
    if broken:
        err(f"doctor: {', '.join(broken)} broken; install the package again, then workbench doctor")
    return 1 if broken else 0


def _told(item: Finding) -> str:
    """Return what was found, and what to do about it."""
    return f"{item.detail}; next: {item.remedy}" if item.remedy else item.detail


def add_version(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``version``."""
    add_json(parser)


def run_version(arguments: argparse.Namespace) -> int:
    """Print the version."""
    from workbench import __version__

    python = ".".join(str(part) for part in sys.version_info[:3])
    if arguments.json:
        out_json({"workbench": __version__, "python": python})
    else:
        out(f"workbench {__version__} (Python {python})")
    return 0
