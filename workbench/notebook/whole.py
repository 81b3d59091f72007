"""What lies on disk, beside what a model saw of it: its size, and a stretch of it to show."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.artefacts import Artefact
from workbench.notebook.marked import Marked


@dataclass(frozen=True)
class Whole:
    """What lies on disk, and a stretch of it to show.

    Attributes
    ----------
    label : str
        Its id and path, or its id.
    media_type : str
        What it is.
    bytes : int
        Size.
    rows, columns : int or None
        Where it is a table.
    chars : int or None
        Characters, where they were counted.
    names : tuple of str
        Columns of the rows shown.
    cells : tuple of tuple of str
        The first rows, as text.
    text : str
        The stretch shown, where it is no table.
    ending : str
        How a text ends.
    offset : int
        Characters before the stretch.
    marks : Marked or None
        Which rows of it were seen, where it is a table that was read.
    """

    label: str
    media_type: str
    bytes: int
    rows: int | None = None
    columns: int | None = None
    chars: int | None = None
    names: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()
    text: str = ""
    ending: str = ""
    offset: int = 0
    marks: Marked | None = None

    @classmethod
    def of(cls, item: Artefact, chars: int | None = None) -> Whole:
        """Return an artefact with nothing of it shown yet; see `dataclasses.replace`."""
        return cls(item.shown, item.media_type, item.bytes, item.rows, item.columns, chars=chars)
