"""Markdown and code of a notebook's cells as HTML: markup of theirs is none, and no address runs.

Raw HTML in a Markdown cell is shown as text; links are checked by the library that reads them.
"""

from __future__ import annotations

import html
import re
from typing import Any

from workbench.errors import Refused

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_NUMBER = re.compile(r"^[<>]?[-–]?[\d.,]+(?:e[-+]?\d+)?(?: ?%)?$", re.IGNORECASE)


def escape(text: object) -> str:
    """Return any text as it may stand in HTML, attributes too."""
    return html.escape(str(text), quote=True)


class Markdown:
    """Reads Markdown: CommonMark with tables, no raw HTML.

    Raises
    ------
    Refused
        If what reads it is not installed.
    """

    def __init__(self) -> None:
        try:
            from markdown_it import MarkdownIt
        except ImportError as error:
            needs = "pip install 'workbench[report]'"
            raise Refused(f"report: {error}; install it with {needs}") from None
        self._reader: Any = MarkdownIt("commonmark", {"html": False}).enable("table")

    def html(self, source: str) -> str:
        """Return a cell as HTML; its tables scroll by themselves and set numbers flush right."""
        tokens = self._reader.parse(source)
        for token in tokens:
            if token.type in {"th_open", "td_open"} and "right" in str(token.attrGet("style")):
                token.attrs.pop("style")
                token.attrSet("class", "number")
            elif token.type in {"th_open", "td_open"}:
                token.attrs.pop("style", None)
        made = str(self._reader.renderer.render(tokens, self._reader.options, {}))
        made = made.replace("<table>", '<div class="table wide" tabindex="0"><table>')
        return made.replace("</table>", "</table></div>")

    def headed(self, source: str) -> tuple[int, str, str]:
        """Split off a heading: its level (0 for none), its words, the rest as HTML."""
        tokens = self._reader.parse(source)
        if not tokens or tokens[0].type != "heading_open":
            return 0, "", self.html(source)
        level = int(tokens[0].tag[1])
        words = "".join(child.content for child in tokens[1].children or ())
        lines = source.splitlines()
        rest = "\n".join(lines[tokens[0].map[1] :])
        return level, words, self.html(rest)


def plain(text: str) -> str:
    """Return what a kernel printed without the signs that colour it."""
    return _ANSI.sub("", text)


def is_number(cell: str) -> bool:
    """Tell whether a cell of a table is set flush right."""
    return bool(_NUMBER.match(cell))
