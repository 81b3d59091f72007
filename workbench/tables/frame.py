"""Columns of a table as arrays, with what is known about every value.

A tool that computes gets numbers by a policy, and beside them which were plain, censored or
missing and why, so that it can say how many rows it used, dropped and replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
from numpy.typing import NDArray

from workbench.errors import Refused
from workbench.tables.cells import ABOVE as ABOVE_FLAG
from workbench.tables.cells import BARE as BARE_FLAG
from workbench.tables.cells import BELOW as BELOW_FLAG
from workbench.tables.cells import BLANK
from workbench.tables.cells import REJECTED as REJECTED_FLAG
from workbench.tables.control_words import patterns
from workbench.tables.policy import Policy
from workbench.tables.scanning import Bounded, snapshot
from workbench.tables.table import FLAG, LIMIT, Column, Table

Floats = NDArray[np.float64]
Codes = NDArray[np.uint8]
Mask = NDArray[np.bool_]

# Reason of a number that is left out because its row is no sample.
CONTROL = "quality control"
# What is known about a value.
PLAIN, BELOW, ABOVE, BARE, MISSING, REJECTED = range(6)
_CODES = {BELOW_FLAG: BELOW, ABOVE_FLAG: ABOVE, BARE_FLAG: BARE, REJECTED_FLAG: REJECTED}


@dataclass(frozen=True)
class Series:
    """One column as arrays of shape (rows,).

    Attributes
    ----------
    column : Column
        Its description.
    values : ndarray of float64
        Numbers by the policy, in the column's unit; NaN where there is none. All NaN for text.
    flag : ndarray of uint8
        PLAIN, BELOW, ABOVE, BARE, MISSING or REJECTED.
    limit : ndarray of float64
        Reporting limit of censored values, else NaN.
    missing : mapping of str to int
        Missing values by reason.
    text : ndarray of object
        Texts, or dates as ISO text, with None for gaps; empty for numbers.
    """

    column: Column
    values: Floats
    flag: Codes
    limit: Floats
    missing: Mapping[str, int] = field(default_factory=dict)
    text: NDArray[np.object_] = field(default_factory=lambda: np.empty(0, dtype=object))

    def count(self, *codes: int) -> int:
        """Return how many values have one of the codes."""
        return int(np.isin(self.flag, codes).sum())

    @property
    def plain(self) -> Mask:
        """Which values were reported as plain numbers (or texts)."""
        found: Mask = self.flag == PLAIN
        return found

    @property
    def below(self) -> Mask:
        """Which values were reported as below a limit, stated or not."""
        found: Mask = (self.flag == BELOW) | (self.flag == BARE)
        return found

    @property
    def above(self) -> Mask:
        """Which values were reported as above a limit."""
        found: Mask = self.flag == ABOVE
        return found


@dataclass(frozen=True)
class Accounting:
    """Where the rows of a table went.

    Attributes
    ----------
    rows, used : int
        All rows; rows with a number in every column asked for.
    dropped : mapping of str to mapping of str to int
        For each column, rows without a number by reason; a row may be dropped by several.
    censored : mapping of str to tuple of int
        For each column with some, values below and above a limit among the rows used.
    """

    rows: int
    used: int
    dropped: Mapping[str, Mapping[str, int]]
    censored: Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class Frame:
    """Some columns of a table as arrays.

    Attributes
    ----------
    table : Table
        Where they come from.
    policy : Policy
        What censored values count as.
    series : dict of str to Series
        By column name, in the order asked for.
    rows : int
        Rows of the table.
    samples : ndarray of bool, shape (rows,), or None
        False for rows of quality control, whose numbers are left out; None where there are none.
    """

    table: Table
    policy: Policy
    series: dict[str, Series]
    rows: int
    samples: Mask | None = None

    def matrix(self, names: Sequence[str] | None = None) -> Floats:
        """Return numbers of shape (rows, columns), NaN where there is none."""
        wanted = list(self.series) if names is None else list(names)
        if not wanted:
            return np.empty((self.rows, 0))
        return np.column_stack([self.series[name].values for name in wanted])

    def complete(self, names: Sequence[str] | None = None) -> Mask:
        """Tell which rows have a finite number in every column."""
        found = np.ones(self.rows, dtype=bool)
        # Column by column: all of them side by side would be held twice.
        for name in self.series if names is None else names:
            found &= np.isfinite(self.series[name].values)
        return found

    def accounting(
        self, names: Sequence[str] | None = None, used: Mask | None = None
    ) -> Accounting:
        """Say where the rows went.

        Parameters
        ----------
        names : sequence of str, optional
            Columns that were needed; all number columns if left out.
        used : ndarray of bool, optional
            Rows in use; those complete in all columns if left out.
        """
        wanted = [n for n in (names or self.series) if self.series[n].column.kind == "number"]
        mask = self.complete(wanted) if used is None else used
        dropped, censored = {}, {}
        for name in wanted:
            series = self.series[name]
            reasons = _reasons(series, self.policy)
            if reasons:
                dropped[name] = reasons
            low, high = int((series.below & mask).sum()), int((series.above & mask).sum())
            if low or high:
                censored[name] = (low, high)
        return Accounting(self.rows, int(mask.sum()), dropped, censored)


def _reasons(series: Series, policy: Policy) -> dict[str, int]:
    """Count the values that have no number, by reason."""
    reasons = dict(series.missing)
    if series.count(REJECTED):
        reasons["not a number"] = series.count(REJECTED)
    if policy is not Policy.ZERO and series.count(BARE):
        reasons["below an unstated limit"] = series.count(BARE)
    if policy is Policy.DROP and series.count(BELOW, ABOVE):
        reasons["censored"] = series.count(BELOW, ABOVE)
    return reasons


def read_frame(
    table: Table,
    columns: Iterable[str],
    policy: Policy = Policy.HALF,
    told: Callable[[float], None] = lambda _share: None,
) -> Frame:
    """Read columns of a snapshot as arrays.

    Parameters
    ----------
    table : Table
        The table.
    columns : iterable of str
        Names; a repeated one is read once.
    policy : Policy
        What censored values count as.
    told : callable, optional
        Called with the share that is read.

    Raises
    ------
    Refused
        If a column does not exist.
    """
    wanted = {column.name: column for column in map(table.column, columns)}
    coded = [column.name + FLAG for column in wanted.values() if column.coded]
    try:
        source = snapshot(table.path, coded)
        samples = _samples(source, table)
        series = {}
        for number, (name, column) in enumerate(wanted.items()):
            told(number / len(wanted))
            series[name] = _of_samples(_series(source, column, policy), samples)
    except MemoryError:  # which is an error of Arrow's, too
        raise
    except (OSError, pa.ArrowException):
        raise Refused(f"table '{table.name}': its snapshot cannot be read; open it again") from None
    return Frame(table, policy, series, table.rows, samples)


def _samples(source: Bounded, table: Table) -> Mask | None:
    """Tell which rows are samples, where some are of quality control."""
    if table.control is None:
        return None
    column = table.control.column
    words = source.scanner(columns={"word": ds.field(column)}).to_table().column("word")
    trimmed = pc.utf8_trim_whitespace(pc.cast(words.combine_chunks(), pa.string()))
    other = np.zeros(table.rows, dtype=bool)
    for pattern in patterns(table.control.how).values():
        other |= np.asarray(pc.fill_null(pc.match_substring_regex(trimmed, pattern), False))
    return ~other


def _of_samples(series: Series, samples: Mask | None) -> Series:
    """Leave out the numbers of rows that are no samples."""
    if samples is None or series.column.kind != "number":
        return series
    others = ~samples & (series.flag != MISSING)
    values, flag = series.values.copy(), series.flag.copy()
    limit = np.where(samples, series.limit, np.nan)
    values[~samples], flag[~samples] = np.nan, MISSING
    gone = int(others.sum())
    missing = {**series.missing, CONTROL: gone} if gone else series.missing
    return Series(series.column, values, flag, limit, missing, series.text)


def _series(source: Bounded, column: Column, policy: Policy) -> Series:
    """Read one column and make its arrays."""
    fields = {"value": ds.field(column.name)}
    if column.coded:
        fields |= {"flag": ds.field(column.name + FLAG), "limit": ds.field(column.name + LIMIT)}
    data = source.scanner(columns=fields).to_table()
    raw = data.column("value").combine_chunks()
    blank = np.asarray(pc.is_null(raw))
    flag = np.where(blank, MISSING, PLAIN).astype(np.uint8)
    # Nothing is known for most columns: one number seen from every row takes no memory.
    nothing: Floats = np.broadcast_to(np.float64(np.nan), len(flag))
    reasons = {BLANK: int(blank.sum())} if blank.any() else {}
    if column.kind not in {"number", "empty"}:
        texts = np.array(pc.cast(raw, pa.string()).to_pylist(), dtype=object)
        return Series(column, nothing, flag, nothing, reasons, texts)
    if not pa.types.is_floating(raw.type):
        return Series(column, nothing, flag, nothing, reasons)
    values, limit = np.array(pc.fill_null(raw, np.nan)), nothing
    if column.coded:
        limit = np.array(pc.fill_null(data.column("limit").combine_chunks(), np.nan))
        flag, reasons = _flags(data.column("flag").combine_chunks())
        _replace(values, flag, limit, policy)
    return Series(column, values, flag, limit, reasons)


def _flags(told: pa.Array) -> tuple[Codes, dict[str, int]]:
    """Turn flags as text into codes, and count the reasons of missing values."""
    encoded = told if pa.types.is_dictionary(told.type) else told.dictionary_encode()
    words = encoded.dictionary.to_pylist()
    codes = np.array([_CODES.get(word, MISSING) for word in words] + [PLAIN], dtype=np.uint8)
    places = np.array(pc.fill_null(encoded.indices, len(words)))
    times = np.bincount(places, minlength=len(words) + 1)
    reasons = {word: int(times[at]) for at, word in enumerate(words) if codes[at] == MISSING}
    return codes[places], dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))


def _replace(values: Floats, flag: Codes, limit: Floats, policy: Policy) -> None:
    """Put the policy's numbers in place of censored values."""
    share = policy.share
    if share is None:
        return
    values[flag == BELOW] = limit[flag == BELOW] * share
    values[flag == ABOVE] = limit[flag == ABOVE]
    if policy is Policy.ZERO:
        values[flag == BARE] = 0.0
