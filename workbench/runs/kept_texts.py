"""Texts that a run kept beside its ledger: requests, replies, whole texts; opened beneath it only.

What was cleaned away, or is none, is not there; a record is a file too, and may hold anything.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from workbench.files.beneath import open_beneath

_KEY = re.compile(r"[\w-]{1,80}")
_MOST_BYTES = 64_000_000


def text(folder: Path, place: str, key: str) -> str | None:
    """Return a kept text.

    Parameters
    ----------
    folder : Path
        The run's folder.
    place : str
        ``requests``, ``responses`` or ``full``.
    key : str
        Its name without ending.

    Returns
    -------
    str or None
        None if it is not there.
    """
    if not _KEY.fullmatch(key):
        return None
    name = f"{key}.{'txt' if place == 'full' else 'json'}"
    try:
        with os.fdopen(open_beneath(folder, (place, name)), "rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError:
        return None
    return data.decode("utf-8", "replace") if len(data) <= _MOST_BYTES else None


def record(folder: Path, place: str, key: str) -> dict[str, Any]:
    """Return a kept request or reply as JSON; empty where it is not there or has changed."""
    try:
        value = json.loads(text(folder, place, key) or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def answers(request: Mapping[str, Any]) -> list[str]:
    """Return the answers to calls in the last turn of a request that has some, in order."""
    messages = request.get("messages")
    for message in reversed(messages if isinstance(messages, list) else []):
        parts = message.get("content") if isinstance(message, dict) else None
        found = [
            _words(part.get("content", ""))
            for part in (parts if isinstance(parts, list) else [])
            if isinstance(part, dict) and part.get("type") == "tool_result"
        ]
        if found:
            return found
    return []


def _words(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content)


def arguments(folder: Path, replies: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the arguments of every call that replies ask for, in order."""
    for key in replies:
        content = record(folder, "responses", key).get("content")
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and part.get("type") == "tool_use":
                given = part.get("input")
                yield dict(given) if isinstance(given, dict) else {}
