"""What the command line writes: answers to stdout, everything else to stderr.

Text that came from a file or a model is made visible first, so that no cell can move a cursor
or turn the reading direction. JSON is pure ASCII and needs no such care.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from workbench import marker
from workbench.visible import cell, visible

# A wider cell would break the lines of every terminal; the whole is in --json.
_CELL = 40


def out(text: str) -> None:
    """Write text to stdout, its own lines kept."""
    print(visible(text, keep="\n\t"))


def out_json(value: object) -> None:
    """Write a value to stdout as JSON."""
    print(json.dumps(value, indent=1))


def err(text: str) -> None:
    """Write one line to stderr."""
    print(f"workbench: {visible(' '.join(text.split()))}", file=sys.stderr, flush=True)


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], width: int = _CELL) -> str:
    """Return rows as aligned text; numbers to the right, long cells cut with a mark.

    Parameters
    ----------
    columns : sequence of str
        Header.
    rows : sequence of sequence
        Cells: text, numbers, booleans, None.
    width : int, optional
        Signs of the widest cell.
    """
    right = [
        any(_number(row[at]) for row in rows)
        and all(row[at] is None or _number(row[at]) for row in rows)
        for at in range(len(columns))
    ]
    lines = [[marker.short(_shown(value), width) for value in line] for line in (columns, *rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    return "\n".join(
        "  ".join(
            text.rjust(wide) if to_right else text.ljust(wide)
            for text, wide, to_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def _shown(value: object) -> str:
    """Return a cell as text; a number with enough digits for a coordinate."""
    return f"{value:.10g}" if isinstance(value, float) else cell(value)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def near(path: Path) -> str:
    """Return a path as it is shortest to type: seen from the present folder where it is in it."""
    whole, here = path.resolve(), Path.cwd()
    return str(whole.relative_to(here)) if whole.is_relative_to(here) else str(whole)


def size(count: int) -> str:
    """Return a number of bytes in the largest unit that keeps it above one."""
    amount = float(count)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1_000:  # noqa: PLR2004 - the step of the units
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1_000
    return f"{amount:.1f} GB"
