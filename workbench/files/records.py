"""What a run keeps: every request and reply byte for byte, whole texts, and the view model.

The folder of a run is private to its owner. Nothing here is ever read back into a context.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from workbench.errors import Fault
from workbench.files.recordnames import WORK

_FOLDERS = ("requests", "responses", "full", WORK)
_WORDS = 4
_TAIL = "abcdefghjkmnpqrstuvwxyz23456789"


def run_id(question: str, moment: datetime) -> str:
    """Return an id that sorts by time, reads, and is unique: ``20261130-141502-cluster-…-k3f``."""
    words = re.findall(r"[a-z0-9]+", question.casefold())[:_WORDS]
    tail = "".join(secrets.choice(_TAIL) for _ in range(3))
    return "-".join([moment.strftime("%Y%m%d-%H%M%S"), *(word[:16] for word in words), tail])


@dataclass(frozen=True)
class Records:
    """The folder of one run.

    Attributes
    ----------
    folder : Path
        ``results/<run>``.
    """

    folder: Path

    @classmethod
    def create(cls, results: Path, run: str) -> Records:
        """Make a run's folder, exclusively.

        Raises
        ------
        Fault
            If it cannot be made.
        """
        folder = results / run
        try:
            folder.mkdir(mode=0o700)
            for name in _FOLDERS:
                (folder / name).mkdir(mode=0o700)
        except OSError as error:
            raise Fault(
                f"run folder '{folder}': {error.strerror}; give a writable place with --results DIR"
            ) from None
        return cls(folder)

    def keep_request(self, key: str, body: str) -> str:
        """Keep a request exactly as it is sent; return its name relative to the folder."""
        return self._keep(f"requests/{key}.json", body)

    def keep_response(self, key: str, body: str) -> str:
        """Keep a reply exactly as it came; return its name relative to the folder."""
        return self._keep(f"responses/{key}.json", body)

    def keep_answer(self, text: str) -> None:
        """Keep the words of the answer."""
        write_whole(self.folder / "full" / "answer.txt", text.encode("utf-8", "replace"))

    def keep_evidence(self, call: str, text: str) -> str:
        """Keep what a call found beside the replies; return the hash of it."""
        data = text.encode("utf-8", "replace")
        write_whole(self.folder / "responses" / f"{call}-found.json", data)
        return hashlib.sha256(data).hexdigest()

    def keep_received(self, name: str, data: bytes) -> None:
        """Keep what came over a network for one try, before anything was read in it."""
        write_whole(self.folder / "responses" / name, data)

    def _keep(self, name: str, body: str) -> str:
        write_whole(self.folder / name, body.encode("utf-8", "surrogatepass"))
        return name

    @property
    def work(self) -> Path:
        """The one folder of the run that children write into."""
        return self.folder / WORK

    def tidy(self) -> list[int]:
        """Remove what a child or writer that was ended left half done; return the bytes of each.

        Nothing finished has such a name.
        """
        places = [self.folder, *(self.folder / name for name in _FOLDERS)]
        own = [place for place in places if not place.is_symlink()]
        parts = [part for place in own for part in place.glob("*.part")]
        # Whatever was finished and claimed has been moved away.
        parts += [left for left in self.work.glob("*") if self.work in own and left not in parts]
        removed = [size for part in parts if (size := remove(part)) is not None]
        with contextlib.suppress(OSError):
            self.work.rmdir()
        return removed

    def write_view(self, view: Mapping[str, Any]) -> None:
        """Replace ``run.json`` by the present view model, whole or not at all."""
        text = json.dumps(view, ensure_ascii=False, indent=1)
        write_whole(self.folder / "run.json", text.encode("utf-8", "replace"))

    def read_view(self) -> dict[str, Any]:
        """Return ``run.json``.

        Raises
        ------
        Fault
            If it is not there or not readable.
        """
        try:
            return dict(json.loads((self.folder / "run.json").read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise Fault(
                f"run '{self.folder.name}': run.json cannot be read ({type(error).__name__}); "
                "events.jsonl beside it still can"
            ) from None


def remove(place: Path) -> int | None:
    """Remove a file or folder, never what a link leads to; return its bytes, None if it stays."""
    try:
        inside = [] if place.is_symlink() or not place.is_dir() else list(place.rglob("*"))
        size = sum(one.lstat().st_size for one in (place, *inside) if not one.is_dir())
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink()
    except OSError:
        return None
    return size


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that is old or new, never half.

    Raises
    ------
    Fault
        If the disk refuses; the temporary file is removed.
    """
    part = path.with_name(f"{secrets.token_hex(6)}.part")
    try:
        descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise _refused(path, error.strerror) from None


def append_line(path: Path, data: Mapping[str, Any]) -> None:
    """Append one JSON line in one write, starting a fresh line after a torn one.

    Raises
    ------
    Fault
        If the disk refuses; what it took of the line is passed over by whoever reads.
    """
    line = json.dumps(data, ensure_ascii=True).encode() + b"\n"
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_APPEND, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            torn = size and os.pread(descriptor, 1, size - 1) != b"\n"
            whole = b"\n" + line if torn else line
            short = os.write(descriptor, whole) < len(whole)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _refused(path, error.strerror) from None
    if short:
        raise _refused(path, os.strerror(errno.ENOSPC))


def _refused(path: Path, reason: str | None) -> Fault:
    return Fault(
        f"'{path.name}' cannot be written: {reason}; free some space in the results folder and "
        "ask again"
    )
