"""Which files may hold the answer, and the cards of the tables in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.models.planner import cards
from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.asking import Asking, NotYet
from workbench.models.planner.cards import Card
from workbench.models.planner.task import FILES_MOST

_TABLES = frozenset(
    [
        *("csv", "tsv", "tab", "psv", "txt", "dat", "las", "parquet", "pq", "zip", "gz"),
        *("xlsx", "xls", "xlsm", "xlsb", "ods", "geojson"),
    ]
)
# Read only where the question names them: they are mostly settings and records, not samples.
_NAMED_ONLY = frozenset({"json", "jsonl", "ndjson"})
_SHEETS = 24


@dataclass(frozen=True)
class Files:
    """Table files to look at, and how many more there are."""

    names: tuple[str, ...]
    left: int = 0


def pick(told: ToolAnswer, question: str) -> Files:
    """Pick the table files of a listing that may answer a question.

    Parameters
    ----------
    told : ToolAnswer
        Answer of list_files.
    question : str
        A file named in it is the only one looked at; otherwise those that share a word with it
        come first, then the larger ones.
    """
    listed = [row for preview in told.previews for row in preview.rows if row and row[0]]
    sizes = {row[0]: int(row[1]) if len(row) > 1 and row[1].isdigit() else 0 for row in listed}
    said = question.casefold()
    named = [name for name in sizes if _is_said(name, said)]
    if named:
        return Files(tuple(named[:FILES_MOST]), max(len(named) - FILES_MOST, 0))
    tables = [name for name in sizes if _ending(name) in _TABLES]
    words = set(re.findall(r"[a-z]{4,}", said))

    def rank(name: str) -> tuple[int, int, str]:
        shared = len(words & set(re.findall(r"[a-z]{4,}", name.casefold())))
        return (-shared, -sizes[name], name)

    tables.sort(key=rank)
    return Files(tuple(sorted(tables[:FILES_MOST])), max(len(tables) - FILES_MOST, 0))


def _ending(name: str) -> str:
    return name.rpartition(".")[2].casefold()


def _is_said(name: str, said: str) -> bool:
    if _ending(name) not in _TABLES | _NAMED_ONLY:
        return False
    base = name.rpartition("/")[2].casefold()
    return re.search(rf"(?<![\w-]){re.escape(base)}(?![\w-])", said) is not None


@dataclass(frozen=True)
class Library:
    """The tables that could be read, what stood against others, how many were not looked at."""

    cards: tuple[Card, ...]
    unread: tuple[str, ...] = ()
    left: int = 0


def look(asking: Asking, files: Sequence[str]) -> Library:
    """Describe files, several calls in one turn, and each sheet of a workbook.

    Raises
    ------
    NotYet
        Until all descriptions are there.
    """
    for path in files:
        asking.want("describe_table", path=path)
    told = [(path, asking.ask("describe_table", path=path)) for path in files if _there(asking)]
    told = _whole(asking, told)
    found: list[Card] = []
    unread: list[str] = []
    waiting = False
    for path, answer in told:
        sheets = list(answer.mapping("sheets"))[:_SHEETS]
        if answer.error:
            unread.append(f"{path}: {answer.error}")
        elif sheets and answer.number("rows") is None:
            for sheet in sheets:
                asking.want("describe_table", path=path, sheet=sheet)
            waiting = waiting or bool(asking.wanted)
            found += [] if waiting else _sheets(asking, path, sheets)
        else:
            card = cards.read(path, None, answer)
            found += [card] if card else []
    if waiting:
        raise NotYet
    return Library(tuple(found), tuple(unread))


def _whole(asking: Asking, told: Sequence[tuple[str, ToolAnswer]]) -> list[tuple[str, ToolAnswer]]:
    """Wait for large files that were described by their first lines: plans rest on counts."""
    large = [path for path, answer in told if answer.mapping("first_lines")]
    for path in large:
        asking.want("describe_table", path=path, whole=True)
    return [
        (path, asking.ask("describe_table", path=path, whole=True) if path in large else answer)
        for path, answer in told
        if _there(asking)
    ]


def _there(asking: Asking) -> bool:
    if asking.wanted:
        raise NotYet
    return True


def _sheets(asking: Asking, path: str, sheets: Sequence[str]) -> list[Card]:
    found = []
    for sheet in sheets:
        card = cards.read(path, sheet, asking.ask("describe_table", path=path, sheet=sheet))
        if card and card.rows:
            found.append(card)
    return found
