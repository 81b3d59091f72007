"""The files a run made: each registered once, by hash, after the parent has looked at it.

A tool's word is not enough: a file that does not exist, lies elsewhere or has another hash is
refused and told, and never gets an id.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from workbench.errors import Refused, nearest
from workbench.files.filenames import literal_parts
from workbench.files.handing import shelve, take
from workbench.files.knownhashes import learn
from workbench.files.newfile import new_file
from workbench.files.recordnames import SNAPSHOTS, WORK
from workbench.ledger import Event, Ledger
from workbench.reply import Made, text_id
from workbench.workspace import RUN_PREFIX, OpenFile, Workspace, relative_parts

# What opens a result for a person: gets the run's folder, the id and whether to begin with what was
# seen. A notebook enters its own.
OPENERS: list[Callable[[Path, str, bool], object]] = []

# What tools call their files; a name is no place for rows.
_NAME = re.compile(r"\w[\w.-]{0,119}", re.ASCII)
_TEXT = re.compile(r"t[0-9a-f]{12}")
_TYPE = re.compile(r"[\w./+;= -]{1,80}", re.ASCII)


@dataclass(frozen=True)
class Artefact:
    """A registered result file.

    Attributes
    ----------
    id : str
        For example ``d01a2``: second artefact of the first dispatch.
    path : str
        Name relative to the run's folder.
    bytes : int
        Size.
    sha256 : str
        Hash in hexadecimal.
    media_type : str
        For example ``text/csv``.
    rows, columns : int or None
        Where it is a table.
    made_by : dict
        ``tool, parameters, seed, inputs``.
    folder : Path or None
        The run's folder on this machine; no part of any record.
    """

    id: str
    path: str
    bytes: int
    sha256: str
    media_type: str
    rows: int | None
    columns: int | None
    made_by: dict[str, Any]
    folder: Path | None = field(default=None, repr=False, compare=False)

    @property
    def shown(self) -> str:
        """The id and path as they stand in a context; the run id is never in one."""
        return f"{self.id} {RUN_PREFIX}{self.path}"

    def to_json(self) -> dict[str, Any]:
        """Return the artefact as JSON values."""
        return {name: value for name, value in asdict(self).items() if name != "folder"}

    def open(self, *, seen: bool = False) -> object:
        """Open the file in full: in a notebook as a view, elsewhere as its path.

        Parameters
        ----------
        seen : bool, optional
            True to begin with what a model saw beside it.

        Raises
        ------
        Refused
            If it is not known where it lies.
        """
        if self.folder is None:
            raise Refused(f"artefact '{self.id}': where it lies is not known; see %agent results")
        return OPENERS[-1](self.folder, self.id, seen) if OPENERS else self.folder / self.path


def prefix(loop: str) -> str:
    """Return the id prefix of a loop: dispatches keep theirs, others take their first letter."""
    return loop if loop[:1] == "d" and loop[1:].isdigit() else loop[:1]


class Artefacts:
    """The artefacts of one run.

    Parameters
    ----------
    workspace : Workspace
        Opens the files.
    folder : Path
        The run's folder.
    ledger : Ledger
        Gets one ``artefact`` or ``artefact_refused`` event a file.
    earlier : sequence of str, optional
        Runs of the conversation so far, whose results can be named too.
    """

    def __init__(
        self, workspace: Workspace, folder: Path, ledger: Ledger, earlier: Sequence[str] = ()
    ) -> None:
        self._workspace = workspace
        self._earlier = [workspace.results / run for run in earlier]
        self.folder = folder
        self._ledger = ledger
        self._known: dict[str, Artefact] = {}
        self._shelved: set[str] = set()
        self._lock = threading.Lock()

    def register(self, loop: str, made: Made) -> Artefact:
        """Check a claimed file and give it an id.

        Raises
        ------
        Refused
            If the file is not there, lies elsewhere, or has another size or hash.
        """
        try:
            with self._workspace.open_result(self.folder, made.path) as file:
                size, sha256 = file.size, file.sha256()
        except Refused as error:
            raise self._refuse(loop, made, str(error)) from None
        if (size, sha256) != (made.bytes, made.sha256):
            raise self._refuse(loop, made, f"'{made.path}': size or hash differs from the claim")
        with self._lock:
            number = sum(1 for key in self._known if key.startswith(f"{prefix(loop)}a")) + 1
            artefact = Artefact(
                f"{prefix(loop)}a{number}",
                made.path,
                size,
                sha256,
                made.media_type,
                made.rows,
                made.columns,
                made.made_by,
                self.folder,
            )
            self._known[artefact.id] = artefact
        self._ledger.append("artefact", artefact.to_json(), loop, sync=True)
        return artefact

    def is_there(self, name: str) -> bool:
        """Tell whether a file that a child lists is one of the workspace or the conversation."""
        own = name.startswith(RUN_PREFIX)
        plain = name.removeprefix(RUN_PREFIX)
        try:
            parts = literal_parts(plain) or relative_parts(plain)
        except Refused:
            return False
        roots = [self.folder, *self._earlier] if own else [self._workspace.root]
        return any(os.path.isfile(root.joinpath(*parts)) for root in roots)  # noqa: PTH113 - hundreds of names at once

    def keep_said(self, call: str, whole: object) -> str:
        """Keep what a child said where the analyst can open it and no tool; return its id."""
        folder = self.folder / "responses"
        folder.mkdir(mode=0o700, exist_ok=True)
        with new_file(folder, f"{call}-child", "json") as (part, final):
            text = json.dumps(whole, ensure_ascii=False, default=str)
            part.write_text(text, encoding="utf-8", errors="replace")
        return final[0].stem

    def claim(self, loop: str, made: Made) -> Artefact:
        """Take a file that a child says it made out of its reach, then register it.

        Raises
        ------
        Refused
            As `register`, and if its name is taken.
        """
        if not _NAME.fullmatch(made.path) or not _TYPE.fullmatch(made.media_type):
            raise self._refuse(loop, made, "with a name or type that no tool gives")
        source = self.folder / WORK / made.path
        if os.path.lexists(source):
            try:
                take(source, self.folder / made.path)
            except OSError as error:
                why = f"'{made.path}': {error.strerror}"
                raise self._refuse(loop, made, why) from None
        return self.register(loop, made)

    def keep_snapshots(self, hashes: Collection[str]) -> None:
        """Keep the snapshots that a child built for later children, out of its reach."""
        fresh = set(hashes) - self._shelved
        if fresh:
            shelve(self.folder / WORK / SNAPSHOTS, self._workspace.results / SNAPSHOTS, fresh)
            self._shelved |= fresh

    def learn_hashes(
        self, names: Collection[str], ask: Callable[[str], Mapping[str, object]]
    ) -> None:
        """Have large files that were used hashed once; see `workbench.files.knownhashes.learn`."""
        learn(self._workspace, names, ask)

    def keep_text(self, key: str) -> None:
        """Take a text that a child stored out of its reach; its id is the hash of the text."""
        source = self.folder / WORK / f"{key}.txt"
        if _TEXT.fullmatch(key) and source.is_file() and not source.is_symlink():
            target = self.folder / "full" / source.name
            with contextlib.suppress(OSError):
                take(source, target)
                with target.open("rb") as file:
                    found = text_id(hashlib.file_digest(file, "sha256").hexdigest())
                if found != key:
                    target.unlink()

    def _refuse(self, loop: str, made: Made, reason: str) -> Refused:
        self._ledger.append("artefact_refused", {"path": made.path, "reason": reason}, loop)
        return Refused(f"artefact {reason}; it was not registered")

    def all(self) -> list[Artefact]:
        """Return every artefact in the order of registration."""
        return list(self._known.values())

    def get(self, key: str) -> Artefact:
        """Return an artefact by id.

        Raises
        ------
        Refused
            If there is none of that id; the nearest is named.
        """
        if key not in self._known:
            raise Refused(
                f"artefact '{key}': no such id in this run{nearest(key, self._known)}; see "
                "%agent results"
            )
        return self._known[key]

    def open(self, key: str) -> OpenFile:
        """Open an artefact by id."""
        return self._workspace.open_result(self.folder, self.get(key).path)


def from_events(events: list[Event]) -> list[Artefact]:
    """Return the artefacts a ledger tells of."""
    found = []
    for event in events:
        if event.kind == "artefact":
            names = Artefact.__dataclass_fields__.keys() - {"folder"}
            found.append(Artefact(**{name: event.data.get(name) for name in names}))  # type: ignore[arg-type]
    return found
