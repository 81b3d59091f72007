"""New result files: they appear whole or not at all, and never replace another."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path

from workbench.errors import Refused

_STEM_CHARS = 80
# Of a result's name: what was done and with which parameters.
_DONE_CHARS = 50


def safe_stem(text: str) -> str:
    """Turn any text into a file stem: letters, digits, dot, dash, underscore; 80 at most."""
    stem = re.sub(r"[^\w.-]+", "_", text, flags=re.ASCII).strip("._")
    return stem[:_STEM_CHARS] or "result"


def result_stem(source: str, operation: str, *parameters: object) -> str:
    """Return the stem of a result: ``<source>_<operation>[_<parameters>]``, 80 characters at most.

    Parameters
    ----------
    source : str
        Stem of the file it was computed from; cut first, so that what was done stays readable.
    operation : str
        What was done. Where one call writes several files it says which: ``anomaly_scores``.
    *parameters : object
        What tells two results of one operation apart: a method, a number, a column.
    """
    done = safe_stem("_".join(map(str, (operation, *parameters))))[:_DONE_CHARS].rstrip("._")
    return f"{safe_stem(source)[: _STEM_CHARS - len(done) - 1].rstrip('._')}_{done}"


@contextlib.contextmanager
def new_file(
    folder: Path, stem: str, ext: str, later: Path | None = None
) -> Iterator[tuple[Path, list[Path]]]:
    """Write a new file that appears whole or not at all and never replaces another.

    Parameters
    ----------
    folder : Path
        Folder to write in.
    stem, ext : str
        Wanted name; a taken name gets ``-2``, ``-3`` …
    later : Path, optional
        Folder that the file will be moved to: a name that is taken there is taken here.

    Yields
    ------
    part : Path
        Temporary path to write to.
    final : list of Path
        Filled with the published path when the block has ended without an error.
    """
    part = folder / f"{secrets.token_hex(6)}.part"
    final: list[Path] = []
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield part, final
        final.append(_publish(part, folder, safe_stem(stem), ext, later))
    finally:
        part.unlink(missing_ok=True)


def _publish(part: Path, folder: Path, stem: str, ext: str, later: Path | None) -> Path:
    """Give a finished temporary file its name, exclusively, here and where it goes later.

    Whoever moves a file makes the new name before the old one goes, so a look at the other folder
    after the name is taken here misses nothing.
    """
    descriptor = os.open(part, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    for number in range(1, 100_000):
        target = folder / (f"{stem}.{ext}" if number == 1 else f"{stem}-{number}.{ext}")
        try:
            os.link(part, target)
        except FileExistsError:
            continue
        if later is None or not (later / target.name).exists():
            return target
        target.unlink()
    raise Refused(f"'{stem}.{ext}': 100,000 files of that name exist; clean the run's folder")
