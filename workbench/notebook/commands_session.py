"""Subcommands about the session: what is in use, what there is, and starting anew."""

from __future__ import annotations

import itertools
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import workbench
from workbench.errors import Refused
from workbench.limits import Limits
from workbench.models.protocol import named
from workbench.notebook import flags, numerals, plain, subcommands
from workbench.notebook.card_loops import short
from workbench.notebook.flags import Flag, Line
from workbench.notebook.static import relative
from workbench.notebook.subcommands import Shown, subcommand, text
from workbench.visible import visible
from workbench.workspace import Workspace

if TYPE_CHECKING:
    from workbench.notebook.desk import Desk
    from workbench.session import Session

_USE = (
    Flag("results", "", "DIR", "where runs are kept; results in the data folder if left out"),
    Flag("model", "m", "MODEL", "offline or anthropic:ID; with a key anthropic, else offline"),
    Flag("base-url", "", "URL", "a server that speaks the model's protocol"),
    Flag("set", "", "FILE:COLUMN.KEY=VALUE", "tell the reader about a column", many=True),
    Flag("open-scripts", "", "", "let scripts run without a sandbox where this machine has none"),
)


@subcommand()
def help_(_desk: Desk, _line: Line) -> Shown:
    """Show the magics, their flags and subcommands."""
    rows = [[f"  {item.name} {item.usage}".rstrip(), item.does] for item in _all()]
    more = [
        [f"    {' '.join(filter(None, (', '.join(flag.words), flag.value)))}", flag.does]
        for item in _all()
        for flag in item.rows
        if item.name == "use"
    ]
    parts = [
        "%%agent [AGENT] [flags]   ask; the question is the rest of the cell",
        plain.columns(flags.table(flags.CELL)),
        "  {{name}} in the question inserts a notebook variable; a table enters as its schema",
        "",
        "%agent SUBCOMMAND",
        plain.columns(rows),
        "",
        "%agent use [DIR] [flags]",
        plain.columns(more),
    ]
    return text("\n".join(parts))


def _all() -> list[subcommands.Subcommand]:
    return list(subcommands.known().values())


@subcommand("[DIR]", words=1, rows=_USE)
def use(desk: Desk, line: Line) -> Shown:
    """Take a data folder, or one data file, into use; without DIR, say what is in use."""
    from workbench.session import Session

    if not line.words:
        if desk.session is None or line.values:
            raise Refused(f"%agent use: which data? write %agent use DIR{_nearby()}")
        return text(_in_use(desk.session))
    place, overrides = (line.words[0], line.one("results")), line.many("set")
    where = (line.one("model") or "", line.one("base-url") or "")
    session = Session.open(
        *(*place, where[0]),
        base_url=where[1],
        overrides=overrides,
        open_scripts="open-scripts" in line.switches,
    )
    desk.use(session)
    return text(_in_use(session))


# Names enough to see that it is the right folder; a folder can hold a million.
_SHOWN, _OTHERS, _LOOKED_AT = 8, 3, 2_000
_WIDTH = 100
# Where data lies as seen from a notebook, in most projects.
_USUAL = (".", "data", "../data")


def _nearby() -> str:
    """Name the usual folders that are there and hold tables."""
    there = [place for place in _USUAL if Path(place).is_dir() and _holds_tables(place)]
    return f"; tables lie in: {', '.join(there)}" if there else ", for example %agent use ../data"


def _holds_tables(place: str) -> bool:
    """Tell whether tables lie in a folder; those below the present one belong to their own."""
    tables, _ = _files(Workspace.at(place))
    return any(place != "." or "/" not in name for name in tables)


def _in_use(session: Session) -> str:
    workspace = session.workspace
    tables, others = _files(workspace)
    lines = [
        f"data: {relative(workspace.root / (workspace.only or ''))}",
        f"tables: {_named(tables, _SHOWN) or 'none by name; other files may hold some'}",
        *([f"other files: {_named(others, _OTHERS)}"] if others else []),
        f"results: {relative(workspace.results)}",
        f"model: {_model(session)}",
    ]
    return "\n".join(map(_wrapped, lines))


