"""The output of a script or command as it comes: all of it in a log, its ends in memory, counted.

However much is written, no more is held than may be shown. Paths of this machine are written as
the script's own names for them, so that none enters a context, from the log neither.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from workbench.limits import Limits

BEGIN, END = "===RESULT===", "===END_RESULT==="
# Of a line that never ends so much is looked at; the log has it all.
_LINE = 65_536
# A result is cut for the context elsewhere; here only so that it passes the pipe.
_MOST_RESULT = 240_000


@dataclass(frozen=True)
class Output:
    """What was written so far.

    Attributes
    ----------
    lines : tuple of str
        All lines, or the first and the last as many.
    total : int
        Lines there are.
    chars : int
        Characters of all lines.
    result : str or None
        What stood between the marks, None where there were none.
    closed : bool
        Whether the last mark that opened a result was followed by one that closed it.
    spilled : str
        The row of the limits table that kept the middle from view, or empty.
    full : bool
        Whether the log has reached the size a file may have.
    lost : str
        Why the log could not be written to its end, or empty.
    """

    lines: tuple[str, ...]
    total: int
    chars: int
    result: str | None
    closed: bool
    spilled: str
    full: bool
    lost: str = ""


class Spool:
    """Takes output in pieces.

    Parameters
    ----------
    log : file
        Unbuffered; gets every byte, until it has as many as a file may, or the disk refuses.
    limits : Limits
        ``command_spill_lines, command_spill_bytes, command_spill_keep, artefact_bytes``.
    names : sequence of (str, str)
        Paths of this machine, longest first, and what is written in their place.
    mark : str
        How the one line begins that comes before the output.
    """

    def __init__(
        self, log: IO[bytes], limits: Limits, names: Sequence[tuple[str, str]], mark: str
    ) -> None:
        self._log, self._names = log, [(old.encode(), new.encode()) for old, new in names]
        self._most_lines = limits["command_spill_lines"].number
        self._most_bytes = limits["command_spill_bytes"].number
        self._keep = limits["command_spill_keep"].number
        self._room = limits["artefact_bytes"].number
        self._mark = mark.encode()
        self.first: bytes | None = None
        self._rest, self._skipping = b"", False
        self._lines: list[str] = []
        self._tail: deque[str] = deque(maxlen=self._keep)
        self._result: list[str] | None = None
        self._result_chars, self._inside = 0, False
        self._total = self._chars = self._bytes = 0
        self._spilled = self._lost = ""
        self._lock = threading.Lock()

    def feed(self, chunk: bytes) -> None:
        """Take a piece of output."""
        with self._lock:
            *whole, self._rest = (self._rest + chunk).split(b"\n")
            for line in whole:
                self._line(line)
            if len(self._rest) > _LINE:
                self._line(self._rest, ends=False)
                self._rest = b""

    def close(self) -> None:
        """Take what stands after the last line end; close the log."""
        with self._lock:
            if self._rest:
                self._line(self._rest)
                self._rest = b""
            self._log.close()

    def seen(self) -> Output:
        """Return what was written so far."""
        with self._lock:
            cut = bool(self._spilled)
            lines = [*self._lines[: self._keep], *self._tail] if cut else self._lines
            result = None if self._result is None else "\n".join(self._result)
            return Output(
                tuple(lines),
                self._total,
                self._chars,
                result,
                not self._inside,
                self._spilled,
                self._room <= 0 and not self._lost,
                self._lost,
            )

    def _line(self, line: bytes, *, ends: bool = True) -> None:
        """Take one line, or the next piece of one that is too long to be looked at."""
        if self.first is None and line.startswith(self._mark):
            self.first = line[len(self._mark) :]
            return
        for old, new in self._names:
            line = line.replace(old, new)
        self._write(line + (b"\n" if ends else b""))
        goes_on, self._skipping = self._skipping, not ends
        text = line.decode("utf-8", "replace").rstrip("\r")
        if goes_on:
            self._chars += len(text)
        elif text.strip() == BEGIN:
            self._inside = True
            self._result = self._result or []
        elif text.strip() == END and self._inside:
            self._inside = False
        elif self._inside and self._result is not None:
            self._result_chars += len(text) + 1
            if self._result_chars <= _MOST_RESULT:
                self._result.append(text)
        else:
            self._count(text)

    def _write(self, data: bytes) -> None:
        """Write to the log; a disk that refuses ends the log, and neither program nor count."""
        left = memoryview(data)[: max(self._room, 0)]
        try:
            while left:
                written = self._log.write(left)
                self._room -= written
                left = left[written:]
        except OSError as error:
            self._room, self._lost = 0, error.strerror or type(error).__name__

    def _count(self, text: str) -> None:
        self._total += 1
        self._chars += len(text) + 1
        self._bytes += len(text.encode("utf-8", "replace")) + 1
        self._tail.append(text)
        if not self._spilled:
            self._lines.append(text)
            if self._total > self._most_lines:
                self._spilled = "command_spill_lines"
            elif self._bytes > self._most_bytes:
                self._spilled = "command_spill_bytes"
            if self._spilled:
                del self._lines[self._keep :]
