"""What runs in a child: read the job, put up the walls, then carry out calls one by one.

Nothing is opened before the walls stand. A second thread listens to the parent, so that a child
ends at end-of-file, or with the kernel that started it, also in the middle of a query.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from workbench import __version__
from workbench.confine import Confinement, confine
from workbench.errors import LimitReached, Refused, WorkbenchError
from workbench.files.lines import decode
from workbench.files.places import Places
from workbench.limits import Limits
from workbench.process.cancellation import Cancellation
from workbench.process.lifeline import Answers, Lifeline

# The first line is written before the child exists, so it must fit an empty pipe.
FIRST_LINE_BYTES = 60_000
_CHUNK = 65_536
_VERSIONS = ("duckdb", "numpy", "pyarrow")
_NO_JOB = (EOFError, KeyError, ValueError, OSError, Refused)
_OUT_OF_MEMORY = ("OutOfMemoryException", "ArrowMemoryError")

Progress = Callable[[str, float], None]


class Executor(Protocol):
    """Carries out tool calls."""

    def __call__(self, tool: str, arguments: dict[str, object]) -> dict[str, object]:
        """Carry out one call and return its reply as plain values."""


Walls = Callable[[Places, Limits, Iterable[int]], Confinement]
Prepare = Callable[[Mapping[str, object], Places, Progress, Cancellation], Executor]


def tools(
    job: Mapping[str, object], places: Places, progress: Progress, cancelled: Cancellation
) -> Executor:
    """Prepare the executor of the product's own tools.

    Parameters
    ----------
    job : mapping
        Ids, hashes and limit values.
    places : Places
        Where the data and the results lie.
    progress : callable
        Gets a text and a share from 0 to 1.
    cancelled : Cancellation
        Set while a call is to stop.
    """
    from workbench.tools.context import Context
    from workbench.tools.run import run_call

    context = Context.from_job(job, places.to_json(), progress=progress, cancelled=cancelled)
    return lambda tool, arguments: run_call(tool, arguments, context)


@dataclass(frozen=True)
class _Job:
    """The first line: what to do, where, within which limits; and the bytes that came after it."""

    job: Mapping[str, object]
    places: Places
    limits: Limits
    rest: bytes


def serve(
    lifeline: int | None = None,
    prepare: Prepare = tools,
    walls: Walls = confine,
    farewell: Callable[[], object] = lambda: None,
) -> int:
    """Be a child: confine this process and answer the calls that come over descriptor 0.

    Parameters
    ----------
    lifeline : int, optional
        Descriptor that becomes readable when the kernel process has ended.
    prepare : callable, optional
        Makes what carries out the calls, once, after the walls stand.
    walls : callable, optional
        Puts the walls up.
    farewell : callable, optional
        Called before the process ends by itself, whatever it is doing.

    Returns
    -------
    int
        Exit status: 0 at end-of-file, 2 if the job cannot be begun (the parent is told why).
    """
    answers = Answers(_take_output())
    try:
        return _serve(answers, lifeline, prepare, walls, farewell)
    except _NO_JOB as error:
        # The words of the system without its path: they may be shown to a model.
        words = error.strerror if isinstance(error, OSError) else error
        answers.send({"failed": f"the job cannot be begun: {words}"})
        return 2
    except Exception as error:  # noqa: BLE001 - the last place that can still tell the parent
        answers.send({"failed": f"the child itself failed ({_named(error)})"})
        return 70


def _serve(
    answers: Answers,
    lifeline: int | None,
    prepare: Prepare,
    walls: Walls,
    farewell: Callable[[], object],
) -> int:
    job = _read_job()
    answers.most = job.limits["child_line"].number
    _enter(job.places)
    kept = {0, 1, 2, answers.descriptor} | ({lifeline} if lifeline is not None else set())
    confinement = walls(job.places, job.limits, kept)
    line = Lifeline(lifeline, job.limits, answers, farewell)
    line.start(job.rest)
    ready = {"pid": os.getpid(), "confinement": confinement.to_json(), "versions": _versions()}
    answers.send({"ready": ready})
    execute = _lazily(lambda: prepare(job.job, job.places, answers.progress, line.cancelled))
    while (call := line.calls.get()) is not None:
        key = str(call.get("id"))
        with line.at_work(key):
            answers.answer(key, _outcome(execute, call))
    return 0


def _lazily(prepare: Callable[[], Executor]) -> Executor:
    """Put off the preparation to the first call, so that its failure is that call's answer."""
    made: list[Executor] = []

    def execute(tool: str, arguments: dict[str, object]) -> dict[str, object]:
        if not made:
            made.append(prepare())
        return made[0](tool, arguments)

    return execute


