"""A run as one archive that stands by itself: report, results, ledger, and what it was made with.

The data stays with whoever owns it, unless it is asked for; a manifest names every file by hash.
The same run gives the same bytes: entries have fixed times and stand in name order.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from workbench.errors import Refused, WorkbenchError
from workbench.report import book, page, text, writing
from workbench.report.sources import Source, sources
from workbench.runs import past
from workbench.runs.recorded import Recorded
from workbench.workspace import Workspace

_TIME = (1980, 1, 1, 0, 0, 0)
_KEPT = ("events.jsonl", "run.json")
_DATA = "data"
_RESULTS = "results"


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes
    ----------
    path : Path
        The archive.
    files : int
        Entries in it.
    missing : tuple of str
        Files that should be in it and are not there any more, or have changed.
    """

    path: Path
    files: int
    missing: tuple[str, ...]


def export(folder: Path, target: Path, *, with_data: bool = False) -> Exported:
    """Write the archive of a run.

    Parameters
    ----------
    folder : Path
        The run's folder.
    target : Path
        The archive, ending in .zip.
    with_data : bool, optional
        Whether the data files that were read go along.

    Raises
    ------
    Refused
        If a form of the report needs what is not installed.
    Failed
        If the disk refuses.
    """
    recorded = Recorded.of(folder)
    found = sources(folder, recorded.view, recorded.inputs())
    missing: list[str] = []
    entries: dict[str, bytes] = {}
    notebook = book.build(folder, Path(_DATA).parent / "report.ipynb", data=_DATA, results=_RESULTS)
    entries |= _report(notebook)
    entries |= dict(_results(recorded, missing))
    entries |= {f"record/{name}": (folder / name).read_bytes() for name in _present(folder)}
    if with_data:
        entries |= dict(_data(recorded, found, missing))
    entries["environment.txt"] = _environment().encode()
    entries["data-manifest.json"] = _manifest(found, entries).encode()
    entries["README.md"] = _readme(recorded, found, with_data=with_data).encode()
    target.parent.mkdir(parents=True, exist_ok=True)
    writing.put(target, _packed(entries))
    return Exported(target, len(entries), tuple(missing))


def _present(folder: Path) -> Iterator[str]:
    yield from (name for name in _KEPT if (folder / name).is_file())


def _report(notebook: Mapping[str, Any]) -> dict[str, bytes]:
    words, drawings = text.render(notebook, "report_files")
    return {
        "report.ipynb": writing.notebook_text(notebook).encode(),
        "report.html": page.render(notebook).encode("utf-8", "replace"),
        "report.md": words.encode("utf-8", "replace"),
        **{f"report_files/{name}": data for name, data in drawings.items()},
    }


def _results(recorded: Recorded, missing: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files that the run made; one whose bytes have changed is told and left out."""
    place = Workspace(recorded.folder, recorded.folder)
    for item in recorded.view["artefacts"]:
        name = str(item["path"])
        try:
            with place.open_result(recorded.folder, name) as file:
                if file.sha256() != item["sha256"]:
                    missing.append(f"{name}: changed since the run made it")
                    continue
                yield f"{_RESULTS}/{name}", file.read()
        except WorkbenchError:
            missing.append(f"{name}: not there")


def _data(
    recorded: Recorded, found: list[Source], missing: list[str]
) -> Iterator[tuple[str, bytes]]:
    """Yield the data files as they were read; what has changed since is told and left out."""
    try:
        workspace = Workspace.at(past.data_of(recorded.folder, dict(recorded.view)))
    except Refused as error:
        missing.append(str(error))
        return
    for item in found:
        try:
            with workspace.open(item.name) as file:
                if item.sha256 and file.sha256() != item.sha256:
                    missing.append(f"{item.name}: changed since the run read it")
                    continue
                yield f"{_DATA}/{item.name}", file.read()
        except WorkbenchError:
            missing.append(f"{item.name}: not there")


def _environment() -> str:
    """Return every installed package with its version, as an installer takes them."""
    pins = {
        str(one.metadata["Name"]): one.version
        for one in metadata.distributions()
        if one.metadata["Name"]
    }
    lines = [f"{name}=={version}" for name, version in sorted(pins.items(), key=_by_name)]
    python = ".".join(map(str, sys.version_info[:3]))
    return "\n".join([f"# Python {python}; pip install -r environment.txt", *lines, ""])


def _by_name(pin: tuple[str, str]) -> str:
    return pin[0].casefold()


def _manifest(found: list[Source], entries: Mapping[str, bytes]) -> str:
    """Return every data file with hash, tables and reader's notes, and whether it goes along."""
    told = [
        {
            "name": item.name,
            "sha256": item.sha256,
            "included": f"{_DATA}/{item.name}" in entries,
            "read_as": {
                key: item.source.get(key)
                for key in ("format", "encoding", "delimiter", "decimal", "header_rows")
            },
            "tables": [
                {"sheet": one.get("sheet"), "rows": one.get("rows"), "columns": _names(one)}
                for one in item.tables
            ],
            "notes": item.notes,
        }
        for item in found
    ]
    return json.dumps({"schema": 1, "files": told}, ensure_ascii=False, indent=1) + "\n"


def _names(table: Mapping[str, Any]) -> list[str]:
    return [str(column.get("name")) for column in table.get("columns") or ()]


def _readme(recorded: Recorded, found: list[Source], *, with_data: bool) -> str:
    from workbench.report.words import line, mono

    where = "They are in `data/`." if with_data else "Put them into `data/`, beside this file."
    files = "\n".join(f"- {mono(item.name)} (SHA-256 {mono(item.sha256)})" for item in found)
    return f"""# {line(recorded.view["question"])}

Run {mono(recorded.run)} of the workbench. `report.html` is to be read, `report.ipynb` to be run.

## The same numbers again, without a key

```
pip install '.[report,lab]'              # in a checkout of the workbench, or its wheel
jupyter execute --inplace report.ipynb   # every call again; the last cell compares
workbench verify report.ipynb --data data
```

For another delivery: `papermill report.ipynb next.ipynb -p data FOLDER`, or `-p file_1 NAME`.

## The data

{files or "No file was read."}

{where} `data-manifest.json` has what the reader made of each.

## What is here

- `report.ipynb`, `report.html`, `report.md`: the report
- `results/`: the files that the run made, as they were made
- `record/`: its ledger and view; requests and replies stay with the run
- `environment.txt`: every package and its version
"""


def _packed(entries: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, _TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, entries[name])
    return held.getvalue()
