"""A real kernel, driven as a front end drives it: cells run, messages read, interrupts sent."""

from __future__ import annotations

import os
import queue
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from jupyter_client.manager import KernelManager

PATIENCE = 90


@dataclass
class Cell:
    """What came of a cell.

    Attributes
    ----------
    messages : list of dict
        What the kernel published for it, in order.
    interrupted : float or None
        Seconds from the first interrupt to the end.
    """

    messages: list[dict[str, Any]] = field(default_factory=list)
    interrupted: float | None = None

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the contents of messages of one kind."""
        return [item["content"] for item in self.messages if item["msg_type"] == kind]

    @property
    def text(self) -> str:
        """What it printed."""
        return "".join(item["text"] for item in self.of("stream"))

    @property
    def errors(self) -> list[str]:
        """The lines of the errors it ended with."""
        return ["\n".join(item["traceback"]) for item in self.of("error")]


class Kernel:
    """A kernel in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        environment = {**os.environ, "IPYTHONDIR": str(folder / "ipython")}
        self.manager = KernelManager(kernel_name="python3")
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*without encryption.*")
            self.manager.start_kernel(cwd=str(folder), env=environment)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)
        self.process = psutil.Process(self.manager.provisioner.pid)

    def run(
        self, code: str, *, press: Callable[[Cell, float], bool] | None = None, presses: int = 1
    ) -> Cell:
        """Run a cell to its end.

        Parameters
        ----------
        code : str
            The cell.
        press : callable, optional
            Gets what came so far and the seconds since it began; True sends the interrupts.
        presses : int, optional
            How many, a fifth of a second apart.
        """
        cell, began, pressed = Cell(), time.monotonic(), 0
        first = 0.0
        key = self.client.execute(code)
        while time.monotonic() - began < PATIENCE:
            now = time.monotonic()
            due = now - first >= 0.2 * pressed if pressed else press and press(cell, now - began)
            if due and pressed < presses:
                first = first or now
                self.manager.interrupt_kernel()
                pressed += 1
            try:
                message = self.client.get_iopub_msg(timeout=0.02)
            except queue.Empty:
                continue
            if message["parent_header"].get("msg_id") != key:
                continue
            cell.messages.append(message)
            if message["content"].get("execution_state") == "idle":
                cell.interrupted = time.monotonic() - first if pressed else None
                return cell
        raise TimeoutError(code)

    def descendants(self) -> set[int]:
        """Return every process below the kernel."""
        return {child.pid for child in self.process.children(recursive=True)}

    def close(self) -> None:
        """End it."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
