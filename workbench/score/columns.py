"""Right answers about one column or one table, by pandas alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.score.registry import Value, work

if TYPE_CHECKING:
    from workbench.score.rawfiles import Raw


@work
def names(raw: Raw) -> list[Value]:
    """Return every file of the folder."""
    return list(raw.names())


@work
def words(_raw: Raw, say: list[str]) -> list[Value]:
    """Return words that are known by hand."""
    return list(say)


@work
def rows(raw: Raw, file: str, sheet: str = "") -> list[Value]:
    """Return how many rows a table has."""
    return [float(len(raw.table(file, sheet)))]


@work
def columns(raw: Raw, file: str, sheet: str = "") -> list[Value]:
    """Return how many columns a table has."""
    return [float(raw.table(file, sheet).shape[1])]


@work
def not_numbers(raw: Raw, file: str, column: str) -> list[Value]:
    """Return how many rows have neither a number nor a limit in a column."""
    cells = raw.table(file)[column]
    known = raw.numbers(file, column).notna() | cells.str.startswith(("<", ">"))
    return [float((~known).sum())]


@work
def coded(raw: Raw, file: str, column: str, codes: list[str]) -> list[Value]:
    """Return how many cells hold each of some codes."""
    cells = raw.table(file)[column]
    return [float((cells == code).sum()) for code in codes]


@work
def below_share(raw: Raw, file: str, column: str) -> list[Value]:
    """Return per cent of the analysed values that are below detection."""
    below = raw.table(file)[column].str.startswith("<")
    above = raw.table(file)[column].str.startswith(">")
    analysed = below | above | raw.numbers(file, column).notna()
    return [100 * below.sum() / analysed.sum()]


@work
def quantile(raw: Raw, file: str, column: str, shares: list[float]) -> list[Value]:
    """Return quantiles of the plain numbers, by linear interpolation."""
    return [float(raw.numbers(file, column).quantile(share)) for share in shares]


@work
def quantile_by(raw: Raw, file: str, column: str, by: str, share: float) -> list[Value]:
    """Return a quantile of the plain numbers in every group."""
    found = raw.numbers(file, column).groupby(raw.table(file)[by]).quantile(share)
    return [float(value) for value in found.dropna()]


@work
def largest(raw: Raw, file: str, column: str) -> list[Value]:
    """Return the largest plain number."""
    return [float(raw.numbers(file, column).max())]


@work
def groups(raw: Raw, file: str, by: str) -> list[Value]:
    """Return how many rows each group has."""
    return [float(count) for count in raw.table(file)[by].value_counts()]


@work
def repeated(raw: Raw, file: str, column: str) -> list[Value]:
    """Return which texts of a column stand there more than once."""
    counts = raw.table(file)[column].value_counts()
    return [str(name) for name in counts[counts > 1].index]


@work
def above(raw: Raw, file: str, column: str, over: float) -> list[Value]:
    """Return how many rows are above a value; what is above the upper limit is too."""
    beyond = raw.table(file)[column].str.startswith(">")
    return [float(((raw.numbers(file, column) > over) | beyond).sum())]


@work
def equal(raw: Raw, file: str, column: str, text: str) -> list[Value]:
    """Return how many rows have a text in a column."""
    return [float((raw.table(file)[column] == text).sum())]


@work
def highest(raw: Raw, file: str, column: str, label: str, count: int) -> list[Value]:
    """Return the labels of the rows with the highest values, above the upper limit first."""
    table, values = raw.table(file), raw.numbers(file, column)
    values = values.mask(table[column].str.startswith(">"), float("inf"))
    return [str(name) for name in table[label][values.nlargest(count).index]]


@work
def total_depth(raw: Raw, file: str, column: str) -> list[Value]:
    """Return the sum of a column's plain numbers."""
    return [float(raw.numbers(file, column).sum())]


@work
def between(raw: Raw, file: str, column: str, low: float, high: float) -> list[Value]:
    """Return how many plain numbers are within two bounds."""
    return [float(raw.numbers(file, column).between(low, high).sum())]
