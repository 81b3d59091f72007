"""An objective: the words, the files it is about, and the whole question it is a part of.

Hand-overs between the planner's own agents carry these as two lines of JSON after the words, so
that no file name, whatever it holds, can be taken for anything else.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass

from workbench import marker

_RESULT = "results/…/"
_FILES = "Files: "
_LEFT = "More table files, not picked: "
_WHOLE = "Part of: "
_BEFORE = "Table of the answer before: "
# With the files this stays within `objective_chars`.
WORDS_MOST = 1_500
FILES_MOST = 12


@dataclass(frozen=True)
class Task:
    """What an agent was given to do.

    Attributes
    ----------
    words : str
        The request.
    files : tuple of str
        Files it is about; empty where none was named.
    whole : str
        The whole question, where this is a part of it; otherwise empty.
    left : int
        Table files of the folder that were not picked.
    before : str
        File that the answer before was taken from; preferred where several could answer.
    """

    words: str
    files: tuple[str, ...] = ()
    whole: str = ""
    left: int = 0
    before: str = ""

    def text(self) -> str:
        """Return the task as an objective."""
        lines = [self.words]
        if self.files:
            lines.append(_FILES + json.dumps(list(self.files), ensure_ascii=False))
        if self.left:
            lines.append(f"{_LEFT}{self.left}")
        if self.before:
            lines.append(_BEFORE + json.dumps(self.before, ensure_ascii=False))
        if self.whole:
            lines.append(_WHOLE + json.dumps(self.whole, ensure_ascii=False))
        return "\n".join(lines)


def read(objective: str) -> Task:
    """Read an objective; one written by a person has words, or words and a pasted table."""
    given = _pasted(objective)
    return given or _handed(objective)


def _pasted(question: str) -> Task | None:
    """Read a question whose pasted table was kept as a file; the rows are no words of it."""
    mark = next((m for m in marker.parse(question) if m.full.startswith(_RESULT)), None)
    if mark is None or mark.unit != "lines":
        return None
    lines = question.split("\n")
    for place, (line, after) in enumerate(itertools.pairwise(lines)):
        if any(line.count(sign) == after.count(sign) > 0 for sign in ",;\t|"):
            return Task("\n".join(lines[:place]).strip(), (mark.full,))
    return Task(lines[0].strip(), (mark.full,))


def _handed(objective: str) -> Task:
    words: list[str] = []
    files: tuple[str, ...] = ()
    whole, left, before = "", 0, ""
    for line in objective.split("\n"):
        named, part = _json(line, _FILES), _json(line, _WHOLE)
        more, last = _json(line, _LEFT), _json(line, _BEFORE)
        if isinstance(named, list):
            files = tuple(str(name) for name in named)
        elif isinstance(part, str):
            whole = part
        elif isinstance(last, str):
            before = last
        elif isinstance(more, int):
            left = more
        else:
            words.append(line)
    return Task("\n".join(words).strip(), files, whole, left, before)


def _json(line: str, mark: str) -> object:
    if not line.startswith(mark):
        return None
    try:
        return json.loads(line.removeprefix(mark))
    except (ValueError, RecursionError):
        return None
