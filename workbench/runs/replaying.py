"""A past run asked again with its recorded answers, and how the two compare.

What is compared is what a reader relies on: dispatches, the hashes of the files made, the answer.
Where they differ it is said which input has changed and at which request the runs part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.answer import Answer
from workbench.runs import conversation, past
from workbench.runs.recorded import Recorded
from workbench.session import Session

# A budget of time or money belongs to the recorded run; one of tokens ends both at one place.
_NOT_AGAIN = frozenset({"run_seconds", "run_usd"})
_SHOWN = 8


@dataclass(frozen=True)
class Replay:
    """A run to be played again.

    Attributes
    ----------
    session : Session
        Its model serves the recorded answers.
    question : str
        As it was asked.
    options : mapping
        ``agent`` and ``attach`` of `Session.ask`.
    before : mapping
        View of the recorded run.
    """

    session: Session
    question: str
    options: Mapping[str, Any]
    before: Mapping[str, Any]

    def compared(self, answer: Answer) -> Comparison:
        """Return how a replay compares with the record."""
        departures = tuple(getattr(self.session.setting.model, "departures", ()))
        return compare(self.before, answer.view, departures)


@dataclass(frozen=True)
class Comparison:
    """What is the same, and what is not.

    Attributes
    ----------
    dispatches, artefacts : int
        How many there were in the record.
    differs : tuple of str
        One line for each thing that is not the same.
    inputs : tuple of str
        Files whose tables have changed since.
    departures : tuple of str
        Requests that differ from the recorded ones, the first one first.
    """

    dispatches: int
    artefacts: int
    differs: tuple[str, ...]
    inputs: tuple[str, ...]
    departures: tuple[str, ...]

    @property
    def same(self) -> bool:
        """True where nothing differs."""
        return not (self.differs or self.inputs or self.departures)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"same": self.same, **self.__dict__}

    def lines(self) -> list[str]:
        """Return it in words."""
        if self.same:
            made = f"{self.dispatches} dispatches, {self.artefacts} files by hash and the answer"
            return [f"replay: the same as recorded: {made}; no model was asked, no tokens used"]
        said = [f"input changed since: {name}" for name in self.inputs]
        if self.departures:
            more = len(self.departures) - 1
            rest = f", and {more} requests after it" if more else ""
            said.append(f"the run departs from the record at {self.departures[0]}{rest}")
        said += self.differs[:_SHOWN]
        if len(self.differs) > _SHOWN:
            said.append(f"and {len(self.differs) - _SHOWN} more differences")
        if self.inputs or self.departures:
            said.append("the recorded words may not describe the data as it is now")
        return [f"replay: {line}" for line in said]


def prepared(results: Path, run: str, data: str | None = None) -> Replay:
    """Return a past run made ready to be played again.

    Parameters
    ----------
    results : Path
        The results folder.
    run : str
        Its id, or a part of it.
    data : str, optional
        Where the data is now, if it has moved.

    Raises
    ------
    Refused
        If the run, its record or its data are not there.
    """
    folder = past.find(results, run)
    before = past.view(folder)
    limits = {
        str(key): before["limits"].get(key, "")
        for key in map(str, before["changed_limits"])
        if key not in _NOT_AGAIN
    }
    session = Session.open(
        data or past.data_of(folder, before),
        folder.parent,
        f"replay:{folder.name}",
        limits=limits,
        overrides=before.get("overrides") or {},
        seed=before.get("seed", 42),
    )
    session.trial = True
    session.setting = replace(session.setting, recorded=Recorded.of(folder).first_lines())
    conversation.until(folder.parent, str(before.get("follows") or "")).give(session)
    loops = before["loops"]
    options = {
        "agent": loops[0]["agent"] if loops else "guide",
        "attach": before.get("attached") or [],
    }
    return Replay(session, before["question"], options, before)


def compare(
    before: Mapping[str, Any], after: Mapping[str, Any], departures: Sequence[str]
) -> Comparison:
    """Compare the views of a recorded run and its replay."""
    differs = [*_loops(before, after), *_files(before, after)]
    if before["answer"] != after["answer"]:
        differs.append("the answer is not the recorded one")
    if before.get("claims") != after.get("claims"):
        differs.append("the claims of its numbers are not the recorded ones")
    if before["status"] != after["status"]:
        differs.append(
            f"it ended {after['status']}, recorded {before['status']}: {after['reason']}"
        )
    old, new = before.get("snapshots") or {}, after.get("snapshots") or {}
    changed = [name for name in old if name in new and old[name] != new[name]]
    gone = [name for name in old if name not in new]
    inputs = (*changed, *(f"{name} (not read this time)" for name in gone))
    sizes = len(before["dispatches"]), len(before["artefacts"])
    return Comparison(*sizes, tuple(differs), inputs, tuple(departures))


def _loops(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    kept = ("agent", "objective", "status")
    old, new = (
        {loop["id"]: {key: loop[key] for key in kept} for loop in view["dispatches"]}
        for view in (before, after)
    )
    names = dict.fromkeys((*old, *new))
    return [
        f"dispatch {name}: {_difference(old.get(name), new.get(name), kept)}"
        for name in names
        if old.get(name) != new.get(name)
    ]


def _files(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    kept = ("path", "sha256")
    old, new = (
        {item["id"]: {key: item[key] for key in kept} for item in view["artefacts"]}
        for view in (before, after)
    )
    names = dict.fromkeys((*old, *new))
    return [
        f"file {name}: {_difference(old.get(name), new.get(name), kept)}"
        for name in names
        if old.get(name) != new.get(name)
    ]


def _difference(
    old: Mapping[str, Any] | None, new: Mapping[str, Any] | None, keys: Sequence[str]
) -> str:
    if old is None or new is None:
        return "it was not in the record" if old is None else "it did not come about"
    return f"another {' and '.join(key for key in keys if old[key] != new[key])}"
