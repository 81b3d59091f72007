"""What is wrong with a table or wants a look: ranked, bounded, each with the call that helps.

Nothing is changed. What the reader already decided (sentinels, minus signs as limits) is told by
its notes; here stands what a person has to decide about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench import marker
from workbench.accounting import facts, results
from workbench.accounting.holes import related
from workbench.reply import Reply
from workbench.tools import issues_found as found_in
from workbench.tools import issues_layout as layout
from workbench.tools.context import Context
from workbench.tools.issues_found import Issue
from workbench.tools.registry import tool
from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.tables.table import Table

_SHOWN = 12
_CALL = 300


@tool(effect="read")
def detect_issues(context: Context, path: str, sheet: str | None = None) -> Reply:
    """Find what is wrong with a table or wants a look, worst first, each with the call that helps.

    Repeats, unread cells, impossible values, slips of the decimal point, oxide sums, intervals,
    coordinates, spellings of one word, limits, gaps. All to disk, the first 12 back.

    Parameters
    ----------
    path : str
        File or result path.
    sheet : str
        Sheet of a workbook.
    """
    table = context.table(path, sheet)
    found = sorted(_all(context, path, table), key=lambda one: (one.rank, -one.rows, one.what))
    values: dict[str, Any] = {
        "rows_in": table.rows,
        "columns": len(table.columns),
        "issues": len(found),
        "levels": {name: sum(one.level == name for one in found) for name in found_in.LEVELS},
    }
    for place, one in enumerate(found[:_SHOWN], start=1):
        values[f"issue {place}"] = one.fact()
    values |= facts.quality(table)
    if not found:
        return Reply(values, notes=table.notes[:4])
    header = ("level", "what", "rows", "columns", "next")
    stem = context.named(path, "issues")
    made = results.small_table(context, stem, header, [one.row() for one in found])
    values["output"] = facts.output(made.path)
    more = len(found) - _SHOWN
    notes = (f"{more} more are in the file",) if more > 0 else ()
    return Reply(values, made=(made,), notes=notes)


def _all(context: Context, path: str, table: Table) -> Iterator[Issue]:
    call = _Next(path, table.sheet)
    yield from found_in.repeats(context, table, call("find_duplicates"))
    yield from found_in.unread(table, call)
    yield from found_in.impossible(context, table, call)
    yield from found_in.slips(context, table, call)
    yield from found_in.oxide_sums(context, table, call)
    yield from layout.coordinates(context, table, call)
    yield from layout.intervals(context, table, call)
    yield from layout.spellings(context, table, call)
    yield from layout.limits(table, call)
    yield from layout.gaps(table, call)
    _, notes = related(context, path, table)
    for note in notes:
        yield Issue("error", note, 0, (), call("check_missing"))


@dataclass(frozen=True)
class _Next:
    """Writes the call that helps with an issue."""

    path: str
    sheet: str | None

    def __call__(self, tool: str, **options: object) -> str:
        given = {"path": self.path, "sheet": self.sheet, **options}
        said = ", ".join(f"{key}={_said(value)}" for key, value in given.items() if value)
        return f"{tool}({said})"


def _said(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_said, value[:3]))}{', …' if len(value) > 3 else ''}]"  # noqa: PLR2004 - a line
    return f'"{marker.short(visible(str(value)), _CALL)}"'
