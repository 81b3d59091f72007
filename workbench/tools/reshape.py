"""Long tables made wide and wide ones long; no cell is overwritten, none is made up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from workbench.accounting import facts, results
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.headers import read_header
from workbench.tables.table import FLAG, LIMIT
from workbench.tables.units import factor, unit_named
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

_MOST_NEW = 400
_MOST_NAME = 200
_LISTED = 8
_UNIT_NAMES = frozenset({"unit", "units", "uom", "unitofmeasure", "resultunit", "unitcode"})


@tool(effect="derive")
def reshape(
    context: Context,
    path: str,
    how: Literal["wide", "long"],
    keys: list[str],
    names: str | None = None,
    values: list[str] | None = None,
    sheet: str | None = None,
) -> Reply:
    """Make one row a sample of one row an element (wide), or the other way round (long).

    wide refuses two values for one cell and two units for one name; censored values keep their
    flag and limit.

    Parameters
    ----------
    path : str
        File or result path.
    how : str
        wide or long.
    keys : list of str
        Columns that name a row of the wide table: sample id, hole, from, to.
    names : str
        wide: the column whose words become columns, such as the analyte.
    values : list of str
        wide: one column of values; long: the columns to stack, all measured ones if left out.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    named = tuple(map(table.column, keys))
    if not named:
        raise Refused("reshape keys: name one column or more that tells a row of the wide table")
    if how == "wide":
        return _wide(context, path, table, named, names, values)
    return _long(context, path, table, named, values)


def _wide(
    context: Context,
    path: str,
    table: Table,
    keys: tuple[Column, ...],
    names: str | None,
    values: list[str] | None,
) -> Reply:
    from workbench.tables.connection import quote

    if names is None or not values or len(values) != 1:
        raise Refused("reshape to wide: give names (one column) and values (one column)")
    label, value = table.column(names), table.column(values[0])
    view = quote(context.connection.view(table))
    words = _words(context, view, label)
    _one_each(context, view, keys, label)
    unit = _unit_column(table, (*keys, label, value))
    units = _units(context, view, label, unit)
    named = {word: _with_unit(word, units.get(word)) for word in words}
    chosen = [quote(column.name) for column in keys]
    listed = [*chosen, *_spread(label, value, named)]
    sql = f"SELECT {', '.join(listed)} FROM {view} GROUP BY ALL ORDER BY {', '.join(chosen)}"  # noqa: S608 - quoted
    made = results.stream(context, context.named(path, "wide", label.name), sql)
    lost = f"SELECT count(*) FROM {view} WHERE {quote(label.name)} IS NULL"  # noqa: S608 - quoted
    told: dict[str, Any] = {
        "how": "wide",
        "keys": [facts.name(column.name) for column in keys],
        "new_columns": len(words),
        "names": [facts.name(named[word]) for word in words[:_LISTED]],
        "columns_left_out": _left_out(table, [*keys, label, value, *([unit] if unit else [])]),
        "rows_in": table.rows,
        "rows_without_name": int(context.connection.rows(lost)[0][0]),
        "rows_out": made.rows,
        "censored": facts.censored([value]),
        "policy": facts.HALF,
        "output": facts.output(made.path),
    }
    return Reply(told, made=(made,))


def _unit_column(table: Table, taken: tuple[Column, ...]) -> Column | None:
    """Return the column that says the unit of each row's value, if there is one."""
    free = (one for one in table.columns if one.kind == "text" and one not in taken)
    return next((one for one in free if _letters(one.name) in _UNIT_NAMES), None)


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.casefold()))


def _left_out(table: Table, taken: list[Column]) -> list[str]:
    return [facts.name(one.name) for one in table.columns if one not in taken][:_LISTED]


def _units(context: Context, view: str, label: Column, unit: Column | None) -> dict[str, str]:
    """Return the unit of each word; empty where no column says it.

    Raises
    ------
    Refused
        If a word has several: one column would hold numbers of two scales.
    """
    from workbench.tables.connection import quote

    if unit is None:
        return {}
    sql = (
        f"SELECT CAST({quote(label.name)} AS VARCHAR) AS w, list_sort(list(DISTINCT "  # noqa: S608 - quoted
        f"trim({quote(unit.name)}))) FROM {view} WHERE w IS NOT NULL AND {quote(unit.name)} IS NOT "
        "NULL GROUP BY w ORDER BY w"
    )
    found = {str(word): list(map(str, units)) for word, units in context.connection.rows(sql)}
    for word, units in found.items():
        if not all(_same(one, units[0]) for one in units):
            told = ", ".join(map(facts.name, units[:_LISTED]))
            raise Refused(
                f"reshape: '{facts.name(word)}' comes in several units ({told}) by "
                f"'{facts.name(unit.name)}'; add it to keys, or filter the rows by unit first"
            )
    return {word: units[0] for word, units in found.items()}


def _same(one: str, other: str) -> bool:
    """Tell whether two units are of one size, such as ppb and ug/kg."""
    try:
        return one == other or factor(unit_named(one) or one, unit_named(other) or other) == 1
    except Refused:
        return False


def _with_unit(word: str, unit: str | None) -> str:
    """Return a word with its unit behind it, as a header that is read back with it."""
    told = not unit or read_header(word).unit is not None
    return word if told else f"{word}_{unit_named(str(unit)) or unit}"


