"""The command line: ``workbench COMMAND …`` or ``python -m workbench COMMAND …``.

Exit status: 0 done; 1 the work was refused or failed; 2 the command line was not understood;
3 a budget was reached; 130 interrupted. An error is one line on stderr, never a traceback.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from workbench.cli.usage import Usage, find, overview
from workbench.errors import BudgetReached, Stopped, WorkbenchError
from workbench.process.launched import undisturbed

DONE, FAILED, MISUSED, BUDGET, INTERRUPTED = 0, 1, 2, 3, 130


def main(words: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    words : sequence of str, optional
        The command and its arguments; those of the process if left out.

    Returns
    -------
    int
        The exit status.
    """
    _never_choke()
    given = list(sys.argv[1:] if words is None else words)
    try:
        status = _command(given)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read has seen enough. What is still buffered must not fail again at exit.
        _forget_stdout()
        return DONE
    except SystemExit as ended:  # --help
        return int(ended.code or 0)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the wall between any fault and a traceback
        return _told(error, given)
    finally:
        if words is None:  # a process of its own, which ends now
            undisturbed()
    return status


def _command(given: list[str]) -> int:
    if not given or given[0] in {"-h", "--help", "help"}:
        print(overview())
        return DONE if given else MISUSED
    if given[0] == "--version":
        given = ["version"]
    command = find(given[0])
    return command.run(command.read(given[1:]))


def _told(error: BaseException, given: list[str]) -> int:
    """Say an error in one line; return its exit status."""
    from workbench.cli.terminal import err

    if isinstance(error, Usage):
        err(str(error))
        return MISUSED
    if isinstance(error, KeyboardInterrupt | Stopped):
        err("stopped by the analyst; what was done so far is kept, see workbench runs")
        return INTERRUPTED
    if isinstance(error, WorkbenchError):
        err(str(error))
        return BUDGET if isinstance(error, BudgetReached) else FAILED
    err(
        f"{given[0]}: internal error {type(error).__name__}{_place(error)}: {error}; the ledger "
        "(events.jsonl of the newest run, see workbench runs) has what was done; please report it"
    )
    return FAILED


def _place(error: BaseException) -> str:
    """Return where in this package an error arose."""
    package = Path(__file__).parent.parent
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(package)
    ]
    if not frames:
        return ""
    return f" at {Path(frames[-1].filename).relative_to(package)}:{frames[-1].lineno}"


def _never_choke() -> None:
    """Write signs that the terminal's encoding does not have as escapes, not as errors."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError, OSError):
                stream.reconfigure(errors="backslashreplace")


def _forget_stdout() -> None:
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
