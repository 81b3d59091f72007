"""``%agent open`` in a cell: a live view where a kernel can answer it, and forms that stay without.

What is saved with the notebook is a page of a small result, or what was seen of a call; of a large
one only its size, since nobody should wait for a page that nobody has asked for.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.errors import Refused
from workbench.notebook import seen_card, static, viewer
from workbench.notebook.nodes import node, texts
from workbench.notebook.opening import Opening
from workbench.notebook.viewer import Page

_PAGE_ROWS, _PAGE_BYTES = 100_000, 5_000_000


def is_live() -> bool:
    """Tell whether a kernel is there to answer a view; a plain shell has none."""
    from IPython.core.getipython import get_ipython

    return getattr(get_ipython(), "kernel", None) is not None


@dataclass(frozen=True)
class Opened:
    """Something that opens where it is displayed: the last line of a cell, or `display`."""

    results: Path
    key: str
    run: str
    face: str = "full"

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return shown(self.results, self.key, self.run, self.face)


def of_artefact(folder: Path, key: str, seen: bool) -> Opened:  # noqa: FBT001 - as it is entered
    """Return what opens a result of a run."""
    return Opened(folder.parent, key, folder.name, "seen" if seen else "full")


def shown(results: Path, key: str, run: str | None, face: str = "full") -> dict[str, Any]:
    """Return what a cell shows of something that is opened.

    Parameters
    ----------
    results : Path
        The results folder.
    key : str
        Id of a result, a call, an agent at work, a kept text or a request.
    run : str or None
        Which run; the newest that has it if None.
    face : {"full", "seen"}
        What is shown first.

    Raises
    ------
    Refused
        If no run has it.
    """
    opening = Opening(results, key, run)
    if not is_live() or opening.facts["kind"] == "figure":
        with contextlib.closing(opening):
            return _still(results, opening, face)
    from workbench.notebook.open_view import OpenView

    facts = opening.facts
    small = (facts["rows"] or 0) <= _PAGE_ROWS and facts["bytes"] <= _PAGE_BYTES
    twins = _still(results, opening, face) if small else _size(opening)
    view = OpenView(opening, {}, face)
    data, _ = view._repr_mimebundle_()
    return {**data, **twins}


def _size(opening: Opening) -> dict[str, Any]:
    facts = opening.facts
    words = (
        f"{opening.label}: {facts['rows'] or 0:,} rows, {facts['size']}; it opens with "
        f"%agent open {opening.id} --run {opening.run}"
    )
    return {"text/plain": words, "text/html": static.page(node("p", "wb-quiet", words))}


def _still(results: Path, opening: Opening, face: str) -> dict[str, Any]:
    """Return the form that needs no kernel."""
    seen = opening.seen_first()
    if face == "seen" or opening.facts["kind"] == "seen":
        if seen is None:
            raise Refused(f"open {opening.id}: no model saw anything of it; leave out --seen")
        drawn = seen_card.static(seen, opening.beginning(seen), opening.item)
        return {"text/html": static.page(drawn), "text/plain": "\n".join(texts(drawn))}
    if opening.facts["kind"] == "transcript":
        told = [
            f"── {one['kind']} {one['title']} ({one['source']})\n{one['text']}"
            for one in opening.answer({"ask": "transcript"})["entries"]
        ]
        words = "\n".join(told)
        page = node("section", "wb", node("pre", "wb-answer wb-source", words))
        return {"text/html": static.page(page), "text/plain": words}
    if opening.figure is not None:
        shown = viewer.opened(results, opening.figure.id, opening.run, Page())
        source = f"as text: %agent open {opening.id} --run {opening.run} --limit 5000"
        return {**shown, "text/plain": f"{shown['text/plain']} · {source}"}
    return viewer.opened(results, opening.id, opening.run, Page())
