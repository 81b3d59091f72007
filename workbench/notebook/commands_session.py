"""Subcommands about the session: what is in use, what there is, and starting anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import workbench
from workbench.errors import Refused
from workbench.notebook import flags, numerals, plain, subcommands
from workbench.notebook.flags import Flag, Line
from workbench.notebook.static import relative
from workbench.notebook.subcommands import Shown, subcommand, text

if TYPE_CHECKING:
    from workbench.notebook.desk import Desk

_USE = (
    Flag("results", "", "DIR", "where runs are kept; results in the data folder if left out"),
    Flag("model", "m", "MODEL", "model of the session; offline if left out"),
    Flag("set", "", "FILE:COLUMN.KEY=VALUE", "tell the reader about a column", many=True),
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
        "%agent use DIR [flags]",
        plain.columns(more),
    ]
    return text("\n".join(parts))


def _all() -> list[subcommands.Subcommand]:
    return list(subcommands.known().values())


@subcommand("DIR", words=1, rows=_USE)
def use(desk: Desk, line: Line) -> Shown:
    """Take a data folder, or one data file, into use."""
    from workbench.session import Session

    if not line.words:
        raise Refused("%agent use: which data? write %agent use DIR")
    place, overrides = (line.words[0], line.one("results")), _overrides(line.many("set"))
    model = line.one("model")
    if model is None:
        session = Session.open(*place, overrides=overrides)
    else:
        session = Session.open(*place, model, overrides=overrides)
    desk.use(session)
    names = [
        entry.name for _, entry in zip(range(_SHOWN + 1), session.workspace.walk(), strict=False)
    ]
    more = ", …" if len(names) > _SHOWN else ""
    listed = ", ".join(names[:_SHOWN]) + more if names else "no file in it"
    return text(
        f"data: {relative(session.workspace.root)} ({listed})\n"
        f"results: {relative(session.workspace.results)}\n"
        f"model: {_model(session)}"
    )


# Names enough to see that it is the right folder.
_SHOWN = 8


def _overrides(words: list[str]) -> dict[str, dict[str, dict[str, object]]]:
    """Read ``FILE:COLUMN.key=value`` settings.

    Raises
    ------
    Refused
        If one is not of this form.
    """
    found: dict[str, dict[str, dict[str, object]]] = {}
    for word in words:
        place, mark, value = word.partition("=")
        file, colon, rest = place.rpartition(":")
        column, dot, key = rest.rpartition(".")
        if not (mark and colon and dot and file and column and key):
            raise Refused(
                f"--set '{word}': write it as FILE:COLUMN.KEY=VALUE, for example "
                "soils.csv:Au.unit=ppb"
            )
        found.setdefault(file, {}).setdefault(column, {})[key] = value
    return found


def _model(session: object) -> str:
    model = session.setting.model  # type: ignore[attr-defined]
    if model.provider == "offline":
        return "offline: rule-based planner, no language model"
    return f"{model.provider}:{model.name}"


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
def stop(desk: Desk, _line: Line) -> Shown:
    """Stop the questions that are at work."""
    jobs = desk.at_work()
    for job in jobs:
        job.stop.set()
    return text(f"{len(jobs)} stopped" if jobs else "nothing is at work")


@subcommand()
def reset(desk: Desk, _line: Line) -> Shown:
    """Forget the conversation; files and records stay."""
    desk.opened().reset()
    return text("the conversation begins anew; files and records stay")


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
