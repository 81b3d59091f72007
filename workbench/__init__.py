"""Workbench: ask questions of exploration data.

The tables stay on disk, and a preview shows a model at most 20 rows.
"""

from __future__ import annotations

# In place of `typing`, which the command line would wait for before it can be interrupted.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401 - IPython's own
    """Register ``%%agent`` and ``%agent``; everything else is imported when it is first used."""
    from workbench.notebook.magics import AgentMagics

    shell.register_magics(AgentMagics)
