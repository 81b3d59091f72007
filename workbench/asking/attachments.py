"""What a person hands in with a question: attached files and pasted tables, through the gate."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench import tokens
from workbench.asking.executor import ChildExecutor
from workbench.context import block
from workbench.context.block import Block
from workbench.errors import Refused, nearest
from workbench.files.filenames import real
from workbench.files.newfile import new_file
from workbench.reply import Made, Text
from workbench.workspace import RUN_PREFIX, Workspace

if TYPE_CHECKING:
    from workbench.asking.run import Run
    from workbench.gate import Gate


def paste(run: Run, text: str) -> str:
    """Keep a pasted table as a file of the run; return the name that tools open it by."""
    import hashlib

    data = text.encode("utf-8", "replace")
    with new_file(run.records.folder, "pasted", "csv") as (part, final):
        part.write_bytes(data)
    made_by: dict[str, Any] = {"tool": "question", "parameters": {}, "seed": None, "inputs": {}}
    claim = Made(
        final[0].name,
        len(data),
        hashlib.sha256(data).hexdigest(),
        "text/csv",
        made_by=made_by,
    )
    run.artefacts.register("guide", claim)
    return f"{RUN_PREFIX}{final[0].name}"


def named(paths: Sequence[str], workspace: Workspace) -> list[str]:
    """Return what a person wrote as names of the workspace, which alone can be opened.

    Parameters
    ----------
    paths : sequence of str
        Each relative to the data folder or, failing that, to the present folder; or the
        ``results/…/NAME`` of an answer.
    workspace : Workspace
        Data in use.

    Raises
    ------
    Refused
        If one is not there, or lies outside the data folder.
    """
    return [_named(path, workspace) for path in paths]


def _named(path: str, workspace: Workspace) -> str:
    if path.startswith(RUN_PREFIX):
        return path
    root = workspace.root.resolve()
    places = [real(place) for place in (root / path, Path(path).expanduser())]
    there = [place for place in places if place is not None and place.is_file()]
    inside = [place for place in there if place.is_relative_to(root)]
    if inside:
        return inside[0].relative_to(root).as_posix()
    if there:
        raise Refused(
            f"attachment '{path}': it is not in the data folder '{root.name}', and nothing else is "
            "read; copy it there"
        )
    known = (entry.name for entry in itertools.islice(workspace.walk(), _LOOKED_AT))
    raise Refused(
        f"attachment '{path}': no such file in the data folder '{root.name}', nor in "
        f"'{Path.cwd().name}'{nearest(path, known)}; write its path from one of them"
    )


# Names among which the nearest is looked for.
_LOOKED_AT = 5_000


def admit(run: Run, gate: Gate, names: Sequence[str]) -> list[Block]:
    """Read each attached file in a confined child and admit it.

    Raises
    ------
    Refused
        If a file cannot be opened or the attachments together are too large.
    """
    if not names:
        return []
    executor = ChildExecutor(gate.loop, "guide", run.dispatcher.around)
    blocks: list[Block] = []
    used = 0
    try:
        for number, name in enumerate(names, start=1):
            reply = executor.call(f"attach{number}", "read_file", {"path": name})
            item = reply.text or Text("", name, "prose", 0, 0)
            admitted = gate.attachment(item, used)
            value = {"type": "text", "text": admitted.text}
            made = block.make("attachments", "user", value, source=name, cut=admitted.cut)
            used += tokens.weight(admitted.text)
            blocks.append(made)
    finally:
        executor.close()
    return blocks
