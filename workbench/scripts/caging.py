"""One script or command at work, and the one who looks after all of them.

What is counted is what came from this process, whatever group or session it went into: too many
processes, or too much memory together, end them all.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.errors import Failed
from workbench.limits import Limits
from workbench.process import processtree
from workbench.scripts.spool import Spool
from workbench.walls import boot, engines
from workbench.walls.cage import Cage
from workbench.walls.engines import Engine

_CHUNK = 65_536
_LOOK_SECONDS = 0.1
_TOLD_SECONDS = 5.0
# How often the files of scripts are looked through, and how many there may be.
_FILES_SECONDS = 0.5
_MOST_FILES = 20_000
# Reading goes on for so long after the end: what is left in the pipe, no more.
_DRAIN_SECONDS = 5.0
# What a program left behind may itself have left something behind; so often it is looked again.
_AGAIN = 4


class Caged:
    """A program started inside an engine.

    Parameters
    ----------
    engine : Engine
        What confines it.
    cage : Cage
        What it may do.
    program : sequence of str
        The program with its arguments.
    log : Path
        Where all of its output goes; made anew.
    limits : Limits
        Rows on output.
    names : sequence of (str, str)
        Paths of this machine, and what is written in their place.

    Raises
    ------
    Failed
        If nothing can be started.
    """

    def __init__(
        self,
        engine: Engine,
        cage: Cage,
        program: Sequence[str],
        log: Path,
        limits: Limits,
        names: Sequence[tuple[str, str]],
    ) -> None:
        self.engine, self.folder = engine, cage.folder
        mark = f"{secrets.token_hex(16)} "
        self.spool = Spool(log.open("xb", buffering=0), limits, names, mark)
        order = self._order(cage, program, mark)
        command = boot.command("keeper")
        try:
            self.process = subprocess.Popen(  # noqa: S603 - our own program; no shell
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                env=dict(cage.environment),
                cwd=cage.folder,
                start_new_session=True,
            )
        except OSError as error:
            raise Failed(f"start a script: {Path(command[0]).name}: {error.strerror}") from None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            # The pipe stays open: its end tells the keeper that this process has gone.
            self.process.stdin.write(json.dumps(order).encode() + b"\n")

    def _order(self, cage: Cage, program: Sequence[str], mark: str) -> dict[str, Any]:
        """Return what the keeper, and the program that becomes the script, are told."""
        return {
            "cage": cage.to_json(),
            "outer": self.engine.outer,
            "mark": mark,
            "session": os.getsid(0) if hasattr(os, "getsid") else 0,
            "root": hasattr(os, "geteuid") and os.geteuid() == 0,
            "program": list(program),
            "engine": self.engine.name,
            "library": engines.library(),
        }

    def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self.process.stdout.fileno(), _CHUNK):
                self.spool.feed(chunk)
        self.process.stdout.close()
        self.spool.close()

    def wait(self, seconds: float, tell: Callable[[], object]) -> bool:
        """Wait for its end; return True if it still runs."""
        limit, told = time.monotonic() + seconds, 0.0
        while time.monotonic() < limit:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_LOOK_SECONDS)
                self.end()
                self._reader.join(_DRAIN_SECONDS)
                return False
            if time.monotonic() - told > _TOLD_SECONDS:
                told = time.monotonic()
                tell()
        return True

    def alive(self) -> bool:
        """Tell whether it has not ended yet."""
        return self.process.poll() is None

    def end(self) -> None:
        """End it and what is still of its tree."""
        if sys.platform == "linux" and self.alive():
            processtree.end_tree(self.process.pid)
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        elif self.alive():
            self.process.kill()
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    def walls(self) -> dict[str, Any] | None:
        """Return what the program before it saw of the walls, None if it said nothing."""
        if self.spool.first is None:
            return None
        with contextlib.suppress(ValueError):
            found = json.loads(self.spool.first)
            return dict(found) if isinstance(found, dict) else None
        return None

    def status(self, seconds: int, ended: str, *, detached: bool) -> str:
        """Say how it ended, in words without times."""
        if ended:
            return f"ended: above the limit {ended}"
        if detached:
            return f"still running after {seconds} s: detached, and ended with this dispatch"
        code = self.process.returncode
        named = _SIGNALS.get(-code if code < 0 else code - 128)
        if named:
            return f"ended by {named}"
        return "ended well" if code == 0 else f"ended with status {code}"


# What the kernel ends a script with, and why.
_SIGNALS = {
    9: "force (signal 9): memory, or too many processes",
    11: "a crash (signal 11)",
    24: "the limit on processor time (signal 24)",
    25: "the limit on the size of a file (signal 25)",
    31: "a system call that is not allowed (signal 31)",
}


class Housekeeper:
    """Looks after everything that was started: counts it, and ends it in the end.

    Attributes
    ----------
    adopts : bool
        True where this process does nothing else: then whatever came to it is a script's.
    """

    def __init__(self) -> None:
        self.adopts = False
        self._started: list[Caged] = []
        self._ended: dict[int, str] = {}
        self._caps: Mapping[str, int] = {}
        self._folders_at = 0.0
        self._lock = threading.Lock()
        self._watch: threading.Thread | None = None

    def take(self, started: Caged, caps: Mapping[str, int]) -> None:
        """Look after one more."""
        with self._lock:
            self._started.append(started)
            self._caps = caps
        if self._watch is None and sys.platform == "linux":
            self._watch = threading.Thread(target=self._look, daemon=True)
            self._watch.start()

    def alive(self) -> bool:
        """Tell whether anything that was started still runs."""
        return any(one.alive() for one in self._started)

    def ended(self, started: Caged) -> str:
        """Return the row of the limits table that ended one, or an empty text."""
        return self._ended.get(started.process.pid, "")

    def tidy(self) -> None:
        """End what a program that has ended left behind: its parent has gone, so it came here."""
        if sys.platform != "linux" or not self.adopts:
            return
        with self._lock:
            known = {one.process.pid for one in self._started if one.alive()}
            for _ in range(_AGAIN):
                strays = processtree.children(os.getpid()) - known
                for pid in strays:
                    processtree.end_tree(pid)
                    _collect(pid)
                if not strays:
                    return

    def close(self) -> None:
        """End everything."""
        for one in self._started:
            with contextlib.suppress(OSError):
                one.end()
        self.tidy()

    def _look(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            with contextlib.suppress(OSError):
                self._count()

    def _count(self) -> None:
        alive = [one for one in self._started if one.alive()]
        roots = [os.getpid()] if self.adopts else [one.process.pid for one in alive]
        pids = set().union(*map(processtree.descendants, roots))
        held = sum(map(processtree.resident, pids))
        counted = any("processes" not in one.engine.walls for one in alive)
        if counted and len(pids) > self._caps["processes"]:
            self._end_all("script_processes")
        elif held > self._caps["memory"]:
            self._end_all("child_memory")
        elif self._fill_the_disk(alive):
            self._end_all("artefact_bytes")

    def _fill_the_disk(self, alive: Sequence[Caged]) -> bool:
        """Tell whether all files of the scripts together are too large, or too many.

        Looking through them takes at most a tenth of the time.
        """
        began = time.monotonic()
        if began < self._folders_at:
            return False
        sizes = [written(folder) for folder in {one.folder for one in alive}]
        now = time.monotonic()
        self._folders_at = now + max(_FILES_SECONDS, 9 * (now - began))
        over = (size > self._caps["file_bytes"] or count > _MOST_FILES for size, count in sizes)
        return any(over)

    def _end_all(self, key: str) -> None:
        for one in self._started:
            if one.alive():
                self._ended[one.process.pid] = key
                one.end()
        self.tidy()


def written(folder: str) -> tuple[int, int]:
    """Return the bytes that the files of a folder take on the disk, and how many there are."""
    size = count = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(f"{place}/{name}").st_blocks * 512
            count += 1
        if count > _MOST_FILES:
            break
    return size, count


def _collect(pid: int) -> None:
    with contextlib.suppress(ChildProcessError, OSError):
        os.waitpid(pid, 0)
