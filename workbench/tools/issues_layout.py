"""The issues of places, intervals, words, limits and gaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.accounting import facts, results
from workbench.tools.issues_found import Issue, Next, count

if TYPE_CHECKING:
    from workbench.tables.table import Table
    from workbench.tools.context import Context

_WORDS, _WORD = 2_000, 80
_LISTED_LIMITS = 4
_MANY_GAPS = 0.5


def coordinates(context: Context, table: Table, call: Next) -> Iterator[Issue]:
    """Yield places that are missing, or that stand at 0, 0."""
    from workbench.tables.connection import quote

    pairs = (("easting", "northing"), ("longitude", "latitude"))
    for roles in pairs:
        x, y = (next(iter(table.with_role(role)), None) for role in roles)
        if x is None or y is None or "number" not in {x.kind, y.kind}:
            continue
        names = (x.name, y.name)
        helps = call("check_missing")
        gone = count(context, table, f"{quote(x.name)} IS NULL OR {quote(y.name)} IS NULL")
        if gone:
            yield Issue("warning", "samples without a place", gone, names, helps)
        zero = count(context, table, f"{quote(x.name)} = 0 AND {quote(y.name)} = 0")
        if zero:
            helps = call("filter_rows", expression=f"`{x.name}` != 0")
            yield Issue("error", "samples at 0, 0", zero, names, helps)


def intervals(context: Context, table: Table, call: Next) -> Iterator[Issue]:
    """Yield intervals that are reversed or empty, and those that overlap the next of their hole."""
    from workbench.tables.connection import quote

    hole, start, end = (next(iter(table.with_role(r)), None) for r in ("hole", "from", "to"))
    if start is None or end is None or {start.kind, end.kind} != {"number"}:
        return
    a, b = quote(start.name), quote(end.name)
    names = (start.name, end.name)
    flat = count(context, table, f"{b} <= {a}")
    if flat:
        helps = call("filter_rows", expression=f"`{end.name}` <= `{start.name}`")
        yield Issue(
            "error", "intervals that end before they begin, or have no length", flat, names, helps
        )
    if hole is None:
        return
    view = quote(context.connection.view(table))
    sql = (
        f"SELECT count(*) FROM (SELECT {b} AS e, lead({a}) OVER (PARTITION BY {quote(hole.name)} "  # noqa: S608 - quoted
        f"ORDER BY {a}, {b}) AS n FROM {view} WHERE {results.samples_only(table)}) WHERE n < e"
    )
    over = int(context.connection.rows(sql)[0][0])
    if over:
        what = "intervals that reach into the next of their hole"
        yield Issue("error", what, over, (hole.name, *names), call("find_duplicates"))


def spellings(context: Context, table: Table, call: Next) -> Iterator[Issue]:
    """Yield columns of groups in which one word seems to be written in several ways."""
    from workbench.tables.connection import quote
    from workbench.tables.terms import propose

    view = quote(context.connection.view(table))
    for column in table.with_role("group"):
        if column.kind != "text":
            continue
        name = quote(column.name)
        sql = (
            f"SELECT {name}, count(*) FROM {view} WHERE length({name}) <= {_WORD} "  # noqa: S608 - quoted
            f"GROUP BY 1 LIMIT {_WORDS + 1}"
        )
        counts = {str(word): int(n) for word, n in context.connection.rows(sql)}
        found = propose(counts) if len(counts) <= _WORDS else []
        if found:
            such = ", ".join(
                f"{facts.name(o.word)[:24]} for {facts.name(o.to)[:24]}" for o in found[:2]
            )
            rows = sum(one.rows for one in found)
            helps = call("clean_values", fix="terms", columns=[column.name])
            yield Issue(
                "warning", f"one word in several spellings: {such}", rows, (column.name,), helps
            )


def limits(table: Table, call: Next) -> Iterator[Issue]:
    """Yield columns that are mostly below detection, have limits unstated, or many limits."""
    bare = [c for c in table.measured if c.bare]
    if bare:
        helps = f"set {facts.name(bare[0].name)}.limit=… to the limit of the laboratory"
        rows = sum(c.bare for c in bare)
        yield Issue(
            "warning", "below a limit that is not stated", rows, tuple(c.name for c in bare), helps
        )
    low = [c for c in table.measured if c.below > c.count + c.above]
    if low:
        names = tuple(c.name for c in low)
        helps = call("censored_stats", columns=names)
        what = "over half below detection: medians and correlations tell little"
        yield Issue("note", what, sum(c.below for c in low), names, helps)
    many = [c for c in table.measured if len(c.limits) >= _LISTED_LIMITS]
    if many:
        helps = call("query_data", operation="limits")
        what = f"{_LISTED_LIMITS} detection limits or more: batches or methods are mixed"
        yield Issue("note", what, sum(c.below for c in many), tuple(c.name for c in many), helps)
    bare_units = [c for c in table.measured if c.unit is None and c.role != "ratio"]
    if bare_units:
        helps = f"set {facts.name(bare_units[0].name)}.unit=…"
        yield Issue(
            "warning", "results without a unit", 0, tuple(c.name for c in bare_units), helps
        )


def gaps(table: Table, call: Next) -> Iterator[Issue]:
    """Yield columns that hold nothing, or more gaps than values."""
    void = tuple(c.name for c in table.columns if c.kind == "empty")
    if void:
        yield Issue("note", "hold no value at all", 0, void, call("check_missing"))
    bare = [
        c for c in table.columns if c.kind != "empty" and facts.gaps(c) > _MANY_GAPS * table.rows
    ]
    if bare:
        rows = sum(facts.gaps(c) for c in bare)
        yield Issue(
            "note",
            "more gaps than values",
            rows,
            tuple(c.name for c in bare),
            call("check_missing"),
        )
