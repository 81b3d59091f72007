"""What a result says is proved before it leaves its loop: each claim is computed again.

A fresh child does it, from the snapshots that the run is pinned to. What does not hold is sent
back once, then it is shown as failed; what could not be computed in time is shown as unchecked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from workbench import marker
from workbench.artefacts import prefix
from workbench.context.admission import Admitted
from workbench.context.render import Hit
from workbench.context.result import LISTS, Result
from workbench.errors import Failed, Refused
from workbench.loops.services import Executor, Replied
from workbench.sources import claiming, placing
from workbench.sources.claims import Claim
from workbench.sources.deriving import derived
from workbench.tools import claimed
from workbench.tools.handover import FINISH
from workbench.workspace import RUN_PREFIX

if TYPE_CHECKING:
    from workbench.loop import Loop

# Faults told when a result is sent back; more would be a list, not a hint.
_TOLD = 12
# Of the sentence that a number stands in.
_WORDS = 200


def told(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call as the ledger has them: each claim has an event of its own."""
    return {k: v for k, v in arguments.items() if tool != FINISH or k != "claims"}


def finished(loop: Loop, arguments: Mapping[str, Any]) -> Admitted:
    """Take the result that an agent ends with.

    Raises
    ------
    Refused
        If it is no result, or is sent back for what its claims are worth.
    """
    try:
        said = Result.of(dict(arguments))
    except ValueError as error:
        loop.count_malformed()
        raise Refused(f"finish: {error}") from None
    loop.final, amiss = proved(loop, said)
    if loop.final is None:
        raise Refused(f"finish: {amiss}")
    return Admitted("finished")


def proved(loop: Loop, said: Result) -> tuple[Result | None, str]:
    """Check the claims of a result and write its numbers from them.

    Parameters
    ----------
    loop : Loop
        Whose result it is.
    said : Result
        As the agent gave it.

    Returns
    -------
    result : Result or None
        Its numbers as `workbench.sources.placing.numbered` writes them; None where it is sent back.
    amiss : str
        What the agent is told then.
    """
    most = loop.services.limits["claims"].number
    if len(said.claimed) > most:
        left = len(said.claimed) - most
        loop.gate.hit(loop.id, Hit("claims", left, len(said.claimed), "claims"))
    first = sum(key.startswith(f"{prefix(loop.id)}.") for key in loop.services.claims)
    read = [
        claiming.read(f"{prefix(loop.id)}.{first + number}", data)
        for number, data in enumerate(said.claimed[:most], start=1)
    ]
    read = [_resting(claim, read) for claim in read]
    done = _checked(loop, read)
    known = loop.services.claims | {claim.id: claim for claim in done}
    done = [derived(claim, known) if _on_others(claim) else claim for claim in done]
    checked = {str(n): claim for n, claim in enumerate(done, start=1)}
    amiss = _amiss(said, checked, loop.services.claims)
    if amiss and not loop.sent_back:
        loop.sent_back = True
        return None, amiss
    checked = {key: _worded(key, checked, said) for key in checked}
    for claim in checked.values():
        loop.services.claims[claim.id] = claim
        loop.services.ledger.append("claim", claim.to_json(), loop.id)
    known = {**loop.services.claims, **checked}
    return said.said(lambda text: placing.numbered(text, known)), ""


def _checked(loop: Loop, read: Sequence[Claim]) -> list[Claim]:
    """Have the claims computed again; one that is no claim has failed already."""
    found = [_tied(loop, claim) if claim.status != "failed" else claim for claim in read]
    open_ = [claim for claim in found if claim.status != "failed" and not claim.parts]
    if not open_:
        return found
    words = f"checking {len(open_)} number{'s' if len(open_) > 1 else ''}"
    loop.services.ledger.append("progress", {"text": words, "share": 0.0}, loop.id)
    told = _computed(loop, open_)
    return [_judged(loop, claim, told) if claim in open_ else claim for claim in found]


def _resting(claim: Claim, read: Sequence[Claim]) -> Claim:
    """Return a claim whose parts, numbered as the agent numbered them, are ids of the run."""
    numbered = {str(number): one.id for number, one in enumerate(read, start=1)}
    return replace(claim, parts=tuple(numbered.get(part, part) for part in claim.parts))


def _on_others(claim: Claim) -> bool:
    return bool(claim.parts) and claim.status != "failed"


def _tied(loop: Loop, claim: Claim) -> Claim:
    """Tie a claim to the call whose answer it is from, or to the file by its name in a child."""
    if claim.parts:
        return claim
    if not claim.of_call:
        known = {item.id: item for item in loop.gate.known}
        named = next((item for item in known.values() if claim.path in _names(item)), None)
        if named is None:
            return claim
        return replace(claim, path=f"{RUN_PREFIX}{named.path}", artefact=named.id)
    calls = list(_calls(loop, claim))
    if not calls:
        return claim.failed(f"no call of {claim.tool or 'a tool'} gave {' '.join(claim.fact)[:80]}")
    name, replied = next(((n, r) for n, r in calls if _gives(r, claim)), calls[0])
    made = next((item.id for item in replied.artefacts), "")
    artefact = made or str(replied.arguments.get("path") or "")
    return replace(claim, call=name, tool=replied.tool, artefact=artefact)


