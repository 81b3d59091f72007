"""Rows that are there twice: samples among samples, and rows of quality control apart.

A field or laboratory duplicate that bears the number of its sample is no mistake, and a standard
is run many times: neither is counted as a repeat, and none is ever taken out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts, results
from workbench.accounting.columns import IDENTITY
from workbench.errors import Refused
from workbench.reply import Made, Reply
from workbench.tables.control_words import KINDS, patterns
from workbench.tables.names import unique_names
from workbench.tools.context import Context
from workbench.tools.registry import tool

if TYPE_CHECKING:
    from workbench.tables.table import Column, Table

_SAMPLE = "sample"


@tool(effect="derive")
def find_duplicates(
    context: Context, path: str, keys: list[str] | None = None, sheet: str | None = None
) -> Reply:
    """Find rows that are there twice: same key and same values, or same key and other values.

    Field and laboratory duplicates, standards and blanks are counted apart. Writes the repeated
    rows, and the table with exact repeats of samples taken out (the first is kept).

    Parameters
    ----------
    path : str
        File or result path.
    keys : list of str
        What makes a row; sample id (or hole, from and to) if left out.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    chosen = tuple(map(table.column, keys)) if keys else own_keys(table)
    if not chosen:
        raise Refused(f"'{table.name}': no id column was found; name the keys")
    rows = _Rows(context, table, chosen)
    told = rows.counted()
    values: dict[str, Any] = {
        "keys": [facts.name(column.name) for column in chosen],
        "rows_in": table.rows,
        "repeated_keys": told.keys_repeated,
        "rows_with_repeated_key": told.rows,
        "exact_repeats": told.exact,
        "same_key_other_values": told.other_values,
        "rows_without_key": told.without_key,
    }
    if told.control:
        values["quality_control_kept"] = told.control
    made: list[Made] = []
    if told.rows or told.paired:
        stem = context.named(path, "duplicates")
        made.append(results.stream(context, stem, rows.repeated()))
        values["output"] = facts.output(made[0].path)
    if told.exact:
        made.append(results.stream(context, context.named(path, "distinct"), rows.distinct()))
        values["without_exact_repeats"] = facts.output(made[-1].path)
        values["rows_out"] = made[-1].rows
    return Reply(values, made=tuple(made))


@dataclass(frozen=True)
class Repeats:
    """How often rows are there.

    Attributes
    ----------
    keys : tuple of Column
        What makes a row.
    keys_repeated, rows : int
        Keys of samples that are there more than once, and their rows.
    exact : int
        Rows of samples that are equal to an earlier one in every cell.
    other_values : int
        Repeated keys whose rows differ.
    without_key : int
        Rows in which a key is missing.
    control : dict
        Kind of quality control → its rows, and how many bear the number of a sample.
    """

    keys: tuple[Column, ...]
    keys_repeated: int
    rows: int
    exact: int
    other_values: int
    without_key: int
    control: dict[str, dict[str, int]]

    @property
    def paired(self) -> int:
        """Rows of quality control that bear the number of a sample."""
        return sum(one.get("with_number_of_a_sample", 0) for one in self.control.values())


def repeated_rows(context: Context, table: Table) -> Repeats | None:
    """Count the repeats of a table by its own key; None where it has none."""
    keys = own_keys(table)
    return _Rows(context, table, keys).counted() if keys else None


def own_keys(table: Table) -> tuple[Column, ...]:
    """Return what names a row: its sample id, or hole, from and to; empty if it has neither."""
    ids = table.with_role("id")
    if ids:
        return (ids[0],)
    hole = table.with_role(*IDENTITY[1:5])
    return hole if hole and hole[0].role == "hole" else ()


