"""The one output that stays: view model, HTML and text of a run in one bundle.

It holds no script and fetches nothing; every text in it is escaped. It reads after a reload,
without a kernel, on a code host and in exports.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench import marker
from workbench.notebook import card, card_tables, plain
from workbench.notebook.nodes import Node, to_html

MIME = "application/vnd.workbench.asking.run+json"
# The most a saved view model takes of a notebook; the whole stands in run.json.
VIEW_BYTES = 65_536
# Dispatches are the loops whose ids begin with d: once is enough.
_LEFT_OUT = frozenset({"pid", "heartbeat", "snapshots", "dispatches", "enforced", "units"})
_OF_CLAIM = ("id", "value", "what", "artefact", "status")
_SHORTEST = 8
# A list keeps one entry where a text keeps so many characters: texts go first.
_TEXT_TO_LIST = 64


@functools.cache
def style() -> str:
    """Return the style sheet that widget and static output share."""
    return (Path(__file__).parent / "card.css").read_text(encoding="utf-8")


def page(*parts: Node) -> str:
    """Return drawn parts as self-contained HTML."""
    return f"<style>{style()}</style>{''.join(map(to_html, parts))}"


def bundle(view: Mapping[str, Any], elapsed: str, folder: Path | None) -> dict[str, Any]:
    """Return the static output of a run.

    Parameters
    ----------
    view : mapping
        The view model.
    elapsed : str
        How long it took, in words.
    folder : Path or None
        The run's folder; None where it could not be made.
    """
    place = relative(folder) if folder else ""
    return {
        MIME: {"run": view["run"], "results": place, "view": trimmed(view)},
        "text/html": page(card.static(view, elapsed, place)),
        "text/plain": plain.run(view, elapsed, place),
    }


def begun(folder: Path) -> dict[str, Any]:
    """Return what names the run of a card that is drawn while it works: it has no view yet."""
    return {"run": folder.name, "results": relative(folder), "view": None, "live": True}


def relative(folder: Path) -> str:
    """Return a folder relative to the notebook, with forward slashes; no host path is saved."""
    try:
        return Path(os.path.relpath(folder)).as_posix()
    except ValueError:
        # Another drive on Windows has no relative path.
        return folder.name


def trimmed(view: Mapping[str, Any], most: int = VIEW_BYTES) -> dict[str, Any]:
    """Return the view model within `most` bytes of JSON.

    Long texts are cut with a count and long lists by their tails, more and more, until it fits;
    ``trimmed`` then gives the number of entries each list had. What only the kernel needs is left
    out, of the limits table all rows that no loop met and that no bar is drawn with.
    """
    whole = _timeless({key: value for key, value in view.items() if key not in _LEFT_OUT})
    # Dispatches side by side make their files in any order; a saved notebook has them in one.
    whole["artefacts"] = card_tables.ordered(view)
    used = {row["key"] for loop in view["loops"] for row in loop["limits"]}
    used |= {row["key"] for row in view.get("run_limits") or ()}
    used |= {"context_warn", "context_full"}
    whole["limits"] = {k: v for k, v in (view.get("limits") or {}).items() if k in used}
    # Calls, hashes and sentences of claims stand in run.json.
    whole["claims"] = [
        {key: claim.get(key) for key in _OF_CLAIM} for claim in view.get("claims") or ()
    ]
    kept, width = whole, most
    while len(json.dumps(kept, ensure_ascii=True)) > most and width > _SHORTEST:
        width //= 2
        kept = _cut(whole, width, max(width // _TEXT_TO_LIST, 1))
        kept["trimmed"] = {k: len(v) for k, v in whole.items() if isinstance(v, list)}
    return kept


def _timeless(view: dict[str, Any]) -> dict[str, Any]:
    """Leave out when a replay was played: a notebook played again differs where the run does."""
    if (view.get("model") or {}).get("provider") != "replay":
        return view
    loops = [{**loop, "started": ""} for loop in view["loops"]]
    return {**view, "loops": loops, "started": "", "ended": ""}


def _cut(value: Any, width: int, entries: int) -> Any:  # noqa: ANN401 - JSON values of any depth
    """Return JSON with texts cut to `width` characters and lists to `entries` entries."""
    if isinstance(value, str):
        return marker.short(value, width)
    if isinstance(value, Mapping):
        return {key: _cut(item, width, entries) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(item, width, entries) for item in value[:entries]]
    return value
