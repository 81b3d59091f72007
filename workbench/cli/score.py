"""``score``: forty questions with checkable answers, put to a model."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.terminal import err, out, out_json, table
from workbench.cli.usage import add_json

_WHY = 90


def add_score(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``score``."""
    parser.add_argument("-m", "--model", default="offline", help="as for ask; offline if left out")
    parser.add_argument("--base-url", default="", metavar="URL", help="a server, as for ask")
    parser.add_argument(
        "--real", metavar="DIR", help="folder of public files (default: ../shared/data/real)"
    )
    parser.add_argument("--results", metavar="DIR", help="keep the runs here")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="A1, or A for a group")
    parser.add_argument("-b", "--budget", metavar="N", help="of each question: 200k or 0.50usd")
    parser.add_argument("--keep", metavar="FILE", help="add the model's column to this file")
    add_json(parser)


def run_score(arguments: argparse.Namespace) -> int:
    """Put the questions; one line each on stderr, the table by group on stdout."""
    from workbench.loops import budget
    from workbench.score import scores
    from workbench.score.scoring import Places, by_group, score

    limits = budget.read(arguments.budget, "--budget") if arguments.budget else {}
    results = Path(arguments.results).resolve() if arguments.results else None
    places = Places(scores.sample(), scores.public(arguments.real), results)
    found = []
    for item in score(arguments.model, places, arguments.only, limits, arguments.base_url):
        found.append(item)
        err(f"{item.id} {item.outcome}: {item.ask}{f' ({item.why[:_WHY]})' if item.why else ''}")
    counts = by_group(found)
    if arguments.keep:
        scores.keep(Path(arguments.keep), arguments.model, found)
    if arguments.json:
        out_json({"groups": counts, "questions": [item.to_json() for item in found]})
    else:
        rows = [(name, *row.values(), sum(row.values())) for name, row in counts.items()]
        total = [sum(column) for column in zip(*(row[1:] for row in rows), strict=True)]
        heads = ("group", "right", "wrong", "not answered", "skipped", "of")
        out(table(heads, [*rows, ("all", *total)], _WHY))
        out(f"{sum(item.tokens for item in found):,} tokens in and out")
    return 0
