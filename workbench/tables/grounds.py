"""Guesses that were made while a table was read, each with its ground and how to overrule it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from workbench.tables.cells import BLANK, CellClass
from workbench.tables.table import Column
from workbench.tables.typed import Typed

_NAMED = 12


def listed(names: Iterable[str], what: str) -> list[str]:
    """Return one sentence about some columns, or nothing."""
    every = list(names)
    if not every:
        return []
    more = f" and {len(every) - _NAMED} more" if len(every) > _NAMED else ""
    return [f"{', '.join(every[:_NAMED])}{more}: {what}"]


def ground_remarks(columns: Sequence[Column], typed: Sequence[Typed]) -> list[str]:
    """Return the remarks on what was guessed about columns from what stands around them."""
    pairs = list(zip(columns, typed, strict=True))
    return [
        *_units(pairs),
        *_limits(pairs),
        *_beside(pairs),
        *_zeros(pairs),
        *listed(
            (c.name for c, _ in pairs if c.role == "group" and c.kind == "number"),
            "whole numbers of a few values, read as codes of groups "
            "(set COLUMN.role=number to use them as a measure)",
        ),
    ]


def _units(pairs: Sequence[tuple[Column, Typed]]) -> list[str]:
    lines: dict[tuple[str, str], list[str]] = {}
    for column, how in pairs:
        if how.decision.named.told:
            key = (column.unit or "", how.decision.named.told)
            lines.setdefault(key, []).append(column.name)
    return [
        sentence
        for (unit, line), names in lines.items()
        for sentence in listed(
            names, f"unit {unit}, from the line above the header '{line[:80]}' (set COLUMN.unit)"
        )
    ]


def _limits(pairs: Sequence[tuple[Column, Typed]]) -> list[str]:
    return listed(
        (
            f"{column.name} ({how.decision.grammar.bare_limit:g})"
            for column, how in pairs
            if how.decision.grammar.bare_limit is not None and _has_bare(column, how)
        ),
        "values reported as below detection without a number have the limit of the header's row or "
        "of a setting (set COLUMN.limit)",
    )


def _has_bare(column: Column, how: Typed) -> bool:
    """Tell whether some values were reported as below detection without a number.

    The first look at the cells took their words for codes of gaps; what is no gap now was one.
    """
    words = how.decision.profile.count(CellClass.BARE, CellClass.CODED)
    gaps = sum(
        times
        for reason, times in column.missing.items()
        if reason != BLANK and not reason.startswith("sentinel ")
    )
    return bool(column.below) and (words > gaps or how.decision.grammar.zeros_below)


def _beside(pairs: Sequence[tuple[Column, Typed]]) -> list[str]:
    """Say which columns were joined to others."""
    by_place = {how.decision.place: column.name for column, how in pairs}
    signs, limits = [], []
    for column, how in pairs:
        beside = how.decision.beside
        if beside.sign_at is not None:
            signs.append(f"{column.name} by {by_place.get(beside.sign_at, '?')}")
        if beside.limit_at is not None:
            limits.append(f"{column.name} by {by_place.get(beside.limit_at, '?')}")
    return [
        *listed(signs, "below or above a limit as the column beside it says, at the number given"),
        *listed(limits, "limits of values below detection from the column beside it"),
    ]


def _zeros(pairs: Sequence[tuple[Column, Typed]]) -> list[str]:
    """Say where zeros are no contents, and where they were kept."""
    read = [
        f"{c.name} ({c.bare})" for c, how in pairs if how.decision.grammar.zeros_below and c.bare
    ]
    kept = [c.name for c, how in pairs if c.role == "element" and c.kind == "number" and c.min == 0]
    return [
        *listed(
            read,
            "zeros are read as below an unstated detection limit, since a content of exactly 0 is "
            "never measured (set COLUMN.zeros=keep to keep the number)",
        ),
        *listed(
            kept,
            "zeros are kept as numbers, since unit and limits do not show that they mean below "
            "detection; no logarithm is taken of them (set COLUMN.zeros=below)",
        ),
    ]
