"""Units made one, oxides made elements, iron made one: factors are exact and stand in the answer.

Only units of one kind convert; a column whose unit the file does not state is left as it is, and
said.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from workbench.accounting import facts, results
from workbench.accounting.columns import numeric
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.names import unique_names
from workbench.tables.statistics import rounded
from workbench.tables.table import FLAG, LIMIT
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

_LISTED = 40


@dataclass(frozen=True)
class _Turned:
    """A column in another unit."""

    column: Column
    name: str
    factor: Fraction


@tool(effect="derive")
def convert_units(
    context: Context,
    path: str,
    to: str = "ppm",
    columns: list[str] | None = None,
    oxides: Literal["keep", "element"] = "keep",
    sheet: str | None = None,
) -> Reply:
    """Bring columns to one unit (ppm, ppb, pct, g/t, oz/t …); limits are converted too.

    Parameters
    ----------
    path : str
        File or result path.
    to : str
        Unit.
    columns : list of str
        Number columns; all elements (and oxides, where oxides is element) if left out.
    oxides : str
        keep them as they are, or turn them into their element by mass.
    sheet : str
        Sheet of a workbook.
    """
    from workbench.tables.units import UNITS, factor, unit_named

    target = to if to in UNITS else unit_named(to)
    if target is None:
        factor(to, to)  # Refuses, and names the nearest.
    table = context.table(path, sheet)
    chosen = numeric(table, columns) if columns else _own(table, oxides)
    turned, left = _turned(chosen, str(target), oxides, named=bool(columns))
    if not turned:
        raise Refused(
            f"convert_units to {target}: no column can be converted; left as they are: "
            f"{', '.join(f'{name} ({why})' for name, why in list(left.items())[:8])}"
        )
    stem = context.named(path, "converted", str(target).replace("/", "_per_"))
    made = results.stream(context, stem, _sql(context, table, turned))
    values: dict[str, Any] = {
        "to": target,
        "rows_in": table.rows,
        "rows_out": made.rows,
        "converted": len(turned),
        "factors": {
            facts.name(one.column.name): [one.name, rounded(float(one.factor))]
            for one in turned[:_LISTED]
        },
        "left_as_they_are": dict(list(left.items())[:_LISTED]),
        "censored": facts.censored([one.column for one in turned]),
        "policy": "values, limits and flags are converted together; nothing is filled",
        "output": facts.output(made.path),
    }
    return Reply(values, made=(made,))


def _own(table: Table, oxides: str) -> tuple[Column, ...]:
    wanted = {"element", "oxide"} if oxides == "element" else {"element"}
    return tuple(column for column in table.measured if column.role in wanted)


def _turned(
    columns: tuple[Column, ...], target: str, oxides: str, *, named: bool
) -> tuple[list[_Turned], dict[str, str]]:
    """Return the columns that convert, and why the others do not.

    Raises
    ------
    Refused
        If a column that was named does not.
    """
    found: list[_Turned] = []
    left: dict[str, str] = {}
    for column in columns:
        try:
            one = _one(column, target, oxides)
        except Refused as error:
            if named:
                raise
            left[facts.name(column.name)] = str(error)[:160]
            continue
        if one is None:
            left[facts.name(column.name)] = f"it is in {target} already"
        else:
            found.append(one)
    return found, left


def _one(column: Column, target: str, oxides: str) -> _Turned | None:
    from workbench.tables.units import factor
    from workbench.tables.weights import element_of

    if column.unit is None:
        raise Refused(
            f"column '{facts.name(column.name)}': the file states no unit; set unit with a reader "
            "override"
        )
    share, symbol = Fraction(1), column.element or column.name
    if oxides == "element" and column.role == "oxide":
        symbol, share = element_of(column.element or "")
    times = factor(column.unit, target) * share
    if times == 1 and column.unit == target:
        return None
    by = f"_{column.method}" if column.method else ""
    return _Turned(column, f"{symbol}{by}_{target}", times)


def _sql(context: Context, table: Table, turned: list[_Turned]) -> str:
    """Return SQL of all columns in their order, the converted ones under their new names."""
    from workbench.tables.connection import quote

    by_name = {one.column.name: one for one in turned}
    others = [column.name for column in table.columns if column.name not in by_name]
    fresh = unique_names([one.name for one in turned], others)
    new = dict(zip(by_name, fresh, strict=True))
    listed = []
    for column in table.columns:
        one = by_name.get(column.name)
        for ending in ("", FLAG, LIMIT) if column.flagged else ("",):
            cell = quote(column.name + ending)
            if one is None:
                listed.append(cell)
                continue
            if ending != FLAG:
                # Multiplied first: ten thousand times 0.1 is a thousand, exactly.
                top, bottom = float(one.factor.numerator), float(one.factor.denominator)
                cell = f"{cell} * {top!r} / {bottom!r}"
            listed.append(f"{cell} AS {quote(new[column.name] + ending)}")
    view = quote(context.connection.view(table))
    return f"SELECT {', '.join(listed)} FROM {view}"  # noqa: S608 - quoted


@tool(effect="derive")
def total_iron(
    context: Context,
    path: str,
    columns: list[str],
    form: Literal["FeOT", "Fe2O3T", "Fe"] = "FeOT",
    sheet: str | None = None,
) -> Reply:
    """Put iron in one form from Fe2O3, FeO, FeOT, Fe2O3T or Fe columns, by molar mass.

    A column of total iron is used where it has a value, in the order named; else FeO and Fe2O3 are
    added. A column `NAME_from` says what each value came from.

    Parameters
    ----------
    path : str
        File or result path.
    columns : list of str
        Iron columns, the preferred first.
    form : str
        FeOT, Fe2O3T or Fe, in pct.
    sheet : str
        Sheet of a workbook.
    """
    from workbench.tables.connection import quote

    table = context.table(path, sheet)
    chosen = numeric(table, columns)
    terms, parts = _iron(chosen, form)
    alone = _alone(table, chosen)
    known = [column.name for column in table.columns]
    (name,) = unique_names([f"{form}_pct"], known)
    (source,) = unique_names([f"{name}_from"], known)
    value, told = _cases(terms, parts)
    view = quote(context.connection.view(table))
    sql = (
        f"SELECT *, CASE {value} END AS {quote(name)}, CASE {told} END AS {quote(source)} "  # noqa: S608 - quoted
        f"FROM {view}"
    )
    made = results.stream(context, context.named(path, "total_iron", form), sql)
    counted = context.connection.rows(
        f"SELECT CASE {told} END AS c, count(*) FROM {view} GROUP BY c ORDER BY 2 DESC"  # noqa: S608 - quoted
    )
    values: dict[str, Any] = {
        "form": f"{form}, pct",
        "column": name,
        "factors": {facts.name(c.name): rounded(t) for c, t in (*terms, *parts)},
        "rows_in": table.rows,
        "rows_out": made.rows,
        "from": {facts.name(str(word or "(no iron value)")): int(n) for word, n in counted},
        "censored": facts.censored(chosen),
        "policy": facts.HALF,
        "output": facts.output(made.path),
    }
    return Reply(values, made=(made,), notes=alone)


def _alone(table: Table, columns: tuple[Column, ...]) -> tuple[str, ...]:
    """Say that a lone FeO or Fe2O3 was taken for total iron.

    Raises
    ------
    Refused
        If the table has the other one: half of the iron would be left out without a word.
    """
    column = columns[0]
    if len(columns) > 1 or column.element not in {"FeO", "Fe2O3"}:
        return ()
    other = {"FeO": "Fe2O3", "Fe2O3": "FeO"}[column.element]
    found = [one.name for one in table.measured if one.element == other and one.count]
    if found:
        raise Refused(
            f"total_iron: '{facts.name(column.name)}' is not all iron where the table has "
            f"'{facts.name(found[0])}' too; name both"
        )
    return (f"{facts.name(column.name)} is taken for total iron: the file has no {other}",)


def _cases(terms: list[tuple[Column, float]], parts: list[tuple[Column, float]]) -> tuple[str, str]:
    """Return SQL of the branches of the value, and of the words that say where it came from."""
    from workbench.tables.connection import quote

    cases = [(f"{quote(c.name)} IS NOT NULL", f"{quote(c.name)} * {t!r}", c.name) for c, t in terms]
    if parts:
        full = " AND ".join(f"{quote(c.name)} IS NOT NULL" for c, _ in parts)
        summed = " + ".join(f"{quote(c.name)} * {t!r}" for c, t in parts)
        cases.append((full, summed, " + ".join(c.name for c, _ in parts)))
    value = " ".join(f"WHEN {test} THEN {number}" for test, number, _ in cases)
    told = " ".join(f"WHEN {test} THEN '{_plain(label)}'" for test, _, label in cases)
    return value, told


def _iron(
    columns: tuple[Column, ...], form: str
) -> tuple[list[tuple[Column, float]], list[tuple[Column, float]]]:
    """Return columns of total iron and those to be added, each with its factor to `form` in pct.

    Raises
    ------
    Refused
        If a column is no iron, or only one of FeO and Fe2O3 is there.
    """
    from workbench.tables.units import factor
    from workbench.tables.weights import element_of

    wanted = Fraction(1) if form == "Fe" else element_of(form.replace("FeOT", "FeO"))[1]
    terms: list[tuple[Column, float]] = []
    parts: list[tuple[Column, float]] = []
    for column in columns:
        what = column.element or ""
        if what not in {"Fe", "FeO", "FeOT", "Fe2O3", "Fe2O3T"} or column.unit is None:
            raise Refused(
                f"column '{facts.name(column.name)}': it is not iron with a unit; name columns of "
                "Fe, FeO, Fe2O3, FeOT or Fe2O3T"
            )
        share = Fraction(1) if what == "Fe" else element_of(what)[1]
        times = float(factor(column.unit, "pct") * share / wanted)
        (parts if what in {"FeO", "Fe2O3"} else terms).append((column, times))
    if len(parts) == 1:
        if terms:
            return terms, []
        # Alone in a table, it is total iron in that form: laboratories seldom write the T.
        return parts, []
    return terms, parts


def _plain(text: str) -> str:
    return text.replace("'", "''")
