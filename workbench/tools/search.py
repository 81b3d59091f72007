"""Places of a word or pattern in a text.

Patterns run on RE2: its time grows with the text, whatever the pattern, so that no pattern can
hang a call.
"""

from __future__ import annotations

from workbench.errors import Refused
from workbench.visible import visible


def by_letters(whole: str, pattern: str, most: int) -> tuple[int, list[tuple[int, int]]]:
    """Return how often a text stands in another, and the first places."""
    places: list[tuple[int, int]] = []
    at = whole.find(pattern)
    while at >= 0 and len(places) < most:
        places.append((at, at + len(pattern)))
        at = whole.find(pattern, at + len(pattern))
    return whole.count(pattern), places


def by_pattern(whole: str, pattern: str, most: int) -> tuple[int, list[tuple[int, int]]]:
    """Search line by line with RE2, whose time grows with the text and not with the pattern."""
    import pyarrow as pa
    import pyarrow.compute as pc

    lines = whole.split("\n")
    try:
        counts = pc.count_substring_regex(pa.array(lines, pa.large_string()), pattern=pattern)
    except pa.lib.ArrowInvalid as error:
        raise Refused(
            f"search_text: the pattern is not valid RE2 ({visible(str(error))[:120]}); leave "
            "regex=false to find it letter by letter"
        ) from None
    places: list[tuple[int, int]] = []
    start = 0
    for line, count in zip(lines, counts.to_pylist(), strict=True):
        for left, right in _spans(line, pattern, min(count, most - len(places))):
            places.append((start + left, start + right))
        start += len(line) + 1
    return int(pc.sum(counts).as_py() or 0), places


def _spans(line: str, pattern: str, wanted: int) -> list[tuple[int, int]]:
    """Return where a pattern stands in one line, in characters."""
    import pyarrow as pa
    import pyarrow.compute as pc

    spans: list[tuple[int, int]] = []
    at = 0
    data = line.encode("utf-8", "replace")
    for _ in range(wanted):
        found = pc.extract_regex_span(pa.array([data[at:].decode()]), pattern=f"(?P<hit>{pattern})")
        hit = found[0].as_py()
        if hit is None:
            break
        left, length = hit["hit"]
        first = len(data[: at + left].decode())
        spans.append((first, first + len(data[at + left : at + left + length].decode())))
        at += left + length
        if length == 0:
            break
    return spans
