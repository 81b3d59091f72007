"""The wire between a child and its parent: one JSON object a line, UTF-8, of bounded length.

Both ends keep at most one line and one chunk in memory, whatever the other end sends.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping


class LineTooLong(ValueError):
    """The other end sent a line beyond the limit."""


class Lines:
    """Splits a stream of bytes into lines.

    Parameters
    ----------
    most : int
        Bytes that one line may have (the row ``child_line``), without its line end.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the lines that are complete with this chunk; it must be consumed to the end.

        Raises
        ------
        LineTooLong
            If a line, complete or not, is longer than allowed.
        """
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            line = bytes(self._rest) + chunk[start:end]
            self._rest.clear()
            start = end + 1
            self._check(len(line))
            yield line
        self._rest += chunk[start:]
        self._check(len(self._rest))

    def _check(self, length: int) -> None:
        if length > self._most:
            self._rest.clear()
            raise LineTooLong(f"a line has more than {self._most:,} bytes")

    @property
    def pending(self) -> int:
        """Bytes of a line that is not complete yet."""
        return len(self._rest)


def encode(message: Mapping[str, object]) -> bytes:
    """Return a message as one line with its line end.

    Raises
    ------
    TypeError, ValueError
        If it holds what JSON does not have: bytes, NaN, infinity, a cycle.
    """
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # A half of a surrogate pair has no UTF-8 form; its escape is JSON as well.
    return text.encode("utf-8", "backslashreplace") + b"\n"


def decode(line: bytes) -> dict[str, object]:
    """Return the object that a line holds.

    Raises
    ------
    ValueError
        If the line is not one JSON object.
    """
    try:
        found = json.loads(line, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(found, dict):
        raise ValueError("not an object")  # noqa: TRY004 - one kind of error for a bad line
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
