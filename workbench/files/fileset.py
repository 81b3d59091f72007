"""Files of one folder that are asked for together, by a name with a wildcard: ``wells/*.las``.

Only the last part of the name may hold ``*`` (any signs) and ``?`` (one sign); what it matches are
listed files of that one folder, never of folders below it, without regard to case, in name order.
A file that really has such a name is that file.
"""

from __future__ import annotations

import fnmatch
import itertools
import re
from pathlib import PurePosixPath

from workbench.errors import Refused, nearest
from workbench.workspace import RUN_PREFIX, Workspace, relative_parts, shown

_WILD = re.compile(r"[*?]")
# Files among which a nearest name is looked for.
_HINTS = 5_000


def is_pattern(name: str) -> bool:
    """Tell whether a name asks for several files."""
    return bool(_WILD.search(name))


def members(workspace: Workspace, pattern: str) -> list[str] | None:
    """Return the names of the files that a pattern stands for.

    Parameters
    ----------
    workspace : Workspace
        Where to look.
    pattern : str
        As a model, a browser or a person wrote it.

    Returns
    -------
    list of str or None
        Names relative to the workspace, in order; None if the name asks for one file.

    Raises
    ------
    Refused
        If a folder part holds a wildcard, or nothing matches.
    """
    if not is_pattern(pattern) or pattern.startswith(RUN_PREFIX):
        return None
    *folders, last = relative_parts(pattern)
    if any(map(is_pattern, folders)):
        raise Refused(
            f"'{shown(pattern)}': only the last part of a name may hold * or ?; the files of one "
            "set lie in one folder"
        )
    # Square brackets are plain signs here: they are common in file names.
    literal = last.replace("[", "[[]").casefold()
    names = [
        entry.name
        for entry in workspace.walk("/".join(folders), below=False)
        if fnmatch.fnmatchcase(PurePosixPath(entry.name).name.casefold(), literal)
    ]
    if str(PurePosixPath(*folders, last)) in names:
        return None
    if not names:
        raise Refused(f"'{shown(pattern)}': no file of that folder matches; see list_files")
    return names


def check_exists(workspace: Workspace, name: str) -> None:
    """Refuse a name, or a pattern, that stands for no file; nothing is opened.

    Raises
    ------
    Refused
        The nearest file is named.
    """
    if (
        members(workspace, name) is None
        and not workspace.root.joinpath(*relative_parts(name)).is_file()
    ):
        known = (entry.name for entry in itertools.islice(workspace.walk(), _HINTS))
        raise Refused(f"'{shown(name)}': no such file{nearest(name, known)}; see list_files")


def set_stem(pattern: str) -> str:
    """Return the name of a set for its view and results: its fixed signs, else its folder's name.

    Examples
    --------
    >>> set_stem("certs/BV_*.csv"), set_stem("wells/*.las"), set_stem("*.csv")
    ('BV', 'wells', 'files')
    """
    path = PurePosixPath(pattern)
    fixed = _WILD.sub("", path.stem).strip(" _-.")
    return fixed or path.parent.name or "files"
