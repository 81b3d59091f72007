"""A small tree of elements: drawn once here, shown as HTML text or as DOM by the widget.

Text is only ever text: `to_html` escapes every child and attribute, and the widget's script sets
`textContent`. Tags and attributes come from an allow-list, so no data can become markup.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

TAGS = frozenset(
    {"div", "span", "p", "pre", "code", "strong", "small", "br", "details", "summary"}
    | {"section", "header", "footer", "h3", "h4", "ul", "li", "dl", "dt", "dd"}
    | {"table", "caption", "thead", "tbody", "tr", "th", "td", "colgroup", "col"}
)
ATTRIBUTES = frozenset(
    {"class", "role", "title", "style", "scope", "colspan", "open", "tabindex", "aria-label"}
    | {"aria-hidden", "aria-live"}
)
# Lengths in per cent and plain numbers alone: nothing that could fetch or cover anything.
STYLE = re.compile(r"^(?:(?:left|width|flex-grow):\d+(?:\.\d+)?%?;?)+$")
_VOID = frozenset({"br", "col"})


@dataclass(frozen=True)
class Node:
    """One element.

    Attributes
    ----------
    tag : str
        One of `TAGS`.
    attributes : dict
        Names from `ATTRIBUTES` → values.
    children : tuple of Node or str
        Texts are literal.
    """

    tag: str
    attributes: dict[str, str]
    children: tuple[Node | str, ...] = ()


def node(tag: str, look: str = "", *children: Node | str | None, **attributes: str) -> Node:
    """Return an element.

    Parameters
    ----------
    tag : str
        One of `TAGS`.
    look : str, optional
        Value of the class attribute.
    *children : Node, str or None
        What it holds; None is left out.
    **attributes : str
        Further attributes, ``aria_label`` for ``aria-label``.

    Raises
    ------
    ValueError
        For a tag, attribute or style that is not in the allow-lists.
    """
    named = {key.replace("_", "-"): value for key, value in attributes.items()}
    if look:
        named = {"class": look, **named}
    if tag not in TAGS or set(named) - ATTRIBUTES:
        raise ValueError(f"element '{tag}' with {sorted(named)}: not in the allow-list")
    if "style" in named and not STYLE.match(named["style"]):
        raise ValueError(f"style '{named['style']}': only lengths in per cent")
    return Node(tag, named, tuple(child for child in children if child is not None))


def to_html(item: Node | str) -> str:
    """Return the element as escaped HTML."""
    if isinstance(item, str):
        return html.escape(item, quote=True)
    named = "".join(f' {key}="{html.escape(text)}"' for key, text in item.attributes.items())
    if item.tag in _VOID:
        return f"<{item.tag}{named}>"
    return f"<{item.tag}{named}>{''.join(map(to_html, item.children))}</{item.tag}>"


def to_json(item: Node | str) -> object:
    """Return the element as ``[tag, attributes, children]`` and texts as they are."""
    if isinstance(item, str):
        return item
    return [item.tag, item.attributes, [to_json(child) for child in item.children]]


def texts(item: Node | str) -> Iterator[str]:
    """Yield every text of the tree in reading order."""
    if isinstance(item, str):
        yield item
        return
    for child in item.children:
        yield from texts(child)
