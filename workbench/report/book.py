"""The report as a notebook: sections, runnable calls, what they gave, and a cell that compares.

The same run gives the same bytes: ids of cells follow from the ids of the run, and nothing in it
depends on the clock. The outputs are those of the record; running the cells puts new ones there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.report import chain, claimed, code, described, opening, sections, shown
from workbench.report.cells import Cells, signature
from workbench.report.code import Expression, value
from workbench.report.rows import TABLES
from workbench.report.shown import Shown
from workbench.report.sources import Source, sources
from workbench.report.versions import installed
from workbench.report.words import mono
from workbench.runs.calls import Call
from workbench.runs.comparing import TOLERANCE
from workbench.runs.recorded import Loop, Recorded

SCHEMA = 1


def build(
    folder: Path, target: Path, data: str | None = None, results: str | None = None
) -> dict[str, Any]:
    """Return the report of a run as a notebook.

    Parameters
    ----------
    folder : Path
        The run's folder.
    target : Path
        Where the notebook will lie: the data is named as seen from there.
    data : str, optional
        Where the data will lie, if it is not where the run found it.
    results : str, optional
        Where the results of the run will lie, if not in its folder.

    Raises
    ------
    Refused
        If the ledger was changed so that no call could be named.
    """
    recorded = Recorded.of(folder)
    seen_from = opening.seen_from(recorded, target) if data is None else data
    beside = opening.relative(folder, target) if results is None else results
    name = target.with_suffix(".ipynb").name
    made = Book(recorded, name, seen_from, beside, folder, recorded.text, installed())
    return made.notebook()


@dataclass
class Book:
    """A notebook as it grows.

    Attributes
    ----------
    recorded : Recorded
        The run.
    name : str
        File name of the notebook.
    data : str
        Where the data is, seen from it.
    beside : str
        Where the results of the run are, seen from it; empty where they cannot be.
    files : Path
        Where the files of the run lie: its folder, or one in which they were made again.
    seen : callable
        Gives what the model saw of a call; None where that is gone.
    versions : mapping
        Of what makes the report.
    """

    recorded: Recorded
    name: str
    data: str
    beside: str
    files: Path
    seen: Callable[[Call], str | None]
    versions: Mapping[str, str]
    cells: Cells = field(default_factory=Cells)
    room: shown.Room = field(default_factory=shown.Room)
    calls: list[dict[str, Any]] = field(default_factory=list)
    results: dict[str, str] = field(default_factory=dict)
    references: dict[str, Expression] = field(default_factory=dict)

    def notebook(self) -> dict[str, Any]:
        """Return the whole."""
        recorded = self.recorded
        read = recorded.view.get("inputs") or {}
        found = sources(recorded.folder, recorded.view, {**read, **recorded.inputs()})
        self.cells.words("title", sections.title(recorded))
        self.cells.words("answer", sections.answer(recorded))
        self.cells.words("again", sections.AGAIN)
        self.cells.code(
            "parameters", opening.parameters(recorded, found, self.data), tags=["parameters"]
        )
        self.cells.code("open", opening.opening(recorded, found), fold=True)
        self.cells.words("data", described.data(found, recorded))
        self.cells.words("plan", sections.plan(recorded))
        self._earlier()
        for loop in recorded.loops:
            self._loop(loop)
        if self.room.left:
            self.cells.words("left", sections.undrawn(self.room.left))
        if told := claimed.table_of(recorded.view):
            self.cells.words("Claims", told)
        self.cells.words("saw", sections.saw(recorded))
        self.cells.words("limits", sections.limits(recorded))
        self.cells.words("cost", sections.cost(recorded))
        self.cells.words("versions", sections.versions(recorded, self.versions))
        self._verification(found)
        return self._whole(found)

    def _whole(self, found: list[Source]) -> dict[str, Any]:
        view = self.recorded.view
        told = {
            "schema": SCHEMA,
            "run": self.recorded.run,
            "question": str(view["question"]),
            "answer": str(view["answer"]),
            "status": str(view["status"]),
            "model": dict(view["model"]),
            "seed": view.get("seed", 42),
            "limits": self.recorded.limits,
            "overrides": view.get("overrides") or {},
            "inputs": {item.name: item.sha256 for item in found},
            "calls": self.calls,
            "claims": list(view["claims"]),
            # By which `workbench verify` makes the run again without its folder. As text: files
            # of notebooks have their keys sorted, and the order of arguments is part of a call.
            "record": json.dumps(self.recorded.to_json() | {"report": self._made()}),
            "versions": dict(self.versions),
        }
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        return {
            "cells": self.cells.all,
            "metadata": {
                "kernelspec": kernel,
                "language_info": {"name": "python"},
                "title": " ".join(str(view["question"]).split())[:200],
                "workbench": told,
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        }

    def _made(self) -> dict[str, Any]:
        """Return what of the report does not follow from the run."""
        return {
            "name": self.name,
            "data": self.data,
            "results": self.beside,
            "versions": dict(self.versions),
            "outputs": {cell["id"]: signature(cell) for cell in self.cells.all if _shows(cell)},
        }

    def _earlier(self) -> None:
        """Run what earlier questions made and this one read."""
        steps = chain.behind(self.recorded)
        if not steps:
            return
        self.cells.words("earlier", sections.earlier([run for run, _call in steps]))
        self.cells.code("earlier-open", 'tools = box.dispatch("earlier")', fold=True)
        for number, step in enumerate(steps, start=1):
            self._before(*step, f"earlier{number}")

    def _before(self, recorded: Recorded, call: Call, variable: str) -> None:
        """Write one call of an earlier run and remember how its files are named."""
        source = code.source(call, self.references, recorded.view.get("seed"), variable)
        told = {"call": variable, "tool": call.tool, "caption": f"{variable}: {call.tool}"}
        self.cells.code(f"call-{variable}", source, told=told)
        self.references |= code.referring(recorded, call, variable)

    def _loop(self, loop: Loop) -> None:
        """Write a dispatch: its head, its calls, what they made."""
        if not loop.calls and not loop.entry["objective"]:
            return
        self.cells.words(loop.id, sections.dispatch(loop))
        runnable = [call for call in loop.calls if code.runs(call)]
        if runnable:
            self.cells.code(f"{loop.id}-open", self._dispatching(loop), fold=True)
        skipped: list[str] = []
        for call in loop.calls:
            if not code.runs(call):
                skipped.append(call.tool)
                continue
            self._call(loop, call, skipped)
            skipped = []

    def _dispatching(self, loop: Loop) -> str:
        parts = [repr(loop.id)]
        if loop.agent:
            parts.append(repr(loop.agent))
        window = loop.entry["context"].get("window")
        if isinstance(window, int) and window > 0:
            parts.append(f"window={window}")
        return f"tools = box.dispatch({', '.join(parts)})"

    def _call(self, loop: Loop, call: Call, skipped: list[str]) -> None:
        variable = code.name_of(call)
        seed = self.recorded.view.get("seed")
        before = f"tools.skip({', '.join(map(repr, skipped))})\n" if skipped else ""
        source = before + code.source(call, self.references, seed, variable)
        text = self.seen(call)
        text = no_text(call) if text is None else text
        cut = f"; cut by {', '.join(call.cut)}" if call.cut else ""
        caption = f"{call.id}: what the model saw of {call.tool}{cut}"
        told = {"call": call.id, "tool": call.tool, "caption": caption, "refused": not call.ok}
        output = Shown({"text/plain": text})
        self.cells.code(f"call-{call.id}", f"{source}\n{variable}", output, told=told)
        self._remember(loop, call)
        self.references |= code.referring(self.recorded, call, variable)
        for number, key in enumerate(call.artefacts):
            self._artefact(variable, number, key)

    def _remember(self, loop: Loop, call: Call) -> None:
        """Keep the call in the metadata, for what verifies the report."""
        self.calls.append(
            {
                "id": call.id,
                "dispatch": loop.id,
                "agent": loop.agent,
                "tool": call.tool,
                "arguments": call.arguments,
                "ok": call.ok,
                "artefacts": list(call.artefacts),
            }
        )

    def _artefact(self, variable: str, number: int, key: str) -> None:
        """Write a table or figure that a call made."""
        item = self.recorded.artefact(key)
        if item is None:
            return
        self.results[key] = str(item["sha256"])
        folder, kind = self.files, item["media_type"]
        which = "" if number == 0 else str(number)
        if kind in TABLES:
            drawn = shown.table(folder, item)
            told = {"kind": "table", "caption": f"{key}: {item['path']}"}
            self.cells.code(f"table-{key}", f"{variable}.table({which})", drawn, told=told)
        elif kind == shown.FIGURE:
            drawn = self.room.fit(shown.figure(folder, item))
            words = str(drawn.bundle["text/plain"])
            caption = words.partition("; drawn apart: ")[0]
            told = {"kind": "figure", "caption": f"{key}: {caption}", "alt": words}
            self.cells.code(f"figure-{key}", f"{variable}.figure({which})", drawn, told=told)

    def _verification(self, found: list[Source]) -> None:
        """Write the last cell: what was recorded against what came out."""
        self.cells.words(
            "verify",
            "## Verification\n\nInputs and results by their SHA-256, recorded against now; tables "
            f"with other bytes by their values, within {TOLERANCE:g}, where the recorded ones lie. "
            f"From a shell: {mono(f'workbench verify {self.name}')}.",
        )
        inputs = self._hashes(found)
        beside = f", {self.beside!r}" if self.beside else ""
        source = (
            f"recorded_inputs = {value(inputs, 18)}\n"
            f"recorded_results = {value(self.results, 19)}\n"
            f"checked = box.verify(recorded_inputs, recorded_results{beside})\n"
            "box.close()\n"
            "checked"
        )
        self.cells.code("verification", source, fold=True)

    def _hashes(self, found: list[Source]) -> dict[str, str]:
        """Return the hashes of the data files, as they were read."""
        used = self.recorded.inputs()
        inputs = {item.name: used.get(item.name) or item.sha256 for item in found}
        return {name: sha256 for name, sha256 in inputs.items() if sha256}


def no_text(call: Call) -> str:
    """Return what stands under a call whose text is gone."""
    return "refused" if not call.ok else "what the model saw was removed (workbench clean)"


def _shows(cell: Mapping[str, Any]) -> bool:
    return bool(cell.get("outputs"))
