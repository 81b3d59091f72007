"""Subcommands about runs: what filled the windows, which limits were met, what was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from workbench.errors import Refused
from workbench.notebook import card, card_loops, card_tables, flags, plain, static
from workbench.notebook.card import NO_FORMULAS
from workbench.notebook.flags import Flag, Line
from workbench.notebook.nodes import Node, node
from workbench.notebook.subcommands import Shown, subcommand, text
from workbench.runs import past

if TYPE_CHECKING:
    from workbench.limits import Limits
    from workbench.notebook.desk import Desk

_OPEN = (
    Flag("run", "", "RUN", "which run; the last that has it if left out"),
    Flag("offset", "", "N", "rows or characters before what is shown"),
    Flag("limit", "", "N", "rows or characters shown"),
    Flag("seen", "", "", "beside it what a model saw of it"),
)


def _run(desk: Desk, line: Line) -> tuple[str, Mapping[str, Any]]:
    """Return place and view of the run that is meant: named, or the last one."""
    if line.words:
        folder = past.find(desk.opened().workspace.results, line.words[0])
        return static.relative(folder), past.view(folder)
    folder, view = desk.last()
    return static.relative(folder), view


def _page(label: str, *parts: Node | None) -> str:
    look = f"wb {NO_FORMULAS}"
    return static.page(node("section", look, *parts, aria_label=label))


@subcommand("[RUN]", words=1)
def context(desk: Desk, line: Line) -> Shown:
    """Show what filled each context window of a run, the last if left out."""
    place, view = _run(desk, line)
    loops = card_loops.table(view)
    if loops is None:
        return text(f"run {view['run']}: no loop began")
    foot = node("p", "wb-quiet wb-note", f"run {view['run']} · every request: {place}/requests")
    heading = node("h3", "wb-heading", "What filled the context windows")
    return {
        "text/html": _page("Context windows", heading, loops, card.raw_note(view), foot),
        "text/plain": plain.windows(view),
    }


@subcommand()
def limits(desk: Desk, _line: Line) -> Shown:
    """Show the table of limits: values, who holds each, and what the last run met."""
    table = desk.opened().setting.limits
    view = desk.answers[-1].view if desk.answers else {"loops": []}
    found = {row["key"]: row for row in card_tables.totals(view)}
    columns = [
        ("Limit", "wb-mono wb-fixed"),
        ("Held by", "wb-fixed"),
        ("Value", "wb-right"),
        ("Last run", "wb-fixed"),
        ("Rule", ""),
    ]
    rows: list[list[Node | str]] = [
        [
            key,
            card_loops.badge(row.enforced),
            card_tables.amount(row.value, row.unit),
            card_loops.met(found[key]) if key in found else "",
            row.sentence,
        ]
        for key, row in table.items()
    ]
    heading = node("h3", "wb-heading", _held(table))
    grid = node("div", "wb-tall", card_tables.grid("wb-limits", columns, rows), tabindex="0")
    return {"text/html": _page("Limits", heading, grid), "text/plain": _limits_text(table, found)}


def _held(table: Limits) -> str:
    code = sum(row.enforced == "code" for row in table.values())
    return f"{code} limits held by code, {len(table) - code} asked for in prompts and measured"


def _limits_text(table: Limits, found: Mapping[str, Mapping[str, Any]]) -> str:
    rows = [
        [
            key,
            card_tables.amount(row.value, row.unit),
            row.enforced,
            card_loops.met(found[key]) if key in found else "",
        ]
        for key, row in table.items()
    ]
    return f"{_held(table)}\n{plain.columns(rows, frozenset({1}))}"


@subcommand("[RUN]", words=1)
def results(desk: Desk, line: Line) -> Shown:
    """List what a run made, the last if left out, and the runs there are."""
    place, view = _run(desk, line)
    made = card_tables.artefacts(view)
    known = past.runs(desk.opened().workspace.results)
    columns = [("Run", "wb-mono wb-fixed"), ("Status", "wb-fixed"), ("Question", "")]
    shown = known[:_RUNS]
    rows: list[list[Node | str]] = [
        [item.run, item.status, card_loops.short(item.question, 120)] for item in shown
    ]
    more = len(known) - len(shown)
    caption = f"Runs, newest first{f'; {more:,} older are not shown' if more > 0 else ''}"
    head = node("div", "wb-facts", node("span", "", f"run {view['run']} in {place}"))
    heading = node("h3", "wb-heading", caption)
    listing = node("section", "wb-section", heading, card_tables.grid("wb-runs", columns, rows))
    parts = [head, made, listing]
    lines = [f"run {view['run']} in {place}", plain.artefacts(view) or "it made no file", caption]
    listed = plain.columns([[str(cell) for cell in row] for row in rows])
    return {
        "text/html": _page("Results", *parts),
        "text/plain": "\n".join([*lines, listed]),
    }


# Runs listed: what one looks back to.
_RUNS = 20


@subcommand("ID", words=1, rows=_OPEN)
def open_(desk: Desk, line: Line) -> Shown:
    """Open a result in full, beside it what a model saw: ID of a result, call, agent or request."""
    from workbench.notebook import open_cell, viewer

    if not line.words:
        raise Refused("%agent open: which result? write %agent open ID; see %agent results")
    key = line.words[0]
    run = line.one("run") or _run_with(desk, key)
    results = desk.opened().workspace.results
    if line.one("offset") or line.one("limit"):
        return viewer.opened(results, key, run, _wanted(line))
    return open_cell.shown(results, key, run, "seen" if "seen" in line.switches else "full")


def _run_with(desk: Desk, key: str) -> str | None:
    """Return the newest run of this conversation that made a result of that id or name."""
    for answer in reversed(desk.answers):
        if any(key in {item.id, item.path} for item in answer.artefacts):
            return answer.run
    return None


def _wanted(line: Line) -> Any:  # noqa: ANN401 - a page of the viewer, imported late
    from workbench.notebook.viewer import Page

    limit = flags.whole(line, "limit", "%agent open")
    return Page(flags.whole(line, "offset", "%agent open") or 0, limit)
