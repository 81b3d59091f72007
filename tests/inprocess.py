"""A child that is no process: tool calls run here, so that a test can take a check away.

Everything else is as in a real child: the same context, the same calls, the same refusals.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

from workbench import child
from workbench.files.places import Places
from workbench.limits import Limits
from workbench.process.cancellation import Cancellation
from workbench.scripts import sandbox


class InProcess:
    """A connected child in the process of the test."""

    def __init__(self, job: Mapping[str, Any], places: Places) -> None:
        self._job, self._places = job, places
        self._cancelled = Cancellation()
        self._tools: child.Executor | None = None

    def ready(self) -> dict[str, Any]:
        os.makedirs(self._places.snapshots, exist_ok=True)  # noqa: PTH103 - as a child does
        return {"pid": os.getpid(), "confinement": {}, "versions": {}}

    def call(
        self,
        key: str,
        tool: str,
        arguments: Mapping[str, Any],
        on_progress: Callable[[str, float], None] = lambda _text, _share: None,
    ) -> dict[str, Any]:
        if self._tools is None:
            prepare = sandbox.prepare if self._job.get("program") == "sandbox" else child.tools
            self._tools = prepare(self._job, self._places, on_progress, self._cancelled)
        return child._outcome(self._tools, {"id": key, "tool": tool, "arguments": dict(arguments)})

    def close(self) -> None:
        if self._job.get("program") == "sandbox":
            sandbox.HOUSE.close()


def start_in_process(
    job: Mapping[str, Any],
    places: Places,
    _limits: Limits,
    _stop: threading.Event,
    _noise: Callable[[str], None],
) -> InProcess:
    """Start a child that is no process; what it runs in a sandbox is one all the same."""
    return InProcess(job, places)
