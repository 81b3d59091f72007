"""The engine sandlock as a program: it starts another inside itself and ends with its status.

It has a process of its own because it supervises what it confines, from threads, for as long as
that runs. What the kernel lacks is left out of its walls and named by the program within.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys

from workbench.cage import Cage
from workbench.ceilings import drop_capabilities


def main(_: list[int]) -> int:
    """Start the program named last on the command line in a sandbox; return its status."""
    import sandlock

    order = read_all(0)
    cage = Cage.from_json(json.loads(order)["cage"])
    # The first pair of dashes ends our own descriptors, the second the folders of libraries.
    program = sys.argv[sys.argv.index("--", sys.argv.index("--") + 1) + 1 :]
    _hand_on(order)
    # What can be raised again is no limit, and what it starts inherits what is given up here.
    with contextlib.suppress(OSError):
        drop_capabilities()
    box = sandlock.Sandbox(
        fs_readable=[path for path in (*cage.readable, *cage.runnable) if os.path.exists(path)],  # noqa: PTH110 - a text
        fs_writable=[cage.folder, *cage.devices],
        cwd=cage.folder,
        clean_env=True,
        env=dict(cage.environment),
        max_processes=cage.limits["processes"],
        max_open_files=cage.limits["descriptors"],
        no_coredump=True,
        allow_degraded=list(sandlock.Protection),
        name="script",
    )
    status = box.run_interactive(program)
    if status < 0:
        signal.raise_signal(signal.SIGKILL)
    return int(status)


def read_all(descriptor: int) -> bytes:
    """Read a descriptor to its end."""
    with open(descriptor, "rb", closefd=False) as stream:
        return stream.read()


def _hand_on(order: bytes) -> None:
    """Let the program inside read the same order from descriptor 0."""
    kept = os.memfd_create("order")
    os.write(kept, order)
    os.lseek(kept, 0, os.SEEK_SET)
    os.dup2(kept, 0)
    os.close(kept)
