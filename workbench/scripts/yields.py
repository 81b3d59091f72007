"""Files that a script wrote: handed on as results, under names that no other result has.

Only regular files count, and what is still being written stays where it is until a later call.
"""

from __future__ import annotations

import contextlib
import errno
import mimetypes
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from workbench.files.handing import take
from workbench.files.newfile import safe_stem
from workbench.reply import Made
from workbench.tools.context import Context
from workbench.walls.cage import DATA, PRIVATE, RESULTS

# As many as one answer may name, the script among them; the rest is handed on with later calls.
_MOST = 18
_DEEPEST = 8
_TYPES = {
    ".parquet": "application/vnd.apache.parquet",
    ".md": "text/markdown",
    ".py": "text/x-python",
    ".geojson": "application/geo+json",
}


def collect(context: Context, folder: Path, at_work: bool) -> tuple[tuple[Made, ...], list[str]]:  # noqa: FBT001 - the second of two
    """Take the files of a script's folder over as results.

    Parameters
    ----------
    context : Context
        The call.
    folder : Path
        The scripts' own folder.
    at_work : bool
        True while something still runs and may be writing: nothing is taken then.

    Returns
    -------
    tuple of Made
    list of str
        What a reader must know.
    """
    if at_work:
        return (), ["files are handed on once everything that was started has ended"]
    found = list(files(folder))
    made, notes = [], []
    for place in found[:_MOST]:
        try:
            target = moved(place, folder, context.desk, context.run)
            made.append(replace(context.made(target, media_type(place)), path=target.name))
        except OSError as error:
            notes.append(f"a file could not be handed on: {error.strerror}")
    if len(found) > _MOST:
        notes.append(f"{len(found) - _MOST:,} more files are handed on with the next call")
    return tuple(made), notes


def files(folder: Path, depth: int = 0) -> Iterator[Path]:
    """Yield the regular files of a script's folder, without what is not its own to hand on."""
    with contextlib.suppress(OSError):
        for place in sorted(folder.iterdir()):
            mode = place.lstat().st_mode
            if stat.S_ISREG(mode) and place.suffix != ".part":
                yield place
            elif stat.S_ISDIR(mode) and depth < _DEEPEST and not _is_ours(place, depth):
                yield from files(place, depth + 1)


def _is_ours(place: Path, depth: int) -> bool:
    return depth == 0 and place.name in {DATA, RESULTS, PRIVATE}


def moved(place: Path, folder: Path, to: Path, run: Path) -> Path:
    """Move one file out of a script's folder, to a name that is taken neither there nor in the run.

    Raises
    ------
    OSError
        If it is no regular file any more, or the disk refuses.
    """
    named = "_".join(place.relative_to(folder).with_suffix("").parts)
    suffix = safe_stem(place.suffix)[:12] if place.suffix else "bin"
    for number in range(1, 10_000):
        target = to / f"{safe_stem(named)}{f'-{number}' if number > 1 else ''}.{suffix}"
        if os.path.lexists(target) or os.path.lexists(run / target.name):
            continue
        take(place, target)
        return target
    raise OSError(errno.EEXIST, "ten thousand results have its name")


def media_type(place: Path) -> str:
    """Return the type of a file by its name."""
    kind = _TYPES.get(place.suffix.lower()) or mimetypes.guess_type(place.name)[0]
    return kind or "application/octet-stream"
