"""One context window drawn: what fills it, how far it is from its marks, what raw data would cost.

Two bars on one left edge: the window at true scale with its marks, and below it the used part
spread out by category. Every share is also said in words, so nothing rests on colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from workbench.notebook import numerals
from workbench.notebook.nodes import Node, node
from workbench.sources.measures import CATEGORIES

# How `raw_data_tokens` is got, in the words of its tooltips.
RAW_HOW = (
    "the tables that were worked on as CSV text, counted over the first rows of each and taken "
    "times all its rows; tables that were only described are left out"
)
Level = Literal["calm", "warn", "full"]


@dataclass(frozen=True)
class Window:
    """The window of one loop at its last request.

    Attributes
    ----------
    size, usable : int
        Tokens of the window, and of its part that a request may use.
    parts : dict
        Category → tokens, empty ones left out.
    raw : int
        Tokens that pasting the text of the tables worked on would have cost.
    marks : tuple of int
        Warning and full mark, in per cent of the usable part.
    estimate : tuple of int or None
        What the provider was expected to say: lower end, middle and upper end.
    provider : tuple of int or None
        What it said, and how much of that came from its cache; None where it has not answered or
        has no count of its own.
    """

    size: int
    usable: int
    parts: dict[str, int]
    raw: int
    marks: tuple[int, int]
    estimate: tuple[int, int, int] | None = None
    provider: tuple[int, int] | None = None

    @classmethod
    def of(cls, context: Mapping[str, Any], limits: Mapping[str, Any]) -> Window:
        """Read a window from a loop's context and the run's limits table."""
        counted = context.get("by_category") or {}
        parts = {key: int(counted.get(key, 0)) for key in CATEGORIES if counted.get(key)}
        marks = tuple(int(limits.get(key, 100)) for key in ("context_warn", "context_full"))
        return cls(
            int(context.get("window", 0)),
            int(context.get("usable", 0)),
            parts,
            int(context.get("raw_data_tokens", 0)),
            (marks[0], marks[1]),
            _estimate(context),
            _provider(context),
        )

    @property
    def used(self) -> int:
        """Tokens of the last request."""
        return sum(self.parts.values())

    @property
    def gauge(self) -> int:
        """Tokens that the window is full by: the provider's figure, else the estimate."""
        if self.provider is not None:
            return self.provider[0]
        return self.used if self.estimate is None else self.estimate[1]

    @property
    def from_data(self) -> int:
        """Tokens of the request that came from data: tool answers, results and attachments."""
        return sum(
            self.parts.get(key, 0) for key in ("tool_results", "dispatch_results", "attachments")
        )

    @property
    def level(self) -> Level:
        """Where the used part stands against the two marks."""
        share = 100 * self.gauge / self.usable if self.usable else 0.0
        return "full" if share >= self.marks[1] else "warn" if share >= self.marks[0] else "calm"

    def share(self, tokens: float) -> float:
        """Return tokens in per cent of the whole window, at most 100."""
        return min(100.0, 100 * tokens / self.size) if self.size else 0.0


def _estimate(context: Mapping[str, Any]) -> tuple[int, int, int] | None:
    found = context.get("estimate")
    return (found["low"], found["tokens"], found["high"]) if found else None


def _provider(context: Mapping[str, Any]) -> tuple[int, int] | None:
    found = context.get("provider")
    return (found["tokens"], found["cached"]) if found and not found["estimated"] else None


def against(window: Window) -> list[str]:
    """Return the estimate with its band, and what the provider said, each in words."""
    words = []
    if window.estimate is not None:
        low, middle, high = window.estimate
        band = numerals.percent(max(high - middle, middle - low), middle)
        words.append(f"estimate {numerals.count(middle)} ± {band}")
    if window.provider is not None:
        whole, cached = window.provider
        fresh = f"{numerals.count(whole - cached)} fresh, " if cached else ""
        kept = f"{numerals.count(cached)} cached" if cached else numerals.count(whole)
        words.append(f"provider {fresh}{kept}")
    return words


def label(category: str) -> str:
    """Return a category in words."""
    return category.replace("_", " ")


