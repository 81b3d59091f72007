"""How the first line of a magic is read: rows of flags, and errors that name the nearest one.

A row is the one place where a flag stands; reading it and the help follow from the rows.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from workbench.errors import Refused, nearest


@dataclass(frozen=True)
class Flag:
    """One flag.

    Attributes
    ----------
    name : str
        Long form without dashes.
    short : str
        One letter, or empty.
    value : str
        What its value is called in help; empty for a switch.
    does : str
        What it does, in one line.
    many : bool
        True if it may be given several times.
    """

    name: str
    short: str
    value: str
    does: str
    many: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The forms it may be written in."""
        return (f"-{self.short}", f"--{self.name}") if self.short else (f"--{self.name}",)


CELL: tuple[Flag, ...] = (
    Flag("model", "m", "MODEL", "another model, for this question alone"),
    Flag("base-url", "", "URL", "a server that speaks the model's protocol"),
    Flag("out", "o", "NAME", "put the result object into this variable"),
    Flag("quiet", "q", "", "show nothing while it works, then the words of the answer alone"),
    Flag("background", "", "", "give the cell back at once; see %agent status, tell and stop"),
    Flag("no-widget", "", "", "show progress as lines of text"),
    Flag("attach", "a", "FILE", "attach a file of the data folder", many=True),
    Flag("dry-run", "n", "", "show the first request and what it costs; send nothing"),
    Flag("budget", "b", "N", "end the run at so many tokens (200k) or so much money (0.50usd)"),
    Flag("timeout", "t", "S", "end the run after this many seconds"),
    Flag("limit", "l", "KEY=VALUE", "change a limit for this question", many=True),
)


@dataclass(frozen=True)
class Line:
    """A line that was read.

    Attributes
    ----------
    words : tuple of str
        What is not a flag.
    switches : frozenset of str
        Names of switches that were given.
    values : dict
        Name → values, in order.
    """

    words: tuple[str, ...]
    switches: frozenset[str] = frozenset()
    values: Mapping[str, list[str]] = field(default_factory=dict)

    def one(self, name: str) -> str | None:
        """Return the value of a flag, or None."""
        found = self.values.get(name)
        return found[-1] if found else None

    def many(self, name: str) -> list[str]:
        """Return all values of a flag."""
        return list(self.values.get(name, ()))


def read(line: str, rows: Iterable[Flag], what: str) -> Line:
    """Read words and flags.

    Parameters
    ----------
    line : str
        The text after the magic's name.
    rows : iterable of Flag
        The flags it may have.
    what : str
        What is read, for errors: ``%%agent``.

    Raises
    ------
    Refused
        For a quote that is not closed, an unknown flag (the nearest is named), a missing value,
        or a flag given twice.
    """
    known = {word: row for row in rows for word in row.words}
    waiting = _split(line, what)
    words: list[str] = []
    switches: set[str] = set()
    values: dict[str, list[str]] = {}
    while waiting:
        word = waiting.pop(0)
        if not re.match(r"--?[^\W\d]", word):
            words.append(word)
            continue
        name, mark, value = word.partition("=")
        row = _find(name, known, what)
        if not row.value:
            if mark:
                raise Refused(f"{what}: flag '{name}' takes no value")
            switches.add(row.name)
            continue
        if not mark and not waiting:
            raise Refused(f"{what}: flag '{name}' needs a value: {name} {row.value}")
        if row.name in values and not row.many:
            raise Refused(f"{what}: flag '{name}' was given twice")
        values.setdefault(row.name, []).append(value if mark else waiting.pop(0))
    return Line(tuple(words), frozenset(switches), values)


def _split(line: str, what: str) -> list[str]:
    """Split as a shell does, but leave backslashes alone: they are in Windows paths."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
    try:
        return list(lexer)
    except ValueError as error:
        raise Refused(f"{what}: {str(error).lower()}; close the quotes") from None


def _find(word: str, known: Mapping[str, Flag], what: str) -> Flag:
    if word not in known:
        raise Refused(
            f"{what}: flag '{word}': there is none{nearest(word, known)}; see %agent help"
        )
    return known[word]


def number(line: Line, name: str, what: str) -> float | None:
    """Return the value of a flag as a number above 0, or None if it was not given.

    Raises
    ------
    Refused
        If it is no such number.
    """
    text = line.one(name)
    if text is None:
        return None
    try:
        found = float(text.replace(",", "").replace("_", ""))
    except ValueError:
        found = 0.0
    if not 0 < found < float("inf"):
        raise Refused(f"{what}: --{name} {text}: it must be a number above 0")
    return found


def whole(line: Line, name: str, what: str) -> int | None:
    """Return the value of a flag as a whole number from 0, or None if it was not given.

    Raises
    ------
    Refused
        If it is no such number.
    """
    text = line.one(name)
    if text is None:
        return None
    digits = text.replace(",", "").replace("_", "")
    if not digits.isdecimal():
        raise Refused(f"{what}: --{name} {text}: it must be a whole number from 0")
    return int(digits)


def pairs(words: Iterable[str], what: str) -> dict[str, str]:
    """Split ``key=value`` words.

    Raises
    ------
    Refused
        If one has no equals sign or no key.
    """
    found: dict[str, str] = {}
    for word in words:
        key, mark, value = word.partition("=")
        if not mark or not key:
            raise Refused(f"{what} '{word}': write it as KEY=VALUE")
        found[key] = value
    return found


def table(rows: Iterable[Flag]) -> list[list[str]]:
    """Return flags as rows of help: forms, then what each does."""
    return [
        [f"  {', '.join(row.words)}{' ' + row.value if row.value else ''}", row.does]
        for row in rows
    ]
