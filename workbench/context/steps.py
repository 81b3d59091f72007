"""The next step a marker names: always a call that this very agent can make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.reply import Text


@dataclass(frozen=True)
class Steps:
    """The calls open to one agent.

    Attributes
    ----------
    tools : tuple of str
        Its tool list; empty for a person, who has every tool.
    """

    tools: tuple[str, ...]

    def table(self, name: str) -> str:
        """Return the call that gets numbers out of a table."""
        if "query_data" in self.tools:
            return f'query_data(path="{name}", operation="describe")'
        if "dispatch" in self.tools:
            return f'dispatch(agent="dataops", objective="describe {name}")'
        if "run_script" in self.tools:
            return 'run_script(code="…")'
        return f'ask_orchestrator(objective="describe {name}")'

    def listing(self) -> str:
        """Return the call that lists fewer files at once."""
        if "list_files" in self.tools:
            return 'list_files(folder="…", pattern="…")'
        return 'ask_orchestrator(objective="list the files of a folder")'

    def range(self, name: str, offset: int) -> str:
        """Return the calls that read on in a text."""
        if "read_range" in self.tools:
            search = f'search_text(id="{name}", pattern="…")'
            return f'{search} or read_range(id="{name}", offset={offset})'
        return f'ask_orchestrator(objective="read {name} from character {offset}")'

    def text(self, item: Text) -> Callable[[int], str]:
        """Return what names the next call for a stretch of text or of rows."""
        if item.kind == "data":
            return lambda _: self.table(item.name)
        return lambda offset: self.range(item.name, offset)
