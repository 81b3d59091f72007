"""The magics ``%%agent`` and ``%agent``: reading what was typed, and handing it on.

They hold no logic of their own; what a cell shows and how it fails is decided in the modules
beside this one.
"""

from __future__ import annotations

import keyword
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand

from workbench import artefacts
from workbench.errors import Refused
from workbench.loops import budget
from workbench.notebook import flags, interrupts, panel, subcommands
from workbench.notebook.desk import Desk
from workbench.notebook.failing import CellFailed, one_line
from workbench.notebook.flags import Line

if TYPE_CHECKING:
    from workbench.answer import Answer
    from workbench.notebook.asking import Question
    from workbench.notebook.screen import Screen
    from workbench.notebook.watching import Arrived


@magics_class
class AgentMagics(Magics):  # type: ignore[misc]
    """``%%agent`` puts a question, ``%agent`` does everything else.

    Attributes
    ----------
    model : str
        Model of questions that name none; that of ``%agent use`` if empty.
    limits : dict
        Limits changed for every question.
    widget : bool
        Whether a run is shown as a widget where the kernel can.
    """

    model = traitlets.Unicode("", help="model of questions that name none").tag(config=True)
    limits = traitlets.Dict(help="limits changed for every question").tag(config=True)
    widget = traitlets.Bool(default_value=True, help="show a run as a widget").tag(config=True)

    def __init__(self, shell: Any, **named: Any) -> None:  # noqa: ANN401 - IPython's own
        super().__init__(shell, **named)
        self.desk = Desk()
        self.panel = panel.connect(self.desk, shell)
        artefacts.OPENERS[:] = [_open]

    @no_var_expand  # type: ignore[untyped-decorator]
    @line_cell_magic  # type: ignore[untyped-decorator]
    def agent(self, line: str, cell: str | None = None) -> None:
        """Ask a question (%%agent), or run a subcommand (%agent help lists them)."""
        if cell is None:
            with one_line("%agent"):
                _show(subcommands.run(self.desk, line))
            return
        with interrupts.held() as presses, one_line("%%agent"):
            self._ask(flags.read(line, flags.CELL, "%%agent"), cell, presses)

    def _ask(self, line: Line, cell: str, presses: interrupts.Presses) -> None:
        from workbench.notebook import asking

        question = self._question(line, cell)
        if "dry-run" in line.switches:
            _show(asking.dry(self.desk, question))
            return
        name = line.one("out")
        if "background" in line.switches:
            from workbench.notebook import background

            job = asking.put(self.desk, question)
            background.start(self.desk, job, self._screen(line), self._arriving(name, line))
            return
        answer = asking.ask(self.desk, question, self._screen(line), presses)
        if name is not None:
            self.shell.user_ns[name] = answer
        if "quiet" not in line.switches:
            _show_figures(answer)
        if answer.status != "answered":
            raise CellFailed(f"%%agent: {answer.status}: {answer.reason}")

    def _arriving(self, name: str | None, line: Line) -> Arrived:
        """Return what puts the result of a question at work where it is waited for."""
        if name is not None:
            # What an earlier question left there must not pass for its result.
            self.shell.user_ns.pop(name, None)

        def arrived(answer: Answer) -> None:
            if name is not None:
                self.shell.user_ns[name] = answer
            if "quiet" not in line.switches:
                _show_figures(answer)

        return arrived

    def _question(self, line: Line, cell: str) -> Question:
        """Return what the cell asks.

        Raises
        ------
        Refused
            If a flag's value is not understood or a name is not a variable.
        """
        from workbench.asking import attachments
        from workbench.notebook.asking import Question
        from workbench.notebook.inserting import insert

        if len(line.words) > 1:
            raise Refused(
                f"%%agent: '{line.words[1]}' is one word too many; the question goes into the "
                "lines below"
            )
        name = line.one("out")
        if name is not None and (not name.isidentifier() or keyword.iskeyword(name)):
            raise Refused(f"%%agent: --out {name}: it is no name for a variable")
        limits: dict[str, object] = {**self.limits, **flags.pairs(line.many("limit"), "limit")}
        amount, seconds = line.one("budget"), flags.number(line, "timeout", "%%agent")
        if amount is not None:
            limits |= budget.read(amount, "%%agent: --budget")
        if seconds is not None:
            limits["run_seconds"] = seconds
        session = self.desk.opened()
        table = session.setting.limits.changed(limits)
        inserted = insert(cell.strip("\n"), self.shell.user_ns, table)
        return Question(
            inserted.text,
            line.words[0] if line.words else "guide",
            line.one("model") or self.model or None,
            limits,
            attachments.named(line.many("attach"), session.workspace),
            inserted.hits,
            line.one("base-url") or "",
        )

    def _screen(self, line: Line) -> Screen:
        """Return where the run is shown, and told to the sidebar where there may be one."""
        shown = self._shown(line)
        return shown if self.panel is None else self.panel.watching(shown)

    def _shown(self, line: Line) -> Screen:
        """Return what a cell shows: a widget needs a kernel with a front end."""
        from workbench.notebook import screen

        if "quiet" in line.switches:
            return screen.Quiet()
        has_kernel = getattr(self.shell, "kernel", None) is not None
        if "no-widget" in line.switches or not self.widget or not has_kernel:
            return screen.Lines()
        return screen.Widget()


def _open(folder: Path, key: str, seen: bool) -> object:  # noqa: FBT001 - as artefacts call it
    from workbench.notebook import open_cell

    return open_cell.of_artefact(folder, key, seen)


def _show(bundle: dict[str, Any]) -> None:
    from IPython.display import display

    display(bundle, raw=True)


def _show_figures(answer: Answer) -> None:
    """Display the figures a run made, at most a few; the rest stand in its table."""
    from workbench.notebook import figures

    for bundle in figures.shown(answer.view, answer.folder):
        _show(bundle)