def _names(item: Any) -> tuple[str, ...]:  # noqa: ANN401 - an artefact
    return item.id, item.path, f"{RUN_PREFIX}{item.path}", item.shown


def _calls(loop: Loop, claim: Claim) -> Iterator[tuple[str, Replied]]:
    """Yield the calls that have the fact, newest first."""
    for name, replied in reversed(loop.replied.items()):
        if claim.tool not in {"", replied.tool} or claim.call not in {"", name, replied.id}:
            continue
        try:
            claimed.of_reply(replied.reply.to_json(), claim.fact, claim.of)
        except Refused:
            continue
        yield name, replied


def _gives(replied: Replied, claim: Claim) -> bool:
    found = claimed.of_reply(replied.reply.to_json(), claim.fact, claim.of)
    return claim.judged(found).status == "verified"


def _computed(loop: Loop, open_: Sequence[Claim]) -> Mapping[str, Any]:
    """Return what a fresh child computed, by claim id; or, as text, why it did not."""
    batches: dict[str, list[Claim]] = {}
    for claim in open_:
        batches.setdefault(claim.call or claim.path, []).append(claim)
    seconds = loop.services.limits["claim_seconds"]
    told: dict[str, Any] = {}
    failure = ""
    executor = loop.executor.beside(float(seconds.number))
    try:
        for number, batch in enumerate(batches.values(), start=1):
            try:
                told |= _batch(loop, executor, f"{loop.id}-claims{number}", batch)
            except Refused as error:
                told |= {claim.id: str(error) for claim in batch}
    except Failed as error:
        failure = str(error)
        if getattr(error, "key", "") == "child_seconds":
            failure = seconds.sentence
            late = sum(claim.id not in told for claim in open_)
            loop.gate.hit(loop.id, Hit("claim_seconds", late, len(open_), "claims"))
    finally:
        executor.close()
    return {claim.id: failure for claim in open_} | told


def _batch(loop: Loop, executor: Executor, key: str, batch: Sequence[Claim]) -> dict[str, Any]:
    """Have the claims on one call or one file computed."""
    asked: dict[str, Any] = {"claims": [wanted(claim) for claim in batch]}
    if batch[0].of_call:
        replied = loop.replied[batch[0].call]
        asked |= {"tool": replied.tool, "arguments": replied.arguments}
    told = executor.call(key, "recompute", asked).facts.get("claims")
    return dict(told) if isinstance(told, dict) else {}


def wanted(claim: Claim) -> dict[str, Any]:
    """Return what a child is to compute for a claim: names and statistics, no code, no path."""
    keys = ("fact", "of") if claim.of_call else _OF_TABLE
    return {"id": claim.id, **{key: getattr(claim, key) for key in keys}}


_OF_TABLE = ("path", "sheet", "statistic", "column", "filter", "group")


def _judged(loop: Loop, claim: Claim, told: Mapping[str, Any]) -> Claim:
    """Decide, here and not in the child, whether a claim holds."""
    given = told.get(claim.id)
    if not isinstance(given, dict):
        return claim.unchecked(str(given or "it was not computed"))
    if "found" not in given:
        return claim.failed(str(given.get("reason", "it cannot be computed")))
    inputs = {str(k): str(v) for k, v in dict(given.get("inputs") or {}).items()}
    hashes = {item.id: item.sha256 for item in loop.gate.known}
    sha256 = hashes.get(claim.artefact, next(iter(inputs.values()), ""))
    if not claim.of_call and inputs.get(claim.path, sha256) != sha256:
        return claim.failed("the bytes of the file are not those that were registered")
    found = [(one[0], str(one[1])) for one in given["found"] if len(one) == 2]  # noqa: PLR2004 - number, basis
    beside = [(one[0], str(one[1])) for one in given.get("beside") or () if len(one) == 2]  # noqa: PLR2004 - number, basis
    return replace(claim, sha256=sha256).judged(found).backed(beside)


def _amiss(said: Result, checked: Mapping[str, Claim], run: Mapping[str, Claim]) -> str:
    """Return what an agent is told of claims that do not hold, in one line."""
    texts = [text for key in LISTS for text in getattr(said, key)]
    lost = {key for text in texts for key in placing.named(text)} - {*checked, *run}
    faults = [f"{{{{claim:{key}}}}} names no claim" for key in sorted(lost)]
    faults += [
        f"claim {key} ({claim.what[:120]}): you said {claim.value or 'nothing'}, {claim.reason}"
        for key, claim in checked.items()
        if claim.status == "failed"
    ]
    if not faults:
        return ""
    more = f"; and {len(faults) - _TOLD} more" if len(faults) > _TOLD else ""
    return (
        f"{len(faults)} of {len(checked)} claims do not hold: {'; '.join(faults[:_TOLD])}{more}. "
        "Correct them or leave the numbers out, then finish again; what fails then is shown as "
        "failed"
    )


def _worded(key: str, checked: Mapping[str, Claim], said: Result) -> Claim:
    """Give a claim without words the sentence that it stands in."""
    if checked[key].text:
        return checked[key]
    texts = (text for name in LISTS for text in getattr(said, name))
    found = next((text for text in texts if key in placing.named(text)), "")
    words = placing.plain(placing.numbered(placing.around(found, key), checked))
    return replace(checked[key], text=marker.short(words, _WORDS))
