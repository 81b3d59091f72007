"""What a report says beside its calls: each section one piece of Markdown from the run's record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workbench.notebook import card, card_tables, numerals
from workbench.report import claimed
from workbench.report.words import line, mono, paragraphs, table
from workbench.runs.recorded import Loop, Recorded

_HASH = 12
_MOST_ROWS = 60


def title(recorded: Recorded) -> str:
    """Return the question, and in one line which run this is."""
    view = recorded.view
    before = str(view["follows"]).rpartition("/")[2]
    facts = [
        f"Run {mono(recorded.run)}",
        line(str(view["started"])[:16].replace("T", " ") + " UTC") if view["started"] else "",
        line(card.model(view)),
        line(view["status"] + (f": {view['reason']}" if view["reason"] else "")),
        f"workbench {line(view.get('version') or '?')}",
        f"goes on from run {mono(before)}" if before else "",
    ]
    whole = str(view["question"])
    more = f"\n\n{paragraphs(whole)}" if len(" ".join(whole.split())) > _HEADING else ""
    return f"# {_asked(recorded)}{more}\n\n{' · '.join(filter(None, facts))}"


_HEADING = 160


def answer(recorded: Recorded) -> str:
    """Return the answer; where there is none, what ended the run."""
    view = recorded.view
    words = claimed.answer(view)
    if not words:
        words = f"There is none: {line(view['reason'] or view['status'])}."
    return f"## Answer\n\n{words}"


def earlier(runs: Sequence[Recorded]) -> str:
    """Return which earlier questions a run builds on, each by its words and its run."""
    named = {one.run: f"- {mono(one.run)}: {_asked(one)}" for one in runs}
    head = "This question goes on with results of these runs; they are made anew first:"
    return "\n\n".join(["## From earlier questions", head, "\n".join(named.values())])


def _asked(recorded: Recorded) -> str:
    asked = " ".join(str(recorded.view["question"]).split())
    return line(asked if len(asked) <= _HEADING else f"{asked[: _HEADING - 1]}…")


AGAIN = (
    "## Run it again\n\n"
    "Run all cells: every number comes anew from the data, through the same confined calls, "
    "with no model and no key; the last cell compares. For another delivery change the "
    "parameters below, or let papermill do it."
)


def plan(recorded: Recorded) -> str:
    """Return who was sent to do what."""
    rows = []
    for loop in recorded.loops:
        entry = loop.entry
        runs = sum(1 for call in loop.calls if call.tool != "finish")
        rows.append(
            (
                mono(loop.id),
                line(loop.agent or "a call without an agent"),
                line(_first(entry["objective"])),
                line(entry["status"]),
                f"{runs:,}",
                line(numerals.duration(float(entry["seconds"]))) if entry["seconds"] else "",
            )
        )
    columns = ("", "agent", "objective", "status", "calls", "time")
    return "\n\n".join(["## Plan", table(columns, rows, right=(4, 5))])


def _first(text: object) -> str:
    """Return the first line of an objective; the whole stands with the dispatch."""
    first, _, rest = str(text).strip().partition("\n")
    return f"{first} …" if rest else first


def dispatch(loop: Loop) -> str:
    """Return the head of a dispatch: who, what for, how it ended."""
    entry = loop.entry
    error = f": {entry['error']}" if entry["error"] else ""
    who = loop.id if loop.agent in {"", loop.id} else f"{loop.id} · {loop.agent}"
    objective = paragraphs(str(entry["objective"])) or "It was asked by the analyst."
    return f"## {line(who)}\n\n{objective}\n\nEnded: {line(entry['status'] + error)}."


def saw(recorded: Recorded) -> str:
    """Return what the model saw against what there is."""
    rows = []
    for loop in recorded.loops:
        context = loop.entry["context"]
        if not context.get("requests"):
            continue
        share = numerals.percent(context["peak_tokens"], context["usable"])
        cells = [mono(loop.id), line(loop.agent), f"{context['peak_tokens']:,}", line(share)]
        rows.append((*cells, f"{context['raw_data_tokens']:,}"))
    parts = ["## What the model saw, and what there is"]
    if rows:
        columns = (
            "",
            "agent",
            "tokens at most",
            "of the usable window",
            "tokens of the tables as text",
        )
        parts.append(table(columns, rows, right=(2, 3, 4)))
    parts += [*_made(recorded), *_left_out(recorded)]
    return "\n\n".join(parts)


def undrawn(left: int) -> str:
    """Return that some figures stand by their words alone."""
    return (
        f"## Figures without a drawing\n\nThere was no room in this report for the drawings of "
        f"{left:,} of its figures: they stand by their words. To run their cells draws them."
    )


def _made(recorded: Recorded) -> Iterator[str]:
    """Tell the files that were made, in full."""
    made = [
        (
            mono(item["id"]),
            mono(item["path"]),
            _count(item.get("rows")),
            _count(item.get("columns")),
            line(numerals.size(int(item.get("bytes") or 0))),
            mono(str(item["sha256"])[:_HASH]),
        )
        for item in card_tables.ordered(recorded.view)[:_MOST_ROWS]
    ]
    if made:
        yield "Each file in full, of which a model saw its name, its size and a few rows:"
        yield table(("id", "file", "rows", "columns", "size", "SHA-256"), made, right=(2, 3, 4))
    more = len(recorded.view["artefacts"]) - len(made)
    if more > 0:
        yield f"And {more:,} more files; all are in the metadata."


def _left_out(recorded: Recorded) -> Iterator[str]:
    """Tell what was left out of answers."""
    hits = recorded.hits
    if not hits:
        return
    yield "What was left out of an answer, each time with a marker in its place:"
    cut = [
        (mono(hit.get("call", "")), mono(hit.get("key", "")), line(_left(hit)))
        for hit in hits[:_MOST_ROWS]
    ]
    yield table(("call", "limit", "left out"), cut)
    if len(hits) > len(cut):
        yield f"And {len(hits) - len(cut):,} more times; see the ledger of the run."


def _count(number: object) -> str:
    return f"{number:,}" if isinstance(number, int) else ""


def _left(hit: Mapping[str, Any]) -> str:
    left, total = hit.get("left"), hit.get("total")
    if isinstance(left, int | float) and isinstance(total, int | float) and total:
        return f"{left:,} of {total:,} {hit.get('unit', '')}"
    return "refused"


def limits(recorded: Recorded) -> str:
    """Return the limits that were met: who holds each, how often it held or was kept."""
    rows = [
        (mono(row["key"]), line(row["enforced"]), line(_met(row)))
        for row in card_tables.totals(recorded.view)
    ]
    parts = ["## Limits met"]
    parts.append(
        "Limits of *code* hold against a model that ignores its instructions; those of *prompt* "
        "are asked for and measured."
    )
    parts.append(table(("limit", "held by", "met"), rows) if rows else "None was met.")
    changed = recorded.view["changed_limits"]
    if changed:
        parts.append(f"Changed for this run: {', '.join(mono(key) for key in changed)}.")
    walls = recorded.view["confinement"]
    if walls:
        parts.append(f"Confinement of the calls: {line(walls.get('level', 'unknown'))}.")
    box = recorded.view.get("sandbox") or {}
    if box:
        short = [key for key in box if str(box[key]).startswith(("not ", "partial: "))]
        missing = f"; not fully enforced: {', '.join(map(mono, short))}" if short else ""
        engine = mono(str(box.get("engine", "none")))
        parts.append(f"Scripts ran in {engine}: {line(box.get('level', 'unknown'))}{missing}.")
    if asked := recorded.view.get("approvals"):
        told = (f"{mono(one['name'])} ({line(one['status'])})" for one in asked)
        parts.append(f"Packages asked for, none installed by the run: {', '.join(told)}.")
    return "\n\n".join(parts)


def _met(row: Mapping[str, Any]) -> str:
    if row["of"]:
        return f"kept {row['kept']} of {row['of']} times"
    return "once" if row["hits"] == 1 else f"{row['hits']:,} times"


def cost(recorded: Recorded) -> str:
    """Return tokens and money."""
    usage = recorded.view["usage"]
    fresh = usage["input_tokens"] + usage.get("cache_write_tokens", 0)
    rows = [
        ("requests", f"{usage['requests']:,}"),
        ("tokens sent", f"{fresh:,}"),
        ("tokens from the cache", f"{usage.get('cache_read_tokens', 0):,}"),
        ("tokens received", f"{usage['output_tokens']:,}"),
        ("US dollars", f"{usage['usd']:.4f}" if "usd" in usage else "no price is known"),
    ]
    if recorded.view["model"].get("provider") in {"offline", "replay"}:
        rows[-1] = ("US dollars", "none: no model on a server was asked")
    by = "Counted by our vocabulary." if usage["estimated"] else "As the provider counted."
    return "\n\n".join(["## Tokens and money", table(("", ""), rows, right=(1,)), by])


def versions(recorded: Recorded, here: Mapping[str, str]) -> str:
    """Return the versions that recorded, and those that made the report."""
    told = recorded.view.get("versions") or {}
    of_run = {"workbench": recorded.view.get("version") or "unknown", **told}
    rows = [
        (line(name), line(of_run.get(name, "not recorded")), line(here.get(name, "not installed")))
        for name in dict.fromkeys((*here, *of_run))
    ]
    return "\n\n".join(["## Versions", table(("", "of the run", "of this report"), rows)])
