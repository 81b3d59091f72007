"""The kinds of issues that are looked for, each over the whole table or its description."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts, results
from workbench.tables.statistics import rounded
from workbench.tools.duplicates import repeated_rows

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

Next = Callable[..., str]
LEVELS = ("error", "warning", "note")
_NAMED = 5
# A query over more columns than this takes long to plan.
_BATCH, _MOST_COLUMNS = 40, 400
# One value so many times the next one is a slip of the decimal point until somebody says no.
_SLIP = 10.0
_FEW = 20
_SUM = (95.0, 102.0)
_MAJORS = ("SiO2", "TiO2", "Al2O3", "MnO", "MgO", "CaO", "Na2O", "K2O", "P2O5")
_ENOUGH_MAJORS = 7


@dataclass(frozen=True)
class Issue:
    """One thing that is wrong or wants a look.

    Attributes
    ----------
    level : {"error", "warning", "note"}
        ``error`` where numbers that rest on it are wrong, ``warning`` where they may be.
    what : str
        In words.
    rows : int
        Rows or cells concerned; 0 where none are counted.
    columns : tuple of str
        Columns concerned.
    next : str
        The call that helps, or what to tell the reader.
    """

    level: str
    what: str
    rows: int
    columns: tuple[str, ...]
    next: str

    @property
    def rank(self) -> int:
        """Place of its level."""
        return LEVELS.index(self.level)

    def fact(self) -> dict[str, Any]:
        """Return what an answer says of it."""
        named = [facts.name(name) for name in self.columns[:_NAMED]]
        if len(self.columns) > _NAMED:
            named.append(f"and {len(self.columns) - _NAMED} more")
        told = {"level": self.level, "what": self.what, "rows": self.rows, "columns": named}
        return {k: v for k, v in {**told, "next": self.next}.items() if v}

    def row(self) -> list[Any]:
        """Return its line of the table on disk."""
        return [self.level, self.what, self.rows, "; ".join(self.columns), self.next]


def repeats(context: Context, table: Table, call: str) -> Iterator[Issue]:
    """Yield sample numbers, or intervals of a hole, that are there more than once."""
    told = repeated_rows(context, table)
    if told is None or not told.rows:
        return
    names = tuple(column.name for column in told.keys)
    if told.other_values:
        what = "same key with other values, quality control left out"
        yield Issue("error", what, told.other_values, names, call)
    if told.exact:
        yield Issue("warning", "whole rows that are there twice", told.exact, (), call)


def unread(table: Table, call: Next) -> Iterator[Issue]:
    """Yield number columns with texts that are no numbers, and texts that are mostly numbers."""
    bad = [column for column in table.columns if column.kind == "number" and column.rejected]
    if bad:
        names = tuple(column.name for column in bad)
        what = "texts in number columns, left out of every statistic"
        helps = call("clean_values", fix="decimals", columns=names)
        yield Issue("error", what, sum(column.rejected for column in bad), names, helps)
    mixed = tuple(
        column.name
        for column in table.columns
        if column.kind == "text" and column.role in {"element", "oxide", "ratio"} and column.count
    )
    if mixed:
        helps = call("clean_values", fix="kind", columns=mixed)
        yield Issue("error", "results read as text", table.rows, mixed, helps)


def impossible(context: Context, table: Table, call: Next) -> Iterator[Issue]:
    """Yield concentrations above the whole, below zero, and zeros beside known limits."""
    most = {"pct": 100.0, "ppm": 1e6, "ppb": 1e9}
    over: list[Column] = []
    under: list[Column] = []
    beside: list[Column] = []
    zero: list[Column] = []
    for column in table.measured:
        low, high = column.min, column.max
        if not isinstance(low, int | float) or not isinstance(high, int | float):
            continue
        if column.role == "isotope":
            continue
        if high > most.get(column.unit or "", high):
            over.append(column)
        if column.role != "ratio" and low <= 0:
            (under if low < 0 else beside if column.limits else zero).append(column)
    if over:
        tests = [f"{_plain(c)} AND {_name(c)} > {most[c.unit or '']!r}" for c in over]
        whole = {c.name: most[c.unit or ""] for c in over}

        def look(name: str) -> str:
            return call("filter_rows", expression=f"`{name}` > {whole[name]:g}")

        yield _many(context, table, "error", "more than the whole", over, tests, look)
    kinds = (
        (under, "<", "error", "negative concentrations", "negatives"),
        (beside, "=", "warning", "zeros, where a limit is above 0", "zeros"),
        (zero, "=", "warning", "zeros in results", "zeros"),
    )
    for columns, sign, level, what, key in kinds:
        if columns:
            tests = [f"{_plain(c)} AND {_name(c)} {sign} 0" for c in columns]
            tell = f"set {{}}.{key}=below if they are non-detects".format
            yield _many(context, table, level, what, columns, tests, tell)


def _many(
    context: Context,
    table: Table,
    level: str,
    what: str,
    columns: Sequence[Column],
    tests: Sequence[str],
    helps: Callable[[str], str],
) -> Issue:
    """Return one issue of several columns, that with the most cells first."""
    cells = counts(context, table, tests)
    order = sorted(range(len(columns)), key=lambda at: (-cells[at], at))
    names = tuple(columns[at].name for at in order)
    return Issue(level, what, sum(cells), names, helps(facts.name(names[0])))


def _name(column: Column) -> str:
    from workbench.tables.connection import quote

    return quote(column.name)


def _plain(column: Column) -> str:
    from workbench.tables.connection import quote
    from workbench.tables.table import FLAG

    return f"{quote(column.name + FLAG)} IS NULL" if column.flagged else "TRUE"


def counts(context: Context, table: Table, tests: Sequence[str]) -> list[int]:
    """Count the samples that meet each of some tests of our own."""
    from workbench.tables.connection import quote

    view, found = quote(context.connection.view(table)), []
    for start in range(0, len(tests), _BATCH):
        parts = [f"count(*) FILTER ({test})" for test in tests[start : start + _BATCH]]
        sql = f"SELECT {', '.join(parts)} FROM {view} WHERE {results.samples_only(table)}"  # noqa: S608 - quoted
        found += [int(number) for number in context.connection.rows(sql)[0]]
    return found


def count(context: Context, table: Table, test: str) -> int:
    """Count the samples that meet a test of our own."""
    return counts(context, table, [test])[0]


def slips(context: Context, table: Table, call: Next) -> Iterator[Issue]:
    """Yield columns whose highest value is ten times the next: one slip, or one rich sample."""
    from workbench.tables.connection import quote

    wanted = [c for c in table.measured if c.count >= _FEW and c.role != "isotope"][:_MOST_COLUMNS]
    view = quote(context.connection.view(table))
    for start in range(0, len(wanted), _BATCH):
        part = wanted[start : start + _BATCH]
        tops = ", ".join(f"max({quote(c.name)}, 2) FILTER ({_plain(c)})" for c in part)
        sql = f"SELECT {tops} FROM {view} WHERE {results.samples_only(table)}"  # noqa: S608 - quoted
        for column, top in zip(part, context.connection.rows(sql)[0], strict=True):
            if not top or len(top) < 2 or not top[1] > 0 or top[0] < _SLIP * top[1]:  # noqa: PLR2004 - a pair
                continue
            first, second = (rounded(float(value)) for value in top)
            what = (
                f"highest value {first} is {rounded(top[0] / top[1], 2)} times the next, {second}"
            )
            helps = call("filter_rows", expression=f"`{column.name}` >= {first}")
            yield Issue("warning", f"{what}: a slip of the point?", 1, (column.name,), helps)


def oxide_sums(context: Context, table: Table, call: Next) -> Iterator[Issue]:
    """Yield rows whose major oxides and loss on ignition do not sum to some 100 %."""
    from workbench.tables.connection import quote

    parts = {c.element: c for c in table.measured if c.role == "oxide" and c.unit == "pct"}
    majors = [parts[name] for name in _MAJORS if name in parts]
    total = next((parts[name] for name in ("Fe2O3T", "FeOT") if name in parts), None)
    iron = [total] if total else [parts[name] for name in ("Fe2O3", "FeO") if name in parts]
    loss = [c for c in table.columns if re.match(r"(?i)loi\b|loi_", c.name) and c.kind == "number"]
    if len(majors) < _ENOUGH_MAJORS or "SiO2" not in parts or not iron:
        return
    terms = [*majors, *iron, *loss[:1]]
    known = " AND ".join(f"{quote(c.name)} IS NOT NULL" for c in [*majors, *iron])
    summed = " + ".join(f"coalesce({quote(c.name)}, 0)" for c in terms)
    rows = count(context, table, f"{known} AND NOT ({summed}) BETWEEN {_SUM[0]} AND {_SUM[1]}")
    if rows:
        what = f"oxides{' and loss on ignition' if loss else ''} sum outside 95 to 102 %"
        names = tuple(c.name for c in terms)
        added = " + ".join(f"`{c.name}`" for c in terms)
        yield Issue("warning", what, rows, names, call("filter_rows", expression=f"{added} < 95"))
