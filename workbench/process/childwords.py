"""The only shapes in which the words of a child are handed on.

Whatever else a message holds is left behind; a message that does not fit is a bad line.
"""

from __future__ import annotations

from typing import Any

from workbench.confine import Confinement
from workbench.files.tabular import rows_in
from workbench.limits import Limits

Message = dict[str, Any]

_WORDS = 500
_KINDS = ("refused", "failed")
_LIMIT_KEYS = frozenset(Limits())


def checked_ready(found: Message) -> Message:
    """Return a child's first line in the only shape that is handed on.

    Raises
    ------
    ValueError
        If it does not say who it is and how it is confined.
    """
    pid, walls, versions = (found.get(name) for name in ("pid", "confinement", "versions"))
    if not isinstance(pid, int) or not isinstance(walls, dict) or not isinstance(versions, dict):
        raise ValueError("ready without process, walls or versions")  # noqa: TRY004 - a bad line
    said = {one_line(k)[:40]: one_line(v)[:40] for k, v in list(versions.items())[:20]}
    return {"pid": pid, "confinement": Confinement.from_json(walls).to_json(), "versions": said}


def checked_answer(body: Message) -> Message:
    """Return an answer in the only shape that is handed on.

    Raises
    ------
    ValueError
        If it is neither a reply nor an error.
    """
    reply, error = body.get("reply"), body.get("error")
    if body.get("ok") is True and isinstance(reply, dict):
        return {"ok": True, "reply": reply}
    if body.get("ok") is not False or not isinstance(error, str) or body.get("kind") not in _KINDS:
        raise ValueError("an answer that is neither a reply nor an error")
    key = body.get("key") if body.get("key") in _LIMIT_KEYS else None
    return {"ok": False, "error": one_line(error), "kind": body["kind"], "key": key}


def checked_progress(body: Message) -> tuple[str, float]:
    """Return the text and the share from 0 to 1 of a progress line.

    Raises
    ------
    ValueError
        If it has no numbers.
    """
    done, total = body.get("done"), body.get("total")
    if not isinstance(done, int) or not isinstance(total, int) or total < 1:
        raise ValueError("progress without numbers")
    return one_line(body.get("text"))[:200], min(max(done / total, 0.0), 1.0)


def own_words(text: object) -> str:
    """Return what a child says of its own end: a sentence, never rows."""
    words = one_line(text)[:_WORDS]
    return "it ended with words that read as rows" if rows_in(words)[0] else words


def one_line(text: object) -> str:
    """Return a text without line breaks and repeated blanks."""
    return " ".join(str(text).split())
