"""What a run had when a budget ended it: the results of the specialists that did come to an end.

Only what was already bounded as a result is told again; the whole of each is kept in ``full/``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench import marker
from workbench.context.result import Result

_RESULT_CHARS = 1_500


def so_far(view: Mapping[str, Any], folder: Path) -> str:
    """Return in words what the dispatches of a run came to, or nothing where none ended.

    Parameters
    ----------
    view : mapping
        View model of the run.
    folder : Path
        The run's folder.
    """
    ended = [loop for loop in view["dispatches"] if loop["status"] in {"success", "partial"}]
    parts = [_told(loop, folder) for loop in ended]
    found = [part for part in parts if part]
    return "\n\n".join(["There is no answer yet. What there is so far:", *found]) if found else ""


def _told(loop: Mapping[str, Any], folder: Path) -> str:
    try:
        text = (folder / "full" / f"{loop['id']}_result.txt").read_text(encoding="utf-8")
        words = Result.of(json.loads(text)).words()
    except (OSError, ValueError):
        return ""
    left = len(words) - _RESULT_CHARS
    more = f"\n{marker.Marker(left, len(words), 'characters', *_whole(loop))}" if left > 0 else ""
    return f"{loop['id']} {loop['agent']}: {words[:_RESULT_CHARS]}{more}"


def _whole(loop: Mapping[str, Any]) -> tuple[str, str]:
    name = f"{loop['id']}_result"
    return name, f"workbench open {name}"
