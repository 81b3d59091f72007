"""The description of a file, or of a folder, as text for people.

One line a column, what decides in front: how many real values there are, what is below or above
which limit, what is missing and why, and the range of the plain numbers.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.cli.terminal import size, table
from workbench.tables.table import median_bound
from workbench.visible import cell

_WIDTH = 100
_FILES = 12
_REASONS = 3
_BAR = 6
_HEADER = (
    "column",
    "role",
    "unit",
    "values",
    "share",
    "beyond limits",
    "missing",
    "median",
    "range",
)


def described(found: Mapping[str, Any], root: Path) -> str:
    """Return a description as text.

    Parameters
    ----------
    found : mapping
        In the shape of ``describe --json``.
    root : Path
        The data folder, for the size of the file.
    """
    source = found["source"]
    parts = [_title(source, root), *_notes(found["notes"]), *_files(source.get("files") or ())]
    for item in found["tables"]:
        parts += ["", _summary(item), "", _columns(item)]
        notes = _notes(item["notes"])
        parts += ["", *notes] if notes else []
    return "\n".join(parts)


def _title(source: Mapping[str, Any], root: Path) -> str:
    """Name the file and how it was read."""
    facts = [source["format"]]
    place = root / source["path"]
    facts += [size(place.stat().st_size)] if place.is_file() else []
    facts += [
        _sign(str(source[key]), key)
        for key in ("encoding", "delimiter", "decimal", "line_end")
        if source.get(key) and (key != "decimal" or source[key] != ".")
    ]
    rows, skipped = source.get("header_rows", 1), source.get("skipped_lines")
    facts += [f"header of {rows} rows"] if rows > 1 else []
    facts += ["no header"] if rows == 0 else []
    facts += [f"{_many(skipped, 'line')} above the header"] if skipped else []
    return f"{cell(source['path'])}: {', '.join(facts)}"


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def _sign(word: str, key: str) -> str:
    """Say a sign in words."""
    names = {"\t": "tabs", " ": "blanks", ",": "commas", ";": "semicolons", "|": "bars"}
    if key == "delimiter":
        return names.get(word, word)
    if key == "decimal":
        return "decimal comma"
    return word.upper() if key == "line_end" else word


def _files(files: Sequence[Mapping[str, Any]]) -> list[str]:
    """List the files of a set: those that differ first."""
    if not files:
        return []
    order = sorted(files, key=lambda one: not one["differs"])
    rows = [(one["path"], one["rows"] or None, one["differs"] or None) for one in order[:_FILES]]
    more = f"  … and {len(files) - _FILES:,} more files" if len(files) > _FILES else ""
    return ["", _indented(table(("file", "rows", "differs"), rows)), *([more] if more else [])]


def _summary(item: Mapping[str, Any]) -> str:
    columns = item["columns"]
    facts = [f"{_many(item['rows'], 'row')} × {_many(len(columns), 'column')}"]
    for key, word in (("below", "below a limit"), ("above", "above a limit")):
        some = [column[key] for column in columns if column[key]]
        told = f"{_many(sum(some), 'value')} {word} in {_many(len(some), 'column')}"
        facts += [told] if some else []
    odd = sum(column["rejected"] for column in columns)
    facts += [f"{_many(odd, 'cell')} that cannot be read as numbers"] if odd else []
    empty = sum(column["kind"] == "empty" for column in columns)
    facts += [_many(empty, "empty column")] if empty else []
    return f"{cell(item['name'])}: {', '.join(facts)}"


def _columns(item: Mapping[str, Any]) -> str:
    rows = [_column(column, item["rows"]) for column in item["columns"]]
    used = [at for at in range(len(_HEADER)) if any(row[at] for row in rows)]
    return _indented(
        table([_HEADER[at] for at in used], [[row[at] for at in used] for row in rows])
    )


def _column(column: Mapping[str, Any], rows: int) -> tuple[object, ...]:
    plain, kind = column["count"], column["kind"]
    role = column["role"] if column["role"] != "empty" else ""
    what = role if role == kind or role in {"id", "hole"} or kind == "number" else f"{role} {kind}"
    reasons = dict(column["missing"]) | (
        {"no number": column["rejected"]} if column["rejected"] else {}
    )
    return (
        column["name"],
        what.strip(),
        column["unit"],
        f"{plain:,}",
        _share(plain + column["below"] + column["above"], rows),
        _beyond(column),
        _reasons(reasons),
        _median(column),
        _range(column),
    )


def _median(column: Mapping[str, Any]) -> str:
    """Return the median of the plain numbers, or the limit it lies under where most are below."""
    plain = column["count"] + column["above"]
    under = median_bound(plain, column["below"], column["limits"])
    return _number(column["median"]) if under is None else f"<{_number(under)}"


def _share(real: int, rows: int) -> str:
    """Draw the share of cells that hold something real; never full or empty unless it is."""
    share = real / rows if rows else 0.0
    full = round(share * _BAR)
    full = min(max(full, 1 if real else 0), _BAR if real == rows else _BAR - 1)
    percent = "100" if real == rows else f"{min(max(round(100 * share), 1 if real else 0), 99)}"
    return f"{'█' * full}{'░' * (_BAR - full)} {percent:>3} %"


def _beyond(column: Mapping[str, Any]) -> str:
    """Say how many values are known only by a limit, and which limits."""
    limits = column["limits"]
    told = ""
    if limits:
        ends = [_number(limits[0])] + ([_number(limits[-1])] if len(limits) > 1 else [])
        told = f" ({'…'.join(ends)})"
    parts = [
        f"{column[key]:,} {sign}" for key, sign in (("below", "<"), ("above", ">")) if column[key]
    ]
    return ", ".join(parts) + told if parts else ""


def _reasons(reasons: Mapping[str, int]) -> str:
    order = sorted(reasons.items(), key=lambda item: -item[1])
    told = [f"{count:,} {cell(word.removeprefix('sentinel '))}" for word, count in order[:_REASONS]]
    return ", ".join(told) + (" …" if len(order) > _REASONS else "")


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.10g}" if abs(value) >= 1e5 else f"{value:.5g}"  # noqa: PLR2004 - coordinates keep their metres
    return "" if value is None else str(value)


def _range(column: Mapping[str, Any]) -> str:
    low, high = _number(column["min"]), _number(column["max"])
    return low if low == high else f"{low} … {high}"


def _notes(notes: Iterable[str]) -> list[str]:
    return [
        textwrap.fill(cell(note), _WIDTH, initial_indent="  • ", subsequent_indent="    ")
        for note in notes
    ]


def _indented(text: str) -> str:
    return textwrap.indent(text, "  ")


def listed(found: Mapping[str, Any], root: Path) -> str:
    """Return the files of a folder as text, those that are one table together first."""
    files, sets = found["files"], found["sets"]
    parts = [f"{root.name}: {len(files):,} files, {size(sum(one['bytes'] for one in files))}"]
    if sets:
        rows = [(name, one["files"], one["columns"], one["alike"]) for name, one in sets.items()]
        parts += ["", "one table together:"]
        parts += [_indented(table(("name", "files", "columns", "alike"), rows))]
    sizes = [(one["name"], size(one["bytes"])) for one in files[: 4 * _FILES]]
    parts += ["", _indented(table(("file", "size"), sizes, 70))]
    more = len(files) - len(sizes)
    return "\n".join([*parts, *([f"  … and {more:,} more files"] if more > 0 else [])])
