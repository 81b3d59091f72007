"""What a program wrote, as an agent sees it: its ends, without the tables in it.

A table that was printed is rows, whatever printed it: it becomes a result file and a marker in its
place. The rest is cut in the middle, since how a program began and how it ended says most.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from workbench import marker
from workbench.artefacts import Artefacts
from workbench.context.packing import values_in
from workbench.context.render import Hit, Rendered
from workbench.context.said import Tally
from workbench.context.steps import Steps
from workbench.errors import Refused
from workbench.files.newfile import new_file
from workbench.files.rowtext import is_rows
from workbench.files.tabular import rows_in, table_span
from workbench.limits import Limits
from workbench.marker import Marker
from workbench.reply import Made, Text
from workbench.visible import visible

# A line that is longer than a sentence may hold a whole table.
_LONG = 200
# So many lines are judged at once where other text stands around them.
_WINDOW = 40
Keep = Callable[[Sequence[str]], str]


def printed(
    item: Text,
    limits: Limits,
    fits: Callable[[str], str],
    key: str,
    steps: Steps,
    tally: Tally,
    keep: Keep,
) -> Rendered:
    """Return the output of a program within every limit on it.

    Parameters
    ----------
    item : Text
        Of kind ``output``, as the sandbox sent it.
    limits : Limits
        The session's table.
    fits : callable
        Returns the longest start of a text that may be shown.
    key : str
        The row behind `fits`.
    steps : Steps
        What markers name next.
    tally : Tally
        Rows that may still be shown; those of printed tables are counted in it.
    keep : callable
        Keeps the lines of a table as a result file; returns how it is named.
    """
    lines = visible(item.body, keep="\n\t").split("\n")
    total = max(item.total_lines, len(lines))
    whole = total == len(lines)
    half = len(lines) if whole else len(lines) // 2
    kept = keep if whole else (lambda _: item.name)
    small = limits["data_file_head"].number
    ends = [_without_tables(part, kept, steps, tally, small) for part in _halves(lines, half)]
    hits: list[Hit] = []
    if sum(map(len, ends)) > limits["command_lines"].number:
        ends = _ends([line for end in ends for line in end], limits["command_lines"].number)
        left = total - sum(map(len, ends))
        hits.append(Hit("command_lines", left, total, "lines"))
    room = limits["line_chars"].number
    long = sum(len(line) > room for end in ends for line in end)
    if long:
        hits.append(Hit("line_chars", long, total, "lines"))
    ends = [[marker.short(line, room) for line in end] for end in ends]
    cut = not whole or bool(hits and hits[0].key == "command_lines")
    text = _joined(ends, total, item, steps) if cut else "\n".join(ends[0])
    if fits(text) == text:
        return Rendered(text, tuple(hits))
    text = _fitted([line for end in ends for line in end], total, item, steps, fits)
    left = max(item.total_chars - len(text), 0)
    return Rendered(text, (*hits, Hit(key, left, item.total_chars, "characters")))


def _halves(lines: list[str], half: int) -> list[list[str]]:
    return [part for part in (lines[:half], lines[half:]) if part]


def _ends(lines: list[str], most: int) -> list[list[str]]:
    """Return the first and the last half of as many lines as may be shown."""
    first = (most + 1) // 2
    return [lines[:first], lines[len(lines) - (most - first) :] if most > first else []]


def _joined(ends: Sequence[Sequence[str]], total: int, item: Text, steps: Steps) -> str:
    """Put a marker between the ends; what it says is left out of all lines there are."""
    left = max(total - sum(map(len, ends)), 0)
    mark = Marker(left, total, "lines", item.name, steps.range(item.name, 0))
    first, *rest = ["\n".join(end) for end in ends]
    return "\n".join([first, str(mark), *(text for text in rest if text)])


def _fitted(
    lines: list[str], total: int, item: Text, steps: Steps, fits: Callable[[str], str]
) -> str:
    """Keep as many lines from both ends as fit; cut the last two where even they do not."""
    low, high = 2, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        text = _joined(_ends(lines, middle), total, item, steps)
        low, high = (middle, high) if fits(text) == text else (low, middle - 1)
    ends = _ends(lines, low)
    room = max((len(line) for end in ends for line in end), default=0)
    text = _joined(ends, total, item, steps)
    while fits(text) != text and room:
        room //= 2
        shorter = [[marker.short(line, room) for line in end] for end in ends]
        text = _joined(shorter, total, item, steps)
    return fits(text)


def _without_tables(
    lines: list[str], keep: Keep, steps: Steps, tally: Tally, small: int
) -> list[str]:
    """Put a marker in the place of each table; one of a few rows stays while rows may be shown."""
    span = table_span(lines) or _dressed(lines)
    if not span:
        if not is_rows(lines):
            return [_without_values(line, keep, steps, tally, small) for line in lines]
        span = range(len(lines))
    rows = lines[span.start : span.stop]
    before = _without_tables(lines[: span.start], keep, steps, tally, small)
    if len(rows) <= small and tally.room >= len(rows):
        tally.take(len(rows))
        stands = rows
    else:
        tally.left += len(rows)
        name = keep(rows)
        stands = [str(Marker(len(rows), len(rows), "lines", name, steps.table(name)))]
    return before + stands + _without_tables(lines[span.stop :], keep, steps, tally, small)


def _dressed(lines: Sequence[str]) -> range:
    """Return the first stretch of lines that holds records in another dress than a table's."""
    first = last = None
    for start in range(0, len(lines), _WINDOW // 2):
        stretch = lines[start : start + _WINDOW]
        if len(stretch) > _WINDOW // 2 and is_rows(stretch):
            first = start if first is None else first
            last = start + len(stretch)
        elif last is not None:
            break
    return range(0) if first is None or last is None else range(first, last)


def _without_values(line: str, keep: Keep, steps: Steps, tally: Tally, small: int) -> str:
    """Put a marker in the place of a line that packs more values than may still be shown."""
    values = values_in(line)
    if len(line) > _LONG:
        values = max(values, len(rows_in(line)[0]))
    if values <= small or tally.room >= values:
        tally.take(values if values > small else 0)
        return line
    tally.left += values
    name = keep([line])
    return str(Marker(values, values, "values", name, steps.table(name)))


def keeper(artefacts: Artefacts, loop: str, call: str) -> Keep:
    """Return what keeps a printed table as a result file of a loop.

    Parameters
    ----------
    artefacts : Artefacts
        Those of the run.
    loop, call : str
        Which loop, and which of its calls printed it.
    """

    def keep(lines: Sequence[str]) -> str:
        data = ("\n".join(lines) + "\n").encode("utf-8", "replace")
        with new_file(artefacts.folder, f"{call}_printed", "txt") as (part, final):
            part.write_bytes(data)
        made = Made(
            final[0].name,
            len(data),
            hashlib.sha256(data).hexdigest(),
            "text/plain",
            rows=len(lines),
            made_by={"tool": "printed", "parameters": {"call": call}, "seed": None, "inputs": {}},
        )
        try:
            return artefacts.register(loop, made).shown
        except Refused:
            return call

    return keep
