"""One question in a process that holds keys: what its children hold is looked at from outside.

Started by the probe ``no_key`` as a program of its own, so that no child is older than the keys.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.asking.starting import start_child
from workbench.check.bench import Bench
from workbench.limits import Limits
from workbench.models.scripted import call, finish

_SIGN = b"canary-"


def main(data: str) -> int:
    """Ask, read, fail and query; print how many children there were and how many held a key."""
    pids: list[int] = []
    held: list[int] = []

    def start(*arguments: Any) -> Any:  # noqa: ANN401 - a link
        link = start_child(*arguments)
        ready = link.ready

        def noted() -> Mapping[str, Any]:
            message: Mapping[str, Any] = ready()
            pids.append(int(str(message["pid"])))
            held.append(holds_key(pids[-1]))
            return message

        link.ready = noted  # type: ignore[method-assign, assignment]
        return link

    bench = Bench(Path(data).parent, Limits(), start)
    work = [
        call("read_file", path="assays.csv"),
        call("query_data", path="assays.csv", operation="nonsense"),
        call("sql", query="SELECT getenv('ANTHROPIC_API_KEY') AS k", paths=["assays.csv"]),
        call("sql", query="SELECT count(*) AS n FROM assays", paths=["assays.csv"]),
        call("read_file", path="/proc/self/environ"),
        finish("tried"),
    ]
    trace = bench.ask("Where is the key?", {"d01": work}, agent="analytics")
    sys.stdout.write(json.dumps({"children": len(pids), "keyed": sum(held)}))
    return 0 if trace.ok else 1


def holds_key(pid: int) -> bool:
    """Tell whether a key stands in a child's environment or memory, as far as it can be seen."""
    try:
        return _SIGN in Path(f"/proc/{pid}/environ").read_bytes() or _SIGN in _memory(pid)
    except OSError:
        return False


def _memory(pid: int) -> bytes:
    """Return what a child holds in its heap and stack, as far as the system shows it."""
    found = b""
    with Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            if line.endswith(("[heap]", "[stack]")):
                low, high = (int(part, 16) for part in line.split()[0].split("-"))
                os.lseek(memory.fileno(), low, os.SEEK_SET)
                found += memory.read(high - low)
    return found


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
