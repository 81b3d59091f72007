"""A child of the fork server, as the kernel holds it: by two pipes and a link to the server.

The server says over the link which process it is and how it ended; closing the link's own side
asks for its end. Neither needs a process number, which could belong to a stranger by then.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable

from workbench.process.launched import Ending
from workbench.process.processtree import end_tree, parent, running

_KILL_SECONDS = 2.0
_STEP = 0.05
# A child that is idle leaves its loop at once and tidies up; one that is not is killed.
_GRACE_SECONDS = 0.3


class ForkedChild:
    """A child of the fork server; see `workbench.process.launched.Launched`.

    Parameters
    ----------
    stdin, stdout : int
        This side's ends of the pipes.
    link : socket.socket
        This side's end of the link.
    server : int
        Process number of the server.
    last_words : callable
        Returns what the server last complained of.
    """

    def __init__(
        self,
        stdin: int,
        stdout: int,
        link: socket.socket,
        server: int,
        last_words: Callable[[], str],
    ) -> None:
        self.stdin, self.stdout = stdin, stdout
        self._link, self._server, self._last_words = link, server, last_words
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._heard = b""
        self._pid: int | None = None
        self._ending: Ending | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """Its process number, None before the server has told it."""
        self._hear(0.0)
        return self._pid

    def alive(self) -> bool:
        """Tell whether it has not ended yet."""
        return self.ended() is None

    def ended(self, seconds: float = 0.0) -> Ending | None:
        """Wait for its end for up to `seconds`; None if it still lives."""
        limit = time.monotonic() + seconds
        while True:
            left = limit - time.monotonic()
            self._hear(min(max(left, 0.0), _STEP))
            if self._ending is not None or left <= 0:
                return self._ending

    def kill(self) -> None:
        """End it and everything it started; does nothing in a copy of the process it belongs to."""
        if os.getpid() != self._owner or self.ended() is not None:
            return
        with contextlib.suppress(OSError):
            self._link.shutdown(socket.SHUT_WR)
        # A server that has not told the number is still loading: it ends what it is yet to fork.
        if self._pid is not None and self.ended(_KILL_SECONDS) is None:
            self._kill_past_server(self._pid)

    def _kill_past_server(self, pid: int) -> None:
        """End the tree although the server hangs: it has not collected the child, so it is it."""
        if parent(pid) == self._server:
            end_tree(pid)
            limit = time.monotonic() + _KILL_SECONDS
            while running(pid) and time.monotonic() < limit:
                time.sleep(0.001)
            self._ending = Ending(signal=signal.SIGKILL)

    def close(self) -> None:
        """End it, by end-of-file if it listens, and give back every descriptor."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        os.close(self.stdin)
        if os.getpid() == self._owner and self.pid is not None:
            self.ended(_GRACE_SECONDS)
        self.kill()
        with self._lock:
            self._ending = self._ending or Ending(note="it was given up")
            self._link.close()
            os.close(self.stdout)

    def _hear(self, seconds: float) -> None:
        """Take in what the server says, waiting for up to `seconds`."""
        with self._lock:
            if self._ending is not None or not _readable(self._link, seconds):
                return
            try:
                data = self._link.recv(4096)
            except OSError:
                data = b""
            *lines, self._heard = (self._heard + data).split(b"\n")
            for line in lines:
                self._note(*line.decode().split(" ", 1))
            if not data and self._ending is None:
                self._ending = Ending(note=f"the fork server has gone ({self._last_words()})")

    def _note(self, word: str, rest: str) -> None:
        match word:
            case "pid":
                self._pid = int(rest)
            case "exit":
                self._ending = Ending(code=int(rest))
            case "signal":
                self._ending = Ending(signal=int(rest))
            case _:
                self._ending = Ending(note=f"it could not be started: {rest}")


def _readable(link: socket.socket, seconds: float) -> bool:
    poll = select.poll()
    poll.register(link, select.POLLIN)
    return bool(poll.poll(seconds * 1000))
