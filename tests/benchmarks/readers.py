"""Readers side by side: ours, DuckDB's sniffer and pandas on the same files.

Right means rows, columns and number of numeric columns as worked out independently beside each
public file; one of the three is enough to be wrong. Asserts nothing.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pandas as pd

from workbench.errors import WorkbenchError
from workbench.limits import Limits
from workbench.tables.snapshot import open_tables
from workbench.workspace import Workspace

PUBLIC = Path(__file__).resolve().parents[3] / "shared" / "data" / "real"
Shape = tuple[int, int, int]
_TEXTS = {".csv", ".tsv", ".dat", ".txt"}


def ours(path: Path) -> Shape:
    """Read by the workbench."""
    with tempfile.TemporaryDirectory(prefix="workbench-bench-") as name:
        workspace = Workspace(path.parent, Path(name))
        with workspace.open(path.name) as file:
            table = open_tables(file, Path(name) / "snapshots", Limits()).tables[0]
    kinds = [column.kind for column in table.columns]
    return table.rows, len(kinds), kinds.count("number")


def sniffed(path: Path) -> Shape:
    """Read by DuckDB with its own sniffer."""
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT * FROM read_csv(?)", [str(path)])
        types = [row[1] for row in con.execute("DESCRIBE t").fetchall()]
        rows = con.execute("SELECT count(*) FROM t").fetchone()
    numeric = sum(word.startswith(("DOUBLE", "BIGINT", "HUGEINT", "INTEGER")) for word in types)
    return int(rows[0]) if rows else 0, len(types), numeric


def framed(path: Path) -> Shape:
    """Read by pandas as it comes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = pd.read_csv(path, sep="\t" if path.suffix == ".tsv" else ",")
    return len(frame), len(frame.columns), len(frame.select_dtypes("number").columns)


READERS: dict[str, Callable[[Path], Shape]] = {
    "workbench": ours,
    "DuckDB sniffer": sniffed,
    "pandas": framed,
}


def truth(path: Path) -> Shape | None:
    """Return rows, columns and numeric columns of a public file; None where they are not known."""
    facts = json.loads(path.with_name(f"{path.name}.facts.json").read_text(encoding="utf-8"))
    known = [facts.get(key) for key in ("rows", "columns", "numeric_columns")]
    return tuple(known) if all(isinstance(one, int) for one in known) else None  # type: ignore[return-value]


def judged(read: Callable[[Path], Shape], path: Path, right: Shape) -> tuple[str, float]:
    """Return ``right``, what is wrong, or the error, and the seconds it took."""
    began = time.perf_counter()
    try:
        found = read(path)
    except (WorkbenchError, duckdb.Error, ValueError) as error:
        return f"error {type(error).__name__}", time.perf_counter() - began
    seconds = time.perf_counter() - began
    names = ("rows", "columns", "numeric")
    wrong = [f"{n} {a}" for n, a, b in zip(names, found, right, strict=True) if a != b]
    return ", ".join(wrong) or "right", seconds


def compared() -> Iterator[tuple[str, str]]:
    """Yield a line a file, then the sums."""
    if not PUBLIC.is_dir():
        yield "readers side by side", "left out: the public files are not here"
        return
    files = sorted(p for p in PUBLIC.rglob("*") if p.suffix.casefold() in _TEXTS)
    good = dict.fromkeys(READERS, 0)
    spent = dict.fromkeys(READERS, 0.0)
    total = 0
    for path in files:
        right = truth(path)
        if right is None:
            continue
        total += 1
        said = []
        for name, read in READERS.items():
            word, seconds = judged(read, path, right)
            good[name] += word == "right"
            spent[name] += seconds
            said.append(f"{name}: {word}")
        yield f"  {path.name} ({right[0]:,} × {right[1]})", "; ".join(said)
    for name in READERS:
        yield f"{name}", f"{good[name]} of {total} files right, {spent[name]:.1f} s"


if __name__ == "__main__":
    for label, text in compared():
        sys.stdout.write(f"{label:<52}  {text}\n")
        sys.stdout.flush()
