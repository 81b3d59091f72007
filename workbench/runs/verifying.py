"""A past run recomputed and compared: inputs, versions, calls, files, claims, the answer.

Numbers and hashes are equal or they are not; where a platform's arithmetic differs, numbers are
equal within `comparing.TOLERANCE`. The first step that departs is named.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from workbench import marker
from workbench.errors import Failed, Refused
from workbench.loops.finishing import wanted
from workbench.runs.comparing import Row, compare_call, compare_files
from workbench.runs.recorded import Recorded
from workbench.runs.redoing import Outcome, Redoing
from workbench.sources import placing
from workbench.sources.claims import Claim
from workbench.sources.deriving import derived
from workbench.tools import claimed
from workbench.workspace import RUN_PREFIX

_WORDS = 160
# Kinds of rows that are told of a report: what stands in it against what should.
SHOWN = ("cell", "section")
Progress = Callable[[str], None]
Also = Callable[[list[Outcome], Redoing], Iterable[Row]]


@dataclass(frozen=True)
class Verification:
    """How a run compares with what it is when recomputed.

    Attributes
    ----------
    run : str
        Its id.
    rows : tuple of Row
        In the order of the run.
    kept : str
        Run with the files made again, where they differ; else empty.
    """

    run: str
    rows: tuple[Row, ...]
    kept: str = ""

    @property
    def same(self) -> bool:
        """True where nothing differs."""
        return all(row.same for row in self.rows)

    @property
    def first(self) -> str:
        """The first step that departs, in words; empty where none does."""
        order = ("record", "input", "call", "file", "claim", "answer", *SHOWN, "version")
        found = [row for row in self.rows if not row.same]
        found.sort(key=lambda row: order.index(row.kind))
        return f"{found[0].kind} {found[0].what}" if found else ""

    def counts(self) -> dict[str, tuple[int, int]]:
        """Return how many of each kind agree, and how many there are."""
        kinds = dict.fromkeys(row.kind for row in self.rows)
        of = {kind: [row.same for row in self.rows if row.kind == kind] for kind in kinds}
        return {kind: (sum(same), len(same)) for kind, same in of.items()}

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        rows = [asdict(row) for row in self.rows]
        kept = {"kept": self.kept} if self.kept else {}
        return {"run": self.run, "same": self.same, "first": self.first, "rows": rows, **kept}

    def summary(self) -> str:
        """Return it in one sentence."""
        told = ", ".join(f"{n} of {m} {_plural(kind)}" for kind, (n, m) in self.counts().items())
        if self.same:
            return f"verified: {told} agree; no model was asked"
        kept = f"; the files made again are in {self.kept}" if self.kept else ""
        return f"it does not verify: first departs {self.first}; {told} agree{kept}"


def _plural(kind: str) -> str:
    return {"answer": "answers", "record": "records"}.get(kind, f"{kind}s")


def verify(folder: Path, data: str | None = None, progress: Progress | None = None) -> Verification:
    """Recompute a run and compare.

    Parameters
    ----------
    folder : Path
        Folder of the run.
    data : str, optional
        Where the data is now, if it has moved.
    progress : callable, optional
        Told what is done next, in a few words.

    Raises
    ------
    Refused, Fault
        If the run or its data cannot be read.
    """
    return verify_recorded(Recorded.of(folder), data, progress)


def verify_recorded(
    recorded: Recorded,
    data: str | None = None,
    progress: Progress | None = None,
    also: Also | None = None,
) -> Verification:
    """Recompute a run from its record, as a report carries it; see `verify`.

    `also` is given what was made again, before it goes, and returns more rows.
    """
    say = progress or (lambda _words: None)
    rows = [*_record(recorded)]
    again = Redoing.prepared(recorded, data)
    keep = True
    try:
        outcomes = []
        for outcome in again.outcomes():
            say(f"{outcome.step.id} {outcome.step.tool}")
            outcomes.append(outcome)
        rows += [*_inputs(recorded, again), *_versions(recorded, again)]
        for outcome in outcomes:
            rows += [compare_call(recorded, outcome), *compare_files(recorded, again, outcome)]
        say("claims")
        rows += [*_claims(recorded, again, outcomes), *_answer(recorded)]
        rows += also(outcomes, again) if also else ()
        keep = any(row.kind == "file" and not row.same for row in rows)
    finally:
        again.end(keep=keep, reason="made again by verify")
    run = str(recorded.view.get("run") or recorded.folder.name)
    return Verification(run, tuple(rows), again.run.id if keep else "")


def _record(recorded: Recorded) -> Iterator[Row]:
    """Compare what ``run.json`` tells with the ledger, and the files with their hashes."""
    told = {str(item.get("id")): item for item in recorded.view["claims"]}
    kept = {str(item.get("id")): item for item in recorded.data("claim")}
    for key in [*kept, *(key for key in told if key not in kept)]:
        if kept.get(key) != told.get(key):
            yield Row("record", f"claim {key} as it is shown", *_two(kept, told, key), same=False)
    listed = {str(item["id"]): str(item["sha256"]) for item in recorded.view["artefacts"]}
    for item in recorded.artefacts if recorded.folder.is_dir() else ():
        now = _hash(recorded.folder / item.path)
        what = f"{item.id} {item.path} as it lies there"
        same = now == item.sha256 == listed.get(item.id)
        yield Row("record", what, item.sha256, now if now != item.sha256 else listed[item.id], same)


def _two(kept: Mapping[str, Any], told: Mapping[str, Any], key: str) -> tuple[str, str]:
    values = (one.get(key) or {} for one in (kept, told))
    first, second = (f"{v.get('value', 'none')} ({v.get('status', 'not there')})" for v in values)
    return first, second if second != first else f"{second}, worded otherwise"


def _hash(place: Path) -> str:
    try:
        with place.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        return f"not there ({error.strerror})"


def _inputs(recorded: Recorded, again: Redoing) -> Iterator[Row]:
    """Compare the files that were read, by the hashes of their bytes."""
    old, new = recorded.view, again.run.view.data
    made = {f"{RUN_PREFIX}{item.path}" for item in recorded.artefacts}
    for name, snapshot in old["snapshots"].items():
        if name in made or name.removeprefix(RUN_PREFIX) in {m[len(RUN_PREFIX) :] for m in made}:
            continue
        before, now = old["inputs"].get(name) or "", new["inputs"].get(name, "not read")
        if not before:  # of an older record: what the reader made of it
            before, now = snapshot, new["snapshots"].get(name, "not read")
        yield Row("input", name, before, now, before == now)


def _versions(recorded: Recorded, again: Redoing) -> Iterator[Row]:
    old = {"workbench": recorded.view.get("version", ""), **recorded.view["versions"]}
    new = {"workbench": again.run.view.data.get("version", ""), **again.run.view.data["versions"]}
    for name, version in old.items():
        now = str(new.get(name, "not used"))
        yield Row("version", name, str(version), now, str(version) == now)


def _claims(recorded: Recorded, again: Redoing, outcomes: list[Outcome]) -> Iterator[Row]:
    """Compute each claim again; a claim that had failed must fail again."""
    replies = {outcome.step.id: outcome.reply for outcome in outcomes}
    loops = {str(event.data.get("id")): event.dispatch for event in recorded.events}
    known: dict[str, Claim] = {}
    for data in recorded.data("claim"):
        try:
            claim = Claim.from_json(data)
            if claim.parts:
                now = derived(replace(claim, status="unchecked"), known)
            else:
                now = _again(claim, again, replies, loops.get(claim.id, "guide"))
        except (Refused, Failed, TypeError, ValueError, KeyError) as error:
            claim = Claim(str(data.get("id", "?")))
            now = claim.failed(str(error))
        known[claim.id] = now
        then = f"{claim.value} ({claim.status})"
        told = f"{now.found or now.reason} ({now.status})"
        same = now.status == claim.status or (claim.status, now.status) == ("unchecked", "verified")
        yield Row("claim", f"{claim.id} {claim.what}", then, marker.short(told, _WORDS), same)


def _again(claim: Claim, again: Redoing, replies: Mapping[str, Any], loop: str) -> Claim:
    if claim.status == "failed" and not (claim.path or claim.fact):
        return claim
    if claim.of_call:
        reply = replies.get(claim.call)
        if reply is None:
            return claim.failed("its call was not answered this time")
        return claim.judged(claimed.of_reply(reply.to_json(), claim.fact, claim.of))
    told = again.executor(loop).call("claims", "recompute", {"claims": [wanted(claim)]})
    found = dict(told.facts["claims"][claim.id])
    if "found" not in found:
        return claim.failed(str(found.get("reason", "it cannot be computed")))
    return claim.judged([(one[0], str(one[1])) for one in found["found"]])


def _answer(recorded: Recorded) -> Iterator[Row]:
    """Compare the words with their hash, and each number in them with its claim."""
    view = recorded.view
    text = str(view["answer"])
    ended = next(iter(recorded.data("run_ended")), {})
    if ended.get("sha256"):
        now = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        yield Row("answer", "its words", str(ended["sha256"]), now, ended["sha256"] == now)
    known = {str(item["id"]): item for item in recorded.data("claim")}
    for start, end, key in view["numbers"]:
        if key:
            should = placing.said(Claim.from_json(known[key])) if key in known else "no such claim"
            if text[start:end] != should:
                yield Row("answer", f"number of claim {key}", should, text[start:end], same=False)
