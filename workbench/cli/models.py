"""``models``: which models there are, how large their windows are and what they cost."""

from __future__ import annotations

import argparse

from workbench.cli.terminal import out, out_json, table
from workbench.cli.usage import add_json

_WIDE = 60
_HEADS = ("model", "window", "fresh", "reply", "cached", "from")


def add_models(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``models``."""
    parser.add_argument(
        "--base-url", default="", metavar="URL", help="a server whose models are wanted"
    )
    add_json(parser)


def run_models(arguments: argparse.Namespace) -> int:
    """List the models; prices are US dollars a million tokens."""
    from workbench.models.offers import models

    rows = models(arguments.base_url)
    if arguments.json:
        out_json(rows)
        return 0
    shown = []
    for row in rows:
        price = row["price"] or {}
        costs = [price.get(name) for name in ("fresh", "reply", "cached")]
        shown.append((row["model"], row["window"], *costs, row["source"]))
    out(table(_HEADS, shown, _WIDE))
    out("window in tokens; prices in US dollars a million tokens, where one is known")
    return 0
