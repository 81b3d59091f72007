"""What stands on disk of a result, a kept text or a call: found by id, ready to be opened in full.

Which file that is follows from the ledger alone.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from workbench.artefacts import Artefact
from workbench.asking import people
from workbench.errors import Refused
from workbench.files.beneath import open_beneath
from workbench.files.longtext import LongText
from workbench.runs import past
from workbench.runs.infull import (
    FigureInFull,
    InFull,
    ReadInChild,
    TableInFull,
    TextInFull,
    type_of,
)
from workbench.runs.located import Located, locate
from workbench.runs.seen import Gap, Seen
from workbench.runs.story import Story
from workbench.session import Session

TABLES = frozenset({"text/csv", "application/vnd.apache.parquet", "text/tab-separated-values"})


def of_file(
    results: Path, found: Located, item: Artefact | None, figure: Artefact | None = None
) -> InFull:
    """Return the whole of a result, a kept text or a request; `figure` draws a figure."""
    folder = results / found.run
    facts: dict[str, Any] = {"label": found.id, "media_type": found.media_type}
    if item is not None:
        facts = {"id": item.id, "label": item.shown, "media_type": item.media_type}
        facts |= {"bytes": item.bytes, "rows": item.rows, "columns": item.columns}
        facts["made_by"] = item.made_by
    if found.media_type in TABLES:
        session = Session.open(found.path, results, "offline")
        return TableInFull(session, found.path.name, facts)
    parts = found.path.relative_to(folder).parts
    text = LongText(lambda: os.fdopen(open_beneath(folder, parts), "rb"), indent=_is_json(found))
    kind = TextInFull if figure is None else FigureInFull
    return kind(text, {"bytes": text.bytes, **facts}, None)


def _is_json(found: Located) -> bool:
    return found.media_type.endswith("json")


def of_data(results: Path, story: Story, seen: Seen, gap: Gap) -> InFull:
    """Return the whole of a data file that a call named; what it is follows from what was cut.

    Raises
    ------
    Refused
        If the data is not there any more.
    """
    data = past.data_of(story.folder, past.view(story.folder))
    session = Session.open(data, results, "offline")
    name, sheet = gap.full, seen.arguments.get("sheet")
    is_table = gap.unit in {"rows", "lines"}
    kind = type_of(name, "text/csv" if is_table else "text/plain")
    facts: dict[str, Any] = {"label": name, "media_type": kind}
    if is_table:
        facts["rows"] = gap.total if gap.unit == "rows" else None
        return TableInFull(session, name, facts, sheet and str(sheet))
    reader = people.Reader(session.setting)
    return TextInFull(ReadInChild(reader, name), facts, reader)


def of_calls(
    results: Path,
    story: Story,
    calls: Sequence[Seen],
    drawn: Callable[[Artefact | None], Artefact | None],
) -> tuple[Artefact | None, InFull | None]:
    """Return what some calls made or were cut from, and its artefact if it is one.

    Nothing, where what stands in the requests is the whole. `drawn` names what draws a figure.
    """
    # A call names a result of its run by its path.
    named = {f"results/…/{item.path}": key for key, item in story.artefacts.items()}
    for seen in calls:
        cut = [named.get(gap.full, gap.full.partition(" ")[0]) for gap in seen.gaps]
        for key in (*seen.made, *cut):
            with contextlib.suppress(Refused):
                found = locate(results, key, story.folder.name, check=False)
                item = story.artefacts.get(key)
                return item, of_file(results, found, item, drawn(item))
        for gap in seen.gaps:
            if gap.full in map(str, seen.arguments.values()):
                return None, of_data(results, story, seen, gap)
    return None, None
