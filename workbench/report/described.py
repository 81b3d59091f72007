"""What a report says of the data: files, hashes, what the reader noted, values at a limit."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.report.sources import Source
from workbench.report.words import line, mono, table
from workbench.runs.recorded import Recorded

_HASH = 12
_MOST_ROWS, _MOST_NOTES = 60, 12


def data(found: list[Source], recorded: Recorded) -> str:
    """Return what the data is: files, hashes, notes, and how censored values were taken."""
    rows = [
        (
            mono(item.name),
            mono(item.sha256[:_HASH]),
            line(_shape(item)),
            line(_form(item)),
        )
        for item in found[:_MOST_ROWS]
    ]
    parts = ["## Data"]
    if rows:
        parts.append(table(("file", "SHA-256", "tables", "read as"), rows))
    else:
        parts.append("No table was read.")
    if len(found) > len(rows):
        parts.append(f"And {len(found) - len(rows):,} more files; all are in the metadata.")
    parts += _notes(found)
    settings = recorded.view.get("overrides") or {}
    if settings:
        told = [
            f"- {mono(f'{name}:{path}')}: {line(item)}"
            for name, of in settings.items()
            for path, item in (of.items() if isinstance(of, dict) else ())
        ]
        parts.append("\n".join(["**Told to the reader by hand**", "", *told]))
    parts.append(_censored(found))
    return "\n\n".join(parts)


def _shape(item: Source) -> str:
    if not item.tables:
        return "description removed"
    return "; ".join(
        f"{one['sheet'] + ': ' if one.get('sheet') else ''}{one.get('rows', 0):,} rows × "
        f"{len(one.get('columns') or ()):,} columns"
        for one in item.tables[:4]
    ) + ("; …" if len(item.tables) > 4 else "")  # noqa: PLR2004 - what fits a line


def _form(item: Source) -> str:
    source = item.source
    words = [source.get("format"), source.get("encoding")]
    words.append(f"delimiter {source['delimiter']}" if source.get("delimiter") else None)
    left = source.get("skipped_lines")
    words.append(f"{left:,} lines above the table" if left else None)
    return ", ".join(str(word) for word in words if word)


def _notes(found: list[Source]) -> Iterator[str]:
    noted = [item for item in found if item.notes]
    if not noted:
        return
    lines = ["**What the reader noted**", ""]
    for item in noted[:_MOST_ROWS]:
        lines.append(f"- {mono(item.name)}")
        lines += [f"  - {line(note)}" for note in item.notes[:_MOST_NOTES]]
        more = len(item.notes) - _MOST_NOTES
        lines += [f"  - and {more} more"] if more > 0 else []
    yield "\n".join(lines)


def _censored(found: list[Source]) -> str:
    columns = [
        f"- {mono(item.name)}: {line(_listed(item.censored))}" for item in found if item.censored
    ]
    head = (
        "**Values at a limit.** A value below a detection limit counts as half the limit, one "
        "above a range as the limit, unless a call says otherwise; each tool says what it did."
    )
    return "\n".join([head, *(["", *columns[:_MOST_ROWS]] if columns else [])])


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NOTES
    return ", ".join(names[:_MOST_NOTES]) + (f" and {more} more" if more > 0 else "")
