"""How far a run is from its limits: the most that was used of each one that counts something.

Beside the values in force it lets a panel say "near" before a limit is met; who holds each row
and its unit stand with it, so that a saved run can be read without the table.
"""

from __future__ import annotations

from typing import Any

from workbench.ledger import Event
from workbench.limits import LIMITS

_TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")


def take(view: dict[str, Any], event: Event, loop: dict[str, Any] | None) -> None:
    """Note what an event has used, after it was folded in.

    Parameters
    ----------
    view : dict
        The view model; ``enforced``, ``units``, ``used`` and changed budgets are written.
    event : Event
        What happened.
    loop : dict or None
        Entry of its loop.
    """
    if event.kind == "run_started":
        rows = [row for row in LIMITS if row.key in view["limits"]]
        view["enforced"] = {row.key: row.enforced for row in rows}
        view["units"] = {row.key: row.unit for row in rows}
    elif event.kind == "budget":
        changed = dict(event.data["values"])
        view["limits"] = {**view["limits"], **changed}
        view["changed_limits"] = list(dict.fromkeys([*view["changed_limits"], *changed]))
    elif event.kind in {"response", "attempt"}:
        _most(view, "run_tokens", sum(view["usage"].get(name, 0) for name in _TOKENS))
        _most(view, "run_usd", view["usage"].get("usd", 0))
    elif loop is not None:
        _of_loop(view, event.kind, loop)


def _of_loop(view: dict[str, Any], kind: str, loop: dict[str, Any]) -> None:
    if kind == "loop_started":
        _most(view, "dispatches", len(view["dispatches"]))
    elif kind == "request":
        context = loop["context"]
        _most(view, "model_calls", context["requests"])
        share = 100 * context["tokens"] / context["usable"] if context["usable"] else 0
        _most(view, "context_warn", share)
        _most(view, "context_full", share)
    elif kind == "tool_done":
        _most(view, "tool_calls", loop["tool_calls"])
    elif kind == "loop_ended" and loop["id"][:1] == "d":
        _most(view, "child_seconds", loop["seconds"])


def _most(view: dict[str, Any], key: str, amount: float) -> None:
    if amount > view["used"].get(key, 0):
        view["used"][key] = round(amount, 4)
