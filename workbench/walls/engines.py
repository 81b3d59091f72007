"""What confines a script: engines in the order in which they are taken, strongest first.

Each is a way to start `workbench.walls.caged` inside a wall of its own. On Linux that program puts
up our own Landlock and seccomp walls as well, so an engine adds to them what they cannot do: it
counts processes, and it hides those of others.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from workbench.confine import ENFORCED
from workbench.walls import landlock, seccomp
from workbench.walls.cage import Cage

# Names with commas between them.
_WITHOUT = "WORKBENCH_WITHOUT_ENGINES"
_NOBODY = "65534"
_SEATBELT = "/usr/bin/sandbox-exec"


@dataclass(frozen=True)
class Engine:
    """One way to confine a script.

    Attributes
    ----------
    name : str
        What it is called in records.
    walls : mapping
        What it enforces by itself, beside our own walls within it.
    missing : callable
        Returns why it cannot be had here, empty where it can.
    wrap : callable
        Takes a cage and an argument list; returns the list that starts it inside the engine.
        Sandlock is no program: whoever keeps the script starts it.
    """

    name: str
    walls: Mapping[str, str]
    missing: Callable[[], str]
    wrap: Callable[[Cage, Sequence[str]], list[str]]

    @property
    def outer(self) -> dict[str, str]:
        """The name and the walls, for the program inside."""
        return {**self.walls, "engine": self.name}


def _walls(*names: str) -> dict[str, str]:
    return dict.fromkeys(names, ENFORCED)


def _no_sandlock() -> str:
    if sys.platform != "linux":
        return "it is for Linux"
    if importlib.util.find_spec("sandlock") is None:
        return "it is not installed (pip install 'workbench[sandbox]')"
    if not landlock.abi():
        return "the kernel has no Landlock"
    return ""


def _no_bubblewrap() -> str:
    if sys.platform != "linux":
        return "it is for Linux"
    found = shutil.which("bwrap")
    if found is None:
        return "it is not installed (the package is called bubblewrap)"
    words = [found, "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"]
    import subprocess

    try:
        done = subprocess.run(words, capture_output=True, timeout=10, check=False)  # noqa: S603 - a list
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"it does not start ({type(error).__name__})"
    return "" if done.returncode == 0 else "the system lets it make no namespaces"


def _with_bubblewrap(cage: Cage, program: Sequence[str]) -> list[str]:
    words = [
        *(shutil.which("bwrap") or "bwrap", "--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY),
        *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        *("--unshare-cgroup-try", "--cap-drop", "ALL", "--die-with-parent", "--new-session"),
        *("--proc", "/proc", "--dev", "/dev"),
    ]
    # Parents first: a folder that is bound later would cover what lies in it.
    for path in sorted({*cage.readable, *cage.runnable}):
        if not path.startswith(("/proc/", "/dev/")):
            words += ["--ro-bind-try", path, path]
    words += ["--bind", cage.folder, cage.folder, "--chdir", cage.folder]
    return [*words, "--", *program]


def _no_landlock() -> str:
    if not landlock.abi():
        return "the kernel has no Landlock" if sys.platform == "linux" else "it is for Linux"
    return (
        "" if seccomp.number_of("clone") is not None else "no list of system calls for this machine"
    )


def _no_seatbelt() -> str:
    return "" if sys.platform == "darwin" and Path(_SEATBELT).exists() else "it is for macOS"


def _with_seatbelt(cage: Cage, program: Sequence[str]) -> list[str]:
    """Deny everything but what is named; the profile's strings are quoted as JSON's are."""

    def within(paths: Sequence[str]) -> str:
        places = dict.fromkeys(os.path.realpath(path) for path in paths)
        return " ".join(f"(subpath {json.dumps(place, ensure_ascii=False)})" for place in places)

    rules = [
        "(version 1)",
        "(deny default)",
        "(allow process-fork) (allow process-exec) (allow sysctl-read) (allow mach-lookup)",
        "(allow signal (target same-sandbox))",
        "(allow file-read-metadata)",
        f"(allow file-read* {within([*cage.readable, *cage.runnable, cage.folder, '/dev'])})",
        f'(allow file-write* {within([cage.folder])} (literal "/dev/null"))',
    ]
    return [_SEATBELT, "-p", "\n".join(rules), *program]


def _as_it_is(_: Cage, program: Sequence[str]) -> list[str]:
    return list(program)


ENGINES: tuple[Engine, ...] = (
    Engine("sandlock", _walls("files", "network", "processes"), _no_sandlock, _as_it_is),
    Engine("bubblewrap", _walls("files", "network", "others"), _no_bubblewrap, _with_bubblewrap),
    Engine("landlock", {}, _no_landlock, _as_it_is),
    Engine("sandbox-exec", _walls("files", "network", "others"), _no_seatbelt, _with_seatbelt),
)
OPEN = Engine("none", {}, lambda: "", _as_it_is)


def left_out() -> list[str]:
    """Return the names of engines that the environment takes away, for tests and for choosing."""
    return [name for name in os.environ.get(_WITHOUT, "").split(",") if name]


def found(without: Collection[str] = ()) -> Engine | None:
    """Return the first engine that can be had here, None where there is none.

    Parameters
    ----------
    without : collection of str, optional
        Names of engines that are not to be taken.
    """
    return next((engine for engine in ENGINES if not missing(engine, without)), None)


def named(name: str) -> Engine:
    """Return an engine by its name; what is none of them confines nothing."""
    return next((engine for engine in ENGINES if engine.name == name), OPEN)


def library() -> str:
    """Return the folder in which the sandlock package lies, empty where there is none."""
    spec = importlib.util.find_spec("sandlock")
    return str(Path(spec.origin).parent.parent) if spec and spec.origin else ""


def missing(engine: Engine, without: Collection[str] = ()) -> str:
    """Return why an engine cannot be had, empty where it can."""
    if engine.name in without:
        return f"{_WITHOUT} leaves it out"
    return engine.missing()


def version(engine: Engine) -> str:
    """Return the version of an engine that is a package, else an empty text."""
    try:
        return importlib.metadata.version(engine.name)
    except importlib.metadata.PackageNotFoundError:
        return ""
