"""``python -m workbench`` and the ``workbench`` command: where the process begins.

An interrupt while the command line is being loaded ends the process with one line: nothing has
been begun that would have to be kept. Nothing else is imported before that holds.
"""

from __future__ import annotations

import _signal  # `signal` itself loads enumerations first, and with them half of the start
import os
import sys

_INTERRUPTED = 130


def _end_at_once(_number: int, _frame: object) -> None:
    """End without unwinding: an import that is broken off may swallow the interrupt."""
    os.write(2, b"workbench: stopped by the analyst before anything was begun\n")
    os._exit(_INTERRUPTED)


def main() -> int:
    """Run the command line of this process; return its exit status."""
    heeded = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    if heeded:  # a shell has background work ignore it
        _signal.signal(_signal.SIGINT, _end_at_once)
    from workbench import cli

    if heeded:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
