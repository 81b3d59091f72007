"""Names of rows that stand more than once, table by table: equal rows, or other values."""

from __future__ import annotations

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import Card
from workbench.models.planner.checking import check
from workbench.models.planner.naming import quoted
from workbench.models.planner.sourced import cited
from workbench.models.planner.wording import listed, number, paths, samples
from workbench.models.planner.work import CannotAnswer, Finding, Work

_TABLES, _NAMED = 8, 20


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
    found = list(zip(cards, answers, strict=False))
    named = _names(work, found)
    lines = [_of_table(card, told, named.get(card.title, "")) for card, told in found]
    if len(cards) > _TABLES:
        lines.append(f"{len(cards) - _TABLES} more tables were not looked at; name one.")
    return Finding(tuple(lines))


def _names_rows(card: Card) -> bool:
    roles = {item.role for item in card.fields}
    return "id" in roles or {"hole", "from", "to"} <= roles


def _names(work: Work, found: list[tuple[Card, ToolAnswer]]) -> dict[str, str]:
    """Return title → the names that stand most often, each with how often."""
    some = [(card, told) for card, told in found if told.number("repeated_keys")]
    calls = [{"query": _query(card, told), "paths": [card.path]} for card, told in some]
    answers = work.each("sql", calls, on_table=False)
    named = {}
    for (card, told), answer in zip(some, answers, strict=True):
        rows = answer.previews[0].rows if answer.previews else ()
        shown = [f"{' '.join(row[:-1])} ({cited(row[-1])} times)" for row in rows]
        left = int(told.number("repeated_keys") or 0) - len(shown)
        more = f" and {left:,} more" if left > 0 else ""
        lead = "It is" if len(shown) == 1 and left <= 0 else "They are"
        named[card.title] = f" {lead} {', '.join(shown)}{more}." if shown else ""
    return named


def _query(card: Card, told: ToolAnswer) -> str:
    # Compared as the tool compares them: without regard to case and outer blanks.
    keys = [f"upper(trim(CAST({quoted(str(key))} AS VARCHAR)))" for key in told.items("keys")]
    return (
        f"SELECT {', '.join(keys)}, count(*) AS n FROM {quoted(card.view)} "  # noqa: S608 - quoted
        f"WHERE {' AND '.join(f'{key} IS NOT NULL' for key in keys)} "
        f"GROUP BY {', '.join(keys)} HAVING count(*) > 1 ORDER BY n DESC, {', '.join(keys)} "
        f"LIMIT {_NAMED}"
    )


def _of_table(card: Card, told: ToolAnswer, named: str) -> str:
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
        f"with equal rows only, {number(other)} with other values.{named}"
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
