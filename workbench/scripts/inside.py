"""Runs a script inside the sandbox: ``python -I inside.py FOLDER… -- SCRIPT``.

It imports nothing of ours; the folders are where the libraries were found. An error is shown as
the script's own: without this file's frames, and with its file name alone.
"""

from __future__ import annotations

import sys
import traceback


def main(arguments: list[str]) -> int:
    """Run the script that is named last; return its exit status."""
    at = arguments.index("--")
    sys.path.extend(place for place in arguments[:at] if place not in sys.path)
    script = arguments[at + 1]
    name = script.replace("\\", "/").rpartition("/")[2]
    with open(script, "rb") as file:  # noqa: PTH123 - nothing more is imported than needed
        source = file.read()
    sys.argv = [name]
    scope = {"__name__": "__main__", "__file__": name, "__builtins__": __builtins__}
    try:
        exec(compile(source, name, "exec", dont_inherit=True), scope)  # noqa: S102 - what it is for
    except SystemExit:
        raise
    except BaseException:  # noqa: BLE001 - shown as an interpreter does
        kind, error, frames = sys.exc_info()
        own = frames.tb_next if frames is not None else None
        sys.stdout.flush()
        traceback.print_exception(kind, error, own)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
