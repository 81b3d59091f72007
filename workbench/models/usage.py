"""The provider's own counts, believed where they can be true; else ours, and said to be ours."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workbench import tokens

ESTIMATED = "estimated"
SENT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
# A token never stood for more characters than this, and a character for more tokens.
_MOST_CHARS, _MOST_TOKENS = 40, 3
# What a provider adds of its own to a request with tools.
_ADDED = 5_000


def sound(message: Mapping[str, Any], body: str, most: int) -> dict[str, Any]:
    """Return the usage of a reply, with our own counts where the provider's cannot be true.

    Parameters
    ----------
    message : mapping
        The reply as it was put together.
    body : str
        The request.
    most : int
        Tokens the reply was allowed.
    """
    given = message.get("usage")
    found: dict[str, Any] = dict(given) if isinstance(given, dict) else {}
    sent = [found.get(key) or 0 for key in SENT]
    right = all(type(number) is int and number >= 0 for number in sent)
    total = sum(sent) if right else -1
    if not len(body) / _MOST_CHARS <= total <= len(body) * _MOST_TOKENS + _ADDED:
        found.update(dict.fromkeys(SENT, 0))
        found.update({SENT[0]: tokens.count(body), ESTIMATED: 1})
    replied = found.get("output_tokens")
    content = message.get("content") or ()
    # A reply beyond what was allowed is believed, and refused by its limit; one far beyond is not.
    if type(replied) is not int or not bool(content) <= replied <= 4 * most:
        text = json.dumps(content, ensure_ascii=False)
        found.update({"output_tokens": tokens.count(text), ESTIMATED: 1})
    return found
