"""An IPython shell with the magics in it that keeps what its cells display."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from workbench import load_ipython_extension
from workbench.notebook.magics import AgentMagics


@dataclass
class Shell:
    """A shell without a kernel, as plain IPython is one."""

    shell: InteractiveShell
    magics: AgentMagics

    @classmethod
    def made(cls) -> Shell:
        """Make the shell of this process anew."""
        InteractiveShell.clear_instance()
        shell = InteractiveShell.instance()
        shell.display_pub = CapturingDisplayPublisher()
        load_ipython_extension(shell)
        return cls(shell, shell.magics_manager.registry["AgentMagics"])

    def run(self, cell: str) -> list[dict[str, Any]]:
        """Run a cell; return the data it displayed, raise what ended it."""
        self.shell.display_pub.outputs.clear()
        found = self.shell.run_cell(cell, store_history=False)
        if found.error_in_exec is not None:
            raise found.error_in_exec
        return self.displayed

    def text(self, cell: str) -> str:
        """Run a cell; return the text it displayed."""
        return "\n".join(data["text/plain"] for data in self.run(cell))

    @property
    def displayed(self) -> list[dict[str, Any]]:
        """What the last cell displayed."""
        return [output["data"] for output in self.shell.display_pub.outputs]

    def close(self) -> None:
        """End the shell."""
        self.shell.history_manager.end_session()
        InteractiveShell.clear_instance()
