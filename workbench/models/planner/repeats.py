"""Names of rows that stand more than once, table by table: equal rows, or other values."""

from __future__ import annotations

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import Card
from workbench.models.planner.checking import check
from workbench.models.planner.wording import listed, number, paths, samples
from workbench.models.planner.work import CannotAnswer, Finding, Work

_TABLES = 8


def repeats(work: Work) -> Finding:
    """Answer which sample numbers, or holes with their depths, stand more than once."""
    if not work.asking.has("find_duplicates"):
        # Whoever has not the tool tells what the reader of the files remarked.
        return check(work)
    cards = [card for card in work.pool if _names_rows(card)]
    if not cards:
        raise CannotAnswer(
            f"repeated sample numbers: no sample number, nor hole with from and to, in "
            f"{listed([card.title for card in work.pool], 4)}"
        )
    answers = work.each(
        "find_duplicates", [card.arguments for card in cards[:_TABLES]], on_table=False
    )
    lines = [_of_table(card, told) for card, told in zip(cards, answers, strict=False)]
    if len(cards) > _TABLES:
        lines.append(f"{len(cards) - _TABLES} more tables were not looked at; name one.")
    return Finding(tuple(lines))


def _names_rows(card: Card) -> bool:
    roles = {item.role for item in card.fields}
    return "id" in roles or {"hole", "from", "to"} <= roles


def _of_table(card: Card, told: ToolAnswer) -> str:
    keys = [str(key) for key in told.items("keys")]
    rows = samples(told.number("rows_in"), "row")
    repeated = told.number("repeated_keys") or 0
    without = told.number("rows_without_key") or 0
    bare = f" {samples(without, 'row')} without it were not compared." if without else ""
    if not repeated:
        return f"{card.title}: no {_key(keys)} stands more than once ({rows}).{bare}"
    other = told.number("same_key_other_values") or 0
    verb = "stands" if repeated == 1 else "stand"
    lead = (
        f"{card.title}: {number(repeated)} {_key(keys)} {verb} more than once, in "
        f"{number(told.number('rows_with_repeated_key'))} of {rows}: {number(repeated - other)} "
        f"with equal rows only, {number(other)} with other values."
    )
    files = paths(
        [
            ("Repeated rows:", told.text("output")),
            ("without exact repeats:", told.text("without_exact_repeats")),
        ]
    )
    return f"{lead}{bare} {files} Nothing is removed from the file.".replace("  ", " ")


def _key(keys: list[str]) -> str:
    return keys[0] if len(keys) == 1 else f"combination of {listed(keys)}"
