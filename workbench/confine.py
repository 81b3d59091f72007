"""The walls around a child: own session, caps on memory and files, Landlock, seccomp.

They are put up in this order, before the child opens anything.
What is reported as enforced was tried afterwards and seen to be refused; a wall that the system
does not have is named with its reason, never left out in silence.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import socket
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workbench.files.places import Places
from workbench.limits import Limits
from workbench.walls import boot, landlock, seccomp
from workbench.walls.ceilings import cap_resources, drop_capabilities, memory_cap
from workbench.walls.environment import outsiders

WALLS = ("own_session", "memory", "files", "network", "exec", "fork", "no_key")
# A script starts programs and processes: they are counted, and reach nobody else's.
SCRIPT_WALLS = ("own_session", "memory", "files", "network", "processes", "others", "no_key")
ENFORCED = "enforced"
_SYSTEM_READABLE = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/nix/store"),
    "/usr/share/zoneinfo",
    *("/etc/localtime", "/etc/timezone", "/etc/ld.so.cache", "/etc/ld.so.conf"),
    # Thread counts and memory sizes; DuckDB does not start without them.
    *("/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm", "/proc/meminfo", "/proc/cpuinfo"),
    *("/proc/stat", "/proc/sys/vm", "/dev/urandom", "/dev/random", "/dev/zero"),
)
_CLONE_WITHOUT_MEANING = 0x800  # CLONE_SIGHAND alone: invalid, so a trial makes no process


@dataclass(frozen=True)
class Confinement:
    """Which walls stand around a child, or around a script.

    Attributes
    ----------
    walls : mapping of str to str
        For each name in `names`: ``enforced``, ``partial: reason`` or ``not enforced: reason``.
    engine : str
        What confines a script; empty for a child, which confines itself.
    """

    walls: Mapping[str, str]
    engine: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The walls there should be."""
        return SCRIPT_WALLS if self.engine else WALLS

    @property
    def level(self) -> Literal["full", "partial", "none"]:
        """How much of it is held by the system, in one word."""
        states = [self.walls.get(name, "not enforced") for name in self.names]
        if all(state == ENFORCED for state in states):
            return "full"
        return "none" if all(state.startswith("not") for state in states[1:6]) else "partial"

    def to_json(self) -> dict[str, str]:
        """Return the walls, ``level`` and where there is one the ``engine``, as plain values."""
        engine = {"engine": self.engine} if self.engine else {}
        return {**self.walls, "level": self.level, **engine}

    @classmethod
    def from_json(cls, values: Mapping[str, object]) -> Confinement:
        """Read what a child said about itself; what it left out counts as not enforced."""
        engine = str(values.get("engine", ""))[:40]
        names = cls({}, engine).names
        said = {name: str(values.get(name, "not enforced: not reported"))[:200] for name in names}
        return cls(said, engine)


def confine(places: Places, limits: Limits, keep: Iterable[int]) -> Confinement:
    """Put up every wall this system has around the running process.

    Parameters
    ----------
    places : Places
        Where the data, the results and the run's own folder are.
    limits : Limits
        Gives the caps on memory and file size.
    keep : iterable of int
        Descriptors that stay open; every other one is closed.

    Returns
    -------
    Confinement
        What was seen to hold.
    """
    close_descriptors(keep)
    started: dict[str, str] = {}
    started["own_session"] = attempt(_own_session)
    cap = memory_cap(limits["child_memory"].number)
    started["memory"] = attempt(lambda: cap_resources(cap, limits["artefact_bytes"].number))
    started["files"] = attempt(lambda: _restrict_files(places))
    started["filter"] = attempt(_filter_calls)
    return Confinement(_seen(started, places))


def close_descriptors(keep: Iterable[int]) -> None:
    """Close every open descriptor but those given."""
    if sys.platform == "win32":
        return  # nothing is inherited there unless it is asked for
    kept = sorted(set(keep))
    for low, high in zip([-1, *kept], [*kept, os.sysconf("SC_OPEN_MAX")], strict=True):
        if low + 1 < high:  # an empty range that begins at 0 would close everything
            os.closerange(low + 1, high)


def attempt(step: Callable[[], str | None]) -> str:
    """Take one step; say ``enforced``, the step's own remark, or why it could not be taken."""
    try:
        return step() or ENFORCED
    except (OSError, ValueError, AttributeError) as error:
        words = error.strerror if isinstance(error, OSError) else None
        return f"not enforced: {words or error}"


def _own_session() -> None:
    if sys.platform == "win32":
        raise OSError("Windows has no sessions of this kind")
    if os.getsid(0) != os.getpid():
        os.setsid()


