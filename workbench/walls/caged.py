"""The last step before a script: put up the walls around this process, try them, become the script.

What to do comes as one line on descriptor 0; which walls were seen to hold is the first line out.
Where walls are required and files or network stay open, nothing is started.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Mapping
from typing import Any

from workbench.confine import (
    ENFORCED,
    Confinement,
    attempt,
    close_descriptors,
    fails_with,
    held,
    lists_root,
    opens_socket,
)
from workbench.walls import landlock, seccomp
from workbench.walls.cage import Cage
from workbench.walls.ceilings import drop_capabilities

# Exit status where nothing was started: no program of ours or of the system ends with it.
REFUSED = 126
# Walls whose absence means that a script could read or send what it likes.
_REQUIRED = ("files", "network")
_CHUNK = 65_536
_CLONE_NEWUSER_ALONE = 0x10000000 | 0x800  # with CLONE_SIGHAND alone it is invalid: no process
_ATTACH = 16


def main(_: list[int]) -> int:
    """Read the order, put up the walls and become the program; returns only where it cannot."""
    order = _order()
    cage = Cage.from_json(order["cage"])
    outer: Mapping[str, str] = order["outer"]
    os.chdir(cage.folder)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    close_descriptors((0, 1, 2))
    walls = _walls(cage, outer, order)
    standing = [walls.walls[name] for name in _REQUIRED]
    allowed = not cage.required or not any(state.startswith("not") for state in standing)
    _say({**walls.to_json(), "started": allowed}, str(order["mark"]))
    if not allowed:
        return REFUSED
    program = [str(word) for word in order["program"]]
    try:
        os.execvpe(program[0], program, dict(cage.environment))  # noqa: S606 - no shell: a list
    except OSError as error:
        sys.stdout.write(f"{program[0]}: {error.strerror}\n")
        return 127


def _order() -> dict[str, Any]:
    import json

    parts = []
    while chunk := os.read(0, _CHUNK):
        parts.append(chunk)
    return dict(json.loads(b"".join(parts)))


def _say(walls: Mapping[str, object], mark: str) -> None:
    """Write the one line before the script's own output, known by a mark nobody can guess."""
    import json

    os.write(1, f"{mark}{json.dumps(dict(walls))}\n".encode())


def _walls(cage: Cage, outer: Mapping[str, str], order: Mapping[str, Any]) -> Confinement:
    """Put up every wall this system has, and say what was seen of each."""
    own_session = attempt(lambda: _own_session(int(order["session"])))
    counted = attempt(lambda: _count(cage, outer, by_root=bool(order["root"])))
    memory = attempt(lambda: _cap(cage.limits))
    attempt(drop_capabilities)
    files = attempt(lambda: _restrict_files(cage))
    filtered = attempt(_filter_calls)
    inside = {name: state for name, state in outer.items() if state == ENFORCED}
    walls = {
        "own_session": own_session,
        "memory": memory if sys.platform == "linux" else f"partial: {sys.platform} caps files only",
        "files": _either(held(files, open_to=lists_root), inside.get("files")),
        "network": _either(held(filtered, open_to=opens_socket), inside.get("network")),
        "processes": counted,
        "others": _either(held(filtered, open_to=_reaches_others), inside.get("others")),
        "no_key": ENFORCED,
    }
    if walls["files"] != ENFORCED:
        walls["no_key"] = "partial: none is handed over, but files of the account can be read"
    return Confinement(walls, outer["engine"])


def _either(own: str, outer: str | None) -> str:
    """Return what holds: our own wall, or that of the engine around this process."""
    return own if own == ENFORCED or outer is None else outer


def _own_session(of_starter: int) -> None:
    """Leave the session of whoever started it, unless the engine has done so."""
    if os.getsid(0) == of_starter:
        os.setsid()


def _cap(limits: Mapping[str, int]) -> None:
    """Set every limit hard, so that it holds for all that comes from this process."""
    import resource

    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": limits["cpu_seconds"],
        "RLIMIT_FSIZE": limits["file_bytes"],
        "RLIMIT_DATA": limits["memory"],
        "RLIMIT_AS": limits["address_space"],
        "RLIMIT_NOFILE": limits["descriptors"],
    }
    for name, value in wanted.items():
        kind = getattr(resource, name, None)
        if kind is not None and not (name == "RLIMIT_AS" and sys.platform == "darwin"):
            _, hard = resource.getrlimit(kind)
            cap = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (cap, cap))


def _restrict_files(cage: Cage) -> str | None:
    version = landlock.restrict(cage.readable, (cage.folder,), cage.devices, cage.runnable)
    if version < landlock.ABI_TRUNCATE:
        return f"partial: the kernel's Landlock (version {version}) does not cover truncation"
    return None


def _filter_calls() -> None:
    landlock.forbid_new_privileges()
    seccomp.install(programs=True, signals=landlock.abi() >= landlock.ABI_SCOPE)


def _count(cage: Cage, outer: Mapping[str, str], *, by_root: bool) -> str:
    """Have the number of processes bounded: by the engine, the system, or whoever looks on."""
    if outer.get("processes") == ENFORCED:
        return ENFORCED
    if outer["engine"] == "bubblewrap" and not by_root:
        import resource

        # In a user namespace of its own only its own processes count; for root the system counts
        # nothing.
        most = cage.limits["processes"]
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
        return ENFORCED
    return "partial: counted ten times a second, and ended above the limit"


def _reaches_others() -> bool:
    """Try to trace the parent, and to become root in a namespace of its own."""
    if sys.platform != "linux":
        return True
    libc = ctypes.CDLL(None, use_errno=True)
    ids = [ctypes.c_long(value) for value in (_ATTACH, os.getppid(), 0, 0)]
    traced = libc.ptrace(*ids) == 0 or ctypes.get_errno() != errno.EPERM
    number = seccomp.number_of("clone")
    cloned = number is None or fails_with("syscall", number, _CLONE_NEWUSER_ALONE, 0)
    return traced or cloned != errno.EPERM
