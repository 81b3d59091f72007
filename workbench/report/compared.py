"""What was recorded against what is there now: inputs first, then results, each by its hash."""

from __future__ import annotations

import contextlib
import html
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workbench.errors import WorkbenchError
from workbench.runs.comparing import TOLERANCE
from workbench.workspace import Workspace

_SHORT = 12


@dataclass(frozen=True)
class Row:
    """One thing that is compared: ``same``, ``changed`` or ``missing``.

    An ``input`` is a data file, a ``result`` what a call made now, a ``file`` the result that lies
    in the folder of its run. `difference` is how a table with other bytes differs by value: empty
    where its numbers are equal within the tolerance, None where that was not looked at.
    """

    what: str
    name: str
    recorded: str
    now: str
    difference: str | None = None

    @property
    def state(self) -> str:
        """How it stands."""
        if not self.now:
            return "missing"
        return "same" if self.now == self.recorded or self.difference == "" else "changed"

    @property
    def told(self) -> str:
        """What is there now, beside what was recorded."""
        if self.now == self.recorded:
            return ""
        words = self.difference
        if words == "":
            words = f"other bytes, all values equal within {TOLERANCE:g}"
        return f" -> {self.now[:_SHORT] or 'not there'}" + (f", {words}" if words else "")


@dataclass(frozen=True)
class Compared:
    """Inputs and results of two runs, side by side.

    Attributes
    ----------
    rows : tuple of Row
        Inputs, then results in the order in which they were made.
    """

    rows: tuple[Row, ...]

    @property
    def same(self) -> bool:
        """True where nothing differs."""
        return all(row.state == "same" for row in self.rows)

    @property
    def words(self) -> str:
        """The outcome in one sentence."""
        differs = [row for row in self.rows if row.state != "same"]
        inputs = [row.name for row in differs if row.what == "input"]
        results = [row.name for row in differs if row.what == "result"]
        lying = [row.name for row in differs if row.what == "file"]
        if not differs:
            return f"verified: {self._counted('input')} and {self._counted('result')} are the same"
        if inputs:
            more = f"; {len(results)} results differ, as they may" if results else ""
            return f"other data: {', '.join(inputs)} is not what was recorded{more}"
        if lying and not results:
            return f"NOT the same: made again all is as recorded, but not the file {lying[0]}"
        more = f"; nor is the file {lying[0]} as recorded" if lying else ""
        return f"NOT the same: the first result that departs is {results[0]}{more}"

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        rows = [{**asdict(row), "state": row.state} for row in self.rows]
        return {"same": self.same, "rows": rows}

    def _counted(self, what: str) -> str:
        number = sum(row.what == what for row in self.rows)
        return f"{number} {what}{'' if number == 1 else 's'}"

    def __repr__(self) -> str:
        width = max((len(row.name) for row in self.rows), default=0)
        lines = [
            f"{row.state:<8} {row.what:<6} {row.name:<{width}}  {row.recorded[:_SHORT]}" + row.told
            for row in self.rows
        ]
        return "\n".join([self.words, *lines])

    def _repr_html_(self) -> str:
        return f"<pre style='white-space:pre-wrap'>{html.escape(repr(self))}</pre>"


def compare(
    inputs: Mapping[str, str],
    inputs_now: Mapping[str, str],
    results: Mapping[str, str],
    results_now: Mapping[str, str],
    differing: Callable[[str], str | None] = lambda _key: None,
) -> Compared:
    """Compare recorded hashes with those of now.

    `differing` tells of a result with other bytes how it differs by value; see `Row`.
    """
    rows = [Row("input", name, old, inputs_now.get(name, "")) for name, old in inputs.items()]
    for name, old in results.items():
        now = results_now.get(name, "")
        rows.append(
            Row("result", name, old, now, differing(name) if now not in {"", old} else None)
        )
    return Compared(tuple(rows))


def hash_of(folder: Path, path: str) -> str:
    """Return the hash of a result as it lies in its run's folder; empty where it is gone."""
    place = Workspace(folder, folder)
    with contextlib.suppress(WorkbenchError, OSError), place.open_result(folder, path) as file:
        return file.sha256()
    return ""
