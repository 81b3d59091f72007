"""Descriptions and pages of rows for people: read in a confined child, never in a context."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workbench.asking.setting import Setting
from workbench.errors import Failed, LimitReached, Refused
from workbench.files import writerlock
from workbench.files.handing import shelve
from workbench.files.knownhashes import learn
from workbench.files.places import Places
from workbench.files.recordnames import SNAPSHOTS
from workbench.files.resultsplace import prepare


def describe(setting: Setting, path: str) -> dict[str, Any]:
    """Return what the reader made of a file, in the shape of ``describe --json``.

    Raises
    ------
    Refused
        If the file cannot be read.
    """
    with _folder() as folder:
        facts = _call(setting, folder, "describe_file", {"path": path})
        return dict(json.loads((folder / str(facts["file"])).read_text(encoding="utf-8")))


def folder(setting: Setting, inside: str = "") -> dict[str, Any]:
    """Return the files of a folder, and which of them may be opened as one table.

    Returns
    -------
    dict
        ``{files: [{name, bytes}], sets: {pattern: {files, columns, alike}}}``.
    """
    with _folder() as place:
        facts = _call(setting, place, "list_files", {"folder": inside})
    files = [{"name": one.name, "bytes": one.size} for one in setting.workspace.walk(inside)]
    return {"files": files, "sets": facts.get("sets", {})}


def rows(setting: Setting, path: str, table: str | None, offset: int, limit: int) -> dict[str, Any]:
    """Return one page of rows: ``{columns, rows, total}``.

    Raises
    ------
    Refused
        If the file cannot be read or the page is out of range.
    """
    arguments = {"path": path, "table": table, "offset": offset, "limit": limit}
    with _folder() as folder:
        return _call(setting, folder, "page_rows", arguments)


@contextmanager
def _folder() -> Iterator[Path]:
    """Yield a folder of its own, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="workbench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


Progress = Callable[[str, float], None]


def _quietly(_text: str, _share: float) -> None:
    """Show no progress."""


def build(setting: Setting, path: str, stop: threading.Event, progress: Progress) -> None:
    """Have the snapshot of a file built and kept by a child that does nothing else.

    It works where snapshots are kept, in a folder that is gone afterwards.

    Raises
    ------
    Refused
        If the file cannot be read.
    Failed, Stopped
        If the child broke, or `stop` was set.
    """
    prepare(setting.workspace.results)
    shelf = setting.workspace.results / SNAPSHOTS
    shelf.mkdir(mode=0o700, exist_ok=True)
    folder = Path(tempfile.mkdtemp(suffix=".part", dir=shelf))
    held = writerlock.hold_folder(folder)
    try:
        _call(setting, folder, "describe_file", {"path": path}, stop, progress)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if held is not None:
            os.close(held)


# A child that nobody asks anything takes memory for nothing; a later call starts another.
IDLE_SECONDS = 300.0


class Reader:
    """A child that is kept for one person's look at a file; it is started again when it has ended.

    Parameters
    ----------
    setting : Setting
        Workspace, limits and reader settings.
    idle : float, optional
        Seconds without a call after which the child is ended.
    """

    def __init__(self, setting: Setting, idle: float = IDLE_SECONDS) -> None:
        self._setting, self._idle = setting, idle
        self._clock: threading.Timer | None = None
        self._lock = threading.Lock()
        self._folder: Path | None = None
        self._link: Any = None

    def ask(
        self, tool: str, arguments: Mapping[str, Any], progress: Progress = _quietly
    ) -> dict[str, Any]:
        """Make one call of a tool for people; calls of several threads wait for each other.

        Raises
        ------
        Refused, Failed
            If it is turned down, or the child broke twice.
        """
        with self._lock:
            self._wind(None)
            try:
                answer = self._tried(tool, arguments, progress)
            finally:
                self._wind(self._idle)
        return _facts(tool, answer)

    def _tried(
        self, tool: str, arguments: Mapping[str, Any], progress: Progress
    ) -> Mapping[str, Any]:
        for last in (False, True):
            try:
                folder, link = self._started()
                answer: Mapping[str, Any] = link.call("people", tool, dict(arguments), progress)
            except Failed:
                # Its time was up, or the system ended it: a new one knows nothing of that.
                self._end()
                if last:
                    raise
                continue
            _keep(self._setting, folder, answer)
            return answer
        raise Failed(f"{tool}: the child ended")

    def _wind(self, seconds: float | None) -> None:
        """Set the clock that ends an idle child, or stop it."""
        if self._clock is not None:
            self._clock.cancel()
        self._clock = None
        if seconds is not None and self._link is not None:
            self._clock = threading.Timer(seconds, self.close)
            self._clock.daemon = True
            self._clock.start()

    def close(self) -> None:
        """End the child and remove its folder; a later call starts another."""
        with self._lock:
            self._wind(None)
            self._end()

    def _started(self) -> tuple[Path, Any]:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="workbench-"))
            try:
                self._link = _start(self._setting, self._folder)
                self._link.ready()
            except BaseException:
                self._end()
                raise
        return self._folder, self._link

    def _end(self) -> None:
        if self._link is not None:
            self._link.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = self._link = None


def _call(
    setting: Setting,
    folder: Path,
    tool: str,
    arguments: dict[str, Any],
    stop: threading.Event | None = None,
    progress: Progress = _quietly,
) -> dict[str, Any]:
    answer = _alone(setting, folder, tool, arguments, stop, progress)
    used = _keep(setting, folder, answer)

    def hashed(name: str) -> Mapping[str, object]:
        told = _alone(setting, folder, "hash_file", {"path": name}, stop)
        return dict((told.get("reply") or {}).get("facts") or {})

    learn(setting.workspace, used, hashed)
    return _facts(tool, answer)


def _start(setting: Setting, folder: Path, stop: threading.Event | None = None) -> Any:  # noqa: ANN401 - a connected child
    """Start a child that may read the data and write into a folder of its own."""
    workspace = setting.workspace
    prepare(workspace.results)
    own = str(folder)
    places = Places(str(workspace.root), str(workspace.results), own, workspace.only, work=own)
    job = {
        "dispatch": "people",
        "agent": "people",
        "limits": setting.limits.values_json(),
        "seed": setting.seed,
        "overrides": dict(setting.overrides),
        "pins": {},
    }
    return setting.start_child(
        job, places, setting.limits, stop or threading.Event(), lambda _: None
    )


def _alone(
    setting: Setting,
    folder: Path,
    tool: str,
    arguments: Mapping[str, Any],
    stop: threading.Event | None = None,
    progress: Progress = _quietly,
) -> Mapping[str, Any]:
    """Have one call carried out by a child of its own."""
    link = _start(setting, folder, stop)
    try:
        link.ready()
        return dict(link.call("people", tool, arguments, progress))
    finally:
        link.close()


def _keep(setting: Setting, folder: Path, answer: Mapping[str, Any]) -> list[str]:
    """Keep the snapshots that a call built for later children; return the files it used."""
    used = dict((answer.get("reply") or {}).get("snapshots") or {})
    if used:
        kept = setting.workspace.results / SNAPSHOTS
        shelve(folder / SNAPSHOTS, kept, list(map(str, used.values())))
    return list(map(str, used))


def _facts(tool: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    if not answer.get("ok"):
        key = str(answer.get("key") or "")
        text = str(answer.get("error"))
        raise LimitReached(text, key) if key else Refused(text)
    try:
        return dict(answer["reply"]["facts"])
    except (KeyError, TypeError, ValueError):
        raise Failed(f"{tool}: protocol: the child's answer is not a reply") from None
