"""Tables put together: every row that does not match is counted.

Keys are compared without regard to case and to blanks at either end. A join that would multiply
rows is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from workbench.accounting import facts, results
from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tables.names import unique_names
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

_LISTED = 5
_MOST_KEYS = 6
_ORDER = "row order of the file"


@tool(effect="derive")
def merge(
    context: Context,
    path: str,
    right_path: str,
    on: list[str],
    right_on: list[str] | None = None,
    how: Literal["left", "inner"] = "left",
    sheet: str | None = None,
    right_sheet: str | None = None,
) -> Reply:
    """Join two tables by key columns; says what matched, and writes what did not.

    Keys match without regard to case and outer blanks. The right table must have each key once.

    Parameters
    ----------
    path : str
        File or result path; its rows are kept.
    right_path : str
        File whose columns are added.
    on : list of str
        Key columns.
    right_on : list of str
        Key columns of the right table, in the same order, if named otherwise.
    how : str
        left keeps rows without a match, inner leaves them out.
    sheet : str
        Sheet of a workbook.
    right_sheet : str
        Sheet of the right workbook.
    """
    left = _Side.of(context, context.table(path, sheet), on)
    right = _Side.of(context, context.table(right_path, right_sheet), right_on or on)
    if len(left.keys) != len(right.keys):
        raise Refused(
            f"merge: {len(left.keys)} keys on the left and {len(right.keys)} on the right; name as "
            "many in right_on as in on"
        )
    right.once(context)
    other = context.stem(right_path)
    made = results.stream(context, context.named(path, "merge", other), _joined(left, right, how))
    lonely = {"left_only": _lonely(left, right), "right_only": _lonely(right, left)}
    alone = {
        key: results.stream(context, context.named(path, f"merge_{key}", other), rows)
        for key, rows in lonely.items()
    }
    keep = [item for item in alone.values() if item.rows]
    values: dict[str, Any] = {
        "on": [facts.name(column.name) for column in left.keys],
        "how": how,
        "rows_in": left.table.rows,
        "right_rows": right.table.rows,
        "matched": left.table.rows - (alone["left_only"].rows or 0),
        **{key: item.rows or 0 for key, item in alone.items()},
        "rows_out": made.rows,
        "output": facts.output(made.path),
    }
    values |= {f"{key}_rows": facts.output(item.path) for key, item in alone.items() if item.rows}
    return Reply(values, made=(made, *keep), notes=_none(values))


@dataclass(frozen=True)
class _Side:
    """One table of a join: its view, and its keys."""

    table: Table
    view: str
    keys: tuple[Column, ...]

    @classmethod
    def of(cls, context: Context, table: Table, names: list[str]) -> _Side:
        if not 1 <= len(names) <= _MOST_KEYS:
            raise Refused(f"merge: {len(names)} keys; name 1 to {_MOST_KEYS} columns")
        return cls(table, context.connection.view(table), tuple(map(table.column, names)))

    def key(self, alias: str) -> list[str]:
        """Return SQL of the keys, made comparable."""
        from workbench.tables.connection import quote

        return [
            f"upper(trim(CAST({alias}.{quote(column.name)} AS VARCHAR)))" for column in self.keys
        ]

    @property
    def numbered(self) -> str:
        """SQL of the rows with their place in the file: a join keeps no order of its own."""
        from workbench.tables.connection import quote

        place = f"row_number() OVER () AS {quote(_ORDER)}"
        return f"(SELECT *, {place} FROM {quote(self.view)})"  # noqa: S608 - quoted

    def once(self, context: Context) -> None:
        """Refuse a table in which a key is there twice: a join would multiply rows.

        Raises
        ------
        Refused
            With how many keys are repeated, and the first ones.
        """
        from workbench.tables.connection import quote

        keys = ", ".join(self.key("t"))
        full = " AND ".join(f"{one} IS NOT NULL" for one in self.key("t"))
        sql = (
            f"SELECT {keys}, count(*) AS n FROM {quote(self.view)} t WHERE {full} "  # noqa: S608 - quoted
            f"GROUP BY {keys} HAVING n > 1 ORDER BY n DESC, {keys}"
        )
        found = context.connection.rows(sql)
        if found:
            first = ", ".join(
                f"{facts.name(' '.join(map(str, row[:-1])))} ({row[-1]} rows)"
                for row in found[:_LISTED]
            )
            raise Refused(
                f"merge: {len(found)} keys are there more than once in '{self.table.name}', like "
                f"{first}: rows would be multiplied; join the other way round, name more keys, or "
                "look at find_duplicates"
            )


def _match(left: _Side, right: _Side) -> str:
    pairs = zip(left.key("l"), right.key("r"), strict=True)
    return " AND ".join(f"{one} = {other}" for one, other in pairs)


def _joined(left: _Side, right: _Side, how: str) -> str:
    from workbench.tables.connection import quote

    have = results.view_columns(left.table)
    keys = {column.name for column in right.keys}
    added = [column.name for column in right.table.columns if column.name not in keys]
    whole = results.view_columns(right.table, added)
    fresh = unique_names(whole, have)
    listed = [f"l.{quote(name)}" for name in have]
    listed += [f"r.{quote(name)} AS {quote(new)}" for name, new in zip(whole, fresh, strict=True)]
    kind = "LEFT" if how == "left" else "INNER"
    return (
        f"SELECT {', '.join(listed)} FROM {left.numbered} l {kind} JOIN {quote(right.view)} r "  # noqa: S608 - quoted
        f"ON {_match(left, right)} ORDER BY l.{quote(_ORDER)}"
    )


def _lonely(side: _Side, other: _Side) -> str:
    """Return SQL of the rows of one side that the other does not have."""
    from workbench.tables.connection import quote

    return (
        f"SELECT l.* EXCLUDE ({quote(_ORDER)}) FROM {side.numbered} l "  # noqa: S608 - quoted
        f"ANTI JOIN {quote(other.view)} r ON {_match(side, other)} ORDER BY l.{quote(_ORDER)}"
    )


def _none(values: dict[str, Any]) -> tuple[str, ...]:
    if values["matched"]:
        return ()
    return ("no row matched: compare how both files write their keys",)