def _spread(label: Column, value: Column, words: dict[str, str]) -> list[str]:
    """Return SQL of one column a word, each with its flag and limit where values are censored."""
    from workbench.tables.connection import quote

    test = f"CAST({quote(label.name)} AS VARCHAR)"
    return [
        f"any_value({quote(value.name + ending)}) FILTER ({test} = {_text(word)}) "
        f"AS {quote(name + ending)}"
        for word, name in words.items()
        for ending in (("", FLAG, LIMIT) if value.flagged else ("",))
    ]


def _words(context: Context, view: str, label: Column) -> list[str]:
    """Return the words that become columns, in their own order.

    Raises
    ------
    Refused
        If there are none or too many, or a word is no name for a column.
    """
    from workbench.tables.connection import quote

    sql = (
        f"SELECT DISTINCT CAST({quote(label.name)} AS VARCHAR) AS w FROM {view} "  # noqa: S608 - quoted
        f"WHERE w IS NOT NULL ORDER BY w LIMIT {_MOST_NEW + 1}"
    )
    words = [str(row[0]) for row in context.connection.rows(sql)]
    if not 1 <= len(words) <= _MOST_NEW:
        raise Refused(
            f"reshape: '{facts.name(label.name)}' has {'no' if not words else 'more than 400'} "
            "different words; name the column that holds the analytes"
        )
    if max(map(len, words)) > _MOST_NAME:
        raise Refused(
            f"reshape: a word of '{facts.name(label.name)}' has {max(map(len, words)):,} "
            f"characters, too many for a column's name (at most {_MOST_NAME})"
        )
    folded = {word.casefold() for word in words}
    if len(folded) < len(words):
        raise Refused(
            f"reshape: some words of '{facts.name(label.name)}' differ only in case; make them one "
            "first"
        )
    return words


def _one_each(context: Context, view: str, keys: tuple[Column, ...], label: Column) -> None:
    """Refuse two values for one cell.

    Raises
    ------
    Refused
        With how many cells, and the first ones.
    """
    from workbench.tables.connection import quote

    whole = ", ".join(quote(column.name) for column in (*keys, label))
    sql = (
        f"SELECT {whole}, count(*) AS n FROM {view} WHERE {quote(label.name)} IS NOT NULL "  # noqa: S608 - quoted
        f"GROUP BY {whole} HAVING n > 1 ORDER BY n DESC, {whole}"
    )
    found = context.connection.rows(sql)
    if found:
        first = "; ".join(
            f"{facts.name(' '.join(map(str, row[:-1])))} ({row[-1]} values)" for row in found[:3]
        )
        raise Refused(
            f"reshape: {len(found)} cells would have more than one value, such as {first}; add the "
            "method or batch to keys, or filter the rows first"
        )


def _long(
    context: Context,
    path: str,
    table: Table,
    keys: tuple[Column, ...],
    values: list[str] | None,
) -> Reply:
    stacked = tuple(map(table.column, values)) if values else table.measured
    stacked = tuple(column for column in stacked if column not in keys)
    if not stacked:
        raise Refused("reshape to long: no column is left to stack; name some in values")
    sql = _stacked(context, table, keys, stacked)
    made = results.stream(context, context.named(path, "long"), sql)
    told: dict[str, Any] = {
        "how": "long",
        "keys": [facts.name(column.name) for column in keys],
        "stacked_columns": len(stacked),
        "rows_in": table.rows,
        "rows_out": made.rows,
        "censored": facts.censored(stacked),
        "policy": facts.HALF,
        "output": facts.output(made.path),
    }
    return Reply(told, made=(made,))


def _stacked(
    context: Context, table: Table, keys: tuple[Column, ...], stacked: tuple[Column, ...]
) -> str:
    """Return SQL of one row a cell, in the order of the file, then of the columns."""
    from workbench.tables.connection import quote

    view = quote(context.connection.view(table))
    first = ", ".join(f"t.{quote(column.name)}" for column in keys)
    parts = [
        f'SELECT {first}, t.o, {place} AS p, {_text(column.name)} AS "column", '  # noqa: S608 - quoted
        f'{_text(column.unit or "")} AS unit, {_cell(column)} AS "value", '
        f"{_told(column, FLAG, 'VARCHAR')} AS value{FLAG}, {_told(column, LIMIT, 'DOUBLE')} AS "
        f"value{LIMIT} FROM rows_in_order t"
        for place, column in enumerate(stacked)
    ]
    chosen = ", ".join(quote(column.name) for column in keys)
    numbers = all(column.kind == "number" for column in stacked)
    more = f", value{FLAG}, value{LIMIT}" if numbers else ""
    return (
        f"WITH rows_in_order AS (SELECT *, row_number() OVER () AS o FROM {view}) "  # noqa: S608 - quoted
        f'SELECT {chosen}, "column", unit, "value"{more} FROM ({" UNION ALL ".join(parts)}) '
        "ORDER BY o, p"
    )


def _cell(column: Column) -> str:
    from workbench.tables.connection import quote

    name = f"t.{quote(column.name)}"
    return name if column.kind == "number" else f"CAST({name} AS VARCHAR)"


def _told(column: Column, ending: str, kind: str) -> str:
    from workbench.tables.connection import quote

    return f"t.{quote(column.name + ending)}" if column.flagged else f"CAST(NULL AS {kind})"


def _text(word: str) -> str:
    """Return a text as a literal of SQL."""
    escaped = word.replace("'", "''")
    return f"'{escaped}'"
