"""The fork server: one process with one thread that forks a child a job, and ends whole trees.

It is told by nothing but descriptors: a request is three of them (the child's stdin, its stdout,
a link). The link's end, the socket's end or the kernel's end each kill what belongs to them.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FrameType

from workbench import child
from workbench.process.preload import FIRST, LATER, Step, preload
from workbench.process.processtree import children, end_tree

# What a request says; everything else about a job goes straight to the child.
START = b"start"
_REQUEST_DESCRIPTORS = 3
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
# Heavy libraries are imported when nothing was asked for this long.
_QUIET_SECONDS = 0.3
_ORPHAN_STEP = 0.5
_LAST_SECONDS = 1.5
_LIFELINE = 3
_CRASHED = 70

RunChild = Callable[[int | None], int]


@dataclass(frozen=True)
class _Job:
    """A child that runs, and the socket over which its parent follows and ends it."""

    pid: int
    link: socket.socket


class _Over(Exception):
    """The kernel has gone."""


class ForkServer:
    """Serves one kernel process until it ends.

    Parameters
    ----------
    control : socket.socket
        Where requests come from (sequenced packets).
    kernel : int or None
        Process descriptor of the kernel, readable once it has ended.
    run_child : callable
        What a forked child does; gets the lifeline, returns an exit status.
    later : tuple of Step
        What to load in quiet moments.
    """

    def __init__(
        self,
        control: socket.socket,
        kernel: int | None,
        run_child: RunChild = child.serve,
        later: tuple[Step, ...] = LATER,
    ) -> None:
        self._control, self._kernel, self._run_child = control, kernel, run_child
        self._later = list(later)
        self._parent, self._pid = os.getppid(), os.getpid()
        self._jobs: dict[int, _Job] = {}
        self._wake, self._waker = socket.socketpair()
        self._poll = select.poll()

    def serve(self) -> None:
        """Fork, watch and end children until the kernel has gone; then end all of them."""
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
        self._listen_for_ends()
        gc.freeze()  # what is loaded stays shared with the children
        with contextlib.suppress(_Over):
            while True:
                self._step()
        self._end_all()

    def _listen_for_ends(self) -> None:
        for end in (self._wake, self._waker):
            end.setblocking(False)
        signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for watched in (self._control.fileno(), self._wake.fileno(), self._kernel):
            if watched is not None:
                self._poll.register(watched, select.POLLIN)

    def _step(self) -> None:
        quiet = bool(self._later) and not self._jobs
        wait = _QUIET_SECONDS if quiet else None if self._kernel is not None else _ORPHAN_STEP
        ready = {descriptor for descriptor, _ in self._poll.poll(wait and wait * 1000)}
        if self._kernel in ready or os.getppid() != self._parent:
            raise _Over
        if self._wake.fileno() in ready:
            self._wake.recv(4096)
            self._collect()
        for job in [job for job in self._jobs.values() if job.link.fileno() in ready]:
            self._poll.unregister(job.link)  # its end is told once
            end_tree(job.pid)
        if self._control.fileno() in ready:
            self._start()
        if not ready and quiet:
            self._import_next()

    def _start(self) -> None:
        """Fork a child for one request."""
        data, descriptors, _, _ = socket.recv_fds(self._control, 16, _REQUEST_DESCRIPTORS)
        if not data:
            raise _Over
        if data != START or len(descriptors) != _REQUEST_DESCRIPTORS:
            for descriptor in descriptors:
                os.close(descriptor)
            return
        stdin, stdout, link_number = descriptors
        link = socket.socket(fileno=link_number)
        try:
            pid = os.fork()
        except OSError as error:
            _tell(link, f"refused {error.strerror}")
            link.close()
        else:
            if pid == 0:
                self._become_child(stdin, stdout, link)
            self._jobs[pid] = _Job(pid, link)
            self._poll.register(link, select.POLLIN)
            _tell(link, f"pid {pid}")
        os.close(stdin)
        os.close(stdout)

    def _become_child(self, stdin: int, stdout: int, link: socket.socket) -> None:
        """Leave the server behind and be the child; never returns."""
        status = _CRASHED
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            # Detached, so that no descriptor of the child is closed by an object of the server.
            for left in (link, self._control, self._wake, self._waker, *self._links()):
                left.detach()
            os.dup2(stdin, 0)
            os.dup2(stdout, 1)
            lifeline = None if self._kernel is None else _LIFELINE
            if self._kernel is not None:
                os.dup2(self._kernel, _LIFELINE)
            os.closerange(_LIFELINE + (lifeline is not None), os.sysconf("SC_OPEN_MAX"))
            # Safe here: the signal is bound to the parent's thread, and the server has but one.
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            # What the child starts falls to the child when its own parent ends, not to the server.
            _prctl(_PR_SET_CHILD_SUBREAPER, 1)
            if os.getppid() == self._pid:
                status = self._run_child(lifeline)
        finally:
            os._exit(status)

    def _links(self) -> list[socket.socket]:
        return [job.link for job in self._jobs.values()]

    def _collect(self) -> None:
        """Take note of children that ended, and end what they left behind."""
        ended: dict[int, int] = {}
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG)) != (0, 0):
                ended[found[0]] = found[1]
        # An unknown child came to the server because its own line ended: nobody waits for it.
        for orphan in children(self._pid) - set(self._jobs):
            end_tree(orphan)
        for pid, status in ended.items():
            job = self._jobs.pop(pid, None)
            if job is not None:
                with contextlib.suppress(KeyError):
                    self._poll.unregister(job.link)
                _tell(job.link, _ending(status))
                job.link.close()

    def _end_all(self) -> None:
        """End every child and all left behind; wait until they are gone, but not for ever."""
        for pid in self._jobs:
            end_tree(pid)
        limit = time.monotonic() + _LAST_SECONDS
        while time.monotonic() < limit and (self._jobs or children(self._pid)):
            self._collect()
            time.sleep(0.002)

    def _import_next(self) -> None:
        """Import one heavy module, looking after the kernel every 0.1 s."""
        signal.signal(signal.SIGALRM, self._look_up)
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        try:
            preload((self._later.pop(0),))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        gc.freeze()

    def _look_up(self, _number: int, _frame: FrameType | None) -> None:
        if kernel_gone(self._control, self._kernel, self._parent):
            os._exit(0)


def kernel_gone(control: socket.socket, kernel: int | None, parent: int) -> bool:
    """Tell whether the process that this one serves has ended or closed its socket."""
    if os.getppid() != parent:
        return True
    poll = select.poll()
    poll.register(control, 0)  # only its end, which is always told
    if kernel is not None:
        poll.register(kernel, select.POLLIN)
    return bool(poll.poll(0))


def _ending(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"exit {code}" if code >= 0 else f"signal {-code}"


def _tell(link: socket.socket, text: str) -> None:
    with contextlib.suppress(OSError):  # a parent that has gone needs no telling
        link.send(f"{text}\n".encode(), socket.MSG_DONTWAIT)


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(ctypes.c_int(option), *[ctypes.c_ulong(number) for number in (value, 0, 0, 0)])


def get_ready(control: socket.socket, kernel: int | None, steps: Iterable[Step] = FIRST) -> None:
    """Load what children should find loaded, and end in the middle of it with the kernel.

    The pipe at descriptor 0 ends this process whatever it is doing; where a copy of the kernel
    holds the pipe open, the kernel is looked after between two steps of the interpreter.
    """
    parent = os.getppid()

    def look_up(_number: int, _frame: FrameType | None) -> None:
        if kernel_gone(control, kernel, parent):
            os._exit(0)

    signal.signal(signal.SIGALRM, look_up)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    preload(steps)
    signal.setitimer(signal.ITIMER_REAL, 0)
    # From here on the server ends its children before itself, and nothing is written to where
    # the start's errors went.
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 2)
    os.close(null)


def main(descriptors: list[int]) -> int:
    """Run the server; `descriptors` are its socket and the kernel's process descriptor (or -1)."""
    number, kernel = descriptors
    control = socket.socket(fileno=number)
    handle = kernel if kernel >= 0 else None
    get_ready(control, handle)
    ForkServer(control, handle).serve()
    return 0