def sentence(window: Window) -> str:
    """Return all that the bars show, in words."""
    used = f"{numerals.count(window.gauge)} of {numerals.count(window.usable)} usable tokens"
    words = [f"{used}, {numerals.percent(window.gauge, window.usable)}"]
    words += [f"{label(key)} {numerals.count(number)}" for key, number in window.parts.items()]
    words += against(window)
    words.append(f"free {numerals.count(max(window.usable - window.used, 0))}")
    words.append(f"reserve {numerals.count(window.size - window.usable)}")
    if window.raw:
        words.append(f"raw data {numerals.count(window.raw)}")
    return "; ".join(words)


def bars(window: Window) -> Node:
    """Return both bars and the legend."""
    if not window.used:
        return node("div", "wb-bars", node("span", "wb-quiet", "no request yet"))
    return node("div", "wb-bars", scale(window), _spread(window), legend(window))


def scale(window: Window) -> Node:
    """Return the window at true scale: used parts, outline of the raw data, marks, reserve."""
    filled = [
        node(
            "span",
            f"wb-part wb-c-{key}",
            style=f"width:{window.share(number):.3f}%",
            title=f"{label(key)}: {numerals.count(number)} tokens",
        )
        for key, number in window.parts.items()
    ]
    usable = window.share(window.usable)
    return node(
        "div",
        f"wb-window wb-{window.level}",
        node("span", "wb-reserve", style=f"left:{usable:.3f}%;width:{100 - usable:.3f}%"),
        node("span", "wb-filled", *filled),
        _outline(window),
        *(
            node("span", f"wb-mark wb-mark-{name}", style=f"left:{usable * mark / 100:.3f}%")
            for name, mark in zip(("warn", "full"), window.marks, strict=True)
        ),
        role="img",
        aria_label=f"Context window: {sentence(window)}",
    )


def _outline(window: Window) -> Node | None:
    """Return the outline of what the raw data would have taken; open-ended past the window."""
    if not window.raw:
        return None
    look = "wb-raw wb-raw-over" if window.raw > window.size else "wb-raw"
    title = f"pasted as text, the tables would be {numerals.count(window.raw)} tokens: {RAW_HOW}"
    return node("span", look, style=f"width:{window.share(window.raw):.3f}%", title=title)


def _spread(window: Window) -> Node:
    """Return the used part over the whole width, by category."""
    parts = [
        node("span", f"wb-part wb-c-{key}", style=f"flex-grow:{number}")
        for key, number in window.parts.items()
    ]
    return node("div", "wb-spread", *parts, aria_hidden="true")


def legend(window: Window) -> Node:
    """Return the categories with their tokens, as text beside a swatch."""
    items = [
        node(
            "li",
            "",
            node("span", f"wb-swatch wb-c-{key}", aria_hidden="true"),
            f"{label(key)} ",
            node("span", "wb-number", numerals.count(number)),
        )
        for key, number in window.parts.items()
    ]
    return node("ul", "wb-legend", *items)


def figures(window: Window) -> Node:
    """Return the numbers beside the bars: tokens, per cent, and raw against sent."""
    lines: list[Node | str | None] = [
        node("div", "wb-tokens", numerals.count(window.gauge), node("span", "wb-unit", " tokens")),
        node(
            "div",
            f"wb-percent wb-{window.level}",
            f"{numerals.percent(window.gauge, window.usable)} of usable",
        ),
    ]
    lines += [node("div", "wb-against", words) for words in against(window)]
    if window.level != "calm":
        # Not by colour alone.
        mark = window.marks[window.level == "full"]
        lines.append(node("div", f"wb-percent wb-{window.level}", f"past the {mark} % mark"))
    if window.raw:
        came = f"{numerals.count(window.from_data)} of {numerals.count(window.raw)} raw"
        lines.append(node("div", "wb-against", node("span", "wb-raw-key", ""), came, title=RAW_HOW))
    return node("div", "wb-figures", *lines)


def axis(window: Window) -> Node:
    """Return the scale above the bars: the two marks, the usable part and the window."""
    usable = window.share(window.usable)
    marks = [
        node(
            "span",
            f"wb-tick wb-tick-{name}",
            f"{mark} %",
            style=f"left:{usable * mark / 100:.3f}%",
        )
        for name, mark in zip(("warn", "full"), window.marks, strict=True)
    ]
    reserve = node("span", "wb-tick wb-tick-end", "reserve", style=f"left:{usable:.3f}%")
    start = f"{numerals.count(window.usable)} of {numerals.count(window.size)} tokens usable"
    return node("div", "wb-axis", node("span", "wb-tick wb-tick-start", start), *marks, reserve)
