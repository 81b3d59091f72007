"""Spellings of one word in a column: proposed as a file, put in place by the file agreed to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.accounting import facts, results
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.names import unique_names
from workbench.tools.cells import LONGEST, short
from workbench.tools.rereading import reread

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

_SHOWN = 20
_MOST_WORDS = 5_000


def harmonised(
    context: Context, path: str, table: Table, column: Column, mapping: str | None, *, apply: bool
) -> Reply:
    """Propose one spelling for words that seem to be one, or put it in place of the others.

    Raises
    ------
    Refused
        For a column of no words, or where it is to be applied without a mapping.
    """
    if column.kind != "text":
        raise Refused(f"column '{facts.name(column.name)}': it holds {column.kind}, no words")
    counts = _counts(context, table, column)
    values: dict[str, Any] = {"fix": "terms", "column": facts.name(column.name)}
    values |= {"rows_in": table.rows, "words": len(counts)}
    if not apply:
        if mapping is not None:
            _mapping(context, mapping, counts)
        return _proposed(context, path, column, counts, values)
    if mapping is None:
        raise Refused(
            "clean_values: terms are put in place by a mapping that the analyst has agreed to; "
            "give mapping, the file of the proposal"
        )
    meant, unknown = _mapping(context, mapping, counts)
    cells = context.connection.frame(table, [column.name]).series[column.name].text.tolist()
    new = [cell if cell is None else meant.get(cell, cell) for cell in cells]
    values |= {
        "mapping": facts.name(mapping),
        "rows_changed": sum(a != b for a, b in zip(cells, new, strict=True)),
        "words_after": len({word for word in new if word is not None}),
        "not_in_the_column": len(unknown),
    }
    (before,) = unique_names([f"{column.name}_as_given"], results.view_columns(table))
    values["as_given"] = facts.name(before)
    added = {column.name: np.array(new, dtype=object), before: np.array(cells, dtype=object)}
    return _replaced(context, path, table, column, before, added, values)


def _replaced(
    context: Context,
    path: str,
    table: Table,
    column: Column,
    before: str,
    added: Mapping[str, Any],
    values: dict[str, Any],
) -> Reply:
    from workbench.tables.connection import quote

    with results.beside(context, table, {"new": added[column.name]}) as joined:
        new = quote(joined.names["new"])
        listed = [
            f"{new} AS {quote(name)}, {quote(name)} AS {quote(before)}"
            if name == column.name
            else quote(name)
            for name in results.view_columns(table)
        ]
        sql = f"SELECT {', '.join(listed)} FROM {joined.sql}"  # noqa: S608 - quoted
        made = results.stream(context, context.named(path, "terms", column.name), sql)
    values |= {"rows_out": made.rows, "output": facts.output(made.path)}
    return Reply(values, made=(made,))


def _counts(context: Context, table: Table, column: Column) -> dict[str, int]:
    from workbench.tables.connection import quote

    name, view = quote(column.name), quote(context.connection.view(table))
    sql = (
        f"SELECT {name}, count(*) AS n FROM {view} WHERE {name} IS NOT NULL GROUP BY 1 "  # noqa: S608 - quoted
        f"ORDER BY n DESC, 1 LIMIT {_MOST_WORDS + 1}"
    )
    counts = {str(word): int(n) for word, n in context.connection.rows(sql)}
    if len(counts) > _MOST_WORDS or any(len(word) > LONGEST for word in counts):
        raise Refused(
            f"column '{facts.name(column.name)}': more than {_MOST_WORDS:,} words, or "
            f"words of more than {LONGEST} characters, are no terms of a legend"
        )
    return counts


def _proposed(
    context: Context, path: str, column: Column, counts: Mapping[str, int], values: dict[str, Any]
) -> Reply:
    from workbench.tables.terms import propose

    found = propose(counts)
    values |= {
        "words_that_change": len(found),
        "rows_that_change": sum(one.rows for one in found),
        "by": {why: sum(one.why == why for one in found) for why in ("spelling", "alike")},
    }
    if not found:
        return Reply(values, notes=("no two words seem to be one",))
    rows = [(one.word, one.to, one.rows, one.why) for one in found]
    stem = context.named(path, "terms_proposed", column.name)
    made = results.small_table(context, stem, ("from", "to", "rows", "why"), rows)
    values["output"] = facts.output(made.path)
    shown = facts.preview(
        context, "proposal", ("from", "to", "rows", "why"), rows[:_SHOWN], len(rows), made.path
    )
    note = f"nothing was changed; agreed, call again with apply true and mapping {values['output']}"
    return Reply(values, previews=(shown,), made=(made,), notes=(note,))


def _mapping(
    context: Context, name: str, counts: Mapping[str, int]
) -> tuple[dict[str, str], list[str]]:
    """Return the words of a mapping that the column has, and those that it has not.

    Raises
    ------
    Refused
        If the file has no columns from and to, or gives a word two meanings.
    """
    table = context.opened(name).table(None)
    raw = reread(context, name, None, {"from.kind": "text", "to.kind": "text"})
    frame = context.connection.frame(raw, [table.column("from").name, table.column("to").name])
    words, meant = (frame.series[key].text.tolist() for key in frame.series)
    found: dict[str, str] = {}
    for word, to in zip(words, meant, strict=True):
        if word is None or to is None:
            continue
        if found.setdefault(word, to) != to:
            raise Refused(f"mapping '{facts.name(name)}': '{short(word)}' has two meanings")
    # The reader trims cells; what a word of the table looks like trimmed is what is meant.
    trimmed = {word: found[word.strip()] for word in counts if word.strip() in found}
    return trimmed, [word for word in found if word not in {w.strip() for w in counts}]
