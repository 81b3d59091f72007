"""What a person hands in with a question: attached files and pasted tables, through the gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from workbench import block, tokens
from workbench.block import Block
from workbench.executor import ChildExecutor
from workbench.newfile import new_file
from workbench.reply import Made, Text
from workbench.workspace import RUN_PREFIX

if TYPE_CHECKING:
    from workbench.gate import Gate
    from workbench.run import Run


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
