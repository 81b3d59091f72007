"""A tool's answer read back from its text: facts, notes, artefacts, previews, or an error.

The reverse of `workbench.context.render`. What was cut, or does not parse, is simply not there:
whoever asks for a number gets None and says so, instead of a guess.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from workbench.models.planner import sourced
from workbench.models.planner.sourced import Source

_PLAIN = re.compile(r"^([a-z][a-z0-9_]*): (.*)$")
# ``WORD COLUMN: {...}`` or ``COLUMN: {...}``; a column's name may hold anything, a colon too.
_OF_COLUMN = re.compile(r"^\S.*?: ")
_ARTEFACT = re.compile(r"^artefact: (\S+) (.+) \(([^()]*)\)$")
_TITLE = re.compile(r"^(.*) \(([\d,]+) of ([\d,]+) (rows|entries)\)$")


@dataclass(frozen=True)
class Made:
    """A file that a call wrote: id, path, and what it is (media type, rows, columns)."""

    id: str
    path: str
    kind: str


@dataclass(frozen=True)
class Rows:
    """A preview: title, columns, cells as text, and how many rows there are in all."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int


@dataclass(frozen=True)
class ToolAnswer:
    """What one tool call said.

    Attributes
    ----------
    facts : dict
        Key → JSON value, or text where the value is not JSON.
    notes : tuple of str
    made : tuple of Made
    previews : tuple of Rows
    error : str
        The refusal, or empty.
    """

    facts: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    made: tuple[Made, ...] = ()
    previews: tuple[Rows, ...] = ()
    error: str = ""

    def number(self, key: str) -> float | None:
        """Return a fact as a number, or None where it is none."""
        value = self.facts.get(key)
        real = isinstance(value, int | float) and not isinstance(value, bool)
        return value if real and value is not None else None

    def text(self, key: str) -> str:
        """Return a fact as text, or an empty string."""
        value = self.facts.get(key)
        if isinstance(value, str):
            return value
        return "" if value is None or isinstance(value, dict | list) else str(value)

    def items(self, key: str) -> list[Any]:
        """Return a fact as a list, or an empty one."""
        value = self.facts.get(key)
        return value if isinstance(value, list) else []

    def mapping(self, key: str) -> dict[str, Any]:
        """Return a fact as an object, or an empty one."""
        value = self.facts.get(key)
        return value if isinstance(value, dict) else {}

    def records(self, key: str) -> list[dict[str, Any]]:
        """Return a fact as a list of objects; whatever is no object is left out."""
        return [item for item in self.items(key) if isinstance(item, dict)]


def read(text: str, call: str = "") -> ToolAnswer:
    """Read a tool's answer.

    Parameters
    ----------
    text : str
        As the gate admitted it.
    call : str, optional
        Id of the call, which its numbers then carry.
    """
    text = sourced.without(text)
    if text.startswith("error: "):
        return ToolAnswer(error=text.removeprefix("error: ").strip())
    facts: dict[str, Any] = {}
    notes: list[str] = []
    made: list[Made] = []
    previews: list[Rows] = []
    lines = text.split("\n")
    place = 0
    while place < len(lines):
        line = lines[place]
        place += 1
        if fact := _fact(line):
            facts.setdefault(fact[0], sourced.traced(fact[1], Source(call, (fact[0],))))
        elif hit := _TITLE.match(line):
            rows, place = _rows(lines, place)
            total = int(hit[3].replace(",", ""))
            head = rows[0] if rows else ()
            cells = rows[1:] if previews else _traced(head, rows[1:], call)
            previews.append(Rows(hit[1], head, tuple(cells), total))
        elif hit := _ARTEFACT.match(line):
            made.append(Made(hit[1], hit[2], hit[3]))
        elif line.startswith("note: "):
            note = line.removeprefix("note: ")
            notes.append(sourced.traced(note, Source(call, (f"note {len(notes) + 1}",))))
    return ToolAnswer(facts, tuple(notes), tuple(made), tuple(previews))


def _traced(head: tuple[str, ...], rows: list[tuple[str, ...]], call: str) -> list[tuple[str, ...]]:
    """Return the cells of the first preview, each with its source: row and column."""
    return [
        tuple(
            sourced.traced(cell, Source(call, (f"row {number}", name)))
            for name, cell in zip(head, row, strict=False)
        )
        for number, row in enumerate(rows, start=1)
    ]


def _fact(line: str) -> tuple[str, Any] | None:
    """Return key and value of a line of facts; None for any other line."""
    if line.startswith(("artefact: ", "note: ")):
        return None
    if hit := _PLAIN.match(line):
        return hit[1], _value(hit[2])
    if _OF_COLUMN.match(line):
        for cut in re.finditer(": ", line):
            value = _value(line[cut.end() :])
            if isinstance(value, dict | list):
                return line[: cut.start()], value
    return None


def _rows(lines: list[str], place: int) -> tuple[list[tuple[str, ...]], int]:
    """Return header and rows of a preview, and the line after it."""
    rows: list[tuple[str, ...]] = []
    while place < len(lines) and not lines[place].startswith("[... truncated: "):
        if _TITLE.match(lines[place]):
            return rows, place
        rows.append(tuple(lines[place].split(" | ")))
        place += 1
    return rows, place


def _value(text: str) -> Any:  # noqa: ANN401 - JSON values
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
