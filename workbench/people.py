"""Descriptions and pages of rows for people: read in a confined child, never in a context."""

from __future__ import annotations

import json
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from workbench.errors import Failed, LimitReached, Refused
from workbench.handing import shelve
from workbench.knownhashes import learn
from workbench.places import Places
from workbench.recordnames import SNAPSHOTS
from workbench.run import Setting


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


def _call(setting: Setting, folder: Path, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    workspace = setting.workspace
    workspace.prepare_results()
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
    answer = _answer(setting, job, places, tool, arguments)
    used = dict((answer.get("reply") or {}).get("snapshots") or {})
    shelve(folder / SNAPSHOTS, workspace.results / SNAPSHOTS, list(map(str, used.values())))

    def hashed(name: str) -> Mapping[str, object]:
        told = _answer(setting, job, places, "hash_file", {"path": name})
        return dict((told.get("reply") or {}).get("facts") or {})

    learn(workspace, list(map(str, used)), hashed)
    if not answer.get("ok"):
        key = str(answer.get("key") or "")
        text = str(answer.get("error"))
        raise LimitReached(text, key) if key else Refused(text)
    try:
        return dict(answer["reply"]["facts"])
    except (KeyError, TypeError, ValueError):
        raise Failed(f"{tool}: protocol: the child's answer is not a reply") from None


def _answer(
    setting: Setting,
    job: Mapping[str, Any],
    places: Places,
    tool: str,
    arguments: Mapping[str, Any],
) -> Mapping[str, Any]:
    """Have one call carried out by a child of its own."""
    link = setting.start_child(job, places, setting.limits, threading.Event(), lambda _: None)
    try:
        link.ready()
        return dict(link.call("people", tool, arguments, lambda _text, _share: None))
    finally:
        link.close()