def _wrapped(line: str) -> str:
    """Wrap a line between names: a notebook would break it within one."""
    named = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.fill(line, _WIDTH, subsequent_indent="  ", **named)  # type: ignore[arg-type]


def _files(workspace: Workspace) -> tuple[list[str], list[str]]:
    """Return the names of files that hold tables by their extension, and of the others.

    No file is opened here. Small JSON counts as a document, as it does where files are read.
    """
    from workbench.formats.format import extension
    from workbench.formats.registry import data_extensions

    data, small = data_extensions(), Limits()["json_exempt_bytes"].number
    found: tuple[list[str], list[str]] = ([], [])
    for entry in itertools.islice(workspace.walk(), _LOOKED_AT):
        kind = extension(entry.name)
        document = kind not in data or (kind == "json" and entry.size < small)
        found[document].append(entry.name)
    return found


def _named(names: list[str], most: int) -> str:
    """List names, the first few of many."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(short(name, 120) for name in names[:most])}{more}"


def _model(session: Session) -> str:
    model = session.setting.model
    if model.provider == "offline":
        return "offline: rule-based planner, no language model"
    base = named(model).get("base", "")
    return f"{model.provider}:{model.name}{f' at {base}' if base else ''}"


@subcommand()
def key_(_desk: Desk, _line: Line) -> Shown:
    """Ask for the key of a model; it stays in this kernel's memory and is shown nowhere."""
    from getpass import getpass

    from workbench.models import keys

    keys.keep(getpass("key (is not shown): "))
    return text("key kept for this kernel; next: %agent use DIR -m anthropic, then %%agent")


@subcommand()
def list_(_desk: Desk, _line: Line) -> Shown:
    """List the agents, what each has, and what its prompt costs in tokens."""
    from workbench import listing

    rows = [["agent", "tokens", "tools"]]
    rows += [
        [agent["name"], f"{agent['tokens']:,}", ", ".join(agent["tools"])]
        for agent in listing.agents()
    ]
    return text(plain.columns(rows, frozenset({1})))


@subcommand(rows=(_USE[2],))
def models(_desk: Desk, line: Line) -> Shown:
    """List the models: window in tokens, US dollars a million tokens, and who offers them."""
    from workbench.models import offers

    rows = [["model", "window", "fresh", "reply", "cached", "from"]]
    for row in offers.models(line.one("base-url") or ""):
        price = [str((row["price"] or {}).get(name, "")) for name in rows[0][2:5]]
        rows.append([visible(row["model"]), f"{row['window']:,}", *price, row["source"]])
    return text(plain.columns(rows, frozenset({1, 2, 3, 4})))


@subcommand()
def status(desk: Desk, _line: Line) -> Shown:
    """Say what is in use, and how the last question stands."""
    session = desk.opened()
    changed = session.setting.limits.raised()
    limits = ", ".join(f"{key} = {session.setting.limits[key].value}" for key in changed)
    lines = [
        f"data: {relative(session.workspace.root)}",
        f"results: {relative(session.workspace.results)}",
        f"model: {_model(session)}",
        f"conversation: {numerals.plural(len(session.turns), 'question')} answered",
        f"limits changed: {limits or 'none'}",
    ]
    lines += [f"at work: {job.view['run'] or job.view['question']}" for job in desk.at_work()]
    if desk.answers:
        last = desk.answers[-1]
        lines.append(
            f"last run: {last.run}, {last.status}{f': {last.reason}' if last.reason else ''}"
        )
    return text("\n".join(lines))


@subcommand()
def version(_desk: Desk, _line: Line) -> Shown:
    """Show the version."""
    return text(f"workbench {workbench.__version__}")


@subcommand("[KEY …]", words=99, needs="workbench.check")
def check(_desk: Desk, line: Line) -> Shown:
    """Attack every limit that code holds, without a model, and see it hold."""
    from workbench.check import run_checks

    found = run_checks(only=line.words or None)
    rows = [["ok" if one.ok else "FAILED", one.key, one.seen, one.detail] for one in found]
    failed = [one.key for one in found if not one.ok]
    words = f"{len(found) - len(failed)} of {len(found)} hold"
    if failed:
        words += f"; not: {', '.join(failed)}"
    return text(f"{plain.columns(rows)}\n{words}")
