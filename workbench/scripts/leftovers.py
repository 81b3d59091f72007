"""What scripts had written when their work ended: made results by the parent, or named as left out.

Whoever ran them is gone by then, with all that came from it, also where the work was stopped or
broke. A file of a script that nobody waited for may be unfinished, and is told to be.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from pathlib import Path

from workbench.artefacts import Artefacts
from workbench.errors import WorkbenchError
from workbench.files.newfile import safe_stem
from workbench.files.recordnames import WORK
from workbench.ledger import Ledger
from workbench.reply import Made
from workbench.scripts.yields import files, media_type, moved

# Files that are handed on at the end, that are counted at all, and that are named as left out.
_MOST, _COUNTED, _NAMED = 100, 10_000, 5
_NAME_CHARS = 60


def handed_on(artefacts: Artefacts, ledger: Ledger, loop: str, *, unfinished: bool) -> list[str]:
    """Register what scripts of a loop left behind; tell a reader, and return what is told.

    Parameters
    ----------
    artefacts, ledger : Artefacts, Ledger
        Those of the run.
    loop : str
        Whose scripts they were.
    unfinished : bool
        True where a script was not waited for.
    """
    folder = artefacts.folder / WORK / loop
    found = list(itertools.islice(files(folder), _COUNTED))
    made, lost = [], found[_MOST:]
    for place in found[:_MOST]:
        try:
            target = moved(place, folder, artefacts.folder, artefacts.folder)
            made.append(artefacts.register(loop, _told(target, unfinished=unfinished)).shown)
        except (OSError, WorkbenchError):
            lost.append(place)
    notes = list(_notes(made, [*lost, *_halves(folder)], unfinished=unfinished))
    for note in notes:
        ledger.append("notice", {"text": f"{loop}: {note}"}, loop)
    return notes


def _told(target: Path, *, unfinished: bool) -> Made:
    """Describe a file that is out of the reach of all scripts."""
    with target.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    made_by = {"tool": "scripts", "parameters": {"unfinished": unfinished}, "seed": None}
    size, kind = target.stat().st_size, media_type(target)
    return Made(target.name, size, sha256, kind, made_by={**made_by, "inputs": {}})


def _halves(folder: Path) -> Iterator[Path]:
    """Yield files whose own names say that they are unfinished."""
    return itertools.islice(folder.glob("*.part"), _COUNTED)


def _notes(made: list[str], lost: list[Path], *, unfinished: bool) -> Iterator[str]:
    if unfinished:
        yield "a script or command was not waited for, and was ended with this work" + (
            "" if made or lost else "; it had written no file"
        )
    if made:
        maybe = " (unfinished, if it was still writing)" if unfinished else ""
        yield f"files of scripts, handed on at the end{maybe}: {'; '.join(made)}"
    if lost:
        names = ", ".join(safe_stem(place.name)[:_NAME_CHARS] for place in lost[:_NAMED])
        least = "at least " if len(lost) >= _COUNTED - _MOST else ""
        more = " and others" if len(lost) > _NAMED else ""
        yield f"files of scripts left out and removed, {least}{len(lost):,}: {names}{more}"
