"""A child's two threads of life: listening to the parent, and telling it that work goes on.

End-of-file, or the end of the kernel process, ends the child at once. A beat is sent only when
the processor or the disk was really used since the last, so a hung tool falls silent.
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping

from workbench.files.lines import Lines, decode, encode
from workbench.limits import Limits
from workbench.process.cancellation import Cancellation

_CHUNK = 65_536
# How long an idle child may take to leave its loop before it is ended from here.
_GRACE_SECONDS = 0.5
_ORPHAN_STEP = 0.5
_BEAT_SECONDS = 5.0
_BUSY_SHARE = 0.02


class Answers:
    """The way to the parent: whole lines, one at a time, from any thread.

    Parameters
    ----------
    descriptor : int
        Where lines are written.

    Attributes
    ----------
    most : int
        Bytes a line may have (the row ``child_line``).
    key : str or None
        The call in hand, None once it is answered.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.most = Limits()["child_line"].number
        self.key: str | None = None
        self._lock = threading.Lock()

    def send(self, message: Mapping[str, object]) -> None:
        """Write one message as it is."""
        with self._lock:
            self._write(encode(message))

    def answer(self, key: str, outcome: Mapping[str, object]) -> None:
        """Write the answer to a call; one that cannot be carried becomes a failure that says so."""
        try:
            line = encode({"answer": {"id": key, **outcome}})
        except (TypeError, ValueError) as error:
            line = _failure(key, f"the reply cannot be written as JSON ({error})", None)
        if len(line) > self.most:
            words = f"the reply has {len(line):,} bytes, a line from a child at most {self.most:,}"
            line = _failure(key, f"{words}; write the bulk to a result file", "child_line")
        with self._lock:
            self._write(line)
            self.key = None

    def progress(self, text: str, share: float) -> None:
        """Tell how far the call in hand is."""
        done = round(min(max(share, 0.0), 1.0) * 1000) if math.isfinite(share) else 0
        self._tell("progress", {"text": text[:200], "done": done, "total": 1000})

    def beat(self) -> None:
        """Tell that the call in hand is being worked on."""
        self._tell("beat", {})

    def _tell(self, kind: str, body: Mapping[str, object]) -> None:
        """Write a line about the call in hand, never one after its answer."""
        with self._lock:
            if self.key is not None:
                self._write(encode({kind: {"id": self.key, **body}}))

    def _write(self, line: bytes) -> None:
        view = memoryview(line)
        while view:
            view = view[os.write(self.descriptor, view) :]


def _failure(key: str, error: str, limit: str | None) -> bytes:
    outcome = {"id": key, "ok": False, "error": error, "kind": "failed", "key": limit}
    return encode({"answer": outcome})


class Lifeline:
    """Listens for calls, cancels and the end, and beats while a call is worked on.

    Parameters
    ----------
    kernel : int or None
        Descriptor that becomes readable when the kernel process ends.
    limits : Limits
        ``child_line`` bounds what is read, ``child_silence`` sets the beat.
    answers : Answers
        The way back.
    farewell : callable, optional
        Called before the process is ended from here.

    Attributes
    ----------
    calls : queue
        The calls that came; None ends the child.
    cancelled : Cancellation
        Set when the parent cancels the call in hand.
    """

    def __init__(
        self,
        kernel: int | None,
        limits: Limits,
        answers: Answers,
        farewell: Callable[[], object] = lambda: None,
    ) -> None:
        self._kernel, self._farewell = kernel, farewell
        self._lines = Lines(limits["child_line"].number)
        self._beat = min(_BEAT_SECONDS, float(limits["child_silence"].value) / 4)
        self._answers = answers
        self.calls: queue.SimpleQueue[dict[str, object] | None] = queue.SimpleQueue()
        self.cancelled = Cancellation()
        self._unwanted: set[str] = set()
        self._parent = os.getppid()
        self._idle = threading.Event()
        self._idle.set()

    def start(self, rest: bytes = b"") -> None:
        """Start both threads; `rest` came from the parent already. They keep nothing alive."""
        threading.Thread(target=self._listen, args=(rest,), daemon=True).start()
        threading.Thread(target=self._tell, daemon=True).start()

    @contextlib.contextmanager
    def at_work(self, key: str) -> Iterator[None]:
        """Mark a call as the one in hand: beats and cancels are for it."""
        self.cancelled.clear()
        self._answers.key = key
        self._idle.clear()
        if key in self._unwanted:  # cancelled before it began
            self.cancelled.set()
        try:
            yield
        finally:
            self._idle.set()

    def _listen(self, chunk: bytes) -> None:
        try:
            while chunk := chunk or self._read():
                for line in self._lines.feed(chunk):
                    self._take(decode(line))
                chunk = b""
        except (OSError, ValueError):
            pass  # a parent that makes no sense is as good as none: the child ends
        self._end()

    def _take(self, message: Mapping[str, object]) -> None:
        call, cancel = message.get("call"), message.get("cancel")
        if isinstance(call, dict):
            self.calls.put(call)
        if isinstance(cancel, dict):
            self._unwanted.add(str(cancel.get("id")))
            if cancel.get("id") == self._answers.key:
                self.cancelled.set()

    def _read(self) -> bytes:
        """Wait for bytes from the parent; empty at the end of the parent or of the kernel."""
        if sys.platform == "win32":
            return os.read(0, _CHUNK)
        poll = select.poll()
        poll.register(0, select.POLLIN)
        if self._kernel is not None:
            poll.register(self._kernel, select.POLLIN)
        while True:
            ready = dict(poll.poll(_ORPHAN_STEP * 1000))
            if self._kernel in ready or os.getppid() != self._parent:
                return b""
            if ready:
                # The raw descriptor: a buffered reader holds a lock that aborts the exit.
                return os.read(0, _CHUNK)

    def _end(self) -> None:
        """End the process: by its own loop if that is idle, else at once."""
        self._farewell()
        if self._idle.is_set():
            self.calls.put(None)
            time.sleep(_GRACE_SECONDS)
        if hasattr(os, "getpgid") and os.getpgid(0) == os.getpid():
            os.kill(0, signal.SIGKILL)
        os._exit(0)

    def _tell(self) -> None:
        before = _used()
        while True:
            time.sleep(self._beat)
            now = _used()
            if not self._idle.is_set() and now - before > self._beat * _BUSY_SHARE:
                with contextlib.suppress(OSError):
                    self._answers.beat()
            before = now


def _used() -> float:
    """Return a measure of work done: processor seconds, and disk transfers at 1 ms each."""
    used = time.process_time()
    if sys.platform != "win32":
        import resource

        usage = resource.getrusage(resource.RUSAGE_SELF)
        used += (usage.ru_inblock + usage.ru_oublock) / 1000
    return used
