"""How a cell fails: one line where a traceback would stand, and the cell counts as failed.

Raising is what stops "run all" and a headless run; a refused question must not pass in silence.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from workbench.errors import WorkbenchError
from workbench.visible import visible


class CellFailed(Exception):
    """The end of a cell that did not do its work; shown as its one line."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows in place of a traceback."""
        return [str(self)]


@contextlib.contextmanager
def one_line(what: str) -> Iterator[None]:
    """Turn whatever ends the work of a magic into one line.

    Parameters
    ----------
    what : str
        What was called, for errors that do not say so: ``%%agent``.

    Raises
    ------
    CellFailed
        In place of the error.
    """
    try:
        yield
    except CellFailed:
        raise
    except WorkbenchError as error:
        raise CellFailed(_line(str(error))) from None
    except KeyboardInterrupt:
        raise CellFailed(f"{what}: interrupted") from None
    except Exception as error:
        # A bug of ours: the line says which, and the traceback stays reachable for developers.
        said = _line(f"{what}: internal error {type(error).__name__}: {error}")
        raise CellFailed(f"{said}; please report it") from error


def _line(text: str) -> str:
    return visible(" ".join(text.split()))
