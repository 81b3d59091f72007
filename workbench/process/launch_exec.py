"""Starting a child as a program of its own, for systems where forking is not safe.

The program waits for its first line with everything imported, so one kept warm makes the next
start quick. The arguments are a list: no shell sees them.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path

from workbench.errors import Failed
from workbench.process.launched import Ending, undisturbed
from workbench.walls import boot
from workbench.walls.environment import child_environment

_KILL_SECONDS = 2.0
# A child that is idle leaves its loop at once and tidies up; one that is not is killed.
_GRACE_SECONDS = 0.3


class ExecLauncher:
    """Starts children as programs, and keeps one warm once it was asked to.

    Parameters
    ----------
    program : str, optional
        Which of `workbench.walls.boot.PROGRAMS`.
    """

    def __init__(self, program: str = "child") -> None:
        self._program = program
        self._lock = threading.Lock()
        self._owner = os.getpid()
        self._spare: ExecedChild | None = None
        self._keeps_spare = False
        _ALL.add(self)

    def warm(self) -> None:
        """Start a spare and keep one from now on."""
        with self._lock:
            self._keeps_spare = True
            self._refill()

    def start(self, line: bytes) -> ExecedChild:
        """Start a child that reads `line` first.

        Raises
        ------
        Failed
            If no process can be started.
        """
        with self._lock:
            child, self._spare = self._spare, None
            if child is None or not child.alive() or self._owner != os.getpid():
                child = _spawn(self._program)
            with contextlib.suppress(BrokenPipeError):  # its end is told to whoever waits for it
                os.write(child.stdin, line)
            if self._keeps_spare:
                self._refill()
            return child

    def close(self) -> None:
        """End the spare."""
        with self._lock:
            if self._spare is not None and self._owner == os.getpid():
                self._spare.close()
            self._spare = None

    def _refill(self) -> None:
        if self._spare is None or not self._spare.alive():
            self._spare = _spawn(self._program)


class ExecedChild:
    """A child started as a program; see `workbench.process.launched.Launched`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.stdin, self.stdout = process.stdin.fileno(), process.stdout.fileno()
        self._process = process
        self._owner = os.getpid()
        self._killed = False

    @property
    def pid(self) -> int | None:
        """Its process number."""
        return self._process.pid

    def alive(self) -> bool:
        """Tell whether it has not ended yet."""
        return self.ended() is None

    def ended(self, seconds: float = 0.0) -> Ending | None:
        """Wait for its end for up to `seconds`; None if it still lives."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return Ending(code=code) if code >= 0 else Ending(signal=-code)

    def kill(self) -> None:
        """End it and everything it started; does nothing in a copy of the process it belongs to."""
        if os.getpid() != self._owner or self._killed:
            return
        self._killed = True
        _end(self._process.pid)
        self.ended(_KILL_SECONDS)

    def close(self) -> None:
        """End it, by end-of-file if it listens, and give back every descriptor."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.close()
        if os.getpid() == self._owner:
            self.ended(_GRACE_SECONDS)
        self.kill()
        stdout.close()


def _spawn(program: str) -> ExecedChild:
    kernel = _process_descriptor()
    windows = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(
        subprocess, "CREATE_NEW_PROCESS_GROUP", 0
    )
    try:
        process = subprocess.Popen(  # noqa: S603 - our own program, no shell
            boot.command(program, -1, -1 if kernel is None else kernel),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=child_environment(),
            cwd=Path(sys.executable).anchor,
            pass_fds=() if kernel is None else (kernel,),
            start_new_session=sys.platform != "win32",
            creationflags=windows,
        )
    except OSError as error:
        raise Failed(f"start a child: {sys.executable}: {error.strerror}") from None
    finally:
        if kernel is not None:
            os.close(kernel)
    return ExecedChild(process)


def _process_descriptor() -> int | None:
    """Return a descriptor that tells the end of this process; None where there is none."""
    try:
        return os.pidfd_open(os.getpid())
    except (AttributeError, OSError):
        return None


def _end(pid: int) -> None:
    """End a process and, as far as the system lets us, what came from it."""
    if sys.platform == "linux":
        from workbench.process.processtree import end_tree

        end_tree(pid)
    if sys.platform == "win32":
        # The only way there to reach a whole tree without a handle to each of it.
        command = [
            f"{os.environ['SYSTEMROOT']}\\System32\\taskkill.exe",
            "/T",
            "/F",
            "/PID",
            str(pid),
        ]
        subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - a list, no shell
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


_ALL: weakref.WeakSet[ExecLauncher] = weakref.WeakSet()


def _at_exit() -> None:
    undisturbed()
    for launcher in tuple(_ALL):
        launcher.close()


atexit.register(_at_exit)
