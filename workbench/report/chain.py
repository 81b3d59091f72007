"""The calls of earlier questions that a run rests on: what has to run first to make it anew.

A conversation goes on with the results of its earlier runs; a report that stands alone has to
make them again.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.errors import Refused
from workbench.runs import lineage
from workbench.runs.calls import Call
from workbench.runs.lineage_steps import Step
from workbench.runs.recorded import Recorded
from workbench.workspace import RUN_PREFIX

# Arguments that name files, as children take them.
PATHS = frozenset({"path", "paths", "id", "right_path"})


def behind(recorded: Recorded) -> list[tuple[Recorded, Call]]:
    """Return the calls of earlier runs that a run's calls rest on, each with its run, in order."""
    steps = {(step.run, step.makes): step for step in lineage.of_run(recorded.folder).steps}
    # Calls that only read have no step of their own.
    for name in _read_only(recorded):
        for step in _leading_to(recorded, name):
            steps.setdefault((step.run, step.makes), step)
    # Runs sort by time; within one they stand as they were made.
    earlier = sorted((one for one in steps.values() if one.run != recorded.run), key=_run)
    runs: dict[str, Recorded] = {}
    found = []
    for step in earlier:
        run = runs.get(step.run)
        if run is None:
            run = runs[step.run] = Recorded.of(recorded.folder.parent / step.run)
        found.append((run, _call(run, step)))
    return found


def _run(step: Step) -> str:
    return step.run


def _call(run: Recorded, step: Step) -> Call:
    """Return a step as the call that was recorded; its arguments whole where they are kept."""
    for loop in run.loops:
        for call in loop.calls:
            if call.id == step.call:
                return call
    made = tuple(item.id for item in step.outputs)
    given = None if step.cut else dict(step.parameters)
    return Call("", "", step.tool, given, ended=True, ok=True, artefacts=made)


def _read_only(recorded: Recorded) -> Iterator[str]:
    """Yield the names of results of earlier runs that this one's calls name."""
    own = {str(item["path"]) for item in recorded.view["artefacts"]}
    for loop in recorded.loops:
        for call in loop.calls:
            for key, item in (call.arguments or {}).items():
                for one in item if isinstance(item, list) else [item]:
                    if key in PATHS and isinstance(one, str) and one.startswith(RUN_PREFIX):
                        name = one.removeprefix(RUN_PREFIX)
                        if name not in own:
                            yield name


def _leading_to(recorded: Recorded, name: str) -> tuple[Step, ...]:
    """Return the steps that lead to a result of the conversation, of the newest run that has it."""
    for folder in reversed(lineage.conversation(recorded.folder)[:-1]):
        try:
            return lineage.of_result(recorded.folder.parent, name, folder.name).steps
        except Refused:
            continue
    return ()
