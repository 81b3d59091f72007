"""Subcommands that hand a run on: as a report, as an archive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from workbench.notebook.flags import Flag, Line
from workbench.notebook.static import relative
from workbench.notebook.subcommands import Shown, subcommand, text
from workbench.runs import past

if TYPE_CHECKING:
    from workbench.notebook.desk import Desk

_REPORT = (Flag("out", "o", "FILE", "a file or folder; beside the run if left out", many=True),)
_EXPORT = (
    Flag("out", "o", "FILE", "the archive; RUN.zip in this folder if left out"),
    Flag("with-data", "", "", "the data files that were read too"),
)


def _folder(desk: Desk, line: Line) -> Path:
    """Return the run that is meant: named, or the last one."""
    if line.words:
        return past.find(desk.opened().workspace.results, line.words[0])
    return desk.last()[0]


@subcommand("[RUN]", words=1, rows=_REPORT, needs="nbformat")
def report(desk: Desk, line: Line) -> Shown:
    """Write a run as a notebook that recomputes its numbers, and a page; the last if left out."""
    from workbench.report import writing

    folder = _folder(desk, line)
    written = writing.write(folder, writing.places(folder, line.many("out")))
    return text("\n".join(relative(path) for path in written))


@subcommand("[RUN]", words=1, rows=_EXPORT, needs="nbformat")
def export(desk: Desk, line: Line) -> Shown:
    """Write a run as an archive: report, results, data manifest, versions; the last if left out."""
    from workbench.report.export import export as write

    folder = _folder(desk, line)
    target = Path(line.one("out") or f"{folder.name}.zip")
    made = write(folder, target, with_data="with-data" in line.switches)
    left = [f"left out: {words}" for words in made.missing]
    return text("\n".join([f"{relative(made.path)} ({made.files} files)", *left]))
