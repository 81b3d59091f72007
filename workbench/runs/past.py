"""Past runs, read from what they left: the index, ``run.json``, the ledger.

Nothing here writes. A run that reads as running but whose ledger has no living writer is shown as
interrupted.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from workbench import approvals, ledger
from workbench.asking import unfinished
from workbench.errors import Fault, Refused, WorkbenchError, nearest
from workbench.files import writerlock
from workbench.files.records import Records
from workbench.view import View
from workbench.workspace import Workspace

_STAMP = re.compile(r"\d{8}-\d{6}")


@dataclass(frozen=True)
class PastRun:
    """One past run.

    Attributes
    ----------
    run : str
        Its id.
    folder : Path
        Where it lies.
    status : str
        ``running``, ``answered``, ``failed``, ``interrupted`` or ``budget``.
    question : str
        Its first 200 characters.
    started : datetime
        UTC.
    """

    run: str
    folder: Path
    status: str
    question: str
    started: datetime

    def to_json(self) -> dict[str, str]:
        """Return it as JSON values."""
        return {
            "run": self.run,
            "status": self.status,
            "question": self.question,
            "started": self.started.isoformat(),
            "path": str(self.folder),
        }


def results_of(data: str | None, results: str | None) -> Path:
    """Return the results folder that a data folder, an option or the environment names.

    Returns
    -------
    Path
        It is not there yet where data was given and nothing was asked of it.

    Raises
    ------
    Refused
        If no data was given and there is none.
    """
    folder = Workspace.at(data or ".", results).results
    if data is None and not folder.is_dir():
        raise Refused(
            f"results '{folder}': no such folder, so no runs; say where they are with --data PATH "
            'or --results DIR, or make the first with workbench ask "…" --data PATH'
        )
    return folder


def runs(results: Path) -> list[PastRun]:
    """Return every run of a results folder, newest first."""
    lines = unfinished.index(results)
    found = []
    for folder in unfinished.folders(results):
        line = lines.get(folder.name) or _begun(folder)
        status = str(line.get("status", "running"))
        if status == "running" and writerlock.held(folder / "events.jsonl") is False:
            status = _ended(folder)
        question = str(line.get("question", ""))
        found.append(PastRun(folder.name, folder, status, question, began(folder)))
    return sorted(found, key=lambda item: item.run, reverse=True)


def _begun(folder: Path) -> dict[str, Any]:
    """Return what the first event says, where the index says nothing."""
    with contextlib.suppress(OSError):
        for event in ledger.read(folder / "events.jsonl").events:
            if event.kind == "run_started":
                return {"question": str(event.data.get("question", ""))[:200]}
    return {}


def _ended(folder: Path) -> str:
    """Return how a run without a writer ended: by its last event, else by force."""
    with contextlib.suppress(OSError):
        for event in reversed(ledger.read(folder / "events.jsonl").events):
            if event.kind == "run_ended":
                return str(event.data.get("status", "failed"))
    return "interrupted"


def began(folder: Path) -> datetime:
    """Return when a run began, by its id."""
    stamp = _STAMP.match(folder.name)
    with contextlib.suppress(ValueError):
        if stamp is not None:
            return datetime.strptime(stamp.group(), "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    return datetime.fromtimestamp(folder.stat().st_mtime, UTC)


def meant(results: Path, run: str | None) -> list[Path]:
    """Return the folders to look in: of the run that is named, else of all, newest first.

    Raises
    ------
    Refused
        If the run that is named is none, or several are meant.
    """
    if run:
        return [find(results, run)]
    return sorted(unfinished.folders(results), key=lambda folder: folder.name, reverse=True)


def find(results: Path, key: str) -> Path:
    """Return the folder of a run.

    Parameters
    ----------
    results : Path
        The results folder.
    key : str
        Its id, a part that only one id has, or its folder.

    Raises
    ------
    Refused
        If no run or several are meant.
    """
    given = Path(key)
    if (given / "events.jsonl").is_file():
        return given.resolve()
    names = sorted(folder.name for folder in unfinished.folders(results))
    if not names:
        raise Refused(
            f"run '{key}': there are no runs yet in '{results}'; ask a question with workbench ask"
        )
    meant = [key] if key in names else [name for name in names if key and key in name]
    if len(meant) == 1:
        return results / meant[0]
    if meant:
        raise Refused(f"run '{key}': {len(meant)} runs are meant, the newest is {meant[-1]}")
    raise Refused(f"run '{key}': none in '{results}'{nearest(key, names)}; see workbench runs")


def view(folder: Path) -> dict[str, Any]:
    """Return the view model of a run, as ``ask --json`` printed it.

    A view that was not written to its end, or was changed into none, is made again from the
    ledger; a run whose writer is gone is told as interrupted.

    Raises
    ------
    Fault
        If neither can be read.
    """
    try:
        found = whole(folder, Records(folder).read_view())
    except WorkbenchError:
        events = ledger.read(folder / "events.jsonl").events if _has_events(folder) else []
        if not events:
            raise
        found = View().fold(events).data
        with contextlib.suppress(OSError, UnicodeDecodeError):
            found["answer"] = (folder / "full" / "answer.txt").read_text(encoding="utf-8")
    if found.get("status") == "running" and writerlock.held(folder / "events.jsonl") is False:
        found = unfinished.view(folder)
    for row in approvals.decided(folder):
        approvals.settle(found["approvals"], row)
    return found


def whole(folder: Path, found: dict[str, Any]) -> dict[str, Any]:
    """Return a view with everything that a view has; an older version may lack some.

    Raises
    ------
    Fault
        If it is no view of a run.
    """
    complete = {**View().data, **found}
    kinds = all(isinstance(complete[key], type(value)) for key, value in View().data.items())
    entries = kinds and all(
        isinstance(item, dict) and all(isinstance(item.get(key), kind) for key, kind in of.items())
        for name, of in _ENTRIES.items()
        for item in complete[name]
    )
    if not entries:
        raise Fault(
            f"run '{folder.name}': run.json is no view of a run; see events.jsonl beside it"
        )
    return complete


_LOOP: dict[str, Any] = {"id": str, "agent": str, "objective": str, "status": str, "context": dict}
_LOOP |= {"seconds": (int, float), "limits": list, "artefacts": list}
_ENTRIES: dict[str, dict[str, Any]] = {
    "loops": _LOOP,
    "dispatches": _LOOP,
    "artefacts": {"id": str, "path": str, "sha256": str},
    "approvals": {"id": str, "name": str, "status": str},
}


def _has_events(folder: Path) -> bool:
    return (folder / "events.jsonl").is_file()


def data_of(folder: Path, found: dict[str, Any]) -> Path:
    """Return the data that a run worked on.

    Raises
    ------
    Refused
        If it has moved since.
    """
    told = found.get("workspace")
    place = told if isinstance(told, dict) else {}
    root = folder / str(place.get("root") or "../..")
    if not folder.is_dir():  # only a report of it is left: `..` leads on by name
        root = Path(os.path.normpath(root))
    only = place.get("only")
    data = root / str(only) if only else root
    if not data.exists():
        raise Refused(
            f"data of run '{folder.name}': '{data}' is not there any more; give it with --data PATH"
        )
    return data.resolve()
