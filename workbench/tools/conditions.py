"""A condition over a table: which rows meet it, which do not, and which nobody can tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts
from workbench.errors import nearest
from workbench.tables.statistics import rounded

if TYPE_CHECKING:
    from workbench.tables.expression import Condition
    from workbench.tables.table import Column, Table
    from workbench.tools.context import Context

_KNOWN_WORDS = 2_000


@dataclass(frozen=True)
class Met:
    """A condition and how many rows it holds for."""

    table: Table
    view: str
    compiled: Condition
    kept: int
    undecided: int
    missing: int

    @property
    def columns(self) -> tuple[Column, ...]:
        """Columns the condition uses."""
        return self.compiled.columns

    @property
    def relation(self) -> str:
        """SQL of the view's rows with what the condition came to."""
        return self.compiled.relation(self.view)

    def where(self) -> str:
        """Return SQL of the test for the rows that are kept."""
        from workbench.tables.connection import quote
        from workbench.tables.expression import KEEP

        return f"{quote(KEEP)} IS TRUE"

    def kept_rows(self) -> str:
        """Return SQL of the rows that are kept, all columns of the view."""
        from workbench.tables.connection import quote

        # Named one by one, the columns of a wide table make a query that is too long to run.
        added = ", ".join(map(quote, self.compiled.added))
        return f"SELECT * EXCLUDE ({added}) FROM {self.relation} WHERE {self.where()}"  # noqa: S608 - quoted

    def facts(self) -> dict[str, Any]:
        """Return the counts every answer about a condition carries."""
        return {
            "rows_in": self.table.rows,
            "rows_out": self.kept,
            "rows_dropped": self.table.rows - self.kept,
            "undecided": self.undecided,
            "missing": self.missing,
            "share": rounded(self.kept / max(self.table.rows, 1)),
        }


def condition(context: Context, table: Table, expression: str) -> Met:
    """Compile a condition and count what it comes to.

    Raises
    ------
    Refused
        See `workbench.tables.expression.compile_expression`.
    """
    from workbench.tables.connection import quote
    from workbench.tables.expression import KEEP, MISSING, compile_expression

    compiled = compile_expression(expression, table)
    view = quote(context.connection.view(table))
    keep, gap = quote(KEEP), quote(MISSING)
    sql = (
        f"SELECT count(*) FILTER ({keep} IS TRUE), "  # noqa: S608 - quoted
        f"count(*) FILTER ({keep} IS NULL AND NOT ({gap})), "
        f"count(*) FILTER ({keep} IS NULL AND ({gap})) FROM {compiled.relation(view)}"
    )
    kept, undecided, missing = (int(value) for value in context.connection.rows(sql)[0])
    return Met(table, view, compiled, kept, undecided, missing)


def spelling(context: Context, met: Met) -> tuple[str, ...]:
    """Say what to look at in the result: values that no row has, rows nobody can decide."""
    notes = []
    if met.undecided:
        notes.append(
            f"{met.undecided} rows are undecided: a censored value could lie on either side; they "
            "are not kept"
        )
    for name, value in () if met.kept else met.compiled.literals:
        known = _values(context, met, name)
        if value not in known:
            hint = nearest(value, known)
            notes.append(f"no row has {facts.name(name)} == '{facts.name(value)}'{hint[:120]}")
    return tuple(notes[:4])


def _values(context: Context, met: Met, name: str) -> list[str]:
    from workbench.tables.connection import quote

    sql = (
        f"SELECT DISTINCT CAST({quote(name)} AS VARCHAR) AS word FROM {met.view} "  # noqa: S608 - quoted
        f"WHERE word IS NOT NULL ORDER BY word LIMIT {_KNOWN_WORDS}"
    )
    return [str(row[0])[:200] for row in context.connection.rows(sql)]
