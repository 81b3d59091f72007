"""What the gate gives out, and what it asks of a tool."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.artefacts import Artefact


@dataclass(frozen=True)
class Admitted:
    """Text that may enter a context.

    Attributes
    ----------
    text : str
        Exactly what the model sees.
    cut : tuple of str
        Keys of the rows that cut it.
    full : str
        Where the whole is, or empty where nothing was left out.
    artefacts : tuple of Artefact
        Files registered with it.
    """

    text: str
    cut: tuple[str, ...] = ()
    full: str = ""
    artefacts: tuple[Artefact, ...] = ()


@dataclass(frozen=True)
class Bounds:
    """Which rows of the table bound a tool's answer.

    Attributes
    ----------
    answer : str
        Row for its text: ``answer_chars``, ``read_share`` or ``range_chars``.
    rows : str
        Row for its records: ``preview_rows`` or ``list_entries``.
    """

    answer: str = "answer_chars"
    rows: str = "preview_rows"
