"""A fork server whose children carry out the code they are given: for tests of their walls.

Everything but the executor is the product's own. The product never takes code from a job; this
program is how the tests stand where an attacker would.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from workbench import child
from workbench.errors import Failed, LimitReached, Refused
from workbench.files.places import Places
from workbench.process.cancellation import Cancellation
from workbench.process.forkserver import ForkServer, get_ready
from workbench.walls import boot


def prepare(
    job: Mapping[str, object], places: Places, progress: child.Progress, cancelled: Cancellation
) -> child.Executor:
    """Make an executor that runs Python text; ``attempt`` tells the error instead of raising."""

    def execute(tool: str, arguments: dict[str, object]) -> dict[str, object]:
        names: dict[str, object] = {"job": job, "places": places, "out": None}
        names |= {"progress": progress, "cancelled": cancelled}
        names |= {"Failed": Failed, "LimitReached": LimitReached, "Refused": Refused}
        try:
            exec(str(arguments["code"]), names)  # noqa: S102 - see the module
        except OSError as error:
            if tool != "attempt":
                raise
            return {"raised": type(error).__name__, "errno": error.errno}
        return {"out": names["out"]}

    return execute


if __name__ == "__main__":
    boot.end_with_starter()
    control, kernel = socket.socket(fileno=int(sys.argv[-2])), int(sys.argv[-1])
    get_ready(control, kernel if kernel >= 0 else None)
    ForkServer(
        control,
        kernel if kernel >= 0 else None,
        lambda lifeline: child.serve(lifeline, prepare),
        later=(),
    ).serve()
    os._exit(0)
