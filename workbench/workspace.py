"""The only code that opens a name that came from a model, a browser or a file.

A name is not permission: it is opened first, relative to a handle of its folder, beneath that
folder, and the handle is inspected; nothing is looked up twice.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path, PurePosixPath
from typing import Self

from workbench.errors import LimitReached, Refused, nearest
from workbench.files.beneath import open_beneath, real_path
from workbench.files.filenames import as_listed, exists, literal_parts, real
from workbench.files.filewords import kind, not_there, reason
from workbench.files.recordnames import RECORDS, is_record
from workbench.files.walking import Entry, files
from workbench.visible import visible

# How a path into the run's own folder is written in a context: the run id must not enter one.
RUN_PREFIX = "results/…/"
_NAME_CHARS = 1_024


@dataclass(frozen=True)
class OpenFile:
    """A regular file that was opened beneath a root.

    Attributes
    ----------
    fd : int
        Read-only descriptor, owned by whoever closes this object.
    name : str
        Path relative to the root, with forward slashes.
    size : int
        Bytes at the time of opening.
    path : Path
        Where a library that wants a path can open the same inode again.
    """

    fd: int
    name: str
    size: int
    path: Path

    def stream(self) -> FileIO:
        """Return a new unbuffered binary stream over the file from its start."""
        copy = os.dup(self.fd)
        os.lseek(copy, 0, os.SEEK_SET)
        return FileIO(copy, "rb")

    def read(self) -> bytes:
        """Return all bytes; for files that are known to be small."""
        with self.stream() as stream:
            return stream.readall()

    def sha256(self) -> str:
        """Return the SHA-256 of the bytes, in hexadecimal."""
        with self.stream() as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True)
class Workspace:
    """A data folder and the folder that results go to.

    Attributes
    ----------
    root : Path
        The data folder, absolute and resolved once by whoever started the session.
    results : Path
        Where runs are kept.
    only : str or None
        Name of the single file that was given instead of a folder.
    """

    root: Path
    results: Path
    only: str | None = None

    @classmethod
    def at(cls, data: str | Path, results: str | Path | None = None) -> Workspace:
        """Make the workspace of a data folder or a single data file.

        Parameters
        ----------
        data : str or Path
            A folder, or a file (then only that file is listed and opened).
        results : str or Path, optional
            Results folder; ``WORKBENCH_RESULTS`` or ``results`` in the data folder if left out.

        Raises
        ------
        Refused
            If `data` does not exist or is neither a folder nor a regular file.
        """
        given = Path(data).expanduser()
        try:
            place = given.resolve(strict=True)
            mode = place.stat().st_mode
        except (OSError, RuntimeError, ValueError) as error:
            why = reason(error) if isinstance(error, OSError) else "links lead in a circle"
            where = not_there(given) if isinstance(error, FileNotFoundError) else ""
            raise Refused(
                f"data '{shown(str(given))}': {why}{where}; give an existing folder or file"
            ) from None
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            raise Refused(f"data '{given}': it is a {kind(mode)}; give a folder or a regular file")
        only = None if stat.S_ISDIR(mode) else place.name
        root = place if only is None else place.parent
        wanted = results or os.environ.get("WORKBENCH_RESULTS") or root / "results"
        return cls(root, Path(os.path.abspath(Path(wanted).expanduser())), only)  # noqa: PTH100 - results may not exist yet

    def open(self, name: str) -> OpenFile:
        """Open a data file by the name a model, browser or file gave.

        Raises
        ------
        Refused
            If the name leaves the workspace, is no regular file, is a record of a run, or does
            not exist (the nearest name is suggested).
        """
        parts = self.parts(name)
        if self.only is not None and parts != (self.only,):
            raise Refused(f"'{shown(name)}': only '{self.only}' was opened; ask for that file")
        if is_record(self.root.joinpath(*parts), self.results):
            raise _own_record(name)
        file = self._open(self.root, parts, name)
        if self._leads_to_record(file.fd):
            file.close()
            raise _own_record(name)
        return file

    def parts(self, name: str) -> tuple[str, ...]:
        """Return the parts of what a name means: a file of that very name, one as it is listed.

        Raises
        ------
        Refused
            As `relative_parts` does, where no file has the name.
        """
        literal = literal_parts(name)
        if literal is not None and exists(self.root, literal):
            return literal
        if listed := as_listed(name):
            alike = [entry.name for entry in self.walk() if listed(entry.name)]
            if len(alike) == 1:
                return PurePosixPath(alike[0]).parts
        return relative_parts(name)

    def open_result(self, folder: Path, name: str) -> OpenFile:
        """Open a file of one run's folder by its name relative to that folder."""
        parts = relative_parts(name.removeprefix(RUN_PREFIX))
        if parts[0] in RECORDS:
            raise _own_record(name)
        return self._open(folder, parts, name)

    def _open(self, root: Path, parts: tuple[str, ...], name: str) -> OpenFile:
        try:
            fd = open_beneath(root, parts)
        except OSError as error:
            hint = self._nearest(name) if isinstance(error, FileNotFoundError) else ""
            raise Refused(f"'{shown(name)}': {reason(error)}{hint}; see list_files") from None
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            os.close(fd)
            raise Refused(
                f"'{shown(name)}': it is a {kind(found.st_mode)}, not a regular file; see "
                "list_files"
            )
        again = Path(f"/proc/self/fd/{fd}")
        path = again if again.exists() else root.joinpath(*parts)
        return OpenFile(fd, str(PurePosixPath(*parts)), found.st_size, path)

    def _nearest(self, name: str) -> str:
        return nearest(name, (entry.name for _, entry in zip(range(5_000), self.walk())))  # noqa: B905 - the range is the bound

    def _leads_to_record(self, fd: int) -> bool:
        """Tell whether a link beneath the root led to a record of some run."""
        found = real_path(fd)
        return found is not None and is_record(found, self.results.resolve())

    def walk(self, folder: str = "", *, below: bool = True) -> Iterator[Entry]:
        """Yield the regular files below a folder, in name order, results and dot names left out.

        Links are not followed. A folder that cannot be read yields nothing. Without `below` only
        the files of the folder itself are given.
        """
        if self.only is not None:
            with contextlib.suppress(OSError):
                yield Entry(self.only, (self.root / self.only).stat().st_size)
            return
        parts = self.parts(folder) if folder not in {"", "."} else ()
        place = self.root.joinpath(*parts)
        found, root = real(place), real(self.root)
        if found is not None and root is not None and found.is_relative_to(root):
            yield from files(str(place), "/".join(parts), self.results, below=below)


def relative_parts(name: str) -> tuple[str, ...]:
    """Split a name into path parts, refusing every form that could leave its folder.

    Raises
    ------
    Refused
        For absolute paths, dot-dot, home signs, drive letters, null bytes, empty and overlong
        names.
    """
    text = name.replace("\\", "/")
    bad = (
        not text.strip()
        or len(text) > _NAME_CHARS
        or "\0" in text
        or text.startswith(("/", "~"))
        or re.match(r"^[A-Za-z]:", text)
        or ".." in text.split("/")
    )
    parts = PurePosixPath(text).parts
    if bad or not parts or parts == (".",):
        raise Refused(
            f"'{shown(name)}': names are relative to the data folder and stay inside it; see "
            "list_files"
        )
    return parts


def _own_record(name: str) -> LimitReached:
    return LimitReached(
        f"'{shown(name)}': records of runs are not opened by tools; use read_range with an "
        "artefact id",
        "own_records",
    )


def shown(name: str) -> str:
    """Return a name as it may be shown: on one line, control signs visible, at most 120 signs."""
    text = visible(name)
    return text if len(text) <= 120 else f"{text[:100]}…[+{len(text) - 100:,}]"  # noqa: PLR2004 - a name fits one line
