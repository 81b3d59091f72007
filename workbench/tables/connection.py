"""The locked connection: SQL over the tables that are open, and over nothing else.

In memory, with no file it may read but the snapshots of its views, no extension, no settings that
change. A model's text runs only as the bound argument of ``query(?)``, and names views alone; our
own text runs with quoted identifiers. Every query has a time limit, after which the connection goes
on working.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import duckdb
import pyarrow as pa
from numpy.typing import NDArray

from workbench.errors import LimitReached, Refused
from workbench.formats.quoting import quote, text
from workbench.formats.reading import MANY_ROWS, Progress
from workbench.limits import Limits
from workbench.tables.clock import Clock
from workbench.tables.export import Streamed, Writer, batch_rows, castable, neutral, write
from workbench.tables.frame import Frame, read_frame
from workbench.tables.policy import Policy, view_sql
from workbench.tables.refusals import refusal
from workbench.tables.room import check_room
from workbench.tables.statement import check_statement
from workbench.tables.table import Table

__all__ = ["Connection", "Policy", "Preview", "Streamed", "neutral", "quote"]

# Of the child's memory; the rest is Python's, Arrow's and the tool's own arrays.
_MEMORY_SHARE = 0.35
# Of what a result may take: sorting needs no more on disk than what it sorts.
_SPILL_BYTES = 2_000_000_000


@dataclass(frozen=True)
class Preview:
    """The first rows of a query.

    Attributes
    ----------
    columns, types : tuple of str
        Names and types of the engine.
    rows : list of tuple
        At most as many as were asked for.
    more : bool
        True if there are further rows.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    more: bool


