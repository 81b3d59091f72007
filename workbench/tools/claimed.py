"""The one engine that computes a claimed number again, from a table or from a call.

What it finds is told for every basis that has a name (plain numbers, half the limit, ranks with
censored values); `workbench.sources.claims` decides whether one of them is the number claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.accounting import facts
from workbench.accounting.columns import one_numeric
from workbench.accounting.rows import Rows
from workbench.errors import Refused
from workbench.sources.claiming import percentile
from workbench.sources.claims import COUNTS, Found
from workbench.tables.statistics import Sample, geometric_mean
from workbench.tools.conditions import condition
from workbench.tools.context import Context

if TYPE_CHECKING:
    from workbench.tables.frame import Series
    from workbench.tables.table import Table

Numbers = NDArray[np.float64]
Mask = NDArray[np.bool_]
Findings = list[tuple[Found, str]]

_OF_NUMBERS: dict[str, Callable[[Numbers], float]] = {
    "mean": lambda x: float(x.mean()),
    "geometric_mean": geometric_mean,
    "median": lambda x: float(np.median(x)),
    "min": lambda x: float(x.min()),
    "max": lambda x: float(x.max()),
    "sum": lambda x: float(x.sum()),
    "sd": lambda x: float(x.std(ddof=1)),
}
_RANKED = {"median": 50.0, "min": 0.0, "max": 100.0}
_RANKS = "censored values ranked"


def of_table(context: Context, table: Table, claim: Mapping[str, Any]) -> Findings:
    """Compute a statistic of a table again.

    Parameters
    ----------
    context : Context
        Gives the connection.
    table : Table
        The table.
    claim : mapping
        ``statistic, column, filter, group``, the last three optional.

    Returns
    -------
    list of (number, basis)
        At least one.

    Raises
    ------
    Refused
        If it cannot be computed: no such column, a filter outside the grammar, no numbers left.
    """
    name, rows = str(claim["statistic"]), where(table, claim)
    if name == "share" or (name == "rows" and not claim.get("column")):
        return _of_rows(context, table, name, rows)
    if not claim.get("column"):
        raise Refused(f"column is missing; {name} is taken of a column")
    column = table.column(str(claim["column"]))
    if name not in COUNTS:
        one_numeric(table, column)
    chosen = Rows.of(context.connection.frame(table, [column.name]))
    if rows:
        chosen.keep &= _meets(context, table, rows)
    series = chosen.frame.series[column.name]
    if name in COUNTS:
        return [(_count(series, chosen.keep, name), f"of {int(chosen.keep.sum()):,} rows")]
    return _of_values(name, series, chosen.keep)


def where(table: Table, claim: Mapping[str, Any]) -> str:
    """Return filter and group as one expression of the safe grammar."""
    parts = [f"({claim['filter']})"] if claim.get("filter") else []
    for name, value in dict(claim.get("group") or {}).items():
        column = table.column(str(name))
        quoted = str(value).replace("\\", "\\\\").replace('"', '\\"')
        said = str(value) if column.kind == "number" else f'"{quoted}"'
        parts.append(f"`{column.name.replace('`', '``')}` == {said}")
    return " and ".join(parts)


def _of_rows(context: Context, table: Table, name: str, where: str) -> Findings:
    kept = condition(context, table, where).kept if where else table.rows
    if name == "rows":
        return [(kept, "rows that meet it" if where else "rows")]
    if not where or not table.rows:
        raise Refused("share: give a filter; it is the share of rows that meet it, in percent")
    return [(100 * kept / table.rows, f"{kept:,} of {table.rows:,} rows")]


def _meets(context: Context, table: Table, text: str) -> Mask:
    """Tell which rows meet a filter, in the order of the file."""
    met = condition(context, table, text)
    found = context.connection.rows(f"SELECT {met.where()} FROM {met.relation}")  # noqa: S608 - quoted
    return np.array([bool(row[0]) for row in found], dtype=bool)


def _count(series: Series, keep: Mask, name: str) -> int:
    if name == "distinct":
        numbers = series.column.kind == "number"
        there = np.isfinite(series.values) if numbers else series.plain
        values = series.values if numbers else series.text
        return len(set(values[there & keep].tolist())) if values.size else 0
    masks = {
        "rows": np.ones(keep.size, dtype=bool),
        "count": series.plain,
        "below": series.below,
        "above": series.above,
        "missing": ~(series.plain | series.below | series.above),
    }
    return int((masks[name] & keep).sum())


def _of_values(name: str, series: Series, keep: Mask) -> Findings:
    """Compute a statistic of plain numbers, then of all at the policy, then of ranks."""
    found: Findings = []
    for basis, inside in (("plain numbers", series.plain & keep), (facts.HALF, keep)):
        values = series.values[inside & np.isfinite(series.values)]
        # As every tool that takes logarithms: what has none is left out, and counted.
        low = int((values <= 0).sum()) if name == "geometric_mean" else 0
        values = values[values > 0] if low else values
        if not values.size:
            continue
        share = percentile(name)
        number = (
            float(np.percentile(values, share)) if share is not None else _OF_NUMBERS[name](values)
        )
        if np.isfinite(number):
            left = f", {low:,} not above 0 left out" if low else ""
            found.append((number, f"{basis}, n {values.size:,}{left}"))
    share = percentile(name) if name not in _RANKED else _RANKED[name]
    ranked = None if share is None else _sample(series, keep).quantile(share / 100)
    if ranked is not None:
        found.append((ranked, _RANKS))
    if not found:
        above = " above 0" if name == "geometric_mean" else ""
        raise Refused(f"no numbers{above} are left to take it of")
    return found


def _sample(series: Series, keep: Mask) -> Sample:
    plain = series.values[series.plain & keep]
    below, above = series.limit[series.below & keep], series.limit[series.above & keep]
    return Sample(plain[np.isfinite(plain)], below, above)


def of_reply(reply: Mapping[str, Any], fact: Sequence[str], of: Sequence[str] = ()) -> Findings:
    """Return a fact of a call's answer, or what it is in percent of another fact.

    Parameters
    ----------
    reply : mapping
        The reply of the call, made again.
    fact, of : sequence of str
        Names one below the other; one name may stand for several, joined by dots. ``row 1`` is a
        row of the answer's first preview, ``note 1`` the numbers of a note.

    Raises
    ------
    Refused
        If there is no such number in it.
    """
    number = _number(reply, fact)
    if not of:
        return [(number, "the call made again")]
    whole = _number(reply, of)
    if isinstance(number, str) or isinstance(whole, str) or not whole:
        raise Refused(f"{' '.join(of)[:80]}: no number to take a share of")
    return [(100 * number / whole, f"{facts.name(str(number))} of {facts.name(str(whole))}")]


def _number(reply: Mapping[str, Any], fact: Sequence[str]) -> Found:
    from workbench.sources.placing import numbers_in

    value = _below(_tree(reply, fact[0]), list(fact))
    if isinstance(value, _Words):
        found = numbers_in(value.text)
        place = int(fact[-1]) if fact[-1].isdigit() else -1
        value = found[place] if 0 <= place < len(found) else None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Refused(f"fact '{facts.name(' '.join(fact))}': the answer has no such number")
    return value


class _Words:
    """A text of an answer, whose numbers are told by their place."""

    def __init__(self, text: str) -> None:
        self.text = text


def _tree(reply: Mapping[str, Any], first: str) -> dict[str, Any]:
    """Return what can be named in a reply: facts, rows of the first preview, notes."""
    tree = dict(reply.get("facts") or {})
    if first.startswith("row ") and first not in tree:
        preview: dict[str, Any] = next(iter(reply.get("previews") or ()), {})
        columns = preview.get("columns", ())
        for number, row in enumerate(preview.get("rows", ()), start=1):
            tree[f"row {number}"] = dict(zip(columns, row, strict=False))
    if first.startswith("note ") and first not in tree:
        tree |= {f"note {n}": note for n, note in enumerate(reply.get("notes") or (), start=1)}
    return tree


def _below(value: Any, fact: list[str]) -> Any:  # noqa: ANN401 - JSON values
    """Walk down names; a name that is none is tried as several joined by dots."""
    if not fact:
        return value
    name, rest = fact[0], fact[1:]
    if isinstance(value, list):
        return _below(value[int(name)], rest) if name.isdigit() and int(name) < len(value) else None
    if not isinstance(value, dict):
        return _Words(value) if isinstance(value, str) and name.isdigit() and not rest else None
    if name in value:
        return _below(value[name], rest)
    longest = sorted(map(str, value), key=len, reverse=True)
    key = next((key for key in longest if name.startswith(f"{key}.")), None)
    return None if key is None else _below(value[key], [name[len(key) + 1 :], *rest])
