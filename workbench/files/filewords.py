"""Plain words for what a file is and for what stood against opening it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from workbench.errors import nearest


def kind(mode: int) -> str:
    """Name the kind of a file mode in words."""
    kinds = {
        stat.S_IFDIR: "folder",
        stat.S_IFIFO: "named pipe",
        stat.S_IFSOCK: "socket",
        stat.S_IFCHR: "device",
        stat.S_IFBLK: "device",
        stat.S_IFLNK: "link",
    }
    return kinds.get(stat.S_IFMT(mode), "special file")


def reason(error: OSError) -> str:
    """Say an operating-system error in plain words."""
    words = {
        "FileNotFoundError": "no such file or folder",
        "PermissionError": "permission denied",
        "IsADirectoryError": "it is a folder",
        "NotADirectoryError": "a part of the path is not a folder",
    }
    return words.get(type(error).__name__, (error.strerror or "cannot be opened").lower())


def not_there(given: Path) -> str:
    """Say where a path of the analyst was looked for, and what is there that comes nearest.

    Parameters
    ----------
    given : Path
        As it was typed; what is relative is seen from the present folder.

    Returns
    -------
    str
        ``" (looked in folder 'notebooks'); nearest: '../data'"``
    """
    place = Path(os.path.abspath(given.parent))  # noqa: PTH100 - the folder as typed, links and all
    looked = str(place) if given.is_absolute() else place.name or str(place)
    above = Path("..", given)
    if not given.is_absolute() and above.exists():
        # From a notebook's own folder, what was meant mostly lies beside it.
        return f" (looked in folder '{looked}'); nearest: '{above.as_posix()}'"
    try:
        names = [entry.name for entry in os.scandir(place) if not entry.name.startswith(".")]
    except OSError:
        return f": there is no folder '{given.parent.as_posix()}' to look in"
    hint = nearest(given.name, names)
    if hint and given.parent != Path():
        hint = hint.replace("'", f"'{given.parent.as_posix().rstrip('/')}/", 1)
    return f" (looked in folder '{looked}'){hint}"
