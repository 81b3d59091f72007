"""The bytes between a child and its parent: read, split and written within fixed bounds.

Never more than one line and one chunk are kept, whatever the child sends; what is no message is
counted, and a child that keeps sending such has failed.
"""

from __future__ import annotations

import os

from workbench.files.lines import Lines, LineTooLong, decode
from workbench.files.pipes import CHUNK, readable, write_some
from workbench.process.childwords import Message, one_line
from workbench.process.launched import ChildFailed, Ending, Launched

_BAD_LINES = 3
# A call's answer and its progress together; a child that prints for ever stops here.
_MOST_LINES_OF_BYTES = 64
# A child's end is told a moment after its pipe has ended.
_LAST_WORD_SECONDS = 0.5


class ChildStream:
    """Reads messages from a child and writes lines to it.

    Parameters
    ----------
    launched : Launched
        The child.
    most : int
        Bytes a line may have (the row ``child_line``).

    Attributes
    ----------
    bad_lines : int
        Lines so far that were no messages.
    """

    def __init__(self, launched: Launched, most: int) -> None:
        self._launched = launched
        self._most = most
        self._lines = Lines(most)
        self._received = 0
        self.bad_lines = 0

    def begin(self) -> None:
        """Begin a call: the bytes that the child may send are counted anew."""
        self._received = 0

    def waiting(self) -> bool:
        """Tell whether something can be read at once."""
        return readable(self._launched.stdout, 0)

    def messages(self, seconds: float) -> list[Message]:
        """Return the messages that are complete with what comes within `seconds`.

        Raises
        ------
        ChildFailed
            If the child has ended, or sends what no child may.
        """
        found = []
        for line in self._split(self._read(seconds)):
            try:
                found.append(decode(line))
            except ValueError as error:
                self.bad_line(str(error))
        return found

    def bad_line(self, why: str) -> None:
        """Count a line that is no message.

        Raises
        ------
        ChildFailed
            If there were too many.
        """
        self.bad_lines += 1
        if self.bad_lines >= _BAD_LINES:
            last = one_line(why)[:100]
            words = (
                f"protocol: {self.bad_lines} lines of the child are no messages (the last: {last})"
            )
            raise ChildFailed(words, "protocol")

    def write(self, data: memoryview, seconds: float) -> memoryview:
        """Write what the child takes within `seconds`; return what is left.

        Raises
        ------
        ChildFailed
            If it does not listen any more.
        """
        try:
            return data[write_some(self._launched.stdin, bytes(data[:CHUNK]), seconds) :]
        except OSError:
            raise self._end("it no longer listens") from None

    def _split(self, chunk: bytes) -> list[bytes]:
        self._received += len(chunk)
        if self._received > _MOST_LINES_OF_BYTES * self._most:
            words = f"protocol: the child sent {self._received:,} bytes in one call"
            raise ChildFailed(words, "protocol", "child_line")
        try:
            return list(self._lines.feed(chunk))
        except LineTooLong as error:
            raise ChildFailed(f"protocol: {error}", "protocol", "child_line") from None

    def _read(self, seconds: float) -> bytes:
        """Read what the child sent; empty if nothing came."""
        if readable(self._launched.stdout, seconds):
            chunk = os.read(self._launched.stdout, CHUNK)
            if chunk:
                return chunk
            raise self._end("it closed its output")
        # A copy of the pipe in another process hides the end-of-file; the launcher knows better.
        if self._launched.ended() is None or self.waiting():
            return b""
        raise self._end("")

    def _end(self, note: str) -> ChildFailed:
        ending = self._launched.ended(_LAST_WORD_SECONDS)
        return ChildFailed(str(ending or Ending(note=note)), "ended")
