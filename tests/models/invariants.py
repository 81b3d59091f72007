"""What must hold of every run, whatever a model answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from conversation import events

from workbench.answer import Answer
from workbench.check import planted
from workbench.limits import LIMITS

STATUSES = {"answered", "failed", "budget", "interrupted"}


def holds(answer: Answer, key: str) -> None:
    """Assert that a run has one outcome, kept its limits, its meter and its key."""
    ended = events(answer, "run_ended")
    view = json.loads((answer.folder / "run.json").read_text(encoding="utf-8"))
    assert len(ended) == 1
    assert view["status"] == answer.status == ended[0].data["status"]
    assert answer.status in STATUSES
    assert "\n" not in answer.reason
    rows = {row.key: row.number for row in LIMITS}
    sent = Counter[str]()
    for event in events(answer, "request"):
        body = (answer.folder / event.data["path"]).read_bytes().decode("utf-8", "surrogatepass")
        assert sum(event.data["chars_by_category"].values()) == len(body)
        assert sum(event.data["by_category"].values()) == event.data["tokens"]
        assert json.loads(body)["max_tokens"] <= rows["reply_tokens"]
        assert len(planted.canaries(body)) <= rows["preview_rows_total"]
        sent[event.dispatch] += 1
    calls = Counter(event.dispatch for event in events(answer, "tool_call"))
    assert max(sent.values(), default=0) <= rows["model_calls"]
    assert max(calls.values(), default=0) <= rows["tool_calls"]
    assert len(view["dispatches"]) <= rows["dispatches"]
    for file in answer.folder.rglob("*"):
        if key and file.is_file():
            assert key.encode() not in file.read_bytes(), file.name


def outcome(answer: Answer) -> str:
    """Return the one outcome of a run, from its ledger and its view alike."""
    (ended,) = events(answer, "run_ended")
    view = json.loads((answer.folder / "run.json").read_text())
    assert view["status"] == ended.data["status"] == answer.status
    assert all(loop["status"] != "running" for loop in view["loops"])
    return answer.status


def bodies(answers: Sequence[Answer]) -> list[bytes]:
    """Return the requests that runs kept, in the order they were sent; blocks are all of each."""
    found = []
    for answer in answers:
        for event in events(answer, "request"):
            found.append((answer.folder / event.data["path"]).read_bytes())
            chars = event.data["chars_by_category"]
            assert sum(chars.values()) == len(found[-1].decode()) == event.data["chars"]
    return found
