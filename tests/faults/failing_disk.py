"""A disk that fails at the n-th write: what this process makes, writes, links or flushes.

Only this process is hit: a child writes in another one, and meets a full disk of its own in the
tests that have a real one.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

_WRITES = os.O_CREAT | os.O_TRUNC


class Disk:
    """Counts the writes below a folder, and fails one of them, or all from one on.

    Parameters
    ----------
    folder : Path
        What is watched.
    at : int, optional
        Which write fails, from 1; 0 for none.
    error : int, optional
        Its error number; 0 for a write that is only half done.
    for_good : bool, optional
        True if all later ones fail too.
    """

    def __init__(
        self, folder: Path, at: int = 0, error: int = 0, *, for_good: bool = False
    ) -> None:
        self.folder, self.at, self.error, self.for_good = str(folder), at, error, for_good
        self.count, self.failed = 0, 0
        self._lock = threading.Lock()

    def hit(self, path: object) -> bool:
        """Count a write; tell whether it fails."""
        if not str(path).startswith(self.folder):
            return False
        with self._lock:
            self.count += 1
            hit = self.at > 0 and (
                self.count >= self.at if self.for_good else self.count == self.at
            )
            self.failed += hit
        return hit

    def fail(self, path: object) -> None:
        """Raise if the write fails."""
        if self.hit(path):
            raise OSError(self.error or 28, os.strerror(self.error or 28), str(path))

    @contextmanager
    def inserted(self) -> Iterator[Disk]:
        """Stand between this process and its disk."""
        reals = {name: getattr(os, name) for name in ("open", "write", "fsync", "link", "mkdir")}
        with (
            mock.patch.multiple(os, **self._doubles(reals)),
            mock.patch.object(io, "open", self._file(io.open)),
        ):
            yield self

    def _doubles(self, reals: dict[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
        def opened(path: Any, flags: int, *rest: Any, **more: Any) -> int:  # noqa: ANN401 - as os.open
            if flags & _WRITES:
                self.fail(path)
            return int(reals["open"](path, flags, *rest, **more))

        def written(descriptor: int, data: Any) -> int:  # noqa: ANN401 - as os.write
            if self.hit(_path(descriptor)):
                if self.error:
                    raise OSError(self.error, os.strerror(self.error))
                return int(reals["write"](descriptor, bytes(data)[: max(1, len(data) // 2)]))
            return int(reals["write"](descriptor, data))

        def flushed(descriptor: int) -> None:
            self.fail(_path(descriptor))
            reals["fsync"](descriptor)

        def linked(source: Any, target: Any, **more: Any) -> None:  # noqa: ANN401 - as os.link
            self.fail(target)
            reals["link"](source, target, **more)

        def made(path: Any, *rest: Any, **more: Any) -> None:  # noqa: ANN401 - as os.mkdir
            self.fail(path)
            reals["mkdir"](path, *rest, **more)

        return {"open": opened, "write": written, "fsync": flushed, "link": linked, "mkdir": made}

    def _file(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def opened(file: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - as open
            if not isinstance(file, int) and set(mode) & set("wxa+"):
                self.fail(file)
            return real(file, mode, *rest, **more)

        return opened


def _path(descriptor: int) -> str:
    try:
        return str(Path(f"/proc/self/fd/{descriptor}").readlink())
    except OSError:
        return ""
