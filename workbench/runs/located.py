"""Where a result, a kept text or a request of a past run lies: by its id, never by a path.

What a ledger names is opened beneath its run's folder or not at all; a ledger is a file too.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from workbench import artefacts, ledger
from workbench.errors import Refused, nearest
from workbench.files.beneath import open_beneath
from workbench.runs import past
from workbench.workspace import Workspace

# Folders of kept texts, in the order in which they are searched.
_KEPT = {"full": "text/plain", "requests": "application/json", "responses": "application/json"}


@dataclass(frozen=True)
class Located:
    """A file of a past run.

    Attributes
    ----------
    run : str
        The run it belongs to.
    id : str
        What it was asked for by.
    path : Path
        Where it is.
    media_type : str
        What it is.
    sound : bool
        False for a result whose bytes have changed since it was registered.
    """

    run: str
    id: str
    path: Path
    media_type: str
    sound: bool = True


def locate(results: Path, key: str, run: str | None = None, *, check: bool = True) -> Located:
    """Find a result, a kept text, a request or a reply of a past run.

    Parameters
    ----------
    results : Path
        The results folder.
    key : str
        Id or file name of a result (``d01a2``), id of a kept text, key of a request
        (``guide-r01``).
    run : str, optional
        Which run; the newest that has it if left out.
    check : bool, optional
        False to leave it open whether its bytes have changed: to see that, all are read.

    Raises
    ------
    Refused
        If no run has it.
    """
    folders = past.meant(results, run)
    for folder in folders:
        found = _artefact(results, folder, key, check) or _kept(folder, key)
        if found is not None:
            return found
    known = [item.id for folder in folders[:1] for item in _artefacts(folder)]
    raise Refused(
        f"'{key}': no run in '{results}' has a result or kept text of that id"
        f"{nearest(key, known)}; see workbench show RUN"
    )


def _artefacts(folder: Path) -> list[artefacts.Artefact]:
    with contextlib.suppress(OSError):
        return artefacts.from_events(ledger.read(folder / "events.jsonl").events)
    return []


def _artefact(results: Path, folder: Path, key: str, check: bool) -> Located | None:  # noqa: FBT001 - handed on
    for item in _artefacts(folder):
        if key in {item.id, item.path}:
            # The ledger is a file too: what it names is opened beneath the run or not at all.
            with Workspace(results, results).open_result(folder, item.path) as file:
                sound = not check or file.sha256() == item.sha256
            return Located(folder.name, item.id, folder / item.path, item.media_type, sound)
    return None


def _kept(folder: Path, key: str) -> Located | None:
    if not re.fullmatch(r"[\w-]+", key):
        return None
    for place, media_type in _KEPT.items():
        name = f"{key}.{'txt' if place == 'full' else 'json'}"
        with contextlib.suppress(OSError):
            os.close(open_beneath(folder, (place, name)))
            return Located(folder.name, key, folder / place / name, media_type)
    return None
