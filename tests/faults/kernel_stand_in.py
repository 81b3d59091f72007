"""A process that stands for a notebook kernel: starts children, says which, and gets into a state.

``python kernel_stand_in.py STATE DATA``. It prints one JSON line, the processes that must not
outlive it, and then waits to be killed or interrupted.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from workbench.launch import Places, first_line
from workbench.limits import Limits
from workbench.process.childlink import ChildLink
from workbench.process.launch_fork import ForkLauncher

PROBE = Path(__file__).resolve().parents[1] / "probe_server.py"
QUERY = """
import duckdb
con = duckdb.connect()
open("query", "w").close()
con.execute("SELECT sum(a.i * b.i) FROM range(10000000) a(i), range(10000000) b(i)").fetchall()
"""
HOLDS_THE_LOCK = """
open("query", "w").close()
sum(range(10**10))
"""


def tell(*pids: object) -> None:
    """Print the processes that must not outlive this one."""
    show([pid for pid in pids if pid is not None])


def show(thing: object) -> None:
    """Print one line."""
    sys.stdout.write(json.dumps(thing) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Get into the state asked for and stay there."""
    state, data = sys.argv[1], Path(sys.argv[2])
    run = data / "results" / "run-1"
    places = Places(str(data), str(data / "results"), str(run))
    if state == "warming":
        real = ForkLauncher()
        real.warm()
        tell(real.pid)
        time.sleep(60)
    launcher = ForkLauncher([sys.executable, "-I", str(PROBE)])
    if state == "ends":
        link = ChildLink(launcher.start(first_line({}, places)), Limits(), threading.Event())
        tell(launcher.pid, link.ready()["pid"])
        return
    children = [launcher.start(first_line({}, places)) for _ in range(2)]
    if state == "starting":
        tell(launcher.pid)
        time.sleep(60)
    links = [ChildLink(child, Limits(), threading.Event()) for child in children]
    pids = [link.ready()["pid"] for link in links]
    code = {"query": QUERY, "lock": HOLDS_THE_LOCK}.get(state)
    if code is not None:
        asked = {"code": code}
        work = threading.Thread(target=links[0].call, args=("d01c1", "run", asked), daemon=True)
        work.start()
        while not (run / "query").exists():
            time.sleep(0.01)
    if state == "copied" and os.fork() == 0:
        time.sleep(5)  # holds every descriptor of the one that is killed
        os._exit(0)
    with contextlib.suppress(KeyboardInterrupt):
        tell(launcher.pid, *pids)
        time.sleep(60)
    tell(*[child.pid for child in children if child.alive()])
    answer = links[1].call("d01c2", "run", {"code": "out = 1"})
    show(answer)


main()