def _restrict_files(places: Places) -> str | None:
    others = _other_threads()
    version = landlock.restrict(_readable(places), _writable(places), ("/dev/null",))
    if others:
        return f"partial: other threads were running already ({others}) and are not confined"
    if version < landlock.ABI_TRUNCATE:
        return f"partial: the kernel's Landlock (version {version}) does not cover truncation"
    return None


def _readable(places: Places) -> list[str]:
    """List what may be read: the data, the results, the interpreter and its libraries."""
    data = places.root if places.only is None else str(Path(places.root, places.only))
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
    python += [sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib")]
    package = str(Path(__file__).absolute().parent)
    libraries = [*boot.folders(), *filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":"))]
    own = f"/proc/{os.getpid()}"
    return [data, places.results, places.desk, *python, package, *libraries, own, *_SYSTEM_READABLE]


def _writable(places: Places) -> list[str]:
    return [places.desk, places.snapshots]


def _filter_calls() -> None:
    if sys.platform != "linux":
        raise OSError("only Linux has seccomp")
    with contextlib.suppress(OSError):
        drop_capabilities()  # where this is refused there were none
    landlock.forbid_new_privileges()
    if others := _other_threads():
        raise OSError(f"other threads were running already ({others})")
    seccomp.install()


def _other_threads() -> int:
    """Count the threads that walls put up by this one do not reach."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) - 1 if tasks.is_dir() else 0


def _seen(started: Mapping[str, str], places: Places) -> dict[str, str]:
    """Try what each wall should refuse, and say what was seen."""
    calls = started["filter"]
    walls = {
        "own_session": started["own_session"],
        "memory": _memory_seen(started["memory"]),
        "files": held(started["files"], open_to=lists_root),
        "network": held(calls, open_to=opens_socket),
        "exec": held(calls, open_to=_starts_program),
        "fork": held(calls, open_to=_forks),
    }
    if walls["network"] != ENFORCED and not _binds_tcp():
        walls["network"] = f"partial: TCP only; {walls['network']}"
    walls["no_key"] = _key_seen(walls["files"], places)
    return {name: walls[name] for name in WALLS}


def held(started: str, open_to: Callable[[], bool]) -> str:
    """Return what a step reported, unless what it should refuse is seen to work."""
    refused = not open_to()
    return started if refused or started.startswith("not") else "not enforced: seen to be open"


def _memory_seen(started: str) -> str:
    counts = sys.platform in {"linux", "freebsd"}
    if started != ENFORCED or counts:
        return started
    return f"not enforced: {sys.platform} does not count private memory"


def lists_root() -> bool:
    """Tell whether the root folder, which nobody needs, can be listed."""
    try:
        next(Path("/").iterdir(), None)
    except PermissionError:
        return False
    return True


def opens_socket() -> bool:
    """Tell whether a socket can be made."""
    try:
        socket.socket().close()
    except PermissionError:
        return False
    return True


def _binds_tcp() -> bool:
    try:
        with socket.socket() as trial:
            trial.bind(("127.0.0.1", 0))
    except PermissionError:
        return False
    except OSError:
        return True  # not for want of permission
    return True


def _starts_program() -> bool:
    """Try to start a program that has no name, which can only fail, but in two ways."""
    if sys.platform != "linux":
        return True
    return fails_with("execve", None, None, None) != errno.EPERM


def _forks() -> bool:
    """Ask for a process in a way that makes no sense: only the filter says "not permitted"."""
    if sys.platform != "linux":
        return True
    number = seccomp.number_of("clone")
    return number is None or fails_with("syscall", number, _CLONE_WITHOUT_MEANING, 0) != errno.EPERM


def fails_with(name: str, *arguments: int | None) -> int:
    """Return the error number of a call of the C library, 0 where it worked."""
    libc = ctypes.CDLL(None, use_errno=True)
    wide = [None if value is None else ctypes.c_long(value) for value in arguments]
    return ctypes.get_errno() if getattr(libc, name)(*wide) == -1 else 0


def _key_seen(files: str, places: Places) -> str:
    """No key is inherited; whether one could be fetched depends on the wall around files."""
    strangers = outsiders(os.environ)
    if strangers:
        return f"not enforced: the environment also holds {', '.join(strangers)[:100]}"
    if files != ENFORCED:
        return "partial: none is handed over, but files of the account can be read"
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE")
    if home and places.only is None and Path(home).is_relative_to(places.root):
        return "partial: none is handed over, but the data folder holds the home folder"
    return ENFORCED
