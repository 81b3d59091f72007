"""A long text by range and by search, read piece by piece: a log, a reply, a page's source.

Offsets count characters. The whole is never held, but where it is JSON of a moderate size, which
is then shown as a person reads it.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
from collections.abc import Callable, Iterator
from typing import BinaryIO, TextIO

MOST_CHARS = 20_000
MOST_HITS = 200
_CHUNK = 1_000_000
_AROUND = 60
_INDENTED_BYTES = 5_000_000


class LongText:
    """One text.

    Parameters
    ----------
    opener : callable
        Opens its bytes.
    indent : bool
        True to show JSON indented, where it is one and not too large.
    """

    def __init__(self, opener: Callable[[], BinaryIO], *, indent: bool = False) -> None:
        self._opener = opener
        with opener() as stream:
            self.bytes = stream.seek(0, io.SEEK_END)
        self._whole = self._indented() if indent and self.bytes <= _INDENTED_BYTES else None

    def _indented(self) -> str | None:
        with self._stream() as file, contextlib.suppress(ValueError, RecursionError):
            return json.dumps(json.load(file), ensure_ascii=False, indent=1) + "\n"
        return None

    def _stream(self) -> TextIO:
        return io.TextIOWrapper(self._opener(), encoding="utf-8", errors="replace", newline="")

    @contextlib.contextmanager
    def _opened(self) -> Iterator[TextIO]:
        with (
            io.StringIO(self._whole, newline="") if self._whole is not None else self._stream() as f
        ):
            yield f

    @functools.cached_property
    def chars(self) -> int:
        """Characters of the whole, counted once."""
        with self._opened() as file:
            return sum(map(len, iter(lambda: file.read(_CHUNK), "")))

    def range(self, offset: int, limit: int) -> str:
        """Return a stretch of at most `limit` characters."""
        with self._opened() as file:
            left = offset
            while left > 0 and (skipped := len(file.read(min(left, _CHUNK)))):
                left -= skipped
            return file.read(min(limit, MOST_CHARS)) if left <= 0 else ""

    def search(self, pattern: str) -> tuple[int, list[tuple[int, str]]]:
        """Return how often a text stands in it, and offset and surroundings of the first hits."""
        total = 0
        hits: list[tuple[int, str]] = []
        before, start = "", 0
        with self._opened() as file:
            while chunk := file.read(_CHUNK):
                text = before + chunk
                for at in _places(text, pattern):
                    total += 1
                    if len(hits) < MOST_HITS:
                        around = text[max(at - _AROUND, 0) : at + len(pattern) + _AROUND]
                        hits.append((start + at, around))
                keep = min(len(pattern) - 1, len(text))
                before, start = text[len(text) - keep :], start + len(text) - keep
        return total, hits


def _places(text: str, pattern: str) -> Iterator[int]:
    at = text.find(pattern)
    while at >= 0:
        yield at
        at = text.find(pattern, at + 1)
