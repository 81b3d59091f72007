"""The kernel's end of the fork server: start it when it is needed, and again if it has died.

A copy of this process (the analyst's own multiprocessing) shares no server with it: it forgets
the one it inherited, and makes its own if it asks for a child.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from typing import IO

from workbench.errors import Failed
from workbench.process.forked import ForkedChild
from workbench.process.forkserver import START
from workbench.process.launched import undisturbed
from workbench.process.processtree import end_tree
from workbench.walls import boot
from workbench.walls.environment import child_environment

# A server at rest ends what it holds in a hundredth of that; one deep in an import is not waited
# for, since whoever closes it may be an analyst who has pressed Ctrl-C.
_CLOSE_SECONDS = 0.25


class ForkLauncher:
    """Starts children by a fork server.

    Parameters
    ----------
    command : sequence of str, optional
        The server's argument list; its socket and the kernel's process descriptor are put before
        the first ``--``, or at the end. The product's own server if left out.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        self._command = command
        self._forget()
        _ALL.add(self)

    def _forget(self) -> None:
        """Begin with no server: also what a copy of this process does with an inherited one."""
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def forget_inherited(self) -> None:
        """Close this copy's descriptors of a server that belongs to the process copied."""
        if self._control is not None:
            self._control.close()
        self._close_errors()
        if self._process is not None:
            _let_go(self._process)
            self._process.returncode = 0  # not a child of this process: nothing to wait for
        self._forget()

    @property
    def pid(self) -> int | None:
        """Process number of the server, None if none runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def warm(self) -> None:
        """Start the server if none runs; it gets ready by itself."""
        with self._lock:
            self._ensure()

    def start(self, line: bytes) -> ForkedChild:
        """Have a child forked that reads `line` first.

        Raises
        ------
        Failed
            If the server cannot be started.
        """
        with self._lock:
            for _ in range(2):  # a server that has died is noticed here at the latest
                server = self._ensure()
                with contextlib.suppress(BrokenPipeError, ConnectionError):
                    return self._request(server, line)
                self._drop()
        raise Failed(f"start a child: the fork server ends at once ({self._last_words()})")

    def close(self) -> None:
        """End the server and every child it holds."""
        with self._lock:
            self._drop()
            self._close_errors()

    def _request(self, server: socket.socket, line: bytes) -> ForkedChild:
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            stdin, to_child = os.pipe()
            theirs.callback(os.close, stdin)
            ours.callback(os.close, to_child)
            from_child, stdout = os.pipe()
            theirs.callback(os.close, stdout)
            ours.callback(os.close, from_child)
            link, far_link = socket.socketpair()
            theirs.callback(far_link.close)
            ours.callback(link.close)
            os.set_blocking(to_child, False)
            if os.write(to_child, line) < len(line):  # only where pipes are made very small
                raise Failed("start a child: the job does not fit a pipe of this system")
            socket.send_fds(server, [START], [stdin, stdout, far_link.fileno()])
            ours.pop_all()
            assert self._process is not None
            return ForkedChild(to_child, from_child, link, self._process.pid, self._last_words)

    def _ensure(self) -> socket.socket:
        if self._process is not None and self._process.poll() is not None:
            self._drop()
        if self._control is None:
            self._launch()
        assert self._control is not None
        return self._control

    def _launch(self) -> None:
        control, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        kernel = _process_descriptor()
        self._errors = self._errors or tempfile.TemporaryFile()  # noqa: SIM115 - lives as the server
        passed = [far.fileno(), *([kernel] if kernel is not None else [])]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
                self._arguments(far.fileno(), -1 if kernel is None else kernel),
                stdin=subprocess.PIPE,  # nothing is written: its end ends a server that still loads
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                bufsize=0,
                env=child_environment(),
                cwd="/",
                pass_fds=passed,
                start_new_session=True,
            )
        except OSError as error:
            control.close()
            raise Failed(f"start a child: {sys.executable}: {error.strerror}") from None
        finally:
            far.close()
            if kernel is not None:
                os.close(kernel)
        self._control = control

    def _arguments(self, control: int, kernel: int) -> list[str]:
        if self._command is None:
            return boot.command("forkserver", control, kernel)
        return [*self._command, str(control), str(kernel)]

    def _drop(self) -> None:
        """Let go of the server, which then ends what it holds and itself."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            _let_go(self._process)
            try:
                self._process.wait(_CLOSE_SECONDS)
            except subprocess.TimeoutExpired:
                end_tree(self._process.pid)
                self._process.wait()
            self._process = None

    def _close_errors(self) -> None:
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def _last_words(self) -> str:
        """Return the last line that the server wrote while it started, if any."""
        if self._errors is None:
            return "no reason given"
        size = os.fstat(self._errors.fileno()).st_size
        tail = os.pread(self._errors.fileno(), 500, max(0, size - 500)).decode("utf-8", "replace")
        return (tail.strip().splitlines() or ["no reason given"])[-1]


def _let_go(server: subprocess.Popen[bytes]) -> None:
    """Close this end of the pipe with which a server that is still loading ends."""
    assert server.stdin is not None
    server.stdin.close()


# Every launcher of this process, so that a copy of it can forget what it inherited.
_ALL: weakref.WeakSet[ForkLauncher] = weakref.WeakSet()


def _process_descriptor() -> int | None:
    """Return a descriptor that tells the end of this process; None on kernels without it."""
    try:
        return os.pidfd_open(os.getpid())
    except OSError:
        return None


def _in_a_copy() -> None:
    for launcher in tuple(_ALL):
        launcher.forget_inherited()


def _at_exit() -> None:
    undisturbed()
    for launcher in tuple(_ALL):
        launcher.close()


os.register_at_fork(after_in_child=_in_a_copy)
atexit.register(_at_exit)
