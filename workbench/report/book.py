"""The report as a notebook: sections, runnable calls, what they gave, and a cell that compares.

The same run gives the same bytes: ids of cells follow from the ids of the run, and nothing in it
depends on the clock. The outputs are those of the record; running the cells puts new ones there.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench import past
from workbench.calls import Call
from workbench.errors import Refused
from workbench.recorded import Loop, Recorded
from workbench.report import chain, claimed, code, described, sections, shown
from workbench.report.cells import Cells
from workbench.report.code import Expression, value
from workbench.report.rows import TABLES
from workbench.report.shown import Shown
from workbench.report.sources import Source, sources
from workbench.report.versions import installed
from workbench.report.words import mono

SCHEMA = 1


def build(folder: Path, target: Path, data: str | None = None) -> dict[str, Any]:
    """Return the report of a run as a notebook.

    Parameters
    ----------
    folder : Path
        The run's folder.
    target : Path
        Where the notebook will lie: the data is named as seen from there.
    data : str, optional
        Where the data will lie, if it is not where the run found it.

    Raises
    ------
    Refused
        If the ledger was changed so that no call could be named.
    """
    recorded = Recorded.of(folder)
    return _Book(recorded, target, data).notebook()


@dataclass
class _Book:
    """A notebook as it grows."""

    recorded: Recorded
    target: Path
    data: str | None = None
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
        self.cells.code("parameters", self._parameters(found), tags=["parameters"])
        self.cells.code("open", self._opening(found), fold=True)
        self.cells.words("data", described.data(found, recorded))
        self.cells.words("plan", sections.plan(recorded))
        self._earlier()
        for loop in recorded.loops:
            self._loop(loop)
        if told := claimed.table_of(recorded.view):
            self.cells.words("Claims", told)
        self.cells.words("saw", sections.saw(recorded))
        self.cells.words("limits", sections.limits(recorded))
        self.cells.words("cost", sections.cost(recorded))
        self.cells.words("versions", sections.versions(recorded))
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
            "limits": self._limits(),
            "overrides": view.get("overrides") or {},
            "inputs": {item.name: item.sha256 for item in found},
            "calls": self.calls,
            "claims": list(view["claims"]),
            # By which `workbench verify` makes the run again without its folder.
            "record": self.recorded.to_json(),
            "versions": installed(),
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

    def _parameters(self, found: list[Source]) -> str:
        """Return the cell whose values may be changed: where the data is, which files it is."""
        lines = [
            f"data = {value(self._data())}  # the data folder, as seen from where this runs",
            'results = "recomputed"  # where this run is kept; the data stays as it is',
        ]
        for number, name in enumerate(self._used(found), start=1):
            lines.append(f"file_{number} = {name!r}  # read in place of {name!r}")
        return "\n".join(lines)

    def _used(self, found: list[Source]) -> list[str]:
        """Return the files that results were made from; all where nothing was made."""
        made_from = self.recorded.inputs()
        names = [item.name for item in found if item.name in made_from and "*" not in item.name]
        return names or [item.name for item in found if "*" not in item.name]

    def _data(self) -> str:
        """Return where the data is, seen from the notebook."""
        if self.data is not None:
            return self.data
        try:
            place = past.data_of(self.recorded.folder, dict(self.recorded.view))
            return Path(os.path.relpath(place, self.target.resolve().parent)).as_posix()
        except (Refused, ValueError):
            return "data"

    def _limits(self) -> dict[str, Any]:
        """Return the changed limits; a budget belongs to the recorded run alone."""
        view = self.recorded.view
        table = view.get("limits") or {}
        return {
            str(key): table[key]
            for key in view["changed_limits"]
            if key in table and not str(key).startswith("run_")
        }

    def _opening(self, found: list[Source]) -> str:
        used = self._used(found)
        view = self.recorded.view
        names = {
            name: Expression(f"file_{used.index(name) + 1}") if name in used else name
            for name in [item.name for item in found if "*" not in item.name]
        }
        parts = [
            "data,",
            "results,",
            f"names={value(names, 10)},",
            f"seed={view.get('seed', 42)!r},",
        ]
        if self._limits():
            parts.append(f"limits={value(self._limits(), 11)},")
        if view.get("overrides"):
            parts.append(f"overrides={value(view['overrides'], 14)},")
        parts.append(f"question={f'recomputed: {self.recorded.run}'!r},")
        body = "".join(f"\n    {part}" for part in parts)
        return f"from workbench.report.toolbox import Toolbox\n\nbox = Toolbox({body}\n)"

    def _earlier(self) -> None:
        """Run what earlier questions made and this one read."""
        steps = chain.behind(self.recorded)
        if not steps:
            return
        text = "This question went on with results of earlier ones; they are made anew first."
        self.cells.words("earlier", f"## From earlier questions\n\n{text}")
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
        text = self.recorded.text(call)
        text = _no_text(call) if text is None else text
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
        folder, kind = self.recorded.folder, item["media_type"]
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
        name = self.target.with_suffix(".ipynb").name
        self.cells.words(
            "verify",
            "## Verification\n\nInputs and results by their SHA-256, recorded against now. "
            f"From a shell: {mono(f'workbench verify {name}')}.",
        )
        used = self.recorded.inputs()
        inputs = {item.name: used.get(item.name) or item.sha256 for item in found}
        inputs = {name: sha256 for name, sha256 in inputs.items() if sha256}
        source = (
            f"recorded_inputs = {value(inputs, 18)}\n"
            f"recorded_results = {value(self.results, 19)}\n"
            "checked = box.verify(recorded_inputs, recorded_results)\n"
            "box.close()\n"
            "checked"
        )
        self.cells.code("verification", source, fold=True)


def _no_text(call: Call) -> str:
    return "refused" if not call.ok else "what the model saw was removed (workbench clean)"
