"""What every answer is made with: the calls, the clause, the table chosen for it, and a finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from workbench.models.planner.answer import ToolAnswer
from workbench.models.planner.asking import Asking
from workbench.models.planner.cards import Card, Field
from workbench.models.planner.cards import read as read_card
from workbench.models.planner.choice import Choice, choose, named
from workbench.models.planner.clauses import Clause
from workbench.models.planner.said import Columns, columns, grouping
from workbench.models.planner.sourced import cited
from workbench.models.planner.symbols import misspelt
from workbench.models.planner.wording import listed, sentence


@dataclass(frozen=True)
class Finding:
    """What came of one clause.

    Attributes
    ----------
    results : tuple of str
        Paragraphs, the answer first.
    errors : tuple of str
        What could not be done.
    """

    results: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


class CannotAnswer(Exception):
    """A clause that this data cannot answer; the message says what stands against it."""


@dataclass
class Work:
    """One clause at work.

    Parameters
    ----------
    asking : Asking
        Makes calls.
    clause : Clause
        What is asked.
    whole : sequence of Clause
        All clauses of the question.
    cards : sequence of Card
        Tables at hand.
    files : tuple of str
        Files of the objective.
    left : int
        Table files of the folder that were not looked at.
    before : str
        File of the answer before.
    notes : list of str
        What the tools found worth saying.
    """

    asking: Asking
    clause: Clause
    whole: Sequence[Clause]
    cards: Sequence[Card]
    files: tuple[str, ...] = ()
    left: int = 0
    before: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The words of the clause."""
        return self.clause.text

    @cached_property
    def choice(self) -> Choice:
        """The table that answers the clause."""
        if not self.cards:
            raise CannotAnswer("no table could be read; name a file of the folder")
        return choose(self.clause, self.whole, self.cards, self.before)

    @property
    def card(self) -> Card:
        """The table that answers the clause."""
        return self.choice.card

    @property
    def pool(self) -> Sequence[Card]:
        """The tables that the question names, or all."""
        return named(self.clause, self.whole, self.cards) or self.cards

    @cached_property
    def columns(self) -> Columns:
        """The columns that the clause names in that table."""
        return columns(self.text, self.card)

    def on(self, card: Card) -> Work:
        """Return the same work on a given table."""
        return Work(self.asking, self.clause, self.whole, (card,), self.files)

    def need(self, least: int, what: str) -> list[Field]:
        """Return the named columns, or say which are missing and what there is instead.

        Parameters
        ----------
        least : int
            Columns needed at least.
        what : str
            What for, as a piece of a sentence.

        Raises
        ------
        CannotAnswer
            If a named one is not in the table, or too few are named.
        """
        found = self.columns
        if found.lacking:
            raise CannotAnswer(self._not_there(found.lacking))
        if len(found.fields) < least:
            raise CannotAnswer(
                f"{what}: name {'the element or column' if least == 1 else 'the elements'}; "
                f"{self.card.near('')}{misspelt(self.text)}"
            )
        return list(found.fields)

    def _not_there(self, lacking: tuple[str, ...]) -> str:
        """Say that something is in no table, or only not in the chosen one, and what there is."""
        word = lacking[0].split("'")[1] if "'" in lacking[0] else lacking[0]
        nowhere = [
            what
            for what in lacking
            if all(what in columns(self.text, c).lacking for c in self.pool)
        ]
        if not nowhere:
            return (
                f"{listed(list(lacking))}: not in one table with the rest; {self.card.near(word)}"
            )
        there = [card.near(word) for card in self.pool if card.measured][:_TABLES_NAMED]
        return (
            f"{listed(nowhere)}: in no table looked at; {'; '.join(there) or self.card.near(word)}"
        )

    def by(self) -> Field | None:
        """Return the grouping column that the clause asks for.

        Raises
        ------
        CannotAnswer
            If it asks for one that the table does not have.
        """
        words = grouping(self.text)
        if not words:
            return None
        found = self.card.grouping(words)
        if found is None:
            there = [item.name for item in self.card.fields if item.role in {"group", "hole"}]
            raise CannotAnswer(
                f"by {words}: {self.card.title} has no such column; columns to group by are "
                f"{listed(there, 8) or 'none'}"
            )
        return found

    def text_columns(self) -> list[Field]:
        """Return the group columns that the clause speaks of."""
        found: list[Field] = []
        for word in re.findall(r"[A-Za-z]\w{3,}", self.text):
            item = self.card.grouping(word)
            if (
                item is not None
                and item not in found
                and (
                    item.role in {"group", "hole"} or (not item.measured and item.role == "number")
                )
            ):
                found.append(item)
        return found

    def call(self, tool: str, **arguments: object) -> ToolAnswer:
        """Call a tool on the chosen table.

        Raises
        ------
        CannotAnswer
            If it refuses; its own words are told.
        """
        return self.told(self.asking.ask(tool, **self.card.arguments, **arguments))

    def told(self, answer: ToolAnswer) -> ToolAnswer:
        """Return an answer, its notes kept for the closing words.

        Raises
        ------
        CannotAnswer
            If it is a refusal; its own words are told.
        """
        if answer.error:
            raise CannotAnswer(answer.error)
        quality = answer.text("quality_control")
        told = [*answer.notes, *([quality] if quality else [])]
        self.notes += [note for note in told if note not in self.notes]
        return answer

    def each(
        self, tool: str, calls: Sequence[Mapping[str, object]], *, on_table: bool = True
    ) -> list[ToolAnswer]:
        """Make several calls in one turn and return their answers.

        Raises
        ------
        CannotAnswer
            If one of them is refused.
        """
        own = self.card.arguments if on_table else {}
        for arguments in calls:
            self.asking.want(tool, **own, **arguments)
        answers = [self.asking.ask(tool, **own, **arguments) for arguments in calls]
        return [self.told(answer) for answer in answers]

    def want_detail(self, fields: Sequence[Field]) -> list[list[str]]:
        """Note the calls that tell counts a table was too wide to tell; return their columns."""
        unknown = [item.name for item in fields if item.n is None]
        parts = [unknown[n : n + _AT_ONCE] for n in range(0, len(unknown), _AT_ONCE)]
        for part in parts:
            self.asking.want("describe_table", **self.card.arguments, columns=part)
        return parts

    def detail(self, fields: Sequence[Field]) -> list[Field]:
        """Return columns with their counts, asked for where the table was too wide to tell."""
        known: dict[str, Field] = {}
        had = {item.name: item for item in fields}
        for part in self.want_detail(fields):
            told = self.asking.ask("describe_table", **self.card.arguments, columns=part)
            card = read_card(self.card.path, self.card.sheet, told)
            if card is not None:
                known |= {item.name: _told(item, had.get(item.name)) for item in card.fields}
                # On its card the notes of a wide table name a few columns only.
                self.notes += card.notes_on(part)
        return [known.get(item.name, item) for item in fields]

    def closing(self, *parts: str) -> tuple[str, ...]:
        """Return the last paragraphs: treatment and files, then the table that was used."""
        more = (
            f"{self.left} more table files were not looked at; name one in the question to use it"
            if self.left
            else ""
        )
        every = (*self.notes, *self.card.notes_on(self.columns.names))
        noted = list(dict.fromkeys(every))[:_NOTES]
        bare = [
            f.name for f in self.columns.fields if f.role in {"element", "oxide"} and not f.unit
        ]
        unitless = f"The file gives no unit for {listed(bare, _NOTES)}" if bare else ""
        said = [
            sentence(part)
            for part in (unitless, *parts, *(f"Note: {cited(note)}" for note in noted))
            if part
        ]
        table = " ".join(part for part in (self.choice.why, sentence(more)) if part)
        return (*([" ".join(said)] if said else []), table)


def _told(item: Field, had: Field | None) -> Field:
    """Return a column as told in full, with the unit and element that were known of it."""
    if had is None:
        return item
    return replace(item, unit=item.unit or had.unit, element=item.element or had.element)


_AT_ONCE = 20
_TABLES_NAMED = 3
_NOTES = 4
Answering = Callable[[Work], Finding]
