"""Header rows joined into one header a column: name, unit, method, limits.

A block of labelled rows has its labels in columns of their own that are empty below; elsewhere the
labels, if any, stand in the column of the samples.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from workbench.formats.format import HeaderCell
from workbench.formats.heading_words import (
    Row,
    Says,
    amount,
    is_number,
    is_sure,
    label,
    substances,
    unit_of,
)

# A template has eight header rows; twice as many are no header any more.
_MOST = 16


@dataclass
class Block:
    """Rows that make up a header.

    Attributes
    ----------
    names : int
        The row of names.
    others : dict of int to Says or None
        Rows that say more, and what; None for a row whose labels differ by column.
    labels : tuple of int
        Columns of labels, which are no columns of the table.
    group : int or None
        A row above the names that groups them.
    first_names : dict of int to str
        Names of the columns of the samples where they stand in a row of their own.
    data : int
        First data row.
    """

    names: int
    others: dict[int, Says | None] = field(default_factory=dict)
    labels: tuple[int, ...] = ()
    group: int | None = None
    first_names: dict[int, str] = field(default_factory=dict)
    data: int = 0

    @property
    def first(self) -> int:
        """Its first row."""
        above = [] if self.group is None else [self.group]
        return min([self.names, *self.others, *above])

    @property
    def rows(self) -> int:
        """How many rows say something."""
        own = {self.names, *self.others} | ({self.group} if self.group is not None else set())
        return len(own) + bool(self.first_names)


def labelled(rows: Sequence[Row]) -> Block | None:
    """Find a block of header rows whose labels stand in a column that is empty below."""
    found: dict[int, range] = {}
    for place in range(max(map(len, rows), default=0)):
        run = _labels(rows, place)
        if run is not None:
            found[place] = run
    if not found:
        return None
    start, stop = next(iter(found.values())).start, next(iter(found.values())).stop
    places = tuple(at for at, run in found.items() if run.stop == stop)
    first = places[0]
    names = next((n for n in range(start, stop) if label(_at(rows[n], first)) is Says.NAME), start)
    others: dict[int, Says | None] = {n: None for n in range(start, stop) if n != names}
    return Block(names, others, places, data=stop)


def _labels(rows: Sequence[Row], place: int) -> range | None:
    """Return the rows that one column labels, if there is nothing in it below them."""
    filled = [n for n, row in enumerate(rows) if _at(row, place)]
    start = next((at for at, n in enumerate(filled) if label(_at(rows[n], place))), None)
    if start is None:
        return None
    run = filled[start:]
    words = [_at(rows[n], place) for n in run]
    known = sum(label(word) is not None for word in words)
    whole = run == list(range(run[0], run[0] + len(run)))
    enough = known >= max(2, len(run) / 2) and any(map(is_sure, words))
    if not (whole and enough and len(run) <= _MOST):
        return None
    below = any(any(cell.strip() for cell in row) for row in rows[run[-1] + 1 :])
    return range(run[0], run[-1] + 1) if below else None


def _at(row: Row, place: int) -> str:
    return row[place].strip() if 0 <= place < len(row) else ""


def join(rows: Sequence[Row], block: Block, places: Sequence[int]) -> tuple[HeaderCell, ...]:
    """Return the header of every column.

    Parameters
    ----------
    rows : sequence of sequence of str
        The first rows of the table.
    block : Block
        Which of them are the header.
    places : sequence of int
        Column of the header for each column of the body.
    """
    cells = [_cell(rows, block, place) for place in places]
    if block.group is None:
        return tuple(cells)
    groups = _filled_right(rows[block.group], len(rows[block.names]))
    return tuple(
        replace(cell, name=_grouped(cell.name, _at(groups, place), cells))
        if _at(groups, place)
        else cell
        for cell, place in zip(cells, places, strict=True)
    )


def _grouped(name: str, group: str, cells: Sequence[HeaderCell]) -> str:
    """Put a group before a name that is not clear without it."""
    times = Counter(cell.name.strip().casefold() for cell in cells)
    needed = times[name.strip().casefold()] > 1 or (substances([group]) and not substances([name]))
    return f"{group} {name}".strip() if needed and group != name else name


def _filled_right(row: Row, width: int) -> list[str]:
    """Let every cell of a row of groups stand for the empty ones behind it."""
    filled, last = [], ""
    for place in range(width):
        last = _at(row, place) or last
        filled.append(last)
    return filled


def _cell(rows: Sequence[Row], block: Block, place: int) -> HeaderCell:
    """Join what the header rows say about one column."""
    if place in block.labels:
        return HeaderCell("")
    said: dict[Says, list[str]] = {}
    for index, says in sorted(block.others.items()):
        kind = says or _kind(rows[index], block.labels, place)
        cell = _at(rows[index], place)
        if kind is not None and cell and label(cell) is not kind:
            said.setdefault(kind, []).append(cell)
    unit = next(filter(None, map(unit_of, said.get(Says.UNIT, ()))), None)
    codes = [cell for cell in said.get(Says.METHOD, ()) if any(sign.isdigit() for sign in cell)]
    words = [cell for cell in said.get(Says.METHOD, ()) if cell not in codes]
    name = _name(rows, block, place, words if place == 0 else [])
    method = "/".join(dict.fromkeys(codes if place == 0 else said.get(Says.METHOD, ())))
    lower, upper = (
        next((n for n in map(amount, said.get(one, ())) if n is not None), None)
        for one in (Says.LOWER, Says.UPPER)
    )
    return HeaderCell(name, unit, method or None, lower=lower, upper=upper)


def _kind(row: Row, labels: Sequence[int], place: int) -> Says | None:
    """Return what a row says of a column by the nearest label before it, or the first one."""
    before = [at for at in labels if at < place]
    return label(_at(row, before[-1] if before else labels[0]))


def _name(rows: Sequence[Row], block: Block, place: int, words: Sequence[str]) -> str:
    name = rows[block.names][place] if 0 <= place < len(rows[block.names]) else ""
    if place in block.first_names and (not name.strip() or label(name) is Says.NAME):
        return block.first_names[place]
    # "SAMPLE" over "DESCRIPTION": words of the first column that are cut in two.
    return " ".join([*words, name]) if words and name.strip() else name or "".join(words[:1])


def remarks(rows: Sequence[Row], block: Block) -> tuple[str, ...]:
    """Say which header rows were joined, and which were only kept as a note."""
    if not block.others and block.group is None:
        return ()
    first = block.labels[0] if block.labels else 0
    left = [
        _at(rows[n], first) for n, says in block.others.items()
        if (says or label(_at(rows[n], first))) in {None, Says.OTHER}
    ]  # fmt: skip
    limits = sum(
        (says or label(_at(rows[n], first))) in {Says.LOWER, Says.UPPER}
        for n, says in block.others.items()
    )
    told = f"{block.rows} header rows were joined"
    told += f" ({limits} of them limits)" if limits else ""
    told += f"; not used: {', '.join(word[:40] for word in left if word)}" if any(left) else ""
    return (told[:400],) if block.rows > 1 else ()


def numbers_only(row: Row) -> bool:
    """Tell whether a row has numbers and nothing else, and none in its first cell."""
    cells = [cell for cell in row[1:] if cell.strip()]
    return bool(cells) and not row[0].strip() and all(map(is_number, cells))
