"""The loading connection: where raw tables are gathered while one file is read.

It belongs to one reading and is closed with it. It runs SQL of our own only, with every
option spelt out; nothing is inferred, fetched or installed.
"""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from workbench.errors import LimitReached
from workbench.files import writerlock
from workbench.formats.coded import Coded
from workbench.formats.quoting import WHITE, text
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

# Rows from which a second thread is worth unequal bytes (see the row child_threads).
MANY_ROWS = 1_000_000
# Cells that are handed over in one piece: some 10 to 20 MB of text.
_BATCH_CELLS = 250_000
# A table of more columns is kept outside the engine.
WIDE = 1_000
# Planning takes the engine longer by the square of the columns: a table of more than so many, and
# of no more than so many cells (some 100 MB of text), is settled faster outside it.
_MANY = 100
_HELD_CELLS = 2_000_000
# Of the child's memory; the rest is Python's, Arrow's and the writer's.
_MEMORY_SHARE = 0.35

# A text up to this size is held in memory while it is typed; scanning a larger one two or three
# times costs less than keeping it.
HELD_BYTES = 200_000_000

Progress = Callable[[str, float], None]


def check_bytes(name: str, size: int, limits: Limits) -> None:
    """Refuse a file, or a set of files, that is larger than what is loaded unasked.

    Raises
    ------
    LimitReached
        With the way to raise the limit.
    """
    most = limits["load_bytes"].number
    if size > most:
        raise LimitReached(
            f"'{shown(name)}': {size:,} bytes, and files above {most:,} are not "
            f"loaded; raise it with -l load_bytes={size}",
            "load_bytes",
        )


