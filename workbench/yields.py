"""Files that a script wrote: handed on as results, under names that no other result has.

Only regular files count, and what is still being written stays where it is until a later call.
"""

from __future__ import annotations

import contextlib
import mimetypes
import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from workbench.cage import DATA, PRIVATE, RESULTS
from workbench.handing import take
from workbench.newfile import safe_stem
from workbench.reply import Made
from workbench.tools.context import Context

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
    found = list(_files(folder))
    made, notes = [], []
    for place in found[:_MOST]:
        try:
            made.append(_taken(context, folder, place))
        except OSError as error:
            notes.append(f"a file could not be handed on: {error.strerror}")
    if len(found) > _MOST:
        notes.append(f"{len(found) - _MOST:,} more files are handed on with the next call")
    return tuple(made), notes


def _files(folder: Path, depth: int = 0) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        for place in sorted(folder.iterdir()):
            mode = place.lstat().st_mode
            if stat.S_ISREG(mode) and place.suffix != ".part":
                yield place
            elif stat.S_ISDIR(mode) and depth < _DEEPEST and not _is_ours(place, depth):
                yield from _files(place, depth + 1)


def _is_ours(place: Path, depth: int) -> bool:
    return depth == 0 and place.name in {DATA, RESULTS, PRIVATE}


def _taken(context: Context, folder: Path, place: Path) -> Made:
    """Move one file to where results of children are taken from."""
    named = "_".join(place.relative_to(folder).with_suffix("").parts)
    suffix = safe_stem(place.suffix)[:12] if place.suffix else "bin"
    for number in range(1, 10_000):
        target = context.desk / f"{safe_stem(named)}{f'-{number}' if number > 1 else ''}.{suffix}"
        if os.path.lexists(target) or os.path.lexists(context.run / target.name):
            continue
        take(place, target)
        break
    kind = _TYPES.get(place.suffix.lower()) or mimetypes.guess_type(place.name)[0]
    return replace(context.made(target, kind or "application/octet-stream"), path=target.name)
