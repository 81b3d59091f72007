"""The cells of a notebook as they are added, each with an id that follows from what it shows."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.report.shown import Shown

# What the notebook format takes for an id.
_NOT_OF_AN_ID = re.compile(r"[^A-Za-z0-9_-]")
_ID_CHARS = 56


@dataclass
class Cells:
    """Cells in order.

    Attributes
    ----------
    all : list of dict
        As the notebook format has them.
    """

    all: list[dict[str, Any]] = field(default_factory=list)

    def words(self, key: str, text: str) -> None:
        """Add a Markdown cell."""
        cell = {"id": self._id(key), "cell_type": "markdown", "metadata": {}, "source": text}
        self.all.append(cell)

    def code(
        self,
        key: str,
        source: str,
        output: Shown | None = None,
        *,
        tags: Sequence[str] = (),
        fold: bool = False,
        told: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a code cell.

        Parameters
        ----------
        key : str
            What its id is made from.
        source : str
            Code.
        output : Shown, optional
            What it gave in the recorded run.
        tags : sequence of str, optional
            Tags, such as ``parameters``.
        fold : bool, optional
            Whether its code is hidden at first.
        told : mapping, optional
            What the page of the report has to know: kind, caption, alternative text.
        """
        metadata: dict[str, Any] = {"tags": list(tags)} if tags else {}
        if fold:
            metadata["jupyter"] = {"source_hidden": True}
        if told:
            metadata["workbench"] = dict(told)
        self.all.append(
            {
                "id": self._id(key),
                "cell_type": "code",
                "execution_count": None,
                "metadata": metadata,
                "source": source,
                "outputs": [] if output is None else [_output(output)],
            }
        )

    def _id(self, key: str) -> str:
        """Return an id that the format takes and no other cell has."""
        plain = _NOT_OF_AN_ID.sub("-", key)[:_ID_CHARS] or "cell"
        taken = {cell["id"] for cell in self.all}
        number, found = 2, plain
        while found in taken:
            found, number = f"{plain}-{number}", number + 1
        return found


def signature(cell: Mapping[str, Any]) -> str:
    """Return the hash of what a cell shows, by which a changed output is told."""
    shown = [one.get("data") for one in cell["outputs"]]
    text = json.dumps(shown, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _output(shown: Shown) -> dict[str, Any]:
    return {
        "output_type": "execute_result",
        "execution_count": None,
        "data": shown.bundle,
        "metadata": shown.metadata,
    }
