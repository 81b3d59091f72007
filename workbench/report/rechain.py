"""The chain of calls behind one result made again: each file against the record and the disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.report.chain import PATHS
from workbench.report.compared import Compared, Row, hash_of
from workbench.report.toolbox import Toolbox
from workbench.runs import lineage, past
from workbench.runs.lineage_steps import Step
from workbench.runs.recorded import Recorded
from workbench.workspace import RUN_PREFIX


def again(results: Path, found: lineage.Lineage, data: str | None = None) -> Compared:
    """Make the calls of a lineage again, in their order, and compare what they make.

    Parameters
    ----------
    results : Path
        The results folder; the calls are kept there as a run of their own.
    found : Lineage
        Of one result.
    data : str, optional
        Where the data is now, if it has moved.

    Raises
    ------
    Refused
        If the data is not there.
    """
    folder = results / found.target.partition("/")[0]
    recorded = Recorded.of(folder)
    view = dict(recorded.view)
    box = Toolbox(
        data or past.data_of(folder, view),
        results,
        seed=view.get("seed", 42),
        limits=recorded.limits,
        overrides=view.get("overrides") or {},
        question=f"again: {found.target}",
    )
    try:
        rows = [
            Row("input", used.name, used.sha256, box.content(used.name)) for used in found.sources
        ]
        tools = box.dispatch("again")
        named: dict[str, str] = {}
        for step in found.steps:
            made = tools.call(step.tool, seed=step.seed, **_arguments(results, step, named))
            for number, old in enumerate(step.outputs):
                new = made.artefacts[number] if number < len(made.artefacts) else None
                if new is not None:
                    named[old.path] = f"{RUN_PREFIX}{new.path}"
                name = f"{step.run}/{old.id}"
                rows.append(Row("result", name, old.sha256, new.sha256 if new else ""))
                lies = hash_of(results / step.run, old.path)
                rows.append(Row("file", f"{name} as it lies there", old.sha256, lies))
    finally:
        box.close()
    return Compared(tuple(rows))


def _arguments(results: Path, step: Step, named: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of a step, with the files that were made again in place of the old."""
    given = dict(step.parameters)
    if step.cut:
        calls = (call for loop in Recorded.of(results / step.run).loops for call in loop.calls)
        given = next((call.arguments or {} for call in calls if call.id == step.call), given)
    return {
        key: _renamed(value, named) if key in PATHS else value
        for key, value in given.items()
        if value is not None
    }


def _renamed(value: Any, named: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON values
    if isinstance(value, list):
        return [_renamed(one, named) for one in value]
    return named.get(str(value).removeprefix(RUN_PREFIX), value)
