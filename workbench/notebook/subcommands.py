"""The subcommands of ``%agent``: one list, from which reading, help and errors follow.

A subcommand is one function; it gets the desk and a read line and returns what the cell shows.
One whose module is not installed is left out.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.errors import Refused, nearest
from workbench.notebook import flags
from workbench.notebook.flags import Flag, Line

if TYPE_CHECKING:
    from workbench.notebook.desk import Desk

Shown = dict[str, Any]
Run = Callable[["Desk", Line], Shown]
# Modules with subcommands, in the order of help; imported when one is used.
_MODULES = (
    "commands_session",
    "commands_work",
    "commands_packages",
    "commands_report",
    "commands_run",
    "commands_prove",
)


@dataclass(frozen=True)
class Subcommand:
    """One subcommand.

    Attributes
    ----------
    name : str
        Its word.
    usage : str
        What follows the word.
    does : str
        What it does, in one line.
    words : int
        How many words it takes at most.
    rows : tuple of Flag
        Flags it takes.
    needs : str
        Module that must be there, or empty.
    raw : bool
        True if what follows is a sentence: it is handed on as it was typed.
    run : callable
        Carries it out.
    """

    name: str
    usage: str
    does: str
    words: int
    rows: tuple[Flag, ...]
    needs: str
    raw: bool
    run: Run


_KNOWN: dict[str, Subcommand] = {}


def subcommand(
    usage: str = "",
    *,
    words: int = 0,
    rows: tuple[Flag, ...] = (),
    needs: str = "",
    raw: bool = False,
) -> Callable[[Run], Run]:
    """Enter a function in the list; its name and first docstring line become word and help."""

    def enter(function: Run) -> Run:
        name = function.__name__.strip("_")
        does = (function.__doc__ or "").strip().splitlines()[0].rstrip(".")
        if not needs or importlib.util.find_spec(needs) is not None:
            _KNOWN[name] = Subcommand(name, usage, does, words, rows, needs, raw, function)
        return function

    return enter


def known() -> dict[str, Subcommand]:
    """Return every subcommand by its word."""
    for module in _MODULES:
        importlib.import_module(f"workbench.notebook.{module}")
    return _KNOWN


def run(desk: Desk, line: str) -> Shown:
    """Read a line and carry it out.

    Raises
    ------
    Refused
        If the subcommand or a flag is unknown (the nearest is named), or words are too many.
    """
    word, _, rest = line.strip().partition(" ")
    found = find(word or "help")
    if found.raw:
        return found.run(desk, Line((rest.strip(),)))
    read = flags.read(rest, found.rows, f"%agent {found.name}")
    if len(read.words) > found.words:
        extra = read.words[found.words]
        raise Refused(
            f"%agent {found.name}: '{extra}' is one word too many; write %agent {found.name} "
            f"{found.usage}".rstrip()
        )
    return found.run(desk, read)


def find(word: str) -> Subcommand:
    """Return a subcommand by its word.

    Raises
    ------
    Refused
        If there is none; the nearest is named.
    """
    every = known()
    if word not in every:
        raise Refused(
            f"%agent: subcommand '{word}': there is none{nearest(word, every)}; see %agent help"
        )
    return every[word]


def text(words: str) -> Shown:
    """Return plain text as something a cell shows."""
    return {"text/plain": words}