class _Rows:
    """The rows of a table with their key, their kind and a print of their cells.

    The names of what is added are no element's: K, C, O and N are columns of a table.
    """

    def __init__(self, context: Context, table: Table, keys: tuple[Column, ...]) -> None:
        from workbench.tables.connection import quote

        self._context, self._table, self.keys = context, table, keys
        parts = [f"upper(trim(CAST({quote(key.name)} AS VARCHAR)))" for key in keys]
        full = " AND ".join(f"{one} IS NOT NULL" for one in parts)
        self._cells = f"row({', '.join(map(quote, results.view_columns(table)))})"
        samples = f"count(*) FILTER (_kind_ = '{_SAMPLE}')"
        self.sql = (
            f"(SELECT *, {samples} OVER (PARTITION BY _key_) AS _times_ "  # noqa: S608 - quoted
            f"FROM (SELECT *, CASE WHEN {full} THEN row({', '.join(parts)}) END AS _key_, "
            f"{self._kind()} AS _kind_, hash({self._cells}) AS _print_, "
            f"row_number() OVER () AS _place_ FROM {quote(context.connection.view(table))}))"
        )

    def _kind(self) -> str:
        """Return SQL of what a row is."""
        from workbench.formats.quoting import text
        from workbench.tables.connection import quote

        if self._table.control is None:
            return f"'{_SAMPLE}'"
        cell = quote(self._table.control.column)
        cases = " ".join(
            f"WHEN regexp_matches(trim({cell}), {text(pattern)}) THEN '{kind}'"
            for kind, pattern in patterns(self._table.control.how).items()
        )
        return f"CASE {cases} ELSE '{_SAMPLE}' END"

    def counted(self) -> Repeats:
        """Count what is there twice."""
        sample, several = f"_kind_ = '{_SAMPLE}'", "_key_ IS NOT NULL AND _times_ > 1"
        own = f"FILTER ({sample} AND {several})"
        one = self._context.connection.rows(
            f"SELECT count(DISTINCT _key_) {own}, count(*) {own}, "  # noqa: S608 - quoted
            f"count(*) FILTER (_key_ IS NULL) FROM {self.sql}"
        )[0]
        keys, rows, without = (int(value or 0) for value in one)
        # Prints that meet may belong to unlike rows: the few rows that share one are compared.
        unlike_ones = f"count(DISTINCT {self._cells})"
        exact = (
            f"SELECT coalesce(sum(n - d), 0) FROM (SELECT count(*) AS n, {unlike_ones} "  # noqa: S608 - quoted
            f"AS d FROM (SELECT *, count(*) OVER (PARTITION BY _print_) AS _alike_ FROM {self.sql} "
            f"WHERE {sample}) WHERE _alike_ > 1 GROUP BY _print_)"
        )
        unlike = (
            f"SELECT count(*) FROM (SELECT _key_ FROM {self.sql} WHERE {sample} AND {several} "  # noqa: S608 - quoted
            f"GROUP BY _key_ HAVING {unlike_ones} > 1)"
        )
        found = [int(self._context.connection.rows(sql)[0][0]) for sql in (exact, unlike)]
        return Repeats(self.keys, keys, rows, found[0], found[1], without, self._control())

    def _control(self) -> dict[str, dict[str, int]]:
        if self._table.control is None:
            return {}
        sql = (
            f"SELECT _kind_, count(*), count(*) FILTER (_key_ IS NOT NULL AND _times_ > 0) "  # noqa: S608 - quoted
            f"FROM {self.sql} WHERE _kind_ <> '{_SAMPLE}' GROUP BY _kind_"
        )
        counts = {str(kind): (int(n), int(m)) for kind, n, m in self._context.connection.rows(sql)}
        names = ("rows", "with_number_of_a_sample")
        return {
            kind: {key: n for key, n in zip(names, counts[kind], strict=True) if n}
            for kind in KINDS
            if kind in counts
        }

    def _listed(self) -> str:
        from workbench.tables.connection import quote

        return ", ".join(map(quote, results.view_columns(self._table)))

    def repeated(self) -> str:
        """Return SQL of the rows of repeated keys, and of control rows with a sample's number."""
        from workbench.tables.connection import quote

        (kind,) = unique_names(["row_is"], results.view_columns(self._table))
        apart = f", _kind_ AS {quote(kind)}" if self._table.control else ""
        return (
            f"SELECT {self._listed()}{apart} FROM (SELECT *, count(*) OVER (PARTITION BY _key_) AS "  # noqa: S608 - quoted
            f"_all_ FROM {self.sql}) WHERE _key_ IS NOT NULL AND _times_ > 0 AND _all_ > 1 "
            "ORDER BY _key_, _place_"
        )

    def distinct(self) -> str:
        """Return SQL of the table without samples that are equal to an earlier one."""
        return (
            f"SELECT {self._listed()} FROM {self.sql} QUALIFY _kind_ <> '{_SAMPLE}' OR "  # noqa: S608 - quoted
            f"row_number() OVER (PARTITION BY _kind_, _print_, {self._cells} ORDER BY _place_) = 1 "
            "ORDER BY _place_"
        )