def _outcome(execute: Executor, call: Mapping[str, object]) -> dict[str, object]:
    """Carry out a call; whatever happens becomes an answer of one line, never a traceback."""
    tool, arguments = str(call.get("tool")), call.get("arguments")
    try:
        if not isinstance(arguments, dict):
            return _no("refused", f"{tool}: the arguments must be an object of names and values")
        return {"ok": True, "reply": execute(tool, arguments)}
    except LimitReached as error:
        return _no("refused", str(error), error.key)
    except Refused as error:
        return _no("refused", str(error))
    except WorkbenchError as error:
        return _no("failed", str(error))
    except BaseException as error:  # noqa: BLE001 - the wall between any fault of a tool and a context
        return _unexpected(tool, error)


def _unexpected(tool: str, error: BaseException) -> dict[str, object]:
    """Name an error nobody foresaw by its kind and place; its text may hold rows."""
    name = type(error).__name__
    if isinstance(error, MemoryError) or name in _OUT_OF_MEMORY:
        return _no(
            "failed",
            f"{tool}: memory limit reached; take fewer rows or columns, or raise child_memory",
            "child_memory",
        )
    return _no("failed", f"{tool}: it failed unexpectedly ({_named(error)}); try other arguments")


def _named(error: BaseException) -> str:
    """Return an error's kind and where in this package it arose."""
    own, package = Path(__file__), Path(__file__).parent
    frames = [(Path(f.filename), f.lineno) for f in traceback.extract_tb(error.__traceback__)]
    ours = [(place, at) for place, at in frames if package in place.parents and place != own]
    if not ours:
        return type(error).__name__
    place, at = ours[-1]
    return f"{type(error).__name__} at {place.relative_to(package)}:{at}"


def _no(kind: str, error: str, key: str | None = None) -> dict[str, object]:
    return {"ok": False, "error": " ".join(error.split()), "kind": kind, "key": key}


def _read_job() -> _Job:
    """Read the line that every child begins with.

    Raises
    ------
    EOFError
        If the parent went away first.
    ValueError, KeyError, Refused
        If it is no job.
    """
    got = bytearray()
    while b"\n" not in got:
        chunk = os.read(0, _CHUNK)
        if not chunk:
            raise EOFError("the parent has gone")
        got += chunk
        if len(got) > FIRST_LINE_BYTES + _CHUNK:
            raise ValueError("its line is too long")
    line, _, rest = bytes(got).partition(b"\n")
    first = decode(line)
    job, places = first["job"], first["places"]
    if not isinstance(job, dict) or not isinstance(places, dict):
        raise ValueError("job and places must be objects")  # noqa: TRY004 - as every bad line
    return _Job(job, Places.from_json(places), Limits().changed(job.get("limits") or {}), rest)


def _take_output() -> int:
    """Keep the way to the parent for answers alone: what libraries print goes nowhere."""
    answers = os.dup(1)
    with contextlib.suppress(OSError, AttributeError, ValueError):
        sys.stdout.flush()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (1, 2):
        os.dup2(null, descriptor)
    os.close(null)
    return answers


def _enter(places: Places) -> None:
    """Have the writable folders at hand before the walls are built around them.

    The run's folder is not made: if it has gone, the run is over.
    """
    Path(places.snapshots).mkdir(mode=0o700, exist_ok=True)
    # Relative names and temporary files of libraries land where a child may write.
    os.chdir(places.desk)
    os.environ["TMPDIR"] = places.desk


def _versions() -> dict[str, str]:
    """Return the versions that decide numbers, of what is loaded already."""
    loaded = {name: getattr(sys.modules.get(name), "__version__", "") for name in _VERSIONS}
    python = ".".join(str(part) for part in sys.version_info[:3])
    return {"workbench": __version__, "python": python} | {k: v for k, v in loaded.items() if v}


def main(descriptors: list[int]) -> int:
    """Run as an exec'd child; `descriptors` are a placeholder and the kernel's pidfd (or -1)."""
    from workbench.process.preload import preload

    preload()
    lifeline = next((number for number in descriptors[1:] if number >= 0), None)
    status = serve(lifeline)
    # Nothing is left to tidy; an interpreter's long goodbye would only hold up the parent.
    os._exit(status)
