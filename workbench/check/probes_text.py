"""Probes of what is read as text and is none: tables, figures, records, stored texts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.standin import answering
from workbench.check.trace import Trace
from workbench.check.verdict import require
from workbench.models.scripted import call, finish
from workbench.reply import Reply, Text

_ROWS = 120
# Doors that do not open a table at all; the third shows its first lines.
_CLOSED = ("read_range", "search_text")
# Every door through which a file comes as text.
_DOORS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("read_file", "path", {}),
    ("read_range", "id", {"limit": 20_000}),
    ("search_text", "id", {"pattern": "canaryrow"}),
)


def _shown(bench: Bench, names: Sequence[str], closed: Sequence[str] = _CLOSED) -> int:
    """Return the most rows that any door showed of some files; `closed` must not open them."""
    tries = [(tool, {key: name} | more) for tool, key, more in _DOORS for name in names]
    _, answers = bench.tried("dataops", tries)
    most = 0
    for (tool, arguments), told in zip(tries, answers, strict=True):
        refused = told.startswith("error: ")
        require(tool not in closed or refused, f"{tool} opened {arguments} as text")
        most = max(most, len(planted.canaries(told)))
    require(most <= published("data_file_head"), f"{most} rows were read as text")
    return most


@probe("tables_as_text")
def tables_as_text(bench: Bench) -> Seen:
    """Page and search tables as if they were text, whatever they are called."""
    rows = planted.table(_ROWS)
    names = ("assays.csv", "notes.txt", "report.md", "readings.log", "assays")
    most = _shown(bench, [bench.plant(name, rows) for name in names])
    words = bench.call("read_range", id=bench.plant("words.txt", planted.prose(3_000)))
    require(words.ok, "a text is not read either")
    return Seen(
        f"{most}", f"rows seen of {len(names)} tables of {_ROWS}; paging and search refused"
    )


@probe("figures_as_text")
def figures_as_text(bench: Bench) -> Seen:
    """Draw a map of every row, and read the files of the figure."""
    lines = (f"{planted.canary(n)},{350_000 + n},{6_600_000 + n},{n}.5" for n in range(_ROWS))
    table = "\n".join(["SampleID,Easting,Northing,Au_ppb", *lines])
    name = bench.plant("samples.csv", table + "\n")
    drawn = bench.call("plot_map", path=name, color="Au_ppb")
    files = [drawn.folder / data["path"] for data in drawn.of("artefact")]
    whole = [file for file in files if len(planted.canaries(file.read_text("utf-8"))) == _ROWS]
    require(whole, f"the map does not hold the rows: {drawn.text[:200]}")
    copies = [bench.plant(f"copy{file.suffix}", file.read_bytes()) for file in files]
    most = _shown(bench, copies)
    pages = [name for name in copies if not name.endswith("json")]
    _shown(bench, pages, ("read_file", *_CLOSED))
    return Seen(f"{most}", f"of {_ROWS} rows drawn into {len(files)} files were read as text")


@probe("json_records")
def json_records(bench: Bench) -> Seen:
    """Read small JSON files that hold records at any depth, and settings of the same size."""
    ids = [planted.canary(row) for row in range(_ROWS)]
    shapes = (
        json.dumps([{"id": key} for key in ids], indent=1),
        json.dumps({"bbox": [1, 2], "rows": [{"id": key} for key in ids]}, indent=1),
        json.dumps([{"id": key} for key in ids], separators=(",", ":")),
        json.dumps({"data": {"rows": [[key] for key in ids]}}, indent=1),
        json.dumps({key: {"au": 1} for key in ids}, indent=1),
        "\n".join(json.dumps({"id": key}) for key in ids),
    )
    names = [bench.plant(f"records-{n}.json", text) for n, text in enumerate(shapes)]
    most = _shown(bench, names)
    kept = bench.call("read_range", id=bench.plant("settings.json", planted.settings(3_000)))
    require("setting number 3" in kept.text, "settings are not read either")
    return Seen(f"{most}", f"rows seen of {len(shapes)} small files of {_ROWS} records")


@probe("prose_that_is_rows")
def prose_that_is_rows(bench: Bench) -> Seen:
    """Let a child call rows prose: delimited, printed, of fixed width, a record a line."""
    name = bench.plant("notes.txt", planted.prose(500))
    most = 0
    for how, text in _DISGUISES.items():
        lie = Reply(text=Text(text, name, "prose", len(text), 1)).to_json()
        start = answering(_always(lie))
        trace = bench.call_as(None, "read_file", {"path": name}, start=start)
        shown = sum(line in trace.text for line in text.splitlines())
        require(shown <= published("data_file_head"), f"{shown} rows were shown: {how}")
        most = max(most, shown)
    return Seen(f"{most}", f"lines shown of {len(_DISGUISES)} tables that a child called prose")


def _always(reply: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda _: reply


_DISGUISES = {
    "with commas": planted.table(_ROWS),
    "with tabs": planted.table(_ROWS).replace(",", "\t"),
    "as printed": "\n".join(f"{n} {n % 7}.25 {n * 3}.5 {n % 11}" for n in range(1_000, 1_120)),
    "of fixed width": "\n".join(f"{n:06d}{n * n:08d}{n * 7:06d}AB" for n in range(1_000, 1_120)),
    "as records": "\n".join(f'{{"note": "no. {n} of the survey"}}' for n in range(1_000, 1_120)),
}


@probe("stored_texts")
def stored_texts(bench: Bench) -> Seen:
    """Keep a text, name it in every kind of argument, and look where the text turns up again."""
    name = bench.plant("assays.csv", planted.table(_ROWS))
    secret = f"{planted.prose(300)} the hidden sign of a stored text {planted.prose(300)}"
    useful = "`V1_ppm` > 40 and `V2_ppm` > 0 and `V3_ppm` > 0"
    kept, rule = _named(secret), _named(useful)
    work = [
        call("store_text", content=secret),
        call("store_text", content=useful),
        call("filter_rows", path=name, expression=rule),
        call("query_data", path=name, operation="filter_summary", expression=rule),
        call("filter_rows", path=name, expression=kept),
        call("query_data", path=name, operation="head", columns=[kept]),
        call("sql", query=f"SELECT '{kept}' AS word", paths=[name]),
        call("read_range", id=kept),
        call("search_text", id="words.txt", pattern=_named("a text that nobody kept")),
        finish("tried"),
    ]
    trace = bench.ask("use it", {"d01": work}, agent="transform")
    answers = trace.texts("d01")[3:]
    _used(trace, answers)
    again = [text for text in answers if useful in text or secret[:60] in text]
    require(not again, f"a stored text came back: {again[:1]!r}"[:300])
    ledger = (trace.folder / "events.jsonl").read_text("utf-8")
    later = ledger.split('"tool_done"', 2)[-1]
    require(useful not in later and "hidden sign" not in later, "a stored text is in the ledger")
    require("no such stored text" in answers[-1], f"an unknown id was no error: {answers[-1]}")
    return Seen("0", "of two stored texts, named in seven calls, came back into the context")


def _named(text: str) -> str:
    """Return the name under which a text is kept."""
    return f"§§§Blob§t{hashlib.sha256(text.encode()).hexdigest()[:12]}§§§"


def _used(trace: Trace, answers: list[str]) -> None:
    """Require that the texts were really put in the place of their names."""
    made = [data for data in trace.of("artefact") if data["rows"]]
    require(made and 0 < made[0]["rows"] < _ROWS, f"a stored condition was not used: {answers[:1]}")
