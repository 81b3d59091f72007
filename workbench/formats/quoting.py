"""Names, texts and cells as they stand in SQL. Nothing here needs the engine."""

from __future__ import annotations


def quote(identifier: str) -> str:
    """Quote an identifier for SQL, whatever it holds."""
    return '"' + identifier.replace('"', '""') + '"'


def text(value: str) -> str:
    """Quote a text for SQL."""
    return "'" + value.replace("'", "''") + "'"


# Blanks, tabs, line breaks and hard blanks around a cell.
WHITE = " \t\r\n\u00a0"


def cell_sql(column: str, *, white: bool = True) -> str:
    """Return SQL for a cell without the white space around it, NULL if nothing is left.

    Parameters
    ----------
    column : str
        SQL of the text.
    white : bool
        False if it can have no white space but blanks: that is six times as fast.
    """
    signs = f", {text(WHITE)}" if white else ""
    return f"nullif(trim({column}{signs}), '')"