class Reading:
    """One reading of one file.

    Parameters
    ----------
    scratch : Path
        Existing folder for temporary files; a folder of our own is made in it and removed at
        the end.
    limits : Limits
        The session's table.
    progress : callable, optional
        Called with a stage and a share between 0 and 1; what it raises ends the reading.
    sheets : frozenset of str, optional
        Names in small letters of hidden sheets that a person wants read.
    """

    def __init__(
        self,
        scratch: Path,
        limits: Limits,
        progress: Progress | None = None,
        sheets: frozenset[str] = frozenset(),
    ) -> None:
        self.limits, self.sheets = limits, sheets
        self.notes: list[str] = []
        self.folder = Path(tempfile.mkdtemp(suffix=".part", dir=scratch))
        # What a killed reading leaves can then be told from what another is working in.
        self._held = writerlock.hold_folder(self.folder)
        self._progress = progress
        self._numbers = itertools.count(1)
        self._kinds: dict[str, str] = {}
        self._wide: dict[str, pa.Table] = {}
        self._coded: dict[str, Coded] = {}
        # How the last small text was read, for the next of a set.
        self.plan: object = None
        self._threads = 1
        self.con = duckdb.connect()
        for setting in (
            f"temp_directory = {text(str(self.folder))}",
            f"memory_limit = '{int(limits['child_memory'].number * _MEMORY_SHARE)}B'",
            "threads = 1",
            "autoinstall_known_extensions = false",
            "autoload_known_extensions = false",
            "python_enable_replacements = false",
            "preserve_insertion_order = true",
            # Both take time by the square of the columns, and nothing here gains from them.
            "disabled_optimizers = 'common_subexpressions,in_clause'",
        ):
            self.con.execute(f"SET {setting}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.con.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._held is not None:
            os.close(self._held)

    def told(self, stage: str, share: float) -> None:
        """Report progress."""
        if self._progress is not None:
            self._progress(stage, min(max(share, 0.0), 1.0))

    def one(self, query: str) -> tuple[Any, ...]:
        """Run a query of our own that has one row, and return it; nothing is left open."""
        rows = self.con.execute(query).fetchall()
        return rows[0] if rows else ()

    def relation(self) -> str:
        """Return a new name for a raw table."""
        return f"raw_{next(self._numbers)}"

    def keep(self, query: str, size: int) -> str:
        """Keep the result of a query of our own as a raw table.

        Parameters
        ----------
        query : str
            SELECT over a file.
        size : int
            Bytes of the file; a large one is read again for every pass instead of being held.
        """
        relation = self.relation()
        kind = "TABLE" if size <= HELD_BYTES else "VIEW"
        self.con.execute(f"CREATE {kind} {relation} AS {query}")
        self._kinds[relation] = kind
        return relation

    def hold(self, table: pa.Table) -> str:
        """Keep a table of very many columns outside the engine, as a raw table.

        The engine takes 32 KB and more for every column of everything it looks at; it is handed
        the columns of one question at a time, see `part`.
        """
        relation = self.relation()
        self._wide[relation] = table
        return relation

    def held(self, relation: str, width: int, rows: int) -> str:
        """Return a raw table of many columns and few cells as one held outside the engine.

        Parameters
        ----------
        relation : str
            A raw table; one that is narrow, or too large, stays where it is.
        width, rows : int
            Its columns and rows.
        """
        wide = relation in self._wide or relation in self._coded
        if wide or width <= _MANY or width * rows > _HELD_CELLS:
            return relation
        table = self.con.sql(f"SELECT * FROM {relation}").to_arrow_table()  # noqa: S608 - our own name
        self.drop(relation)
        return self.hold(table)

    def new_codes(self, width: int) -> Coded:
        """Return an empty table of codes."""
        return Coded(self.folder / f"codes-{next(self._numbers)}", width)

    def keep_codes(self, query: str, coded: Coded) -> str:
        """Keep a text as codes beside the query that reads it again, as a raw table."""
        relation = self.keep(query, HELD_BYTES + 1)
        self._coded[relation] = coded
        return relation

    def coded(self, relation: str) -> Coded | None:
        """Return the codes of a raw table; None if it is kept in another way."""
        return self._coded.get(relation)

    def is_wide(self, relation: str) -> bool:
        """Tell whether a raw table is held outside the engine."""
        return relation in self._wide

    def held_table(self, relation: str) -> pa.Table:
        """Return a table that is held outside the engine."""
        return self._wide[relation]

    def column(self, relation: str, place: int) -> pa.ChunkedArray:
        """Return one column of a table that is held outside the engine."""
        return self._wide[relation].column(place)

    def part(self, relation: str, places: Iterable[int]) -> str:
        """Return a relation that has the given columns of a raw table, and maybe others.

        It is good until the next call. One column of a text kept as codes is its different texts,
        and in ``n`` how often each occurs.
        """
        names = [f"c{place}" for place in places]
        if relation in self._coded and len(names) == 1:
            self.con.register("part", self._coded[relation].texts(int(names[0][1:])))
            return "part"
        if relation not in self._wide:
            return relation
        self.con.register("part", self._wide[relation].select(names).combine_chunks())
        return "part"

    def drop(self, relation: str) -> None:
        """Forget a raw table."""
        if (coded := self._coded.pop(relation, None)) is not None:
            coded.path.unlink(missing_ok=True)
        if self._wide.pop(relation, None) is None:
            self.con.execute(f"DROP {self._kinds.pop(relation, 'TABLE')} {relation}")

    @property
    def threads(self) -> int:
        """Threads that a child may use where order and bytes do not depend on it."""
        return self.limits.threads

    def use_threads(self, rows: int) -> None:
        """Use a second thread for tables that are too large to be kept bit for bit equal."""
        wanted = self.threads if rows >= MANY_ROWS else 1
        if wanted != self._threads:
            self._threads = wanted
            self.con.execute(f"SET threads = {wanted}")

    def check_size(self, file: OpenFile) -> None:
        """Refuse a file that is larger than what is loaded unasked."""
        check_bytes(file.name, file.size, self.limits)

    def gather(self, width: int, rows: Iterable[Sequence[str | None]]) -> tuple[str, int]:
        """Take rows of text into a raw table, in batches.

        Parameters
        ----------
        width : int
            Columns.
        rows : iterable of sequence of str or None
            Short rows are filled up, long ones cut, cells trimmed.

        Returns
        -------
        tuple of str and int
            The relation and its rows.
        """
        batches = _batches(width, iter(rows))
        if width > WIDE:
            wide = list(batches)
            names = [f"c{place}" for place in range(width)]
            empty = pa.schema([(name, pa.string()) for name in names]).empty_table()
            return self.hold(pa.concat_tables([empty, *wide])), sum(map(len, wide))
        relation, total = self.relation(), 0
        declared = ", ".join(f"c{place} VARCHAR" for place in range(width))
        self.con.execute(f"CREATE TABLE {relation} ({declared})")
        for batch in batches:
            self.con.register("batch", batch)
            self.con.execute(f"INSERT INTO {relation} SELECT * FROM batch")  # noqa: S608 - our own name
            self.con.unregister("batch")
            total += len(batch)
        return relation, total


def _batches(width: int, rows: Iterator[Sequence[str | None]]) -> Iterator[pa.Table]:
    """Yield rows as tables of one text column for each cell."""
    size = max(1, _BATCH_CELLS // max(width, 1))
    names = [f"c{place}" for place in range(width)]
    while batch := list(itertools.islice(rows, size)):
        # Column by column: a call for each cell would take longer than all the rest.
        turned = itertools.islice(itertools.zip_longest(*batch), width)
        columns = [_trimmed(texts(list(one))) for one in turned]
        columns += [pa.nulls(len(batch), pa.string())] * (width - len(columns))
        yield pa.table(columns, names=names)


def _trimmed(cells: pa.Array) -> pa.Array:
    """Take the white space around cells away; an empty one is none."""
    bare = pc.utf8_trim(cells, WHITE)
    return pc.if_else(pc.equal(pc.binary_length(bare), 0), None, bare)


def texts(cells: list[str | None]) -> pa.Array:
    """Return texts as an array; the usual way loads pandas first, which takes a second."""
    builder = pa.lib.StringBuilder()
    builder.append_values(cells)
    return builder.finish()
