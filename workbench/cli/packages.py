"""``approve`` and ``refuse``: what the analyst decides of packages that scripts asked for."""

from __future__ import annotations

import argparse

from workbench import approvals
from workbench.cli.terminal import out, out_json
from workbench.cli.usage import add_data, add_json
from workbench.runs import deciding, past


def add_approve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``approve``."""
    _add(parser, "approve")


def add_refuse(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refuse``."""
    _add(parser, "refuse")


def _add(parser: argparse.ArgumentParser, word: str) -> None:
    parser.add_argument(
        "id", metavar="ID", nargs="?", help="of the request (default: list those that wait)"
    )
    parser.add_argument("--run", metavar="RUN", help="which run (default: the newest that has it)")
    add_data(parser, required=False)
    add_json(parser)
    parser.epilog = f"example: workbench {word} p1 --data data; it installs nothing"


def run_approve(arguments: argparse.Namespace) -> int:
    """Approve a package, and say how it can be installed."""
    return _decided(arguments, approvals.APPROVED)


def run_refuse(arguments: argparse.Namespace) -> int:
    """Refuse a package."""
    return _decided(arguments, approvals.REFUSED)


def _decided(arguments: argparse.Namespace, status: str) -> int:
    results = past.results_of(arguments.data, arguments.results)
    if arguments.id:
        found = [deciding.decide(results, arguments.id, status, arguments.run)]
        words = approvals.words(found[0].request)
    else:
        found = deciding.waiting(results, arguments.run)
        words = deciding.listed(found)
    if arguments.json:
        out_json([one.to_json() for one in found])
    else:
        out(words)
    return 0
