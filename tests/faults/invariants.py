"""What must be true after every injected fault: one function, asserted by every fault test.

The numbers are those of the fault plan. I4, no process left behind, needs to know which processes
there were: a test that can lose one gives their numbers.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from faults.figures import note

from workbench import ledger
from workbench.check import planted
from workbench.process.processtree import running

KEY = "canary-key-of-the-fault-tests"
RECORDS = {"requests", "responses", "full", "events.jsonl", "run.json"}
# The largest answer that any row of the limits table allows at a window of 200,000 tokens.
LARGEST_ANSWER = 72_000
PREVIEW_ROWS = 20


def fingerprint(data: Path) -> dict[str, str]:
    """Return the hash of every data file."""
    return {
        str(path.relative_to(data)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(data.rglob("*"))
        if path.is_file() and "results" not in path.relative_to(data).parts
    }


def holds(
    run: Path, before: dict[str, str], *, outcome: bool | None = True, pids: Iterable[int] = ()
) -> None:
    """Assert the invariants of a run that a fault was injected into.

    Parameters
    ----------
    run : Path
        Its folder, ``data/results/<run>``.
    before : dict
        Fingerprint of the data before it.
    outcome : bool, optional
        False where the process that would have written it was killed; None where it may have
        been written or not, since the disk failed.
    pids : iterable of int, optional
        Processes that must be gone.
    """
    data = run.parent.parent
    assert fingerprint(data) == before, "I1: the data are not as they were"
    reading = ledger.read(run / "events.jsonl")
    _artefacts_are_whole(run, reading.events, killed=not outcome)
    torn = [notice for notice in reading.notices if "not a whole event" in notice]
    assert len(torn) <= (not outcome), f"I3: {reading.notices}"
    assert reading.notices == torn, f"I3: {reading.notices}"
    assert [event.seq for event in reading.events] == list(range(1, len(reading.events) + 1))
    _nothing_runs(pids)
    ends = [event for event in reading.events if event.kind == "run_ended"]
    assert len(ends) <= 1, f"I5: {len(ends)} outcomes"
    assert outcome is None or len(ends) == outcome, f"I5: {len(ends)} outcomes"
    written = [path for path in data.parent.rglob("*") if path.is_file()]
    assert not [path for path in written if KEY.encode() in path.read_bytes()], "I7: the key"
    _requests_are_bounded(run)


def _artefacts_are_whole(run: Path, events: list[ledger.Event], *, killed: bool) -> None:
    known = set()
    for event in events:
        if event.kind == "artefact":
            known.add(event.data["path"])
            file = run / event.data["path"]
            found = hashlib.sha256(file.read_bytes()).hexdigest()
            assert found == event.data["sha256"], f"I2: {file.name} is another"
    others = {path.name for path in run.iterdir()} - known - RECORDS
    parts = {name for name in others if name.endswith(".part")}
    assert not parts or killed, f"I2: half results were left: {parts}"
    # A file can be whole and not yet registered where the one who registers was killed.
    assert others == parts or killed, f"I2: files that nobody tells of: {others - parts}"


def _nothing_runs(pids: Iterable[int]) -> None:
    if sys.platform != "linux":
        return
    began = time.monotonic()
    limit = began + 2.0
    left = set(pids)
    while left and time.monotonic() < limit:
        left = {pid for pid in left if running(pid)}
        time.sleep(0.02)
    assert not left, f"I4: still running after 2 s: {left}"
    if pids:
        note("end to no process", time.monotonic() - began)


def _requests_are_bounded(run: Path) -> None:
    for file in (run / "requests").glob("*.json"):
        for turn in json.loads(file.read_text(encoding="utf-8"))["messages"]:
            for part in turn["content"]:
                text = str(part.get("content", ""))
                assert len(text) <= LARGEST_ANSWER, "I8: an answer beyond the table"
                assert len(planted.canaries(text)) <= PREVIEW_ROWS, "I8: rows beyond a preview"


def with_key() -> dict[str, str]:
    """Return an environment with the key that must be found nowhere, and no way to a model."""
    closed = {"ANTHROPIC_BASE_URL": "https://127.0.0.1:9"}
    return {**os.environ, **closed, "ANTHROPIC_API_KEY": KEY}
