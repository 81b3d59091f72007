"""Something opened in full: answers what a browser asks of it, one message at a time.

What it may show follows from an id of the ledger. Rows come from a confined child; the calling
thread waits for them, so it is never the kernel's own.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.artefacts import Artefact
from workbench.errors import Refused, WorkbenchError
from workbench.notebook import asks, card_tables, figures, numerals, seen_card, seen_map, told
from workbench.notebook.marked import Marked, marked
from workbench.notebook.nodes import to_json
from workbench.notebook.whole import Whole
from workbench.runs import openable
from workbench.runs.infull import InFull, TableInFull, TextInFull, View
from workbench.runs.located import Located, locate
from workbench.runs.seen import Seen, rows_of_lines
from workbench.runs.story import Story
from workbench.runs.story import locate as find_story
from workbench.visible import visible

Said = Callable[[str, float], None]
# What a form without a kernel shows of the right side.
_ROWS, _COLUMNS, _STRETCH_CHARS = 40, 40, 5_000
# Enough of a text's beginning and end to know them again.
_ENDS_CHARS = 1_000
_COUNTED_BYTES = 50_000_000


class Opening:
    """One thing that is open.

    Parameters
    ----------
    results : Path
        The results folder.
    key : str
        Id or file name of a result, of a call (``d01c3``), of an agent at work (``d01``), of a
        kept text or a request.
    run : str, optional
        Which run; the newest that has it if left out.

    Raises
    ------
    Refused
        If no run has it.
    """

    def __init__(self, results: Path, key: str, run: str | None = None) -> None:
        self._results = results
        self._found: Located | None = None
        with contextlib.suppress(Refused):
            self._found = locate(results, key, run, check=False)
        self._story = (
            Story(results / self._found.run) if self._found else find_story(results, key, run)
        )
        self.id = self._found.id if self._found else key
        self.run = self._story.folder.name
        self._item = self._story.artefacts.get(self.id)
        self._sightings = self._story.sightings(self.id)
        self.full = self._whole()
        self._is_read = False
        self._marked: dict[str, Marked] = {}

    @property
    def label(self) -> str:
        """What it is, in words that may be shown."""
        call = self._story.calls.get(self.id)
        if call is None:
            return visible(self._item.shown if self._item else self.id)
        whole = f" of {self.full.facts()['label']}" if self.full else ""
        return visible(f"{self.id} {call.tool}{whole}")

    @property
    def item(self) -> Artefact | None:
        """The artefact on the right side, where it is one."""
        return self._item

    @functools.cached_property
    def facts(self) -> dict[str, Any]:
        """What it is, how large, and which calls a model saw of it."""
        facts = self.full.facts() if self.full else {}
        kind = self.full.kind if self.full else ("seen" if self._sightings else "transcript")
        made, size = facts.get("made_by") or {}, int(facts.get("bytes") or 0)
        calls = [{"call": s.call, "tool": s.tool, "agent": s.agent} for s in self._sightings]
        said: dict[str, Any] = {"kind": kind, "label": self.label, "run": self.run, "seen": calls}
        said |= {"type": card_tables.kind(str(facts.get("media_type", ""))), "bytes": size}
        said["rows"] = facts.get("rows")
        said["face"] = "seen" if self.id in self._story.calls else "full"
        size_said = numerals.size(size) if size else ""
        return {**said, "size": size_said, "tool": str(made.get("tool", ""))}

    @property
    def figure(self) -> Artefact | None:
        """The JSON that draws it, where it is a figure: its own, or that of its page."""
        return self._drawn(self._item)

    def _drawn(self, item: Artefact | None) -> Artefact | None:
        return figures.drawn_from(item, self._story.artefacts.values())

    def seen_first(self) -> Seen | None:
        """Return the call that made it, or what stands for it; None if no call did."""
        return self._sightings[0] if self._sightings else None

    def _whole(self) -> InFull | None:
        """Return what stands on disk; None for what stands in requests alone."""
        if self._found is not None:
            return openable.of_file(self._results, self._found, self._item, self.figure)
        calls = (self._results, self._story, self._sightings)
        self._item, full = openable.of_calls(*calls, self._drawn)
        return full

    def answer(self, message: object, said: Said = lambda _text, _share: None) -> dict[str, Any]:
        """Return the answer to one message; a refusal is an answer too.

        Parameters
        ----------
        message : object
            Whatever came from a browser.
        said : callable, optional
            Gets a text and a share from 0 to 1 while it takes long.
        """
        try:
            ask, fields = asks.checked(message)
            reply: dict[str, Any] = getattr(self, f"_on_{ask}")(fields, said)
        except WorkbenchError as error:
            return {"error": visible(str(error))}
        except OSError as error:
            return {"error": f"open {self.id}: {error.strerror or 'it cannot be read'}"}
        return reply

    def close(self) -> None:
        """End the child that reads for it."""
        if self.full is not None:
            self.full.close()

    def _on_open(self, _fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        return self.facts

    def _on_sound(self, _fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        item = self._item
        return {"sound": item is None or locate(self._results, item.id, self.run).sound}

    def _on_head(self, _fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        return self._table().head()

    def _on_columns(self, _fields: Mapping[str, Any], said: Said) -> dict[str, Any]:
        table = self._table()
        try:
            found = table.open(said)
        except Refused:
            # What is no table after all can still be read, as a text.
            self.full = table.as_text() or table
            self.__dict__.pop("facts", None)
            raise
        self._is_read = True
        return found

    def _on_rows(self, fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        span = {name: fields[name] for name in ("offset", "limit", "first", "width")}
        page = self._table().page(asks.view(fields), span)
        seen = next((one for one in self._sightings if one.call == fields["call"]), None)
        if seen is not None:
            marks = self.marks_of(seen)
            page["seen"] = [marks.state(int(number)) for number in page["numbers"]]
            page["shown"] = list(marks.columns)
        return page

    def marks_of(self, seen: Seen) -> Marked:
        """Return which rows of the table on the right a call showed."""
        if seen.call not in self._marked:
            rows = seen.rows_of(self._item) if self._item else seen.rows
            rows = rows or rows_of_lines(seen, self._table().names)
            self._marked[seen.call] = marked(self._table(), rows)
        return self._marked[seen.call]

    def _on_column(self, fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        return self._table().column(fields["column"], asks.view(fields))

    def _on_sql(self, fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        return {"sql": self._table().sql(asks.view(fields))}

    def _on_export(self, fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        done = self._table().export(asks.view(fields))
        if not done.ok or not done.artefacts:
            raise Refused(f"export: {done.text}")
        item = done.artefacts[0]
        return {"id": item.id, "run": done.run, "path": item.path, "rows": item.rows}

    def _on_text(self, fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        text = self._text().text
        body = text.range(fields["offset"], fields["limit"])
        # Offsets count the text's own characters: signs are written out where it is drawn.
        return {"text": body, "offset": fields["offset"], "chars": text.chars}

    def _on_search(self, fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        if not fields["pattern"]:
            raise Refused("search: write what to find")
        total, hits = self._text().text.search(fields["pattern"])
        return {"total": total, "hits": [{"offset": at, "around": words} for at, words in hits]}

    def _on_figure(self, fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        if self.figure is None:
            raise Refused(f"open {self.id}: it is no figure")
        drawn = figures.load(self._story.folder, self.figure.path)
        return figures.dark(drawn) if fields["dark"] else drawn

    def _on_transcript(self, _fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        return {"entries": told.entries(self._story, self.id)}

    def _on_seen(self, fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        wanted = fields["call"] or (self._sightings[0].call if self._sightings else "")
        seen = next((one for one in self._sightings if one.call == wanted), None)
        if seen is None:
            raise Refused(f"open {self.id}: no call of that id stands beside it")
        whole = self._told(seen)
        gap = seen_map.gap_of(seen, whole, self._item)
        stretches = seen_map.mapped(seen, whole, gap)
        return {
            "call": seen.call,
            "scale": to_json(seen_card.scale(seen, whole, gap, stretches)),
            "left": to_json(seen_card.left(seen, gap, whole)),
            "facts": " · ".join(seen_card.size(whole)[1:]),
            "stretches": [[one.begin, one.end, one.state] for one in stretches],
            "begins": seen_map.start(seen, whole, gap),
            "shows_rows": bool(seen.rows),
        }

    def _told(self, seen: Seen) -> Whole:
        """Return the right side as far as it was read by now; a text with its beginning."""
        if isinstance(self.full, TableInFull):
            # Before the table was read nobody knows which of its columns and rows those are.
            if not self._is_read:
                return self.size_of(seen, counted=False)
            return replace(self.size_of(seen), marks=self.marks_of(seen))
        whole = self.size_of(seen)
        if isinstance(self.full, TextInFull):
            text, end = self.full.text, max((whole.chars or 0) - _ENDS_CHARS, 0)
            ends = (text.range(0, _ENDS_CHARS), text.range(end, _ENDS_CHARS))
            whole = replace(whole, text=ends[0], ending=ends[1])
        return whole

    def size_of(self, seen: Seen, *, counted: bool = True) -> Whole:
        """Return what the right side is; characters are counted where that is quick."""
        facts = self.full.facts() if self.full else {}
        size, chars = int(facts.get("bytes") or 0), None
        if counted and self.full is not None and size < _COUNTED_BYTES:
            with contextlib.suppress(WorkbenchError):
                chars, size = self.full.size
        return Whole(
            str(facts.get("label", seen.call)),
            str(facts.get("media_type", "text/plain")),
            size or len(seen.text.encode("utf-8", "replace")),
            facts.get("rows"),
            facts.get("columns"),
            chars if self.full else len(seen.text),
        )

    def beginning(self, seen: Seen) -> Whole:
        """Return the right side with its beginning: its first rows, or a stretch of text."""
        # Data that has gone since leaves the seen side as it is.
        with contextlib.suppress(WorkbenchError):
            if isinstance(self.full, TableInFull):
                self._on_columns({}, lambda _text, _share: None)
        whole = self._told(seen)
        with contextlib.suppress(WorkbenchError):
            return self._begun(seen, whole)
        return whole

    def _begun(self, seen: Seen, whole: Whole) -> Whole:
        if isinstance(self.full, TextInFull):
            return replace(whole, text=self.full.text.range(0, _STRETCH_CHARS))
        if not isinstance(self.full, TableInFull):
            return replace(whole, text=seen.text[:_STRETCH_CHARS])
        span = {"offset": 0, "limit": _ROWS, "first": 0, "width": _COLUMNS}
        rows = self.full.page(View(), span)["rows"]
        cells = tuple(tuple(cell or "" for cell in row) for row in rows)
        return replace(whole, names=self.full.names[:_COLUMNS], cells=cells)

    def _on_close(self, _fields: Mapping[str, Any], _said: Said) -> dict[str, Any]:
        self.close()
        return {}

    def _table(self) -> TableInFull:
        if not isinstance(self.full, TableInFull):
            raise Refused(f"open {self.id}: it is no table")
        return self.full

    def _text(self) -> TextInFull:
        if not isinstance(self.full, TextInFull):  # a figure is the text of its source, too
            raise Refused(f"open {self.id}: it is no text")
        return self.full
