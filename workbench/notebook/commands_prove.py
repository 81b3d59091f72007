"""Subcommands that show where a result came from."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from workbench.notebook import static
from workbench.notebook.flags import Flag, Line
from workbench.notebook.nodes import node
from workbench.notebook.subcommands import Shown, subcommand
from workbench.runs import lineage, lineage_shown, past

if TYPE_CHECKING:
    from workbench.notebook.desk import Desk

_RUN = (Flag("run", "", "RUN", "which run; the last that has it if left out"),)


@subcommand("[ID]", words=1, rows=_RUN)
def lineage_(desk: Desk, line: Line) -> Shown:
    """Show which calls made a result, from which files; all of the last run if left out."""
    run = line.one("run")
    if line.words:
        results = desk.opened().workspace.results
        run = run or next(
            (
                answer.run
                for answer in reversed(desk.answers)
                if any(line.words[0] in {item.id, item.path} for item in answer.artefacts)
            ),
            None,
        )
        found = lineage.of_result(results, line.words[0], run)
        folder = results / found.target.partition("/")[0]
    else:
        folder = past.find(desk.opened().workspace.results, run) if run else desk.last()[0]
        found = lineage.of_run(folder)
    words = lineage_shown.text(found, lineage.standing(folder, found))
    drawing = base64.b64encode(lineage_shown.drawing(found).encode()).decode()
    # As an image it runs nothing and loads nothing, in trusted and untrusted notebooks alike.
    image = (
        f'<img alt="Lineage" style="max-width:100%" src="data:image/svg+xml;base64,{drawing}">'
        if found.steps
        else ""
    )
    listed = static.page(node("section", "wb", node("pre", "", words), aria_label="Lineage"))
    return {"text/html": image + listed, "text/plain": words}
