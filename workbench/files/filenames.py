"""What a name means that somebody gave: a file that really has it first, then its usual reading.

Only a reading that stays below its folder comes of it; opening is `workbench.files.beneath`'s.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from workbench.visible import cell

_CHARS = 1_024
_CUT = re.compile(r"(.*)…\[\+([\d,]+)\]", re.DOTALL)


def literal_parts(name: str) -> tuple[str, ...] | None:
    r"""Return the parts of a name as the system itself reads it; None if they could leave.

    On POSIX ``a\b.csv``, ``C:x.csv`` and ``~home.csv`` are plain names of files.
    """
    path = PurePosixPath(name)
    leaves = path.is_absolute() or ".." in path.parts
    if os.sep != "/" or not path.parts or len(name) > _CHARS or "\0" in name or leaves:
        return None
    return path.parts


def exists(root: Path, parts: tuple[str, ...]) -> bool:
    """Tell whether something has this name; what it is, only opening it tells."""
    try:
        root.joinpath(*parts).lstat()
    except (OSError, ValueError):
        return False
    return True


def as_listed(name: str) -> Callable[[str], bool] | None:
    """Return what tells a file whose listed name is `name`; None if that is the name itself.

    A listing writes signs that cannot be seen as escapes, and cuts a long name with a count.
    """
    cut = _CUT.fullmatch(name)
    if cut is not None:
        start, left = cut[1], int(cut[2].replace(",", ""))
        return lambda one: cell(one).startswith(start) and len(cell(one)) - len(start) == left
    if "\\u" in name or "¦" in name:
        return lambda one: cell(one) == name
    return None


def real(place: Path) -> Path | None:
    """Return a path with its links followed; None where they lead in a circle or cannot be."""
    try:
        return place.resolve()
    except (OSError, RuntimeError, ValueError):
        return None
