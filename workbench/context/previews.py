"""The rows that one loop has shown, and the previews of its replies.

The rows of a dispatch and the characters of a reply are shared among its previews; rows that a
child hides in words or in a listing count like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.artefacts import Artefacts
from workbench.context import packing, render, said
from workbench.context.render import Hit, Rendered
from workbench.context.said import Tally
from workbench.context.steps import Steps
from workbench.limits import Limits
from workbench.marker import Marker
from workbench.reply import Preview
from workbench.workspace import shown

# Even where nothing of a preview fits any more, its title and marker are shown.
_MARKER_CHARS = 400


class Previews:
    """Counts the rows that a loop has shown.

    Parameters
    ----------
    limits : Limits
        ``preview_rows`` for a list, ``preview_rows_total`` for the loop, and the sizes.
    steps : Steps
        What a marker names next.
    artefacts : Artefacts
        Knows whether a listed file is there.
    """

    def __init__(self, limits: Limits, steps: Steps, artefacts: Artefacts) -> None:
        self._limits, self._steps, self._artefacts = limits, steps, artefacts
        self._shown = 0

    @property
    def left(self) -> int:
        """Rows that this loop may still show."""
        return max(self._limits["preview_rows_total"].number - self._shown, 0)

    def tally(self) -> Tally:
        """Return a count of rows in words: as many as one list may show."""
        return Tally(min(self._limits["preview_rows"].number, self.left))

    def count(self, tally: Tally) -> Hit | None:
        """Add what a tally showed; return the row that cut it, if one did."""
        spent = self._shown + tally.shown >= self._limits["preview_rows_total"].number
        self._shown += tally.shown
        if not tally.left:
            return None
        total = tally.shown + tally.left
        return Hit("preview_rows_total" if spent else "preview_rows", tally.left, total, "rows")

    def mark(self, hit: Hit, kept: str) -> str:
        """Return the marker of rows that were left out of words."""
        return str(Marker(hit.left, hit.total, "rows", kept, self._steps.table("…")))

    def rendered(
        self, rows: str, items: Sequence[Preview], paths: Mapping[str, str], most: int
    ) -> list[Rendered]:
        """Render the previews of one reply.

        Parameters
        ----------
        rows : str
            Row of the table that bounds the tool's records.
        items : sequence of Preview
            As the child sent them.
        paths : mapping of str to str
            Result file → how it is shown.
        most : int
            Characters of a listing.
        """
        # Only names and sizes are a listing: rows that call themselves one are rows.
        listing = rows != "preview_rows" and all(map(_is_listing, items))
        key = rows if listing else "preview_rows"
        room = most if listing else self._limits["preview_chars"].number
        parts = []
        for place, item in enumerate(items):
            if room <= 0:
                parts.append(self._left_out(len(items) - place, len(items), item.full))
                break
            part = self._listing(item, room) if listing else self._rows(item, key, paths, room)
            room -= len(part.text)
            parts.append(part)
        return parts

    def _listing(self, item: Preview, room: int) -> Rendered:
        """Render a listing: of what a child names, only files that are there."""
        most = self._limits["list_entries"].number
        there = tuple(row for row in item.rows[: 2 * most] if self._artefacts.is_there(str(row[0])))
        named = replace(item, rows=there, total=max(item.total, len(item.rows)), title="files")
        limits = self._limits.changed({"preview_chars": max(room, _MARKER_CHARS)})
        return render.preview(named, limits, "list_entries", most, self._steps.listing())

    def _rows(self, item: Preview, key: str, paths: Mapping[str, str], room: int) -> Rendered:
        tally = self.tally()
        title = said.text(item.title, tally)
        full = said.text(item.full, tally)
        columns = said.header(item.columns, tally)
        hidden = self.count(tally)
        name = shown(full or title)
        named = replace(item, title=title, columns=columns, full=paths.get(full, full))
        limits = self._limits.changed({"preview_chars": max(room, _MARKER_CHARS)})
        part, spent = self._within(named, limits, key, self._steps.table(name))
        self._shown += spent
        if hidden is None:
            return part
        return Rendered(f"{part.text}\n{self.mark(hidden, 'not kept')}", (*part.hits, hidden))

    def _within(self, item: Preview, limits: Limits, key: str, step: str) -> tuple[Rendered, int]:
        """Render as many rows as may be shown, and say how many: a packed row counts as many."""
        allowed = min(self._limits[key].number, self.left)
        packed = packing.within(item.rows, allowed)
        if packed is None:
            return render.preview(item, limits, key, self.left, step), min(len(item.rows), allowed)
        total = max(item.total, len(item.rows))
        rows = replace(item, rows=packed.rows, total=total)
        part = render.preview(rows, limits, key, self.left, step)
        left = packed.total - packed.shown
        row = "preview_rows_total" if allowed < self._limits[key].number else key
        hits = (Hit(row, left, packed.total, "values"),) if left else ()
        return Rendered(part.text, (*part.hits, *hits)), packed.shown

    def _left_out(self, number: int, total: int, full: str) -> Rendered:
        """Say that previews were left out, since there was no room for them."""
        name = shown(full) if full else "not kept"
        mark = Marker(number, total, "previews", name, self._steps.table(name))
        return Rendered(str(mark), (Hit("preview_chars", number, total, "previews"),))


def _is_listing(item: Preview) -> bool:
    """Tell whether a preview is file names with their sizes and nothing else."""
    sizes = (len(row) == 2 and isinstance(row[1], int) for row in item.rows)  # noqa: PLR2004 - name, bytes
    return item.columns == ("name", "bytes") and all(sizes)
