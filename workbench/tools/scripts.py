"""Scripts and commands: for what no tool covers, in a sandbox of their own.

They are carried out by a process beside the child, which knows how to confine them; here stands
what they are called with and how their outcome reads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from workbench.errors import Refused
from workbench.reply import Made, Reply, Text
from workbench.tools.context import Context
from workbench.tools.registry import tool

_MOST_SECONDS = 600
_MOST_WORDS = 200
# What asks for a package, by the word before its name or by its own error.
_INSTALLS = re.compile(
    r"\b(?:pip3?|uv|conda|mamba|poetry|pipx)\s+(?:pip\s+)?(?:install|add)\b([^\n;|&]*)"
)
_ABSENT = re.compile(r"ModuleNotFoundError: No module named '([A-Za-z_][\w.]{0,80})'")
_PACKAGE = re.compile(r"(?<![\w-])[A-Za-z0-9][\w.-]{0,60}(?:\[[\w,-]+\])?(?:[=<>!~]=?[\w.*]+)?")


@dataclass(frozen=True)
class Ran:
    """What running one program came to.

    Attributes
    ----------
    status : str
        How it ended, or that it still runs.
    log : str
        Id under which all of its output can be read.
    shown : Text or None
        Its output, or the ends of it.
    result : str or None
        What stood between the marks of a result.
    closed : bool
        Whether the result's last mark was there.
    lines, chars : int
        Size of the output beside the result.
    made : tuple of Made
        Files it wrote.
    notes : tuple of str
        What a reader must know.
    hits : tuple of str
        Rows of the limits table that held.
    walls : dict
        What confined it.
    """

    status: str
    log: str
    shown: Text | None
    result: str | None
    closed: bool
    lines: int
    chars: int
    made: tuple[Made, ...]
    notes: tuple[str, ...]
    hits: tuple[str, ...]
    walls: dict[str, str]


class Runs(Protocol):
    """Runs programs in a sandbox."""

    def python(self, script: Path, seconds: int) -> Ran:
        """Run a Python script."""
        ...

    def command(self, words: list[str], seconds: int) -> Ran:
        """Run a program with its arguments."""
        ...


@dataclass
class ScriptContext(Context):
    """The surroundings of a script: as of any call, and what runs it."""

    runs: Runs | None = None


@tool(effect="run", answer="read_share", place="sandbox")
def run_script(
    context: ScriptContext,
    code: str,
    tables: list[str] | None = None,
    seconds: int | None = None,
) -> Reply:
    """Run a Python script in the sandbox: no network, data read only, one folder to write into.

    The data are in data/, results of this run in results/…/; what it writes beside them becomes a
    result file, but in tmp/. pandas, numpy, scipy, sklearn and plotly can be imported; nothing can
    be installed, and there is no multiprocessing.

    Parameters
    ----------
    code : str
        The script. It prints its answer between a line ===RESULT=== and a line ===END_RESULT===.
    tables : list of str
        Files with tables that it reads typed: soils.csv by
        pandas.read_parquet("tables/soils.parquet").
    seconds : int
        How long to wait for it, 1 to 600; then it goes on by itself until the dispatch ends.
    """
    if not code.strip():
        raise Refused("run_script: the code is empty")
    if tables and not context.lent:
        raise Refused("run_script: no table was lent; read the files in data/ instead")
    runs, wait = _ready(context, seconds)
    with context.new_file("script", "py") as (part, final):
        part.write_text(code, encoding="utf-8", errors="replace", newline="")
    script = context.made(final[0], "text/x-python")
    ran = runs.python(final[0], wait)
    made = tuple(_by(item, script.path) for item in ran.made)
    rules = {"silent_scripts": ran.lines == 0}
    return _reply(ran, code, (script, *made), rules, {"script": script.path})


@tool(effect="run", answer="read_share", place="sandbox")
def run_command(
    context: ScriptContext,
    line: str = "",
    argv: list[str] | None = None,
    seconds: int | None = None,
) -> Reply:
    """Run a command in the sandbox, such as grep, sort or awk over the files in data/.

    Give a line for the shell, or the program with its arguments.

    Parameters
    ----------
    line : str
        A line for sh.
    argv : list of str
        In its place: the program and its arguments, without a shell.
    seconds : int
        How long to wait for it, 1 to 600; then it goes on by itself until the dispatch ends.
    """
    if bool(line.strip()) == bool(argv):
        raise Refused("run_command: give either a line or argv")
    words = argv or ["/bin/sh", "-c", line]
    if len(words) > _MOST_WORDS:
        raise Refused(
            f"run_command: argv has {len(words):,} words, at most {_MOST_WORDS} are taken"
        )
    asked = line or " ".join(words)
    if _INSTALLS.search(asked):
        wanted = _packages(asked)
        return Reply(
            {"status": "not run: nothing is installed from here"},
            notes=(_told(wanted),),
            packages=wanted,
        )
    runs, wait = _ready(context, seconds)
    ran = runs.command(words, wait)
    kept = ran.lines <= context.limits["command_lines"].number and not ran.hits
    return _reply(ran, asked, ran.made, {"output_to_file": kept}, {})


def _ready(context: ScriptContext, seconds: int | None) -> tuple[Runs, int]:
    wait = context.limits["command_seconds"].number if seconds is None else seconds
    if not 1 <= wait <= _MOST_SECONDS:
        raise Refused(f"seconds={wait}: give 1 to {_MOST_SECONDS}")
    if context.runs is None:
        raise Refused("scripts and commands run in a sandbox, not in a child")
    return context.runs, wait


def _by(made: Made, script: str) -> Made:
    """Say which script wrote a file: with it, the file can be made again."""
    return Made(**{**made.__dict__, "made_by": {**made.made_by, "script": script}})


def _reply(
    ran: Ran,
    asked: str,
    made: tuple[Made, ...],
    rules: dict[str, bool],
    facts: dict[str, Any],
) -> Reply:
    """Word an outcome: the result where there is one, else the output."""
    notes = list(ran.notes)
    text = ran.shown
    if ran.result is not None:
        facts |= {"output": f"{ran.lines:,} lines beside the result"}
        text = Text(ran.result, ran.log, "output", len(ran.result), ran.result.count("\n") + 1)
        if not ran.closed:
            notes.append("the result was not closed: ===END_RESULT=== is missing")
    else:
        facts |= {"output": f"{ran.lines:,} lines"}
    if ran.chars or "command_seconds" in ran.hits:
        facts["log"] = ran.log
    shown = "\n".join([ran.result or "", ran.shown.body if ran.shown else ""])
    wanted = _packages(asked, shown)
    if wanted:
        notes.append(_told(wanted))
    return Reply(
        {"status": ran.status, **facts},
        text=text if text is not None and text.body else None,
        made=made,
        notes=tuple(notes),
        limits_hit=ran.hits,
        rules=rules,
        packages=wanted,
        walls=ran.walls,
    )


def _packages(asked: str, said: str = "") -> tuple[str, ...]:
    """Return the packages that a call asks for, or misses."""
    found = [name.split(".")[0] for name in _ABSENT.findall(said)]
    for rest in _INSTALLS.findall(asked):
        words = [word for word in rest.split() if not word.startswith("-")]
        found += [hit[0] for word in words if (hit := _PACKAGE.fullmatch(word))]
    return tuple(dict.fromkeys(found))[:10]


def _told(packages: tuple[str, ...]) -> str:
    names = ", ".join(packages) or "a package"
    return f"{names}: not installed here, and nothing is installed by a call"
