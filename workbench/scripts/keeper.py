"""Keeps one script or command: starts it inside its engine, and ends all that came from it.

Whatever the script does, what it started comes to this process when it is orphaned. It ends with
the script, and with whoever started it: their pipe, which stays open that long, is closed then.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Any

from workbench.process import processtree
from workbench.walls import boot, engines
from workbench.walls.cage import Cage
from workbench.walls.ceilings import drop_capabilities

_PR_SET_CHILD_SUBREAPER = 36
_CHUNK = 65_536
# What was left behind may itself have left something behind; so often it is looked again.
_AGAIN = 4


def main(_: list[int]) -> int:
    """Carry out the order that comes as one line on descriptor 0; return the script's status."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
    line, lifeline = _order()
    order = json.loads(line)
    cage = Cage.from_json(order["cage"])
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()
    # What can be raised again is no limit, and what is started here inherits what is given up.
    with contextlib.suppress(OSError):
        drop_capabilities()
    status = _sandlock(cage, order) if order["engine"] == "sandlock" else _started(cage, order)
    _end_rest()
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        signal.raise_signal(-status)
    return status


def _order() -> tuple[bytes, int]:
    """Read the order, give it on to descriptor 0 of what is started, keep the pipe apart."""
    line = bytearray()
    while not line.endswith(b"\n"):
        chunk = os.read(0, _CHUNK)
        if not chunk:
            sys.exit(2)
        line += chunk
    lifeline = os.dup(0)  # not inherited by what is started
    reader, writer = os.pipe()
    os.dup2(reader, 0)
    os.close(reader)

    def hand_on() -> None:
        with contextlib.suppress(OSError), os.fdopen(writer, "wb") as stream:
            stream.write(line)

    threading.Thread(target=hand_on, daemon=True).start()
    return bytes(line), lifeline


def _watch(lifeline: int) -> None:
    """Wait for the end of whoever started this, then end everything and go."""
    with contextlib.suppress(OSError):
        while os.read(lifeline, _CHUNK):
            pass
    _end_rest()
    os._exit(1)


def _end_rest() -> None:
    """End what still runs of what came from this process."""
    if sys.platform != "linux":
        return
    for _ in range(_AGAIN):
        left = processtree.children(os.getpid())
        for pid in left:
            processtree.end_tree(pid)
            with contextlib.suppress(OSError):
                os.waitpid(pid, os.WNOHANG)
        if not left:
            return


def _started(cage: Cage, order: Mapping[str, Any]) -> int:
    """Start the program inside an engine that is a program itself, or inside none."""
    engine = engines.named(str(order["engine"]))
    command = engine.wrap(cage, boot.command("caged"))
    with subprocess.Popen(command, env=dict(cage.environment), cwd=cage.folder) as process:  # noqa: S603 - our own program; no shell
        return process.wait()


def _sandlock(cage: Cage, order: Mapping[str, Any]) -> int:
    """Start the program inside sandlock, which supervises it from threads of this process."""
    sys.path.append(str(order["library"]))
    import sandlock

    box = sandlock.Sandbox(
        fs_readable=[path for path in (*cage.readable, *cage.runnable) if os.path.exists(path)],  # noqa: PTH110 - a text
        fs_writable=[cage.folder, *cage.devices],
        cwd=cage.folder,
        clean_env=True,
        env=dict(cage.environment),
        max_processes=cage.limits["processes"],
        max_open_files=cage.limits["descriptors"],
        no_coredump=True,
        # Each protection that the kernel lacks is named by the program inside, which tries them.
        allow_degraded=list(sandlock.Protection),
    )
    status = int(box.run_interactive(boot.command("caged")))
    return status if status >= 0 else -signal.SIGKILL
