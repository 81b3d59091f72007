"""What a question came to: the object that `%%agent` and `Session.ask` hand back."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.artefacts import Artefact
from workbench.errors import Refused, nearest

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Answer:
    """An answer and everything behind it.

    Attributes
    ----------
    text : str
        The words.
    status : str
        ``answered``, ``failed``, ``interrupted`` or ``budget``.
    reason : str
        Why it did not end with an answer, or empty.
    folder : Path
        The run's folder.
    view : dict
        The view model of the run, as in ``run.json``.
    artefacts : tuple of Artefact
        Files made, in order.
    """

    text: str
    status: str
    reason: str
    folder: Path
    view: dict[str, Any]
    artefacts: tuple[Artefact, ...] = ()

    @property
    def run(self) -> str:
        """The run id."""
        return self.folder.name

    @property
    def usage(self) -> dict[str, Any]:
        """Requests and tokens of the run."""
        return dict(self.view["usage"])

    @property
    def limits(self) -> list[dict[str, Any]]:
        """Rows of the limits table that were met, with the loop that met them, or none."""
        of_loops = [
            {"loop": loop["id"], **row} for loop in self.view["loops"] for row in loop["limits"]
        ]
        return [*of_loops, *({"loop": "", **row} for row in self.view.get("run_limits", []))]

    @property
    def claims(self) -> list[dict[str, Any]]:
        """Numbers of the answer tied to what produced them."""
        return list(self.view["claims"])

    @property
    def seen(self) -> list[str]:
        """Every request of the run, exactly as it was sent."""
        return [
            file.read_text(encoding="utf-8")
            for file in sorted((self.folder / "requests").glob("*.json"))
        ]

    def artefact(self, key: str) -> Artefact:
        """Return an artefact by id or file name.

        Raises
        ------
        Refused
            If the run made none of that name.
        """
        for item in self.artefacts:
            if key in {item.id, item.path}:
                return item
        known = [name for item in self.artefacts for name in (item.id, item.path)]
        raise Refused(f"artefact '{key}': this run made none of that name{nearest(key, known)}")

    @property
    def path(self) -> Path:
        """Path of the first table the run made.

        Raises
        ------
        Refused
            If it made none.
        """
        return self.folder / self._table().path

    def df(self, key: str | None = None) -> pd.DataFrame:
        """Return a table the run made as a data frame.

        Parameters
        ----------
        key : str, optional
            Artefact id or file name; the first table if left out.

        Raises
        ------
        Refused
            If there is no such table.
        """
        import pandas as pd

        found = self._table() if key is None else self.artefact(key)
        file = self.folder / found.path
        if found.media_type == "application/vnd.apache.parquet":
            return pd.read_parquet(file)
        if found.media_type != "text/csv":
            raise Refused(f"artefact '{found.id}': it is {found.media_type}, not a table")
        return pd.read_csv(file)

    def _table(self) -> Artefact:
        for item in self.artefacts:
            if item.rows is not None:
                return item
        raise Refused("this run made no table; see .artefacts")

    def __str__(self) -> str:
        return self.text or f"{self.status}: {self.reason}"

    def __repr__(self) -> str:
        return f"<Answer {self.run} {self.status}, {len(self.artefacts)} artefacts>"

    def _repr_html_(self) -> str:
        return f"<pre style='white-space:pre-wrap'>{html.escape(str(self))}</pre>"
