"""Words in a Markdown cell: text from data and models stays text, whatever it holds.

Every sign that Markdown, HTML or a formula could take up is escaped, or written as an entity or
in a code span; nothing becomes a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from workbench.visible import visible

# Signs of Markdown, GitHub's too, and what begins a block at the start of a line.
_SIGNS = re.compile(r"([`*_\[\]|~])")
_LEADING = re.compile(r"^([#>+=:-]|\d+(?=[.)](?:\s|$)))")
_FORMULA = re.compile(r"([\\$]+)")
# What hosts make links of by themselves.
_LINK = re.compile(r"://|@|(?<=\bwww)\.", re.IGNORECASE)


def line(text: object) -> str:
    """Return any text on one line, so that a Markdown cell shows it as it is."""
    return _line(" ".join(visible(str(text), keep="\n\t\r").split()))


def _line(text: str) -> str:
    # Formulas are set before anything else by some hosts: in a code span they are left alone.
    parts = _FORMULA.split(text)
    shown = "".join(f"`{part}`" if n % 2 else _escaped(part) for n, part in enumerate(parts))
    return _LEADING.sub(lambda hit: f"{hit[0]}\\" if hit[0].isdigit() else f"\\{hit[0]}", shown)


def _escaped(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    text = _SIGNS.sub(r"\\\1", text)
    return _LINK.sub(lambda hit: "".join(f"&#{ord(sign)};" for sign in hit[0]), text)


def paragraphs(text: str) -> str:
    """Return a text of several lines: its paragraphs and line ends stay, nothing else is markup."""
    blocks = re.split(r"\n\s*\n", visible(text.strip(), keep="\n\t\r"))
    shown = [[line(one) for one in block.splitlines() if one.strip()] for block in blocks]
    return "\n\n".join("\\\n".join(lines) for lines in shown if lines)


def mono(text: object) -> str:
    """Return a name in a code span."""
    plain = " ".join(visible(str(text), keep="\n\t\r").split()).replace("|", "¦")
    if not plain:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if plain[:1] == "`" or plain[-1:] == "`" else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """Return a Markdown table of cells that are Markdown already.

    Parameters
    ----------
    columns : sequence of str
        Header.
    rows : iterable of sequence of str
        Cells.
    right : iterable of int, optional
        Columns that are set flush right.
    """
    flush = set(right)
    rule = ["---:" if n in flush else ":---" for n in range(len(columns))]
    lines = [columns, rule, *rows]
    return "\n".join(f"| {' | '.join(cell or ' ' for cell in row)} |" for row in lines)
