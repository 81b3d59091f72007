"""``lineage``: the calls that lead to a result, with parameters, seeds and hashes."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.terminal import near, out, out_json
from workbench.cli.usage import Usage, add_data, add_json
from workbench.runs import lineage, lineage_shown, past


def add_lineage(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lineage``."""
    parser.add_argument(
        "id", metavar="ID", nargs="?", help="id or file name of a result (default: all of a run)"
    )
    parser.add_argument("--run", metavar="RUN", help="which run (default: the newest that has it)")
    parser.add_argument("--svg", metavar="FILE", help="write it as a drawing too")
    parser.add_argument(
        "--replay", action="store_true", help="make the calls again and compare what they make"
    )
    add_data(parser, required=False)
    add_json(parser)
    parser.epilog = "example: workbench lineage d01a2 --data data --svg lineage.svg"


def run_lineage(arguments: argparse.Namespace) -> int:
    """Print the calls that lead to a result, or to all that a run made."""
    results = past.results_of(arguments.data, arguments.results)
    if arguments.id:
        found = lineage.of_result(results, arguments.id, arguments.run)
        folder = results / found.target.partition("/")[0]
        folder = past.find(results, arguments.run) if arguments.run else folder
    else:
        if not arguments.run:
            raise Usage("lineage: of what? give the id of a result, or --run RUN for all it made")
        folder = past.find(results, arguments.run)
        found = lineage.of_run(folder)
    if arguments.replay:
        return _again(results, found, arguments)
    standing = lineage.standing(folder, found)
    if arguments.json:
        out_json({**found.to_json(), "standing": standing})
    else:
        out(lineage_shown.text(found, standing))
    if arguments.svg:
        place = Path(arguments.svg)
        place.write_text(lineage_shown.drawing(found), encoding="utf-8")
        if not arguments.json:
            out(f"drawn in {near(place)}")
    return 0


def _again(results: Path, found: lineage.Lineage, arguments: argparse.Namespace) -> int:
    """Make the calls behind one result again; exit status 1 where a file differs."""
    from workbench.report.rechain import again

    if not found.target:
        raise Usage("lineage: --replay makes one result again: give its id; for a run: verify RUN")
    compared = again(results, found, arguments.data)
    if arguments.json:
        out_json(compared.to_json())
    else:
        out(repr(compared))
    return 0 if compared.same else 1
