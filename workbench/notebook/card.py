"""A run drawn as a card: the live form while it works, the static form when it has ended.

Both are made from the view model alone and from the same pieces, so that the widget, the saved
notebook and an export cannot say different things.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.approvals import PENDING
from workbench.notebook import card_answer, card_loops, card_tables, numerals, windows
from workbench.notebook.card_loops import short
from workbench.notebook.nodes import Node, node
from workbench.visible import visible

STATES = {
    "running": "working",
    "answered": "answered",
    "failed": "failed",
    "interrupted": "stopped",
    "budget": "budget reached",
}
# MathJax would read $…$ in an answer as a formula; these two classes keep it away (versions 3, 2).
NO_FORMULAS = "mathjax_ignore tex2jax_ignore"
QUESTION_CHARS = 400


def live(view: Mapping[str, Any], elapsed: str) -> Node:
    """Return the card of a run at work.

    Parameters
    ----------
    view : mapping
        The view model.
    elapsed : str
        Time since the question was put, in words.
    """
    begun = card_loops.table(view)
    return _card(view, elapsed, begun or node("p", "wb-quiet", "starting"))


def static(view: Mapping[str, Any], elapsed: str, place: str) -> Node:
    """Return the card of a run that has ended.

    Parameters
    ----------
    view : mapping
        The view model.
    elapsed : str
        How long it took, in words.
    place : str
        Folder of the run, relative to the notebook.
    """
    return _card(
        view,
        elapsed,
        card_answer.answer(view, model(view)),
        card_tables.artefacts(view),
        _section("Context windows", card_loops.strip(view), raw_note(view), _more(view)),
        _footer(view, place),
    )


def _card(view: Mapping[str, Any], elapsed: str, *parts: Node | None) -> Node:
    state = str(view["status"])
    return node(
        "section",
        f"wb wb-run-{state} {NO_FORMULAS}",
        _header(view, elapsed),
        *(node("p", "wb-notice", short(text, 400)) for text in notices(view)),
        card_loops.of_run(view),
        *parts,
        aria_label=f"Question to the agents: {short(view['question'], 120)}",
    )


def _header(view: Mapping[str, Any], elapsed: str) -> Node:
    state = str(view["status"])
    return node(
        "header",
        "wb-header",
        node(
            "div",
            "wb-topline",
            node("span", f"wb-pill wb-pill-{state}", STATES.get(state, state), role="status"),
            node("span", "wb-question", short(view["question"], QUESTION_CHARS)),
            node("span", "wb-elapsed", elapsed),
        ),
        node("div", "wb-facts", *(node("span", "", fact) for fact in facts(view))),
    )


def facts(view: Mapping[str, Any]) -> list[str]:
    """Return what stands under the question: model, use, how the children are confined."""
    walls = (_confinement(view, "confinement"), _confinement(view, "sandbox"))
    return [text for text in (model(view), *_usage(view), *walls) if text]


def model(view: Mapping[str, Any]) -> str:
    """Return who answered."""
    named = view.get("model") or {}
    provider, name = str(named.get("provider", "")), str(named.get("name", ""))
    if provider == "offline":
        return "rule-based planner, no language model"
    at = f" at {named['base']}" if named.get("base") else ""
    return short(f"{provider} {name}{at}".strip(), 120)


def _usage(view: Mapping[str, Any]) -> list[str]:
    usage = view["usage"]
    if not usage["requests"]:
        return []
    exact = ", estimated" if usage.get("estimated", True) else ""
    cached = usage.get("cache_read_tokens", 0)
    kept = f" and {numerals.count(cached)} from the cache" if cached else ""
    fresh = usage["input_tokens"] + usage.get("cache_write_tokens", 0)
    broken = usage.get("broken_tries", 0)
    return [
        numerals.plural(usage["requests"], "request"),
        (
            f"{numerals.count(fresh)} tokens in{kept}, "
            f"{numerals.count(usage['output_tokens'])} out{exact}"
        ),
        *([f"{numerals.plural(broken, 'request')} broken off, sent again"] if broken else []),
        *([f"{usage['usd']:.4f} US dollars"] if "usd" in usage else []),
    ]


def _confinement(view: Mapping[str, Any], of: str) -> str:
    """Return how the children, or scripts, are confined; walls that do not stand are named."""
    walls = dict(view.get(of) or {})
    engine = f"{walls.pop('engine')}, " if "engine" in walls else ""
    level = str(walls.pop("level", ""))
    if not level:
        return ""
    open_walls = [str(name) for name, state in walls.items() if state != "enforced"]
    missing = f" (not enforced: {', '.join(open_walls)})" if open_walls else ""
    return short(f"{of}: {engine}{level}{missing}", 200)


def notices(view: Mapping[str, Any]) -> list[str]:
    """Return what a reader must know first: changed limits, notices, why there is no answer."""
    table = view.get("limits") or {}
    said = [f"limit changed: {key} = {table.get(key, '?')}" for key in view["changed_limits"]]
    said += [str(text) for text in view["notices"]]
    said += _built(view)
    if asked := [f"{one['id']} {one['name']}, {one['status']}" for one in _asked(view)]:
        waits = any(one["status"] == PENDING for one in _asked(view))
        decide = " To decide: %agent approve ID or refuse ID" if waits else ""
        listed = short("; ".join(asked), 300)
        said.append(f"packages asked for by scripts, none installed: {listed}.{decide}")
    if view["reason"] and view["status"] != "answered":
        said.append(str(view["reason"]))
    return said


def _asked(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    return list(view.get("approvals") or ())


def _built(view: Mapping[str, Any]) -> list[str]:
    """Say how far the snapshot of a large file is, while the run is at work."""
    one = view.get("building") or {}
    if view["status"] != "running" or one.get("state") not in {"begun", "at work"}:
        return []
    share = round(100 * float(one.get("share", 0)))
    return [
        short(f"building the snapshot of {one.get('file')}: {share} % ({one.get('text')})", 300)
    ]


def words(view: Mapping[str, Any]) -> str:
    """Return the words of the answer; its first line is left out where the facts above say it."""
    text = visible(str(view["answer"]), keep="\n\t").strip("\n")
    first, _, rest = text.partition("\n")
    return rest.strip("\n") if first.strip() == model(view) else text


def _section(title: str, *parts: Node | None) -> Node | None:
    kept = [part for part in parts if part is not None]
    return node("section", "wb-section", node("h3", "wb-heading", title), *kept) if kept else None


def _more(view: Mapping[str, Any]) -> Node | None:
    """Return what is read on demand: each window by category, and the limits that were met."""
    whole = card_loops.table(view)
    if whole is None:
        return None
    rows = card_tables.totals(view)
    asked = [row for row in rows if row["enforced"] == "prompt"]
    hits = sum(row["hits"] for row in rows if row["enforced"] == "code")
    kept = f"{sum(row['kept'] for row in asked)} of {sum(row['of'] for row in asked)}"
    met = [
        f"limits held by code: {numerals.plural(hits, 'hit')}" if hits else "no code limit met",
        *([f"asked for in prompts: kept {kept}"] if asked else []),
    ]
    summary = node(
        "summary", "", node("strong", "", "By category, and limits met"), f" – {'; '.join(met)}"
    )
    return node("details", "wb-more", summary, whole, card_tables.limits(view))


def raw_note(view: Mapping[str, Any]) -> Node | None:
    """Return what pasting the tables would have cost, or None if none was worked on."""
    raw = int(view.get("raw_data_tokens") or 0)
    if not raw:
        return None
    said = (
        f"Pasted as text, the tables worked on here would be {numerals.count(raw)} tokens in every "
        "request; they stayed on disk. The outlined bar shows it per agent."
    )
    key = node("span", "wb-raw-key", "")
    return node("p", "wb-quiet wb-note", key, said, title=windows.RAW_HOW)


def opening(view: Mapping[str, Any]) -> str:
    """Return what opens a result; ids are numbered anew in each run, so the run is named."""
    return f"%agent open ID --run {view['run']}"


def _footer(view: Mapping[str, Any], place: str) -> Node:
    return node(
        "footer",
        "wb-footer",
        node("span", "", "Open in full: ", node("code", "", opening(view))),
        node("span", "", "beside it what was seen: ", node("code", "", "--seen")),
        node("span", "", "Every request as it was sent: ", node("code", "", f"{place}/requests")),
    )
