"""What the analyst decides of packages that scripts asked for: found by its id, then written down.

Notebook, panel and command line all come here. Nothing is installed: a decision is a line among
the records of the run that asked, and words that say what it means.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import approvals, ledger
from workbench.asking import unfinished
from workbench.errors import Refused
from workbench.runs import past

# Runs that are looked through for a request, newest first.
_MOST = 100


@dataclass(frozen=True)
class Found:
    """A request and the folder of the run that it is of."""

    folder: Path
    request: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values, with what it means in words."""
        name = self.request["name"]
        return {
            "run": self.folder.name,
            **self.request,
            "installed": approvals.installed(name),
            "command": approvals.command(name),
            "text": approvals.words(self.request),
        }


def requests(folder: Path) -> list[dict[str, Any]]:
    """Return the requests of a run, at work or ended, as they stand now."""
    found: list[dict[str, Any]] = []
    for event in ledger.read(folder / "events.jsonl").events:
        if event.kind == "package":
            approvals.asked(found, event)
    for row in approvals.decided(folder):
        approvals.settle(found, row)
    return found


def waiting(results: Path, run: str | None = None, first: Sequence[str] = ()) -> list[Found]:
    """Return the requests that nobody has decided, of the newest run that has some.

    Parameters
    ----------
    results : Path
        The results folder.
    run : str, optional
        Of this run alone.
    first : sequence of str, optional
        Runs that are looked at before all others.
    """
    for folder in _folders(results, run, first):
        open_ = [one for one in requests(folder) if one["status"] == approvals.PENDING]
        if open_:
            return [Found(folder, one) for one in open_]
    return []


def decide(
    results: Path, key: str, status: str, run: str | None = None, first: Sequence[str] = ()
) -> Found:
    """Write down what the analyst decided of a request; a later decision replaces an earlier.

    Parameters
    ----------
    results : Path
        The results folder.
    key : str
        Id of the request, such as ``p1``.
    status : str
        ``approved`` or ``refused``.
    run : str, optional
        The run that it is of; the newest that has it if left out.
    first : sequence of str, optional
        Runs that are looked at before all others.

    Raises
    ------
    Refused
        If there is no such request.
    Fault
        If the disk refuses.
    """
    for folder in _folders(results, run, first):
        for request in requests(folder):
            if request["id"] == key:
                approvals.decide(folder, request, status)
                return Found(folder, {**request, "status": status})
    of = f"run '{run}'" if run else "any run here"
    open_ = ", ".join(one.request["id"] for one in waiting(results, run, first))
    raise Refused(
        f"request '{key[:40]}': {of} has none of that id; "
        f"{f'undecided are {open_}' if open_ else 'none is undecided'}"
    )


def _folders(results: Path, run: str | None, first: Sequence[str]) -> Iterator[Path]:
    if run:
        yield past.find(results, run)
        return
    newest = sorted((one.name for one in unfinished.folders(results)), reverse=True)
    for name in itertools.islice(dict.fromkeys([*first, *newest]), _MOST):
        if (results / name / "events.jsonl").is_file():
            yield results / name


def listed(found: Sequence[Found]) -> str:
    """Say in words which requests wait for a decision."""
    if not found:
        return "no request for a package waits for a decision"
    lines = [f"- {approvals.words(one.request)}" for one in found]
    return "\n".join([f"run {found[0].folder.name}", *lines])
