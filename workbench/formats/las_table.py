"""One data section of a LAS log as a raw table: its columns as the header defines them, its rows.

A header that names more or fewer columns than the data have is overruled with a note; units, roles
and what stands for a gap are stated by the file and handed on as that.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from workbench.formats import format as raw
from workbench.formats.las_dates import with_dates
from workbench.formats.las_gaps import as_number, find_gaps, index_notes
from workbench.formats.las_header import Curve, Header, described
from workbench.formats.las_layout import Layout, decide, splitter
from workbench.formats.las_mend import mended
from workbench.formats.las_rows import Rows, content
from workbench.formats.las_text import LasText, Section
from workbench.formats.quoting import text as sql_text
from workbench.formats.reading import WIDE, Reading

_SAMPLE = 400
# The engine keeps several lines of this size in memory; a row with breaks in a cell is long.
_LINE_BYTES = 4_000_000
_HALF = 0.5
# Words of a title that are no names of columns: "~ASCII LOG DATA SECTION".
_TITLE = frozenset({"LOG", "DATA", "SECTION", "BLOCK", "INFORMATION", "ASCII"})
# The logs' own spellings of units that have another name here; feet only where depth is meant.
_UNITS = {
    "g/c3": "g/cm3",
    "gm/c3": "g/cm3",
    "gm/cc": "g/cm3",
    "gm/cm3": "g/cm3",
    "k/m3": "kg/m3",
    "percnt": "pct",
    "метр": "m",
    "метер": "m",
    "м": "m",
}
_TOP = re.compile(r"\btop\b", re.IGNORECASE)
_BASE = re.compile(r"\b(?:base|bottom)\b", re.IGNORECASE)


def read_table(
    text: LasText,
    header: Header,
    section: Section,
    curves: Sequence[Curve],
    sheet: str | None,
    into: Reading,
) -> raw.RawTable | None:
    """Read the rows of a data section; None if it has neither rows nor columns.

    Parameters
    ----------
    text, header
        The log.
    section : Section
        The data.
    curves : sequence of Curve
        Its columns; may be empty.
    sheet : str or None
        Name of the table among several.
    into : Reading
        The loading connection.
    """
    sample = [line for _, line in itertools.islice(content(text.lines(section)), _SAMPLE)]
    layout, curves, notes = _agreed(sample, header, section, curves)
    if not layout.width:
        return None
    rows = Rows(layout)
    relation, gaps, told = _loaded(text, header, section, curves, rows, into)
    return raw.RawTable(
        relation,
        (*_cells(curves, gaps, is_log=section.family == "log"), *_surplus(rows)),
        rows.count,
        sheet,
        raw.Layout(
            text.encoding,
            layout.delimiter,
            layout.decimal,
            text.line_end,
            header_rows=0,
            skipped_lines=section.line,
        ),
        rows.lines,
        (*described(curves), *layout.notes, *notes, *told, *rows.notes(), *_empty(rows.count)),
        rows.short,
        rows.long,
        tuple(rows.ragged),
    )


def _loaded(
    text: LasText,
    header: Header,
    section: Section,
    curves: Sequence[Curve],
    rows: Rows,
    into: Reading,
) -> tuple[str, list[tuple[str, ...]], list[str]]:
    """Take the rows into the loading connection; return them, gaps by column, and notes."""
    layout, path = rows.layout, into.folder / f"rows-{section.line}"
    rows.write(
        text.lines(section), path, lambda done: into.told("load", done / max(section.size, 1))
    )
    kept = _kept(path, layout.width + bool(rows.long), rows.count, into)
    null, size = header.of_well("NULL"), path.stat().st_size
    relation, gaps, bare = find_gaps(into, kept, layout.width, null, layout.decimal, size)
    relation, notes = with_dates(into, relation, curves, size)
    if bare:
        names = ", ".join(curves[at].mnemonic for at in bare[:12])
        notes.append(f"{len(bare)} columns hold nothing but words for a gap (NaN, -): {names}")
    if section.family == "log" and rows.count:
        said = [header.of_well(name) for name in ("STRT", "STOP", "STEP")]
        notes += index_notes(into, relation, curves[0].mnemonic, said, layout.decimal)
    return relation, gaps, notes


def _kept(path: Path, width: int, rows: int, into: Reading) -> str:
    """Take written rows into the loading connection; the engine must find as many of them."""
    if width <= WIDE:
        relation = _by_engine(path, width, into)
        if into.one(f"SELECT count(*) FROM {relation}") == (rows,):  # noqa: S608 - our own name
            return relation
        into.drop(relation)
    with path.open(encoding="utf-8", newline="") as stream:
        return into.gather(width, csv.reader(stream, delimiter="\t"))[0]


def _by_engine(path: Path, width: int, into: Reading) -> str:
    columns = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(width))
    query = (
        f"SELECT * FROM read_csv({sql_text(str(path))}, auto_detect = false, "  # noqa: S608 - quoted
        f"columns = {{{columns}}}, delim = '\t', quote = '\"', escape = '\"', comment = '', "
        "header = false, skip = 0, null_padding = true, strict_mode = false, "
        "compression = 'none', encoding = 'utf-8', nullstr = '', parallel = false, "
        f"max_line_size = {_LINE_BYTES})"
    )
    return into.keep(query, path.stat().st_size)


def empty_table(curves: Sequence[Curve], text: LasText, into: Reading) -> raw.RawTable:
    """Return the table of a log that has columns and no rows."""
    relation, _ = into.gather(len(curves), ())
    layout = raw.Layout(text.encoding, None, None, text.line_end, header_rows=0)
    cells = _cells(curves, [()] * len(curves), is_log=True)
    notes = (*described(curves), *_empty(0))
    return raw.RawTable(relation, cells, 0, layout=layout, notes=notes)


def _empty(rows: int) -> tuple[str, ...]:
    return () if rows else ("the log has columns and no data",)


def _surplus(rows: Rows) -> tuple[raw.HeaderCell, ...]:
    """Return the column of what some rows have too much, if any have."""
    return (raw.HeaderCell("", stated=raw.Stated(role="text")),) if rows.long else ()


def _agreed(
    sample: Sequence[str], header: Header, section: Section, curves: Sequence[Curve]
) -> tuple[Layout, Sequence[Curve], list[str]]:
    """Settle how many columns there are, where header and data differ."""
    layout = _layout(sample, header, curves)
    if not sample or layout.wrapped:
        return layout, curves, []
    split = splitter(layout.delimiter)
    rows = [(line, split(line)) for line in sample]
    good = sum(
        len(row) == layout.width or mended(line, row, layout) is not None for line, row in rows
    )
    width = Counter(len(row) for _, row in rows).most_common(1)[0][0]
    titled = _titled(section, width)
    if not curves:
        named = titled or [Curve("") for _ in range(width)]
        said = "the names are those above the data" if titled else "columns are numbered"
        return _layout(sample, header, named), named, [f"the header defines no columns; {said}"]
    if good > _HALF * len(rows):
        return layout, curves, []
    told = f"the header defines {len(curves)} columns and the rows have {width} values"
    if titled:
        known = {curve.mnemonic.upper(): curve for curve in curves}
        named = [known.get(one.mnemonic.upper(), one) for one in titled]
        return _layout(sample, header, named), named, [f"{told}: named by the line above the data"]
    if width > len(curves):
        named = [*curves, *(Curve("") for _ in range(width - len(curves)))]
        return _layout(sample, header, named), named, [f"{told}: the last ones have no name"]
    left = ", ".join(curve.mnemonic for curve in curves[width:][:5])
    return layout, curves, [f"{told}: the last columns are taken to be the missing ones ({left})"]


def _layout(sample: Sequence[str], header: Header, curves: Sequence[Curve]) -> Layout:
    return decide(
        sample,
        len(curves),
        stated=header.delimiter,
        wrapped=header.wrapped,
        texts=[at for at, curve in enumerate(curves) if curve.is_text],
        step=as_number(header.of_well("STEP")),
        null=as_number(header.of_well("NULL")),
    )


def _titled(section: Section, width: int) -> list[Curve]:
    """Return the names on the line that opens the data, if there are as many as columns."""
    if section.name:
        return []
    names = section.title.split()
    names = names if section.title[:1].isspace() else names[1:]
    if len(names) != width or _TITLE & {name.upper() for name in names}:
        return []
    return [Curve(name) for name in names]


def _cells(
    curves: Sequence[Curve], gaps: Sequence[tuple[str, ...]], *, is_log: bool
) -> tuple[raw.HeaderCell, ...]:
    """Say of each column what the file says of it."""
    roles: list[str | None] = [None] * len(curves)
    if is_log and curves and curves[0].is_length:
        roles[0] = "depth"
    lengths = [at for at, one in enumerate(curves) if one.is_length]
    bases = [at for at in lengths if _BASE.search(curves[at].description)]
    # "Top Bottom Depth" is the base of a top.
    tops = [at for at in lengths if _TOP.search(curves[at].description) and at not in bases]
    if not is_log and len(tops) == len(bases) == 1:
        roles[tops[0]], roles[bases[0]] = "from", "to"
    return tuple(
        raw.HeaderCell(
            curve.mnemonic,
            stated=raw.Stated(_unit(curve.unit, is_place=role is not None), role, gap),
        )
        for curve, role, gap in zip(curves, roles, gaps, strict=True)
    )


def _unit(unit: str, *, is_place: bool) -> str | None:
    """Return a unit as the tables know it, else as the file writes it."""
    if is_place and unit.upper() == "F":
        return "ft"
    return _UNITS.get(unit.casefold(), unit) or None
