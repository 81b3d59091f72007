"""Plain words for what a file is and for what stood against opening it."""

from __future__ import annotations

import stat


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
