"""How the command line is read: one parser a command, and errors of use in one line.

`COMMANDS` is the one list of commands; help, the README table and the reading of arguments
follow from it. Unknown words name the nearest known one.
"""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn

from workbench.errors import nearest

Run = Callable[[argparse.Namespace], int]


class Usage(Exception):
    """The command line itself was not understood: exit status 2."""


@dataclass(frozen=True)
class Command:
    """One command.

    Attributes
    ----------
    name : str
        Its word.
    module : str
        Module of `workbench.cli` that has ``add_NAME(parser)`` and ``run_NAME(arguments)``; it is
        imported only when the command is used, so that help is quick.
    summary : str
        What it does, in one line.
    """

    name: str
    module: str
    summary: str

    def read(self, words: list[str]) -> argparse.Namespace:
        """Read the words after the command's own.

        Raises
        ------
        Usage
            If they are not understood.
        """
        parser = self.parser()
        parser.refuse_unknown(words)
        found, rest = parser.parse_known_intermixed_args(words)
        if rest:
            quotes = "; put a question of several words in quotes" if self.name == "ask" else ""
            raise Usage(
                f"{self.name}: '{rest[0]}' is one word too many{quotes}; see {parser.prog} --help"
            )
        return found

    def parser(self) -> Parser:
        """Return the parser of the command's arguments."""
        parser = Parser(prog=f"workbench {self.name}", description=f"{self.summary}.")
        getattr(self._loaded(), f"add_{self.name}")(parser)
        return parser

    def run(self, arguments: argparse.Namespace) -> int:
        """Carry it out; return the exit status."""
        status: int = getattr(self._loaded(), f"run_{self.name}")(arguments)
        return status

    def _loaded(self) -> object:
        return importlib.import_module(f"workbench.cli.{self.module}")


COMMANDS: dict[str, Command] = {
    name: Command(name, module, summary)
    for name, module, summary in (
        ("ask", "ask", "put a question; progress on stderr, the answer on stdout"),
        ("call", "call", "make one tool call through the gate: exactly what a model would see"),
        ("describe", "files", "what the reader made of a file"),
        ("rows", "files", "page through the rows of a file or a result"),
        ("tools", "lists", "the tools, who has them and what they cost"),
        ("agents", "lists", "the agents and their tools"),
        ("limits", "lists", "the table of limits"),
        ("models", "models", "the models there are: window, prices, what a server offers"),
        ("check", "lists", "attack every limit that code holds, and see it hold"),
        ("score", "score", "put forty questions with known answers to a model"),
        ("runs", "past", "past runs, newest first"),
        ("show", "past", "one past run"),
        ("open", "past", "a result, a kept text or a request of a past run, in full"),
        ("lineage", "lineage", "the calls that lead to a result: parameters, seeds, hashes"),
        ("report", "report", "a run as a notebook that recomputes its numbers, without a model"),
        ("export", "report", "a run as an archive: report, results, data manifest, versions"),
        ("batch", "batch", "put a file of questions to a set of data folders"),
        ("approve", "packages", "allow a package that a script asked for; it installs nothing"),
        ("refuse", "packages", "refuse a package that a script asked for"),
        (
            "clean",
            "past",
            "remove old requests, texts and snapshots; results and replies stay",
        ),
        ("verify", "verify", "recompute a run or a report without a model, and compare"),
        ("replay", "ask", "ask a past question again, with the recorded replies"),
        ("mcp", "serve", "the tools as an MCP server, on stdin and stdout or on loopback HTTP"),
        ("demo", "project", "run the quickstart from end to end"),
        ("lab", "project", "start JupyterLab rooted at the project"),
        ("doctor", "machine", "what works, and what is not enforced, on this machine"),
        ("version", "machine", "the version"),
    )
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog=prog, description=description, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the whole usage."""
        word = self.prog.removeprefix("workbench ")
        raise Usage(f"{word}: {message}; see {self.prog} --help")

    def refuse_unknown(self, words: Iterable[str]) -> None:
        """Refuse an option that does not exist, before anything that is missing.

        Raises
        ------
        Usage
            The nearest option is named.
        """
        known = [word for action in self._actions for word in action.option_strings]
        for word in words:
            if word == "--":
                return
            name = word.partition("=")[0] if word.startswith("--") else word[:2]
            # A negative number or a sentence that begins with a dash is no option.
            if re.match(r"--?[A-Za-z]", word) and " " not in word and name not in known:
                command = self.prog.removeprefix("workbench ")
                raise Usage(
                    f"{command}: option '{word.partition('=')[0]}': there is none"
                    f"{nearest(name, known) if word[:2] == '--' else ''}; see {self.prog} --help"
                )


def find(word: str) -> Command:
    """Return a command by its word.

    Raises
    ------
    Usage
        If there is none; the nearest is named.
    """
    if word in COMMANDS:
        return COMMANDS[word]
    what = "option" if word.startswith("-") else "command"
    raise Usage(f"{what} '{word}': there is none{nearest(word, COMMANDS)}; see workbench --help")


def overview() -> str:
    """Return the help of the whole command line."""
    width = max(len(name) for name in COMMANDS)
    lines = [f"  {item.name:<{width}}  {item.summary}" for item in COMMANDS.values()]
    return "\n".join(
        [
            "usage: workbench COMMAND …",
            "",
            "Ask questions of exploration data; the tables stay on disk, and",
            "a preview shows a model at most 20 rows.",
            "",
            *lines,
            "",
            "workbench COMMAND --help shows a command's options.",
        ]
    )


def add_data(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options that say where data and results are."""
    parser.add_argument(
        "--data", metavar="PATH", required=required, help="data folder, or one data file"
    )
    add_results(parser)


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where results are."""
    parser.add_argument(
        "--results",
        metavar="DIR",
        help="results folder (default: WORKBENCH_RESULTS, or results in the data folder)",
    )


def add_set(parser: argparse.ArgumentParser) -> None:
    """Add the option that tells the reader about a column."""
    parser.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="FILE:COLUMN.key=value",
        help="tell the reader about a column, such as soils.csv:Au.unit=ppb",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option for output that a program reads."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def whole(least: int) -> Callable[[str], int]:
    """Return what reads an option as a whole number from `least`; argparse names the option."""

    def read(text: str) -> int:
        digits = text.replace(",", "").replace("_", "")
        if not digits.isdecimal() or int(digits) < least:
            raise argparse.ArgumentTypeError(f"'{text}': give a whole number from {least:,}")
        return int(digits)

    return read


def pairs(words: Iterable[str], what: str) -> dict[str, str]:
    """Split ``key=value`` words.

    Raises
    ------
    Usage
        If one has no equals sign or no key.
    """
    found: dict[str, str] = {}
    for word in words:
        key, mark, value = word.partition("=")
        if not mark or not key:
            raise Usage(f"{what} '{word}': write it as key=value")
        found[key] = value
    return found
