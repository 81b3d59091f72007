"""What one tool call from Python came to: words, files, and what a cell shows of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.answer import Answer
from workbench.artefacts import Artefact
from workbench.asking.onecall import CallOutcome
from workbench.errors import Refused
from workbench.report import shown
from workbench.report.shown import Shown
from workbench.workspace import RUN_PREFIX

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Called:
    """What one call came to.

    Attributes
    ----------
    id : str
        Its number: ``d01c3``.
    tool : str
        Its tool.
    outcome : CallOutcome
        Text, limits met and files.
    folder : Path
        The folder of the run.
    """

    id: str
    tool: str
    outcome: CallOutcome
    folder: Path

    @property
    def ok(self) -> bool:
        """False where it was refused."""
        return self.outcome.ok

    @property
    def text(self) -> str:
        """Exactly what a model would see."""
        return self.outcome.text

    @property
    def artefacts(self) -> tuple[Artefact, ...]:
        """The files it made."""
        return self.outcome.artefacts

    @property
    def paths(self) -> list[str]:
        """The files it made, as later calls name them.

        Raises
        ------
        Refused
            If it made none.
        """
        if not self.artefacts:
            raise Refused(f"{self.id} {self.tool}: it made no file: {' '.join(self.text.split())}")
        return [f"{RUN_PREFIX}{item.path}" for item in self.artefacts]

    @property
    def path(self) -> str:
        """The first file it made, as a later call names it."""
        return self.paths[0]

    def file(self, number: int = 0) -> Path:
        """Return where a file lies that it made; the first if no number is given."""
        return self.folder / self.paths[number].removeprefix(RUN_PREFIX)

    def df(self, number: int = 0) -> pd.DataFrame:
        """Return a table it made as a data frame; the first file if no number is given."""
        self.paths  # noqa: B018 - refuses where there is none
        item = self.artefacts[number]
        return Answer("", "answered", "", self.folder, {}, self.artefacts).df(item.id)

    def table(self, number: int = 0) -> Shown:
        """Return the first rows of a table it made, to be shown."""
        return self._shown(number, shown.table)

    def figure(self, number: int = 0) -> Shown:
        """Return a figure it made, to be shown."""
        return self._shown(number, shown.figure)

    def _shown(self, number: int, draw: Callable[[Path, dict[str, Any]], Shown]) -> Shown:
        if number >= len(self.artefacts):
            return Shown({"text/plain": f"{self.id} {self.tool}: it made no such file"})
        return draw(self.folder, self.artefacts[number].to_json())

    def __repr__(self) -> str:
        return self.text
