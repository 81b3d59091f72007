"""The locked connection: SQL over the tables that are open, and over nothing else.

In memory, with no folder it may read, no extension, no settings that change. A model's text runs
only as the bound argument of ``query(?)``; our own text runs with quoted identifiers. Every query
has a time limit, after which the connection goes on working.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import duckdb
import pyarrow as pa
from numpy.typing import NDArray

from workbench.errors import LimitReached, Refused
from workbench.formats.quoting import quote, text
from workbench.formats.reading import MANY_ROWS
from workbench.limits import Limits
from workbench.tables.export import BATCH_ROWS, Streamed, Writer, castable, neutral, write
from workbench.tables.frame import Frame, read_frame
from workbench.tables.policy import Policy, view_sql
from workbench.tables.refusals import refusal
from workbench.tables.scanning import engine_view
from workbench.tables.statement import check_statement
from workbench.tables.table import Table

__all__ = ["Connection", "Policy", "Preview", "Streamed", "neutral", "quote"]

# Of the child's memory; the rest is Python's, Arrow's and the tool's own arrays.
_MEMORY_SHARE = 0.35
# Of what a result may take: sorting needs no more on disk than what it sorts.
_SPILL_BYTES = 2_000_000_000
_RING_SECONDS = 0.05


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
    """

    def __init__(self, limits: Limits, temp_dir: Path, threads: int | None = None) -> None:
        self._limits = limits
        self._folder = Path(tempfile.mkdtemp(suffix=".part", dir=temp_dir))
        self._auto = threads is None
        self._threads = threads or 1
        self._views: dict[str, tuple[Table, Policy]] = {}
        self._con = self._locked()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database and remove what it spilled."""
        self._con.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _locked(self) -> duckdb.DuckDBPyConnection:
        """Open a database and lock every door of it."""
        con = duckdb.connect()
        for setting in (
            f"memory_limit = '{int(self._limits['child_memory'].number * _MEMORY_SHARE)}B'",
            f"threads = {self._threads}",
            "preserve_insertion_order = true",
            f"temp_directory = {text(str(self._folder))}",
            f"max_temp_directory_size = '{_SPILL_BYTES}B'",
            "secret_directory = ''",
            "allow_persistent_secrets = false",
            "allow_community_extensions = false",
            "autoinstall_known_extensions = false",
            "autoload_known_extensions = false",
            "python_enable_replacements = false",
            "enable_external_access = false",
            "lock_configuration = true",
        ):
            con.execute(f"SET {setting}")
        return con

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
        if self._auto and table.rows >= MANY_ROWS and self._threads == 1:
            self._reopen(self._limits["child_threads"].number)
        self._views[name] = (table, policy)
        self._register(name, table, policy)
        return name

    def _reopen(self, threads: int) -> None:
        """Open everything again with more threads; the settings of an open database are locked."""
        self._con.close()
        self._threads = threads
        self._con = self._locked()
        for name, (table, policy) in self._views.items():
            self._register(name, table, policy)

    def _register(self, name: str, table: Table, policy: Policy) -> None:
        place = list(self._views).index(name) + 1
        relation = f"snapshot_{place}"
        self._con.register(relation, engine_view(table.path))
        sql = view_sql(table.columns, relation, policy)
        self._con.execute(f"CREATE VIEW {quote(name)} AS {sql}")

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
        self._con.register("computed", pa.table(arrays))
        try:
            yield "computed"
        finally:
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
            check_statement(self._con, sql, self.tables)
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
            check_statement(self._con, sql, self.tables)
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
            with contextlib.closing(relation.to_arrow_reader(BATCH_ROWS)) as reader:
                return write(reader, path, writer, self._limits, keep=keep)

    def frame(self, table: Table, columns: Iterable[str], policy: Policy = Policy.HALF) -> Frame:
        """Return columns of a table as arrays; see `workbench.tables.frame`."""
        return read_frame(table, columns, policy)

    @contextlib.contextmanager
    def _run(self) -> Iterator[None]:
        """Bound the time of what runs inside, and turn its errors into plain ones."""
        clock = _Clock(self._con, self._limits["query_seconds"].number)
        try:
            with clock:
                yield
        except (Refused, LimitReached):
            raise
        except (duckdb.Error, RuntimeError, OSError, MemoryError) as error:
            columns = {column.name for table, _ in self._views.values() for column in table.columns}
            raise refusal(error, self._limits, columns, self.tables, timed=clock.fired) from None


class _Clock:
    """Interrupts a connection after some seconds, and never after its block has ended.

    It goes on ringing until the block ends: an interrupt between two statements is forgotten when
    the next one starts (seen: a query that began at that moment ran for ever).
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, seconds: float) -> None:
        self.fired = False
        self._con = con
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self._ring)
        self._timer.daemon = True

    def _ring(self) -> None:
        while True:
            with self._lock:
                if self._over.is_set():
                    return
                self.fired = True
                self._con.interrupt()
            if self._over.wait(_RING_SECONDS):
                return

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over.set()
        self._timer.cancel()
