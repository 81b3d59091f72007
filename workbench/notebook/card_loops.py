"""The loops of a run as one table: who, what they are doing, their window, what was met and made.

The same rows stand in the live widget and in the static output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench import marker
from workbench.notebook import numerals, windows
from workbench.notebook.nodes import Node, node
from workbench.notebook.windows import Window
from workbench.visible import visible

# An objective may have 4,000 characters; a card is to be read at a glance.
OBJECTIVE_CHARS = 220
_SIGNS = {
    "running": "◔",
    "success": "✓",
    "partial": "◑",
    "error": "✕",
    "timeout": "✕",
    "killed": "■",
}
_STATES = {"running": "working", "success": "done", "timeout": "timed out", "killed": "stopped"}


def short(text: str, limit: int = OBJECTIVE_CHARS) -> str:
    """Return a text on one line, nothing invisible in it, cut with a count."""
    return marker.short(visible(" ".join(str(text).split())), limit)


def table(view: Mapping[str, Any]) -> Node | None:
    """Return the table of loops, or None before the first began.

    Parameters
    ----------
    view : mapping
        The view model of the run.
    """
    loops: Sequence[Mapping[str, Any]] = view["loops"]
    if not loops:
        return None
    known = {item["id"]: item for item in view["artefacts"]}
    limits = view.get("limits") or {}
    first = Window.of(loops[0]["context"], limits)
    head = node(
        "thead",
        "",
        node(
            "tr",
            "",
            node("th", "wb-cell wb-who", "Agent", scope="col"),
            node("th", "wb-cell wb-middle", windows.axis(first), scope="col"),
            node("th", "wb-cell wb-numbers", "Last request", scope="col"),
        ),
    )
    rows = [_loop(loop, limits, known) for loop in loops]
    return node("table", "wb-table wb-loops", head, *rows)


def strip(view: Mapping[str, Any]) -> Node | None:
    """Return one line for each loop: who, how long, the window, the numbers."""
    loops: Sequence[Mapping[str, Any]] = view["loops"]
    if not loops:
        return None
    limits = view.get("limits") or {}
    head = node(
        "tr",
        "",
        node("th", "wb-cell wb-who", "Agent", scope="col"),
        node("th", "wb-cell", windows.axis(Window.of(loops[0]["context"], limits)), scope="col"),
        node("th", "wb-cell wb-numbers", "Last request", scope="col"),
    )
    rows = [_line(loop, Window.of(loop["context"], limits)) for loop in loops]
    return node("table", "wb-table wb-strip", node("thead", "", head), node("tbody", "", *rows))


def _line(loop: Mapping[str, Any], window: Window) -> Node:
    status = str(loop["status"])
    took = numerals.duration(loop["seconds"]) if loop.get("seconds") else _said(status)
    title = node("div", "wb-title", *_name(loop), node("span", "wb-quiet", took))
    share = f"{numerals.percent(window.gauge, window.usable)} of usable"
    past = "" if window.level == "calm" else f", past {window.marks[window.level == 'full']} %"
    numbers = [
        node("strong", "", numerals.count(window.gauge)),
        node("span", f"wb-percent wb-{window.level}", f" tokens, {share}{past}"),
    ]
    return node(
        "tr",
        "",
        node("th", "wb-cell wb-who", title, scope="row"),
        node("td", "wb-cell", windows.scale(window)),
        node("td", "wb-cell wb-numbers", *numbers),
    )


def _said(status: str) -> str:
    return _STATES.get(status, status)


def _name(loop: Mapping[str, Any]) -> list[Node]:
    """Return sign, agent and id of a loop."""
    status = str(loop["status"])
    sign = node(
        "span",
        f"wb-sign wb-sign-{status}",
        _SIGNS.get(status, "·"),
        role="img",
        aria_label=_said(status),
    )
    parts = [sign, node("span", "wb-agent", str(loop["agent"] or loop["id"]))]
    if loop["id"] != loop["agent"]:
        parts.append(node("span", "wb-id", str(loop["id"])))
    return parts


def _loop(
    loop: Mapping[str, Any], limits: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]
) -> Node:
    window = Window.of(loop["context"], limits)
    row = node(
        "tr",
        "",
        node("th", "wb-cell wb-who", *_who(loop), scope="row"),
        node("td", "wb-cell wb-middle", windows.bars(window)),
        node("td", "wb-cell wb-numbers", windows.figures(window)),
    )
    below = _below(loop, known)
    more = [node("tr", "wb-below", node("td", "wb-cell", *below, colspan="3"))] if below else []
    return node("tbody", f"wb-loop wb-is-{loop['status']}", row, *more)


def _who(loop: Mapping[str, Any]) -> list[Node | None]:
    """Return name, state and objective of a loop."""
    status = str(loop["status"])
    took = f" · {numerals.duration(loop['seconds'])}" if loop.get("seconds") else ""
    doing = short(loop.get("doing") or "", 120)
    words = f"{_said(status)}{took}" + (f" · {doing}" if doing and status == "running" else "")
    # Its first line says what to do; names of files follow, and stand in the title.
    aim = short(str(loop["objective"]).partition("\n")[0])
    return [
        node("div", "wb-title", *_name(loop)),
        node("div", "wb-state", words),
        _bar(loop) if status == "running" else None,
        node("div", "wb-aim", aim, title=short(loop["objective"], 1_000)) if aim else None,
    ]


def _bar(loop: Mapping[str, Any]) -> Node | None:
    """Return how far a long step is, or None where that is not known."""
    if loop.get("share") is None:
        return None
    done = f"{100 * min(max(float(loop['share']), 0.0), 1.0):.0f}"
    part = node("span", "wb-step-done", style=f"width:{done}%")
    words = f"{done} % of this step"
    return node("div", "wb-step", part, role="img", aria_label=words, title=words)


def of_run(view: Mapping[str, Any]) -> Node | None:
    """Return the limits that the run as a whole met, such as a budget, or None."""
    tags = _limits(view.get("run_limits") or [])
    label = node("span", "wb-tag", "the whole run:")
    return node("div", "wb-tags wb-of-run", label, *tags) if tags else None


def _below(
    loop: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]
) -> list[Node | str | None]:
    """Return what a loop met and made, and why it failed."""
    parts: list[Node | str | None] = []
    if loop.get("error"):
        parts.append(node("div", "wb-error", short(loop["error"], 400)))
    met = _limits(loop["limits"])
    made = [_artefact(known[key]) for key in loop["artefacts"] if key in known]
    if met or made:
        parts.append(node("div", "wb-tags", *met, *made))
    return parts


def badge_words(enforced: str) -> str:
    """Return in words who holds a limit."""
    said = {"code": "held by code", "prompt": "asked for in the prompt, measured"}
    return said.get(enforced, enforced)


def badge(enforced: str) -> Node:
    """Return the badge that says who holds a limit."""
    return node("span", f"wb-badge wb-by-{enforced}", enforced, title=badge_words(enforced))


def met(row: Mapping[str, Any]) -> str:
    """Return how often a limit was met: ``3 hits``, or ``kept 1 of 2`` where it is only asked."""
    if row["enforced"] == "prompt":
        return f"kept {row['kept']} of {row['of']}"
    return numerals.plural(int(row["hits"]), "hit")


def _limits(rows: Sequence[Mapping[str, Any]]) -> list[Node]:
    """Return the limits that were met, one by one; prompt rules that were kept are one tag."""
    kept = [row for row in rows if row["enforced"] == "prompt" and row["kept"] == row["of"]]
    tags = [_limit(row) for row in rows if row not in kept]
    if kept:
        words = node("strong", "", f"{numerals.plural(len(kept), 'rule')} kept")
        named = ", ".join(str(row["key"]) for row in kept)
        tags.append(node("span", "wb-tag", badge("prompt"), words, title=named))
    return tags


def _limit(row: Mapping[str, Any]) -> Node:
    look = "wb-tag wb-broken" if row["enforced"] == "prompt" else "wb-tag"
    return node(
        "span", look, badge(row["enforced"]), f"{row['key']} ", node("strong", "", met(row))
    )


def _artefact(item: Mapping[str, Any]) -> Node:
    words = f"{short(item['path'], 80)} "
    return node(
        "span",
        "wb-tag wb-made",
        node("span", "wb-id", str(item["id"])),
        words,
        node("span", "wb-quiet", numerals.size(int(item["bytes"]))),
    )
