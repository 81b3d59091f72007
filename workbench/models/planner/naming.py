"""How rows of a table are called in a sentence: by sample, or by hole and interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from workbench.models.planner.answer import Rows
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.sourced import source_of, traced
from workbench.models.planner.wording import amount

GROUPS_SHOWN = 8


def named_rows(rows: Rows, item: Field, card: Card) -> list[str]:
    """Return ``NAME (VALUE UNIT)`` of each row of a preview."""
    names = naming(card)
    cells = [dict(zip(rows.columns, row, strict=False)) for row in rows.rows]
    return [
        f"{_name([cell.get(name, '') for name in names])} ({value(cell[item.name], item.unit)})"
        for cell in cells
        if item.name in cell
    ]


def _name(parts: list[str]) -> str:
    """Return how a row is called: its sample, or hole and interval."""
    if len(parts) == 3:  # noqa: PLR2004 - hole, from, to
        return f"{parts[0]} {parts[1]}–{parts[2]}"
    return " ".join(parts) or "row"


def naming(card: Card) -> list[str]:
    """Return the columns that name a row: its sample, or its hole and interval."""
    samples_by = [field.name for field in card.fields if field.role == "id"][:1]
    return samples_by or [f.name for f in card.fields if f.role in {"hole", "from", "to"}][:3]


def value(cell: str, unit: str) -> str:
    """Return a cell with its unit."""
    return amount(as_number(cell), unit)


def as_number(cell: str) -> float | str:
    """Return a cell as a number with its source; as it is where it is none."""
    try:
        number = float(cell)
    except ValueError:
        return cell
    source = source_of(cell)
    return number if source is None else cast("float", traced(number, source))


def quoted(name: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def more(lines: Sequence[object]) -> str:
    """Say how many more groups there are than are shown."""
    left = len(lines) - GROUPS_SHOWN
    return f"; {left} more groups in the file" if left > 0 else ""