class Connection:
    """A locked in-memory database with the tables of one child.

    Parameters
    ----------
    limits : Limits
        The session's table.
    temp_dir : Path
        Existing folder; one of our own is made in it for spilled data and removed at the end.
    threads : int, optional
        Threads of the engine; one, and more once a table of a million rows is opened, if left out.
    progress : callable, optional
        Called with what is done and its share.
    """

    def __init__(
        self,
        limits: Limits,
        temp_dir: Path,
        threads: int | None = None,
        progress: Progress = lambda _text, _share: None,
    ) -> None:
        self._limits, self._threads, self._progress = limits, threads, progress
        self._folder = Path(tempfile.mkdtemp(suffix=".part", dir=temp_dir))
        self._views: dict[str, tuple[Table, Policy]] = {}
        self._attached: dict[str, pa.Table] = {}
        self._opened: duckdb.DuckDBPyConnection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database and remove what it spilled."""
        self._shut()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _shut(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @property
    def _con(self) -> duckdb.DuckDBPyConnection:
        """The database with the views so far; its settings are locked, so it is opened late."""
        if self._opened is None:
            self._opened = self._locked()
            for name, (table, policy) in self._views.items():
                source = f"read_parquet({text(str(table.path))})"
                sql = view_sql(table.columns, source, policy)
                self._opened.execute(f"CREATE VIEW {quote(name)} AS {sql}")
            for name, data in self._attached.items():
                self._opened.register(name, data)
        return self._opened

    def _locked(self) -> duckdb.DuckDBPyConnection:
        """Open a database and lock every door of it, but to the files of the views."""
        files = sorted({str(table.path) for table, _ in self._views.values()})
        threads = self._threads or self._wanted_threads()
        con = duckdb.connect()
        for setting in (
            f"memory_limit = '{int(self._limits['child_memory'].number * _MEMORY_SHARE)}B'",
            f"threads = {threads}",
            "preserve_insertion_order = true",
            # A query is bound several times, and a snapshot never changes under it.
            "parquet_metadata_cache = true",
            f"temp_directory = {text(str(self._folder))}",
            f"max_temp_directory_size = '{_SPILL_BYTES}B'",
            "secret_directory = ''",
            "allow_persistent_secrets = false",
            "allow_community_extensions = false",
            "autoinstall_known_extensions = false",
            "autoload_known_extensions = false",
            "python_enable_replacements = false",
            f"allowed_paths = [{', '.join(map(text, files))}]",
            "enable_external_access = false",
            "lock_configuration = true",
        ):
            con.execute(f"SET {setting}")
        return con

    def _wanted_threads(self) -> int:
        many = any(table.rows >= MANY_ROWS for table, _ in self._views.values())
        return self._limits.threads if many else 1

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the open views."""
        return tuple(self._views)

    def view(self, table: Table, policy: Policy = Policy.HALF) -> str:
        """Open a table under its name and return the name.

        Parameters
        ----------
        table : Table
            Opened before with the same policy, it keeps its view.
        policy : Policy
            What censored values count as.
        """
        for name, (known, held) in self._views.items():
            if (known.path, known.name, held) == (table.path, table.name, policy):
                return name
        name, number = table.name, 1
        while name.casefold() in {view.casefold() for view in self._views}:
            number += 1
            name = f"{table.name}_{number}"
        self._views[name] = (table, policy)
        self._shut()
        return name

    @contextlib.contextmanager
    def attached(self, columns: Mapping[str, NDArray[Any]]) -> Iterator[str]:
        """Open columns that a tool computed as a relation, for the queries of a block.

        Parameters
        ----------
        columns : mapping of str to ndarray, shape (rows,)
            By name; NaN becomes NULL.

        Yields
        ------
        str
            Name of the relation; joined by position it lies beside the table it came from.
        """
        arrays = {name: pa.array(values, from_pandas=True) for name, values in columns.items()}
        self._attached["computed"] = pa.table(arrays)
        self._con.register("computed", self._attached["computed"])
        try:
            yield "computed"
        finally:
            del self._attached["computed"]
            self._con.unregister("computed")

    def preview(self, sql: str, n: int) -> Preview:
        """Run a model's SELECT and return its first rows.

        Parameters
        ----------
        sql : str
            One SELECT over open tables.
        n : int
            Rows wanted; below 0 counts as 0.

        Raises
        ------
        Refused
            If it is not run, or fails.
        LimitReached
            If it takes too long.
        """
        wanted = max(int(n), 0)
        with self._run():
            check_statement(self._con, sql, (*self.tables, *self._attached))
            result = self._con.execute("SELECT * FROM query(?) LIMIT ?", [sql, wanted + 1])
            columns = tuple(str(item[0]) for item in result.description or ())
            types = tuple(str(item[1]) for item in result.description or ())
            rows = result.fetchall()
        return Preview(columns, types, rows[:wanted], len(rows) > wanted)

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run SQL of our own and return all rows; identifiers in it are quoted, values bound."""
        with self._run():
            return self._con.execute(sql, list(params)).fetchall()

    def stream(self, sql: str, path: Path, writer: Writer = "csv", *, keep: int = 0) -> Streamed:
        """Run a SELECT and write its whole result without holding it in memory.

        Parameters
        ----------
        sql : str
            One SELECT over open tables.
        path : Path
            File to write; the caller removes it if this fails.
        writer : {"csv", "parquet"}
            Format.
        keep : int, optional
            First rows to return as well: running the query twice could give others.

        Raises
        ------
        Refused
            If it is not run, or fails.
        LimitReached
            If it takes too long, or the result is too long or too large.
        """
        with self._run():
            check_statement(self._con, sql, (*self.tables, *self._attached))
            shape = self._con.execute("DESCRIBE SELECT * FROM query(?)", [sql]).fetchall()
            columns = [(str(row[0]), str(row[1])) for row in shape]
            plain = castable(columns)
            chosen = "*"
            if not all(plain):
                chosen = ", ".join(
                    quote(name) if as_is else f"CAST({quote(name)} AS VARCHAR) AS {quote(name)}"
                    for (name, _), as_is in zip(columns, plain, strict=True)
                )
            relation = self._con.sql(f"SELECT {chosen} FROM query(?)", params=[sql])  # noqa: S608 - quoted
            # A result that is given up half-way would own the connection for ever.
            with contextlib.closing(relation.to_arrow_reader(batch_rows(len(columns)))) as reader:
                return write(reader, path, writer, self._limits, keep=keep, told=self._written)

    def _written(self, rows: int) -> None:
        most = max([rows, *(table.rows for table, _ in self._views.values())])
        self._progress("writes rows", rows / most)

    def frame(self, table: Table, columns: Iterable[str], policy: Policy = Policy.HALF) -> Frame:
        """Return columns of a table as arrays; see `workbench.tables.frame`."""
        wanted = {column.name: column for column in map(table.column, columns)}
        check_room(table, [*wanted.values()], self._limits)
        return read_frame(table, wanted, policy, lambda share: self._progress("reads", share))

    @contextlib.contextmanager
    def _run(self) -> Iterator[None]:
        """Bound the time of what runs inside, and turn its errors into plain ones."""
        clock = Clock(self._con, self._limits["query_seconds"].number)
        try:
            with clock:
                yield
        except (Refused, LimitReached):
            raise
        except (duckdb.Error, RuntimeError, OSError, MemoryError) as error:
            columns = {column.name for table, _ in self._views.values() for column in table.columns}
            raise refusal(error, self._limits, columns, self.tables, timed=clock.fired) from None
