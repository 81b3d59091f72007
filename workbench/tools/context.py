"""What a tool works with in the child: the files it may open, the connection, where results go.

A tool never sees a path of the host. It names files as the model does, reads tables through
snapshots, and writes new files into the run's folder, each described for the parent to check.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench import tokens
from workbench.errors import LimitReached, Refused
from workbench.files.fileset import is_pattern, members, set_stem
from workbench.files.newfile import new_file, result_stem, safe_stem
from workbench.files.recordnames import RECORDS, SNAPSHOTS
from workbench.limits import Limits
from workbench.reply import Made
from workbench.workspace import RUN_PREFIX, OpenFile, Workspace

if TYPE_CHECKING:
    from workbench.tables.connection import Connection
    from workbench.tables.snapshot import Opened
    from workbench.tables.table import Table

Progress = Callable[[str, float], None]
_FULL_ID = re.compile(r"^[A-Za-z0-9_-]{1,80}$")
_SAMPLE = 65_536


def _silent(_text: str, _share: float) -> None:
    """Report nothing."""


@dataclass
class Context:
    """The surroundings of one tool call.

    Attributes
    ----------
    workspace, run : Workspace, Path
        What opens names; the run's folder, for reading.
    limits, seed : Limits, int
        The session's table; the seed of everything random.
    progress : callable
        Gets a text and a share from 0 to 1.
    cancelled : callable
        True once the analyst stops the call.
    overrides, pins : mapping, dict
        File name → column → reader settings of the analyst; → snapshot hash this run already used.
    earlier : tuple of Path
        Folders of the conversation's runs so far, newest first: their results are read by name.
    work : Path or None
        Where new files are written; the run's own folder where there is none.
    held : dict
        What tools for people keep open in one child.
    looking : mapping or None
        How a look at a large file is taken, see `workbench.tools.firstlook`; None for the whole.
    lent, scripts : dict, str
        Name of a table → file of the snapshot lent to a script; the name of the scripts' folder.
    """

    workspace: Workspace
    run: Path
    limits: Limits
    seed: int = 42
    progress: Progress = _silent
    cancelled: Callable[[], bool] = lambda: False
    overrides: Mapping[str, Mapping[str, Mapping[str, object]]] = field(default_factory=dict)
    pins: dict[str, str] = field(default_factory=dict)
    earlier: tuple[Path, ...] = ()
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    inputs: dict[str, str] = field(default_factory=dict)
    snapshots: dict[str, str] = field(default_factory=dict)
    raw_tokens: dict[str, int] = field(default_factory=dict)
    weighed: dict[str, int] = field(default_factory=dict)
    limits_hit: list[str] = field(default_factory=list)
    work: Path | None = None
    held: dict[str, Any] = field(default_factory=dict)
    looking: Mapping[str, Any] | None = None
    first_lines: dict[str, dict[str, Any]] = field(default_factory=dict)
    lent: dict[str, str] = field(default_factory=dict)
    scripts: str = ""
    _connection: Connection | None = None

    @classmethod
    def from_job(
        cls,
        job: Mapping[str, Any],
        places: Mapping[str, Any],
        *,
        progress: Progress = _silent,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Context:
        """Make the context of a job.

        Parameters
        ----------
        job : mapping
            ``limits`` (changed values), ``seed``, ``overrides``, ``pins``.
        places : mapping
            ``root, results, run, only, earlier``: where the launcher put work and bytes.
        progress, cancelled : callable, optional
            Lines to the parent.
        """
        workspace = Workspace(Path(places["root"]), Path(places["results"]), places.get("only"))
        return cls(
            workspace,
            Path(places["run"]),
            Limits().changed(dict(job.get("limits") or {})),
            seed=int(job.get("seed", 42)),
            progress=progress,
            cancelled=cancelled,
            overrides=dict(job.get("overrides") or {}),
            pins=dict(job.get("pins") or {}),
            earlier=tuple(workspace.results / run for run in places.get("earlier") or ()),
            work=Path(places["work"]) if places.get("work") else None,
            scripts=str(job.get("dispatch") or ""),
        )

    @property
    def desk(self) -> Path:
        """Where new files are written."""
        return self.work or self.run

    @property
    def shelf(self) -> Path:
        """Where snapshots are built."""
        return (self.work or self.workspace.results) / SNAPSHOTS

    def begin(self, tool: str, arguments: dict[str, Any]) -> None:
        """Start a new call: what it reads and makes is told under its name."""
        self.tool, self.arguments = tool, arguments
        self.inputs, self.snapshots, self.raw_tokens, self.limits_hit = {}, {}, {}, []
        self.looking, self.first_lines = None, {}

    def open(self, name: str) -> OpenFile:
        """Open a data file, or a result written ``results/…/NAME``: of this run, else the newest.

        A name in ``tmp/`` is first looked for in the private folder of this loop's scripts.

        Raises
        ------
        Refused
            If the name is not one of the workspace or the run.
        """
        if name.startswith(RUN_PREFIX):
            return self._open_result(name)
        if name.startswith("tmp/") and self.scripts:
            with contextlib.suppress(Refused):
                return self.workspace.open_result(self.desk / self.scripts, name)
        try:
            return self.workspace.open(name)
        except Refused:
            with contextlib.suppress(Refused):
                return self._open_result(name)
            raise

    def _open_result(self, name: str) -> OpenFile:
        """Open a result of this run, or of the newest run of the conversation that has it."""
        for folder in (self.run, *self.earlier):
            # What may not be opened in one run may not be opened in any: the last refusal says so.
            with contextlib.suppress(Refused):
                return self.workspace.open_result(folder, name)
        return self.workspace.open_result(self.run, name)

    def results(self) -> Iterator[tuple[str, int]]:
        """Yield names, as they stand in a call, and bytes of the results that can be opened."""
        seen: set[str] = set()
        for folder in (self.run, *self.earlier):
            for place in sorted(folder.iterdir()) if folder.is_dir() else ():
                named = place.name not in seen | RECORDS and place.suffix != ".part"
                if named and place.is_file():
                    seen.add(place.name)
                    yield f"{RUN_PREFIX}{place.name}", place.stat().st_size

    def kept(self, key: str) -> OpenFile | None:
        """Open a kept answer, log or stored text by its id; None if there is none."""
        if _FULL_ID.match(key):
            with contextlib.suppress(Refused):
                return self.workspace.open_result(self.run / "full", f"{key}.txt")
        return None

    def opened(self, name: str) -> Opened:
        """Return the tables of a file, read once into a snapshot whose hash is told.

        A name with a wildcard stands for files of one layout; see `workbench.files.fileset`.
        """
        opened = self._open_set(name) or self._open_file(name)
        self.pins[name] = opened.sha256
        self.snapshots[name] = opened.sha256
        self.inputs[name] = opened.source.sha256
        return opened

    def _open_file(self, name: str) -> Opened:
        from workbench.tables.snapshot import open_tables

        with self.open(name) as file:
            return open_tables(file, *self._how(file.name, name))

    def _how(self, name: str, pinned: str) -> tuple[Any, ...]:
        """Return how a file, or a set of files, is read: the rest of what `open_tables` takes."""
        return (
            *(self.shelf, self.limits, self.overrides.get(name, {}), self.progress),
            *(self.pins.get(pinned), self.workspace.results / SNAPSHOTS),
        )

    def _open_set(self, pattern: str) -> Opened | None:
        names = members(self.workspace, pattern)
        if names is None:
            return None
        from workbench.tables.together import FileSet, open_set

        found = FileSet(pattern, names, self.workspace.open)
        return open_set(found, *self._how(pattern, pattern))

    def table(self, path: str, sheet: str | None = None) -> Table:
        """Return one table of a file, for work on its rows: what its text would cost is told.

        Raises
        ------
        Refused
            If the file has several tables and `sheet` names none of them.
        """
        opened = self.opened(path)
        table = opened.table(sheet)
        self.weigh(path, table, alone=len(opened.tables) == 1)
        return table

    @property
    def connection(self) -> Connection:
        """The locked connection of this child, made at first use."""
        if self._connection is None:
            from workbench.tables.connection import Connection

            self._connection = Connection(self.limits, self.desk, progress=self.progress)
        return self._connection

    def stem(self, path: str) -> str:
        """Return the stem of result names: the file's own name without its ending."""
        plain = path.removeprefix(RUN_PREFIX)
        return safe_stem(set_stem(plain) if is_pattern(plain) else Path(plain).stem)

    def named(self, path: str, operation: str, *parameters: object) -> str:
        """Return the stem of a result computed from a file; see `newfile.result_stem`."""
        return result_stem(self.stem(path), operation, *parameters)

    @contextlib.contextmanager
    def new_file(self, stem: str, ext: str, inside: str = "") -> Iterator[tuple[Path, list[Path]]]:
        """Write a new result file, or a text kept `inside` a folder; see `newfile.new_file`."""
        folder = self.work or self.run / inside
        folder.mkdir(exist_ok=True)
        with new_file(folder, stem, ext, None if folder == self.run else self.run) as pair:
            yield pair

    def made(
        self, path: Path, media_type: str, rows: int | None = None, columns: int | None = None
    ) -> Made:
        """Describe a file that this call wrote, for the parent to check and register."""
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        made_by = {"tool": self.tool, "parameters": self.arguments, "seed": self.seed}
        made_by["inputs"] = dict(self.inputs)
        return Made(
            path.name, path.stat().st_size, sha256, media_type, rows, columns, made_by=made_by
        )

    def hit(self, key: str) -> None:
        """Tell that a row of the limits table held inside this call."""
        if key not in self.limits_hit:
            self.limits_hit.append(key)

    def weigh(self, path: str, table: Table, *, alone: bool) -> None:
        """Tell what pasting a table would have cost; nobody pastes what is only described."""
        from workbench.accounting.pasted import pasted_tokens

        name = path if alone else f"{path}, {table.sheet or table.name}"
        if name not in self.weighed:
            # What only serves a comparison must not end a call that is short of time.
            with contextlib.suppress(LimitReached):
                self.weighed[name] = pasted_tokens(self.connection, table)
        if name in self.weighed:
            self.raw_tokens[name] = self.weighed[name]

    def weigh_text(self, name: str, file: OpenFile) -> None:
        """Tell what the whole of a text file would have cost, by its first 64 KB."""
        from workbench.formats.encoding import guess

        with file.stream() as stream:
            start = stream.read(_SAMPLE)
        if start and guess(start) is not None:
            cost = tokens.count(start.decode("utf-8", "replace"))
            self.raw_tokens[name] = round(cost * file.size / len(start))
