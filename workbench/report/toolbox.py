"""Tool calls from Python: the same confined calls that agents make, with no model and no key.

A toolbox keeps one run; each dispatch in it has a gate and a child of its own, as in the run that
is recomputed, so that equal data gives equal words, ids and files. What is refused is told by the
outcome of the call and raised where its files are asked for.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.artefacts import Artefact
from workbench.asking.desk import Desk, open_tools
from workbench.asking.run import Run
from workbench.context.history import Thread
from workbench.errors import WorkbenchError, nearest
from workbench.report.called import Called
from workbench.report.compared import Compared, compare, hash_of
from workbench.report.naming import as_named
from workbench.runs import comparing
from workbench.session import Session


class Toolbox:
    """The tools over one data folder.

    Parameters
    ----------
    data : str or Path
        Data folder, or one data file.
    results : str or Path, optional
        Where this run is kept; ``recomputed`` in the present folder if left out.
    names : mapping, optional
        Name of a file as the calls say it → name of the file that is to be read in its place.
    seed : int, optional
        Seed of everything random, where a call gives none.
    limits : mapping, optional
        Changed values of the limits table.
    overrides : mapping, optional
        What the reader is told about columns, by file and column.
    question : str, optional
        What the record says this is for.

    Raises
    ------
    Refused
        If the data is not there.

    Examples
    --------
    >>> tools = Toolbox("data").dispatch()  # doctest: +SKIP
    >>> groups = tools.cluster(path="soils.csv", columns=["As", "Cu"], k=3)  # doctest: +SKIP
    >>> groups.df()  # doctest: +SKIP
    """

    def __init__(
        self,
        data: str | Path,
        results: str | Path = "recomputed",
        *,
        names: Mapping[str, str] | None = None,
        seed: int = 42,
        limits: Mapping[str, object] | None = None,
        overrides: Mapping[str, Any] | None = None,
        question: str = "tool calls from Python",
    ) -> None:
        place = as_named(Path(data), Path(results), names or {})
        self._session = Session.open(
            place, results, "offline", limits=limits, overrides=overrides, seed=seed
        )
        # Large files are read whole, but for calls that say of which first lines they told.
        self._session.setting = replace(self._session.setting, recorded={})
        self._run = Run(self._session.setting, question, Thread(), threading.Event())
        self._around = self._run.around(self._run.stop)
        self._open: Tools | None = None
        self._closed = False
        atexit.register(self.close)

    @property
    def folder(self) -> Path:
        """The folder of this run: ledger and results."""
        return self._run.records.folder

    @property
    def artefacts(self) -> list[Artefact]:
        """The files made so far."""
        return self._run.artefacts.all()

    def dispatch(
        self, name: str = "d01", agent: str | None = None, *, window: int | None = None
    ) -> Tools:
        """Begin a dispatch: a fresh gate and a child of its own; the one before it ends.

        Parameters
        ----------
        name : str, optional
            What it is called; files are numbered under it.
        agent : str, optional
            Whose tool list holds; every tool that runs in a child is open if left out.
        window : int, optional
            Window in tokens, for the limits that depend on it.

        Raises
        ------
        Refused
            If there is no such agent.
        """
        open_tools(agent)
        self._end_dispatch()
        self._open = Tools(self, Desk.open(self._run, name, agent, self._around, window=window))
        return self._open

    def look_again(self, call: str, first_lines: Mapping[str, int]) -> None:
        """Have a call look at so many bytes of files, in place of the whole of them."""
        building = self._around.building
        if building is not None and building.recorded is not None:
            building.recorded[call] = dict(first_lines)

    def verify(
        self,
        inputs: Mapping[str, str],
        results: Mapping[str, str],
        recorded: str | Path | None = None,
    ) -> Compared:
        """Compare this run with a recorded one.

        Parameters
        ----------
        inputs : mapping
            Data file → hash of its content when the recorded run read it.
        results : mapping
            Id of a result → its recorded hash.
        recorded : str or Path, optional
            Folder of the recorded run. Where it is there, tables with other bytes are compared by
            value: larger ones are added up in another order by more threads.
        """
        now = {name: self.content(name) for name in inputs}
        made = {item.id: item for item in self.artefacts}
        there = Path(recorded) if recorded is not None else None

        def differing(key: str) -> str | None:
            item = made[key]
            if there is None or item.rows is None or hash_of(there, item.path) != results[key]:
                return None
            executor = (self._open or self.dispatch("verification")).desk.executor
            return comparing.differing(there / item.path, item.path, self._run, executor)

        hashes = {key: item.sha256 for key, item in made.items()}
        return compare(inputs, now, results, hashes, differing)

    def content(self, name: str) -> str:
        """Return the hash of a data file, read by a child; empty where it cannot be read."""
        try:
            return str(self._session.describe(name)["source"]["sha256"])
        except WorkbenchError:
            return ""

    def close(self) -> None:
        """End the run; closing twice does nothing."""
        if not self._closed:
            self._closed = True
            atexit.unregister(self.close)
            self._end_dispatch()
            self._run.end("answered", "", "")

    def _end_dispatch(self) -> None:
        if self._open is not None:
            self._open.end()
            self._open = None

    def __repr__(self) -> str:
        return f"<Toolbox {self._run.id}, {len(self.artefacts)} artefacts>"


@dataclass
class Tools:
    """The tools as one agent has them: ``tools.cluster(path=…, k=3, seed=42)``.

    Every tool is a method of its name; all arguments are given by name. `seed` is that of
    everything random, and of the toolbox if left out.
    """

    _box: Toolbox
    desk: Desk
    _calls: int = 0
    _failed: bool = False

    def __getattr__(self, tool: str) -> _Bound:
        known = self.__dir__()
        if tool.startswith("_") or tool not in known:
            hint = nearest(tool, known)
            raise AttributeError(f"tool '{tool}': no such tool{hint}; see workbench tools")
        return _Bound(self, tool)

    def __dir__(self) -> list[str]:
        return list(open_tools(self.desk.agent))

    def call(
        self,
        tool: str,
        /,
        *,
        seed: int | None = None,
        first_lines: Mapping[str, int] | None = None,
        **arguments: Any,  # noqa: ANN401 - as the tool's schema says
    ) -> Called:
        """Make one call.

        Parameters
        ----------
        tool : str
            Name of a tool.
        seed : int, optional
            Seed of everything random in it.
        first_lines : mapping, optional
            File → bytes from its start that a look at it is to rest on, in place of the whole.
        **arguments
            Its arguments.

        Returns
        -------
        Called
            Also where it was refused: see its `ok`.
        """
        self._calls += 1
        desk = self.desk
        key = f"{desk.gate.loop}c{self._calls}"
        self._box.look_again(key, first_lines or {})
        desk.seeded(seed)
        try:
            made = desk.call(key, tool, arguments)
        except BaseException:
            self._failed = True
            desk.executor.close()
            raise
        return Called(key, tool, made, self._box.folder)

    def skip(self, *tools: str) -> None:
        """Pass over calls that need a model, such as handing work over; their numbers are used."""
        self._calls += len(tools)

    def end(self) -> None:
        """End the child."""
        self.desk.close("error" if self._failed else "success")


@dataclass(frozen=True)
class _Bound:
    """One tool, ready to be called."""

    tools: Tools
    tool: str

    def __call__(self, *, seed: int | None = None, **arguments: Any) -> Called:  # noqa: ANN401 - as the tool's schema says
        return self.tools.call(self.tool, seed=seed, **arguments)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        from workbench.tools import registry

        found = registry.get(self.tool)
        return f"{found.doc}\n\n{found.usage}"
