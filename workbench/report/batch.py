"""A file of questions put to a set of data folders: resumed where it stopped, summed up in a table.

What is done stands in one file, a line each; a question is asked again only where its words, the
model or the data have changed, or where it was not answered.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from workbench.errors import Refused
from workbench.report import writing
from workbench.report.words import line, mono, table
from workbench.workspace import Workspace

STATE = "batch.jsonl"
_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_SLUG_WORDS, _SAID = 6, 240
# A cell that begins so is worked out by a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Task:
    """One question to one data folder.

    Attributes
    ----------
    data : Path
        Folder or file.
    question : str
        Its words.
    name : str
        Folder and number: where its report goes, without an ending.
    sign : str
        Hash of question, model and data: another one is another task.
    """

    data: Path
    question: str
    name: str
    sign: str


@dataclass(frozen=True)
class Done:
    """What a task came to; one line of the state file."""

    sign: str
    data: str
    question: str
    status: str
    answer: str
    run: str
    report: str
    seconds: float


def questions(text: str) -> list[str]:
    """Return the questions of a file: one a heading, with what is written below it.

    Where one heading of the first level stands over others, it is the title.

    Raises
    ------
    Refused
        If there is no heading.
    """
    found: list[tuple[int, str, list[str]]] = []
    fenced = False
    for one in text.splitlines():
        fenced ^= bool(_FENCE.match(one))
        head = None if fenced else _HEADING.match(one)
        if head and head[2].strip():
            found.append((len(head[1]), head[2].strip(), []))
        elif found:
            found[-1][2].append(one)
    first = [level for level, _, _ in found].count(1)
    if first == 1 and len(found) > 1 and found[0][0] == 1:
        found = found[1:]
    if not found:
        raise Refused("questions: the file has no heading; write one question a heading: ## …")
    return ["\n".join([head, *body]).strip() for _, head, body in found]


def plan(asked: Sequence[str], folders: Sequence[Path], model: str) -> list[Task]:
    """Return the tasks in order: every question of a folder, then the next folder.

    Raises
    ------
    Refused
        If a folder is not there.
    """
    names = _names(folders)
    return [
        Task(
            data,
            question,
            f"{names[data]}/{number:02d}-{_slug(question)}",
            _sign(question, model, print_of),
        )
        for data in folders
        for print_of in [_fingerprint(data)]
        for number, question in enumerate(asked, start=1)
    ]


def _names(folders: Sequence[Path]) -> dict[Path, str]:
    """Return a name for each folder; those of one name are numbered."""
    found: dict[Path, str] = {}
    for data in folders:
        plain = re.sub(r"[^\w.-]+", "-", data.resolve().name).strip(".-") or "data"
        number, name = 2, plain
        while name in found.values():
            name, number = f"{plain}-{number}", number + 1
        found[data] = name
    return found


def _slug(question: str) -> str:
    words = re.findall(r"[a-z0-9]+", question.splitlines()[0].casefold())
    return "-".join(words[:_SLUG_WORDS])[:60] or "question"


def _fingerprint(data: Path) -> str:
    """Return what changes where a file of the data does: names, sizes, times."""
    workspace = Workspace.at(data)
    digest = hashlib.sha256()
    for entry in workspace.walk():
        try:
            changed = (workspace.root / entry.name).stat().st_mtime_ns
        except OSError:
            changed = 0
        digest.update(json.dumps([entry.name, entry.size, changed]).encode())
    return digest.hexdigest()


def _sign(question: str, model: str, data: str) -> str:
    return hashlib.sha256(json.dumps([question, model, data]).encode()).hexdigest()[:24]


def known(folder: Path) -> dict[str, Done]:
    """Return what was done before, by sign; a torn line is none."""
    found: dict[str, Done] = {}
    for one in _lines(folder / STATE):
        try:
            done = Done(**json.loads(one))
        except (ValueError, TypeError):
            continue
        found[done.sign] = done
    return found


def _lines(path: Path) -> Iterator[str]:
    try:
        yield from path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return


def keep(folder: Path, done: Done) -> None:
    """Add a line to the state file."""
    from workbench.files.records import append_line

    append_line(folder / STATE, asdict(done))


def summary(folder: Path, tasks: Sequence[Task], found: dict[str, Done]) -> Path:
    """Write the table of all tasks, as Markdown and for a spreadsheet; return the Markdown."""
    rows = [(task, found.get(task.sign)) for task in tasks]
    columns = ("data", "question", "status", "answer", "report")
    shown = [
        (
            mono(task.name.partition("/")[0]),
            line(task.question.splitlines()[0]),
            line(done.status if done else "not asked yet"),
            line(_first(done.answer)) if done else "",
            _link(done),
        )
        for task, done in rows
    ]
    answered = sum(bool(done and done.status == "answered") for _, done in rows)
    text = f"# Summary\n\n{answered} of {len(rows)} answered.\n\n{table(columns, shown)}\n"
    writing.put(folder / "summary.md", text)
    held = io.StringIO(newline="")
    writer = csv.writer(held)
    writer.writerow((*columns, "run", "seconds"))
    for task, done in rows:
        cells = (task.name.partition("/")[0], task.question, done.status if done else "")
        more = (done.answer, done.report, done.run, done.seconds) if done else ("", "", "", "")
        writer.writerow([_safe(cell) for cell in (*cells, *more)])
    writing.put(folder / "summary.csv", held.getvalue())
    return folder / "summary.md"


def _first(answer: str) -> str:
    """Return the first words of an answer; what says who answered is no part of it."""
    parts = [part for part in answer.split("\n\n") if part.strip()]
    if len(parts) > 1 and parts[0].startswith("rule-based planner"):
        parts = parts[1:]
    words = " ".join(parts[0].split()) if parts else ""
    return words if len(words) <= _SAID else f"{words[: _SAID - 1]}…"


def _link(done: Done | None) -> str:
    """Return a link to a report; its name is made of letters, digits and dashes."""
    return f"[report]({done.report})" if done and re.fullmatch(r"[\w./-]+", done.report) else ""


def _safe(cell: object) -> str:
    """Return a cell that a spreadsheet takes for text, not for a formula."""
    text = str(cell)
    return f"'{text}" if text.startswith(_FORMULA) else text
