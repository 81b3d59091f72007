"""Every tool on a table made to break tools, through the real path, by hand.

``python tests/benchmarks/hostile.py`` writes 400 columns of 1,000,000 rows with 200,000 labels, a
cell of 1 MB and names of 1,000 characters, calls every registered tool on it as ``workbench call``
does, and prints what a model would see of it: characters, tokens, limits met, seconds. It fails if
an answer is over its limit, or if a tool breaks. ``--rows``, ``--columns`` and ``--labels`` make it
smaller; ``--keep DIR`` keeps the table for the next time; ``--only NAME`` tries one tool.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hostilecalls import NAMED, arguments, write

from workbench.asking.onecall import CallOutcome, Calls
from workbench.cli.terminal import table
from workbench.errors import WorkbenchError
from workbench.session import Session
from workbench.tools import registry

_SLOW = {"child_seconds": 3_600, "child_silence": 3_600, "query_seconds": 600}
_CALLS = 2


def main() -> int:
    """Try the tools; return 1 if one broke or said too much."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=400)
    parser.add_argument("--labels", type=int, default=200_000)
    parser.add_argument("--keep", type=Path, help="folder to keep the table in")
    parser.add_argument("--only", action="append", default=[], metavar="TOOL")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "tall.csv").exists():
            write(folder, given.rows, given.columns, given.labels, 1_000_000)
        session = Session.open(str(folder), limits=_SLOW)
        calls = Calls(session.setting, "hostile table")
        # An answer, and the preview under it, which has a limit of its own.
        rooms = (session.setting.limits[key].number for key in ("answer_chars", "preview_chars"))
        most = sum(rooms)
        numbers = [f"E{n}_ppm" for n in range(given.columns - len(NAMED))]
        rows = []
        for name, tool in registry.tools().items():
            wanted = not given.only or name in given.only
            if not wanted or tool.place != "child" or tool.effect == "run":
                continue
            for number, options in enumerate(list(arguments(tool, "tall.csv", numbers))[:_CALLS]):
                began = time.monotonic()
                told = _called(calls, name, options)
                row = (f"{name} {number + 1}", *told, round(time.monotonic() - began, 1))
                sys.stdout.write(" | ".join(map(str, row)) + "\n")
                sys.stdout.flush()
                rows.append(row)
        calls.end("answered")
    sys.stdout.write(table(("call", "came to", "characters", "limits met", "s"), rows, 90) + "\n")
    roomy = {"read_file", "read_range", "list_files", "summarise_artefacts"}
    bad = [
        row[0]
        for row in rows
        if str(row[1]).startswith("broke")
        or (int(row[2]) > most and row[0].split()[0] not in roomy)
    ]
    sys.stdout.write(f"too long or broken: {', '.join(bad) or 'none'}\n")
    return bool(bad)


def _called(calls: Calls, name: str, options: dict[str, object]) -> tuple[str, int, str]:
    """Return what a call came to, the characters of its answer, and the limits it met."""
    try:
        outcome: CallOutcome = calls.call(name, options)
    except WorkbenchError as error:
        return f"broke: {error}", len(str(error)), ""
    word = "answered" if outcome.ok else f"refused: {outcome.text.removeprefix('error: ')}"
    if "unexpectedly" in outcome.text:
        word = f"broke: {outcome.text}"
    return word[:200], len(outcome.text), ", ".join(outcome.limits_hit)


if __name__ == "__main__":
    raise SystemExit(main())
