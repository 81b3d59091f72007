"""Lineage: which calls made a result, from which files, with which parameters and seed.

A fold over ledgers, nothing else: what a call read is joined with what an earlier call made by
name and hash. A file that no call of the conversation made is a source.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from workbench.artefacts import from_events
from workbench.errors import Refused, WorkbenchError, nearest
from workbench.files.fileset import is_pattern
from workbench.runs import past
from workbench.runs.lineage_steps import Step, Used, events_of, steps_of, view_of
from workbench.workspace import RUN_PREFIX, Workspace

# A conversation longer than this is followed no further back.
_RUNS = 200


@dataclass(frozen=True)
class Lineage:
    """Calls in the order in which they were made.

    Attributes
    ----------
    target : str
        ``RUN/ID`` of the result it is the lineage of; empty for all that a run made.
    steps : tuple of Step
        Every step after those it read from.
    """

    target: str
    steps: tuple[Step, ...]

    @property
    def sources(self) -> tuple[Used, ...]:
        """The files that no call made, each version once, in the order of their first use."""
        found = (used for step in self.steps for used in step.inputs if not used.made)
        return tuple({(used.name, used.sha256): used for used in found}.values())

    def step_of(self, made: str) -> Step | None:
        """Return the step that made ``RUN/ID``."""
        return next((step for step in self.steps if made in step.makes), None)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "target": self.target,
            "steps": [asdict(step) for step in self.steps],
            "sources": [asdict(used) for used in self.sources],
        }


def of_run(folder: Path) -> Lineage:
    """Return every call of a run that made results, and what those of earlier runs came from.

    Parameters
    ----------
    folder : Path
        The run's folder.
    """
    own = steps_of(folder)
    wanted = [made for step in own for made in step.makes]
    return Lineage("", _leading_to(wanted, _joined(folder)))


def of_result(results: Path, key: str, run: str | None = None) -> Lineage:
    """Return the calls that lead to one result.

    Parameters
    ----------
    results : Path
        The results folder.
    key : str
        Id (``d01a2``) or file name of a result.
    run : str, optional
        Which run; the newest that has it if left out.

    Raises
    ------
    Refused
        If no run has it.
    """
    folders = past.meant(results, run)
    for folder in folders:
        for item in from_events(events_of(folder)):
            if key in {item.id, item.path}:
                target = f"{folder.name}/{item.id}"
                return Lineage(target, _leading_to([target], _joined(folder)))
    known = [item.id for folder in folders[:1] for item in from_events(events_of(folder))]
    raise Refused(
        f"lineage of '{key[:80]}': no run in '{results}' made a result of that id or name"
        f"{nearest(key, known)}; see workbench show RUN"
    )


def standing(folder: Path, lineage: Lineage) -> dict[str, str]:
    """Tell for each source whether the file is still what was read.

    Parameters
    ----------
    folder : Path
        Of the run whose data is meant.
    lineage : Lineage
        What came from the sources.

    Returns
    -------
    dict
        Name → ``unchanged``, ``changed since``, ``not there`` or ``not compared`` (a set of files).
    """
    found = {}
    workspace = None
    with contextlib.suppress(WorkbenchError, OSError):
        workspace = Workspace.at(str(past.data_of(folder, past.view(folder))), str(folder.parent))
    for used in lineage.sources:
        state = "not there"
        if is_pattern(used.name):
            state = "not compared"
        elif workspace is not None and not used.name.startswith(RUN_PREFIX):
            with contextlib.suppress(WorkbenchError, OSError), workspace.open(used.name) as file:
                state = "unchanged" if file.sha256() == used.sha256 else "changed since"
        found[used.name] = state
    return found


def _joined(folder: Path) -> list[Step]:
    """Return the steps of a run and of those it follows, each input tied to what made it."""
    steps: list[Step] = []
    for place in conversation(folder):
        steps += steps_of(place)
    return [
        replace(step, inputs=tuple(_tied(used, step, steps[:at]) for used in step.inputs))
        for at, step in enumerate(steps)
    ]


def _tied(used: Used, step: Step, before: Iterable[Step]) -> Used:
    """Return an input with the result that it is: of its own run first, else of the newest."""
    name = used.name.removeprefix(RUN_PREFIX)
    found = ""
    for other in before:
        for item in other.outputs:
            if (item.path, item.sha256) == (name, used.sha256) and (
                other.run == step.run or not found.startswith(f"{step.run}/")
            ):
                found = f"{other.run}/{item.id}"
    return replace(used, made=found)


def _leading_to(wanted: Iterable[str], steps: list[Step]) -> tuple[Step, ...]:
    """Return the steps that a set of results came from, oldest first."""
    needed = set(wanted)
    kept = []
    for step in reversed(steps):
        if needed.intersection(step.makes):
            kept.append(step)
            needed |= {used.made for used in step.inputs if used.made}
    return tuple(reversed(kept))


def conversation(folder: Path) -> list[Path]:
    """Return the folders of the runs that a run follows, oldest first, itself last."""
    chain = [folder]
    while len(chain) < _RUNS:
        view = view_of(chain[-1])
        name = Path(str(view.get("after") or view.get("follows") or "")).name
        before = folder.parent / name
        if not name or before in chain or not (before / "events.jsonl").is_file():
            break
        chain.append(before)
    return chain[::-1]
