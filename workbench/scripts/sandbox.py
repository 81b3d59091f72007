"""The process beside a child that runs scripts and commands, each in walls of its own.

It holds no key and reads no data itself. It waits for what it started, or lets it go on; when it
ends, by whatever cause, everything that came from it ends first.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from workbench import child
from workbench.confine import Confinement, close_descriptors
from workbench.errors import Failed, Refused
from workbench.files.places import Places
from workbench.limits import Limits
from workbench.process.cancellation import Cancellation
from workbench.reply import Text
from workbench.scripts.caging import Caged, Housekeeper
from workbench.scripts.yields import collect
from workbench.tools.run import run_call
from workbench.tools.scripts import Ran, ScriptContext
from workbench.walls import boot, cage, engines

_PR_SET_CHILD_SUBREAPER = 36
_INSIDE = Path(__file__).with_name("inside.py")
# One for the whole process: it ends with everything that was started.
HOUSE = Housekeeper()


class Sandbox:
    """Runs the scripts and commands of one dispatch.

    Parameters
    ----------
    context : ScriptContext
        Where results go, and the limits.
    places : Places
        Where data and results are.
    job : mapping
        ``dispatch`` names the folder of the scripts; ``open_scripts`` lets them run without walls;
        ``without`` names engines that are not to be taken.
    progress : callable
        Told every few seconds that work goes on.
    cancelled : Cancellation
        Set where the call is to stop.
    """

    def __init__(
        self,
        context: ScriptContext,
        places: Places,
        job: Mapping[str, object],
        progress: child.Progress,
        cancelled: Cancellation,
    ) -> None:
        self._context, self._places, self._progress = context, places, progress
        self._cancelled = cancelled
        self._open = bool(job.get("open_scripts"))
        without = job.get("without")
        self._without = tuple(map(str, without)) if isinstance(without, list | tuple) else ()
        self._folder = Path(places.desk, str(job["dispatch"]))
        self._house = HOUSE
        self._number = 0
        self._lent: dict[str, str] = {}

    def python(self, script: Path, seconds: int) -> Ran:
        """Run a Python script; see `workbench.tools.scripts.Runs`."""
        words = [sys.executable, "-I", "-X", "utf8", str(_INSIDE), *boot.folders(), "--"]
        return self._run([*words, str(script)], seconds, (str(script), str(_INSIDE)))

    def command(self, words: list[str], seconds: int) -> Ran:
        """Run a program with its arguments."""
        return self._run(words, seconds, ())

    def _run(self, program: list[str], seconds: int, reads: tuple[str, ...]) -> Ran:
        engine = self._engine()
        limits = self._context.limits
        if not self._folder.is_dir():
            cage.furnish(self._folder, self._places)
        self._lent |= self._context.lent
        reads = (*reads, *cage.lend(self._folder, self._places, self._lent))
        drawn = cage.draw_up(self._places, limits, self._folder, required=not self._open)
        drawn = cage.Cage(**{**drawn.__dict__, "readable": (*drawn.readable, *reads)})
        self._number += 1
        log = f"{self._folder.name}_output_{self._number}"
        started = Caged(engine, drawn, program, self._log(log), limits, self._names(reads))
        self._house.take(started, drawn.limits)
        with self._cancelled.calling(started.end):
            still = started.wait(seconds, lambda: self._progress("script running", 0.0))
        self._cancelled.check()
        self._house.tidy()
        return self._told(started, log, seconds, detached=still)

    def _engine(self) -> engines.Engine:
        found = engines.found(self._without)
        if found is None and not self._open:
            why = ((one.name, engines.missing(one, self._without)) for one in engines.ENGINES)
            reasons = "; ".join(f"{name}: {reason}" for name, reason in why)
            raise Refused(
                f"scripts are off: no sandbox on this machine ({reasons}); the analyst can allow "
                "them without one, for a session, by open-scripts"
            )
        return found or engines.OPEN

    def _log(self, name: str) -> Path:
        folder = Path(self._places.run, "full")
        folder.mkdir(exist_ok=True)
        return folder / f"{name}.txt"

    def _names(self, reads: tuple[str, ...]) -> list[tuple[str, str]]:
        """Return the paths of this machine and what a script calls them, longest first."""
        places = self._places
        data = places.root if places.only is None else str(Path(places.root, places.only))
        names = {
            str(self._folder): ".",
            data: f"{cage.DATA}" if places.only is None else f"{cage.DATA}/{places.only}",
            places.run: f"{cage.RESULTS}/{cage.RUN}",
            places.desk: f"{cage.RESULTS}/{cage.RUN}",
            places.results: cage.RESULTS,
            **{path: Path(path).name for path in reads},
            **dict.fromkeys((*boot.folders(), sys.prefix, sys.base_prefix), "python"),
            str(_INSIDE.parent): "workbench",
        }
        return sorted(names.items(), key=lambda pair: -len(pair[0]))

    def _told(self, started: Caged, log: str, seconds: int, *, detached: bool) -> Ran:
        """Put together what came of a program, or what came so far."""
        walls = started.walls()
        if walls is not None and walls.get("started") is False:
            missing = [f"{k}: {v}" for k, v in walls.items() if str(v).startswith("not")]
            raise Refused(
                f"scripts are off: {walls['engine']} did not hold here ({'; '.join(missing)}); the "
                "analyst can allow them without a sandbox by open-scripts"
            )
        if walls is None and not detached:
            words = " ".join(started.spool.seen().lines[:3])[:300]
            raise Failed(f"the sandbox could not be put up ({started.engine.name}): {words}")
        out = started.spool.seen()
        ended = self._house.ended(started)
        spilled = (out.spilled, "command_spill_keep") if out.spilled else ()
        hits = [key for key in (*spilled, ended) if key]
        if detached:
            hits.append("command_seconds")
        made, notes = collect(self._context, self._folder, self._house.alive())
        if out.full:
            notes.append("the log has reached the size of a file; the rest was not kept")
        if out.lost:
            notes.append(f"the log ends before the output does: {out.lost}")
        return Ran(
            started.status(seconds, ended, detached=detached),
            log,
            Text("\n".join(out.lines), log, "output", out.chars, out.total),
            out.result,
            out.closed,
            out.total,
            out.chars,
            made,
            tuple(notes),
            tuple(hits),
            Confinement.from_json(walls or {"engine": started.engine.name}).to_json(),
        )


def prepare(
    job: Mapping[str, object], places: Places, progress: child.Progress, cancelled: Cancellation
) -> child.Executor:
    """Prepare what carries out scripts and commands; see `workbench.child.tools`."""
    made = ScriptContext.from_job(job, places.to_json(), progress=progress, cancelled=cancelled)
    assert isinstance(made, ScriptContext)
    made.runs = Sandbox(made, places, job, progress, cancelled)
    return lambda tool, arguments: run_call(tool, arguments, made)


def stand_beside(_places: Places, _limits: Limits, keep: Iterable[int]) -> Confinement:
    """Leave the caller's session, keep nothing of its open files, and adopt what is orphaned."""
    close_descriptors(keep)
    HOUSE.adopts = True
    with contextlib.suppress(OSError):
        if os.getsid(0) != os.getpid():
            os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(1))
    return Confinement({})


def main(descriptors: list[int]) -> int:
    """Run as a program; `descriptors` are a placeholder and the kernel's pidfd (or -1)."""
    lifeline = next((number for number in descriptors[1:] if number >= 0), None)
    try:
        status = child.serve(lifeline, prepare, stand_beside, HOUSE.close)
    finally:
        HOUSE.close()
    os._exit(status)
