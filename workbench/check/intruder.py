"""A process behind a child's walls that tries to write over what a run keeps.

Started by the probe ``others_files`` as a program of its own: walls cannot be taken down again. It
prints what the walls say of themselves and what it could do.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from workbench.confine import confine
from workbench.files.places import Places
from workbench.files.recordnames import SNAPSHOTS, WORK
from workbench.limits import Limits


def main(line: str) -> int:
    """Put up the walls of a child with these places, try every file, print what came of it."""
    places = Places.from_json(json.loads(line))
    run, results = Path(places.run), Path(places.results)
    targets = [
        *(path for path in run.rglob("*") if path.is_file() and WORK not in path.parts),
        *(path for path in (results / SNAPSHOTS).glob("*") if path.is_file()),
        results / "index.jsonl",
    ]
    walls = confine(places, Limits(), {0, 1, 2})
    done = [f"{how} {path.name}" for path in targets for how in _tried(path)]
    told = {"wall": walls.walls["files"], "targets": len(targets), "done": done}
    sys.stdout.write(json.dumps(told))
    return 0


def _tried(path: Path) -> Iterator[str]:
    """Yield how a file could be changed; nothing is written even then."""
    beside = path.with_name(f"{path.name}.new")
    tries: dict[str, Callable[[], object]] = {
        "opened": lambda: os.close(os.open(path, os.O_WRONLY)),
        "appended to": lambda: os.close(os.open(path, os.O_WRONLY | os.O_APPEND)),
        "put a file beside": lambda: os.close(os.open(beside, os.O_CREAT | os.O_WRONLY)),
        "moved": lambda: path.rename(beside),
        "linked": lambda: beside.hardlink_to(path),
    }
    for how, attempt in tries.items():
        try:
            attempt()
        except OSError:
            continue
        yield how


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
