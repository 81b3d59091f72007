"""Why a reply ended, and what a model is told once where nothing of it is carried out."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.models import fenced

REPAIR = "Your result must be given by calling finish; plain text is not a result."
TOO_LONG = "Your reply was cut by its length limit and nothing of it was carried out; be shorter."
FULL = (
    "The context window was full before your reply ended and nothing of it was carried out; ask "
    "for less, or end now with what you have."
)
REFUSED = (
    "Your reply was stopped by a refusal and nothing of it was carried out; go on without that "
    "part, or end with status error and say what cannot be done."
)
EMPTY = "Your reply had no words and no call; answer in plain words."
FENCED = (
    "Nothing was called: JSON in your text is no call. Call a tool the way it was given to you, "
    "by its name with its arguments, and not in the text."
)

# A reply that ended so is not whole, whatever calls stand in it.
_NOT_WHOLE = {
    "max_tokens": TOO_LONG,
    "model_context_window_exceeded": FULL,
    "refusal": REFUSED,
}
# The provider wants the turn sent back as it is, and goes on with it.
PAUSED = "pause_turn"


def unused(stop: str) -> str:
    """Return what to tell a model whose reply ended so, or nothing where the reply is whole."""
    return _NOT_WHOLE.get(stop, "")


def amiss(words: str, tools: Iterable[str], final: str) -> str:
    """Return what to tell a model that ended with words alone, or nothing where it may.

    Parameters
    ----------
    words : str
        What it wrote.
    tools : iterable of str
        Its tools.
    final : {"words", "result"}
        What it is to end with.
    """
    if fenced.calls(words, tools):
        return FENCED
    if final == "words":
        return "" if words.strip() else EMPTY
    return REPAIR
