"""Start one of our own programs in a bare interpreter: ``python -I boot.py PROGRAM SOCKET KERNEL``.

Isolation drops the working folder, PYTHONPATH and the user's site folder, so the package is bound
to exactly the files beside this one, and the folders in which the starting process found the
libraries are appended, after the standard library's own.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

# The only names that may follow boot.py: nothing that a job says can start other code.
PROGRAMS = {
    "forkserver": "workbench.process.forkserver",
    "child": "workbench.child",
    "sandbox": "workbench.scripts.sandbox",
    "keeper": "workbench.scripts.keeper",
    "caged": "workbench.walls.caged",
}
# Libraries a child cannot do without; their folders are handed over as they were found.
LIBRARIES = ("duckdb", "numpy", "pyarrow", "scipy", "sklearn")


def end_with_starter(descriptor: int = 0) -> None:
    """Have the system end this process when the other end of a pipe is closed.

    It takes effect in the middle of an import as well, where no code of ours could look. A copy of
    the starting process that holds the pipe hides its end: then others have to look.

    Parameters
    ----------
    descriptor : int, optional
        Reading end of a pipe into which nothing is ever written.
    """
    import fcntl
    import os
    import select
    import signal

    signal.signal(signal.SIGIO, signal.SIG_DFL)  # which ends the process
    fcntl.fcntl(descriptor, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_ASYNC)
    poll = select.poll()
    poll.register(descriptor, 0)  # its end alone, which may have come before
    if poll.poll(0):
        os._exit(0)


def command(program: str, *descriptors: int) -> list[str]:
    """Return the argument list that starts one of `PROGRAMS`.

    Parameters
    ----------
    program : str
        A name in `PROGRAMS`.
    *descriptors : int
        Descriptors that the program inherits; -1 for one that does not exist here.
    """
    numbers = [str(number) for number in descriptors]
    return [sys.executable, "-I", "-X", "utf8", __file__, program, *numbers, "--", *folders()]


def folders() -> list[str]:
    """Return the folders in which this process finds the libraries of a child."""
    specs = [importlib.util.find_spec(name) for name in LIBRARIES]
    found = [str(Path(spec.origin).parent.parent) for spec in specs if spec and spec.origin]
    return list(dict.fromkeys(found))


def _bind_package() -> None:
    """Make ``workbench`` the package these very files belong to, whatever else is installed."""
    package = Path(__file__).absolute().parent.parent
    spec = importlib.util.spec_from_file_location(
        "workbench", package / "__init__.py", submodule_search_locations=[str(package)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{package}: not a Python package")
    module = importlib.util.module_from_spec(spec)
    sys.modules["workbench"] = module
    spec.loader.exec_module(module)


def main(arguments: list[str]) -> int:
    """Run the program named first with its descriptors; return its exit status."""
    split = arguments.index("--")
    program, *numbers = arguments[:split]
    if program not in PROGRAMS:
        return 2
    if program == "forkserver":
        end_with_starter()
    sys.path.extend(place for place in arguments[split + 1 :] if place not in sys.path)
    _bind_package()
    status: int = importlib.import_module(PROGRAMS[program]).main([int(n) for n in numbers])
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
