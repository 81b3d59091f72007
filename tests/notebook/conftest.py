"""A shell with the magics in it, and what it displays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from workbench import load_ipython_extension
from workbench.notebook.magics import AgentMagics


@dataclass
class Shell:
    """An IPython shell that keeps what cells display."""

    shell: InteractiveShell
    magics: AgentMagics

    def run(self, cell: str) -> list[dict[str, Any]]:
        """Run a cell; return the data it displayed, raise what ended it."""
        self.shell.display_pub.outputs.clear()
        found = self.shell.run_cell(cell, store_history=False)
        if found.error_in_exec is not None:
            raise found.error_in_exec
        return [output["data"] for output in self.shell.display_pub.outputs]

    def text(self, cell: str) -> str:
        """Run a cell; return the text it displayed."""
        return "\n".join(data["text/plain"] for data in self.run(cell))

    @property
    def displayed(self) -> list[dict[str, Any]]:
        """What the last cell displayed."""
        return [output["data"] for output in self.shell.display_pub.outputs]


@pytest.fixture
def shell() -> Iterator[Shell]:
    """Return a shell without a kernel, as plain IPython is one."""
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance()
    made.display_pub = CapturingDisplayPublisher()
    load_ipython_extension(made)
    yield Shell(made, made.magics_manager.registry["AgentMagics"])
    made.history_manager.end_session()
    InteractiveShell.clear_instance()
