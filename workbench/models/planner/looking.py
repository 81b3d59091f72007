"""What is in the data: files, columns, limits, missing values, rows; and a query of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.cards import COORDINATES, Card, Field
from workbench.models.planner.range import kind_of
from workbench.models.planner.range_tables import FORM
from workbench.models.planner.said import columns
from workbench.models.planner.sourced import Words, cited
from workbench.models.planner.wording import (
    amount,
    censored,
    listed,
    number,
    paths,
    percent,
    samples,
    sentence,
)
from workbench.models.planner.work import CannotAnswer, Finding, Work

_TABLES = 8
_COLUMNS = 8
_WEAK_SHARE = 0.3
_CELLS = 12
_NOTES = 4
_NOTE_CHARS = 300


def inventory(work: Work) -> Finding:
    """Answer what tables there are, one line each."""
    if not work.cards:
        raise CannotAnswer("no table could be read in this folder")
    lines = [_line(card) for card in work.cards[:_TABLES]]
    if len(work.cards) > _TABLES:
        lines.append(
            f"{len(work.cards) - _TABLES} more tables were looked at; ask for one by name."
        )
    return Finding((f"{samples(len(work.cards), 'table')}.", *lines))


def describe(work: Work) -> Finding:
    """Answer what columns a table has; one table in detail, several in a line each."""
    pool = work.pool
    if re.search(r"\bsheets?\b", work.text, re.IGNORECASE):
        pool = [card for card in pool if card.sheet] or pool
    form = (_form(work.card),) if _FORM.search(work.text) else ()
    if form and kind_of(_FORM.sub(" ", work.text)) != "describe":
        return Finding((*form, *work.closing()))
    if len(pool) == 1:
        card = pool[0]
        notes = [f"Note: {_short(note)}" for note in card.notes[:_NOTES]]
        said = [_line(card), *_condition_of(card), *(sentence(note) for note in notes)]
        return Finding((*form, *said))
    told = [_line(card) for card in pool[:_TABLES]]
    more = len(pool) - _TABLES
    return Finding(
        (*form, *told, *([f"{more} more tables; ask for one by name."] if more > 0 else []))
    )


def _short(text: str) -> str:
    short = text if len(text) <= _NOTE_CHARS else f"{text[:_NOTE_CHARS]}…"
    return cited(text.part(short) if isinstance(text, Words) else short)


def _condition_of(card: Card) -> list[str]:
    """Say what is below detection and what is missing, where the table was described in full."""
    below = [text for _, text in sorted(_censored(card.fields, "below"), key=_falling)]
    absent = sorted((item for item in card.fields if item.missing), key=lambda f: -f.missing)
    lines = []
    if below:
        lines.append(f"Below detection: {listed(below, _COLUMNS)}.")
    if absent:
        names = [f"{item.name} {number(item.missing)}" for item in absent]
        lines.append(f"Missing: {listed(names, _COLUMNS)}.")
    return lines


def _falling(pair: tuple[float, str]) -> float:
    return -pair[0]


def _line(card: Card) -> str:
    """Return a table in one sentence."""
    units: dict[str, list[str]] = {}
    for item in card.measured:
        units.setdefault(item.unit, []).append(item.element or item.name)
    measured = "; ".join(
        f"{listed(sorted(names), 24)}{f' in {amount_unit(unit)}' if unit else ''}"
        for unit, names in units.items()
    )
    kind = "drillhole intervals" if card.has_intervals else "rows"
    parts = [f"{card.title}: {number(card.rows)} {kind}, {len(card.fields)} columns"]
    if card.has_place:
        parts.append(coordinates_of(card))
    if measured:
        groups = [item.name for item in card.fields if item.role in {"group", "hole"}]
        parts.append(f"measured {measured}")
        parts += [f"groups {listed(groups, 5)}"] if groups else []
    else:
        parts.append(f"columns {listed([item.name for item in card.fields], 10)}")
    return f"{'; '.join(parts)}."


def coordinates_of(card: Card) -> str:
    """Return which columns are coordinates, and of which grid where the file names it."""
    pair = next(pair for pair in COORDINATES if set(pair) <= {f.role for f in card.fields})
    names = [next(f.name for f in card.fields if f.role == role) for role in pair]
    grid = card.grid or "the file names no grid"
    return f"coordinates {listed(names)} ({grid})"


def _form(card: Card) -> str:
    """Say whether a row is a sample or one element of it."""
    if len(card.measured) > 1:
        elements = samples(len(card.measured), "measured column")
        return f"One row is one {card.noun}, with {elements} side by side."
    return "It is not told here whether a row is a sample: there are not two measured columns."


_FORM = re.compile(FORM, re.IGNORECASE)


def amount_unit(unit: str) -> str:
    """Return a unit as it is printed."""
    return amount("", unit)


def missing(work: Work) -> Finding:
    """Answer which values are missing, and why, of the tables named or of all."""
    pool = work.pool[:_TABLES]
    for card in pool:
        work.asking.want("check_missing", **card.arguments)
    results, errors = [], []
    for card in pool:
        told = work.asking.ask("check_missing", **card.arguments)
        if told.error:
            errors.append(f"{card.title}: {told.error}")
        else:
            results.append(_missing(card, told, work))
    return Finding(tuple(results), tuple(errors))


def _missing(card: Card, told: ToolAnswer, work: Work) -> str:
    asked = set(columns(work.text, card).names)
    found = [
        (key.removeprefix("missing "), value)
        for key, value in told.facts.items()
        if key.startswith("missing ") and isinstance(value, dict)
    ]
    shown = [
        f"{name} {number(value.get('n'))}{_reasons(value.get('reasons'))}"
        for name, value in found
        if not asked or name in asked
    ]
    count = told.number("columns_with_missing") or 0
    head = f"{card.title} ({number(card.rows)} rows)"
    if not count:
        return f"{head}: no missing values."
    if not shown:
        return f"{head}: none missing in {listed(sorted(asked))}."
    more = f" The rest: {told.text('output')}." if told.text("output") else ""
    return (
        f"{head}: {number(count)} of {number(told.number('columns'))} columns have missing values; "
        f"{listed(shown, _COLUMNS)}.{more}"
    )


def _reasons(value: object) -> str:
    if not isinstance(value, dict) or not value:
        return ""
    return f" ({', '.join(f'{number(n)} {reason}' for reason, n in value.items())})"


def limits(work: Work) -> Finding:
    """Answer what share of each element is below detection or over range, table by table."""
    if work.columns.lacking:
        work.need(0, "detection limits")
    basis = "Shares are of values received: numbers and values below or above a limit."
    if work.columns.fields:
        fields = work.detail([item for item in work.columns.fields if item.measured])
        return Finding((sentence(_shares(fields)), *work.closing(basis)))
    cards = [card for card in work.pool if card.measured][:_TABLES]
    if not cards:
        raise CannotAnswer(f"detection limits: {work.card.near('')}")
    jobs = [work.on(card) for card in cards]
    for job in jobs:
        job.want_detail(job.card.measured)
    told = [f"{job.card.title}: {_shares(job.detail(job.card.measured))}" for job in jobs]
    return Finding((*told, *(text for job in jobs for text in _hidden(job.card)), basis))


def _hidden(card: Card) -> list[str]:
    """Say which columns hold limits put in as numbers, as the reader of the file found them."""
    found = card.notes_on([item.name for item in card.measured])
    told = [note for note in found if "detection" in note or "limit" in note]
    return [f"{card.title}, not counted above: {listed(told, _COLUMNS)}."] if told else []


def _shares(fields: Sequence[Field]) -> str:
    """Return the shares of columns below detection and over range, the largest first."""
    fields = [item for item in fields if item.n != 0 or item.below or item.above]
    below = sorted(_censored(fields, "below"), key=_falling)
    above = sorted(_censored(fields, "above"), key=_falling)
    lines = ["no value is reported as below detection."]
    if below:
        lines = [f"below detection {listed([text for _, text in below], 12)}."]
    if above:
        lines.append(f"Over range: {listed([text for _, text in above], 12)}.")
    if below and len(fields) > len(below):
        lines.append(
            f"None below detection in {len(fields) - len(below)} of {len(fields)} columns."
        )
    weak = sum(share > _WEAK_SHARE for share, _ in below)
    if weak:
        more = f"{samples(weak, 'column')} with more than {_WEAK_SHARE * 100:.0f} % below detection"
        lines.append(f"{more}: of little use for groups or correlation.")
    return " ".join(lines)


def _censored(fields: Iterable[Field], side: str) -> list[tuple[float, str]]:
    found = []
    for item in fields:
        count = item.below if side == "below" else item.above
        total = (item.n or 0) + item.below + item.above
        if count and total:
            found.append(
                (
                    count / total,
                    f"{item.name} {percent(count, total)} ({number(count)} of {number(total)})",
                )
            )
    return found


def query(work: Work) -> Finding:
    """Run a query of the analyst's own; a small result is told in words, any other by its path."""
    # The tool finds the files by the views that the query names.
    told = work.told(work.asking.ask("sql", query=work.text))
    rows = told.number("rows_out") or 0
    lead = f"The query gives {samples(rows, 'row')}."
    shown = told.previews[0] if told.previews else None
    if shown and 0 < shown.total * max(len(shown.columns), 1) <= _CELLS:
        lead = f"{lead} {_cells(shown.columns, shown.rows)}"
    notes = [sentence(f"Note: {cited(note)}") for note in work.notes]
    files = paths([("Result table:", told.text("output"))])
    return Finding((lead, " ".join(part for part in (censored(told), *notes, files) if part)))


def _cells(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [
        ", ".join(f"{n} = {cited(v)}" for n, v in zip(names, row, strict=False)) for row in rows
    ]
    return f"{'; '.join(lines)}."
