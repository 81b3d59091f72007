"""A package: the file as it is, its columns in words, and a readme that says what they mean."""

from __future__ import annotations

import csv
import io
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.accounting import facts
from workbench.errors import Refused
from workbench.files.fileset import is_pattern
from workbench.tables.export import neutral
from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.tables.table import Table
    from workbench.tools.context import Context

# A package of the same file has the same bytes, whenever it is made.
_MADE = (2000, 1, 1, 0, 0, 0)
_COLUMNS = (
    *("column", "role", "unit", "element", "method", "kind", "n", "below", "above", "missing"),
    *("rejected", "limits"),
)
_README = """# {name}

{rows:,} rows, {columns} columns{sheet}.
SHA-256 of {name}: {sha256}

- `{name}`: the data, byte for byte.
- `columns.csv`: what each column is: role, unit, element, method, how many values are plain
  numbers, below or above a limit, missing, or no number; and the limits met.

## How to read it

- In a result file, NAME__flag says `<` for a value below its detection limit, `>` for one above
  range, or why it is missing; NAME__limit gives the limit. NAME itself then holds half the limit
  (below) or the limit (above): never take it for a measured value.
- Rows of quality control: {control}.
- Which calls made a result, with parameters, seeds and hashes: `workbench lineage {name}`.
{notes}"""


def write(context: Context, path: str, table: Table, target: Path) -> dict[str, Any]:
    """Write a file with its description as a zip.

    Parameters
    ----------
    context : Context
        Of the call.
    path : str
        The file.
    table : Table
        What it holds; of a workbook the sheet that is described.
    target : Path
        File to write.

    Raises
    ------
    Refused
        For a set of files, and for a file that is larger than may be loaded.
    """
    if is_pattern(path):
        raise Refused("export_table: a zip holds one file; name one of the set")
    with context.open(path) as file, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as pack:
        most = context.limits["load_bytes"].number
        if file.size > most:
            raise Refused(f"export_table: {file.size:,} bytes; a zip takes at most {most:,}")
        name = Path(path).name
        with file.stream() as stream, pack.open(_entry(name), "w", force_zip64=True) as out:
            shutil.copyfileobj(stream, out)
        pack.writestr(_entry("columns.csv"), _columns(table))
        pack.writestr(_entry("README.md"), _readme(table, name, context.inputs[path]))
    return {"files": [facts.name(name), "columns.csv", "README.md"]}


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _MADE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _readme(table: Table, name: str, sha256: str) -> str:
    control = table.control.words if table.control else "none are known by their type or number"
    notes = "\n".join(f"- {visible(note)}" for note in table.notes[:20])
    return _README.format(
        name=visible(name),
        rows=table.rows,
        columns=len(table.columns),
        sheet=f", sheet {visible(table.sheet)}" if table.sheet else "",
        sha256=sha256,
        control=control,
        notes=f"\n## What the reader remarked\n\n{notes}\n" if notes else "",
    )


def _columns(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for column in table.columns:
        known = [column.role, column.unit, column.element, column.method, column.kind]
        counts = [column.count, column.below, column.above, facts.gaps(column), column.rejected]
        limits = " ".join(f"{limit:g}" for limit in column.limits)
        writer.writerow([neutral(column.name), *known, *counts, limits])
    return out.getvalue()
