"""The only way text gets into a context: cut with a marker, counted, recorded.

The gate stands in the parent. It takes structured replies from a child and plain texts from a
person, holds every limit on size, and writes one ``limit_hit`` event for each row that cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from workbench import marker, tokens
from workbench.artefacts import Artefact, Artefacts
from workbench.context import output, render, said
from workbench.context.admission import Admitted, Bounds
from workbench.context.previews import Previews
from workbench.context.render import Hit, Rendered
from workbench.context.said import Tally
from workbench.context.steps import Steps
from workbench.errors import LimitReached, Refused
from workbench.files.newfile import new_file
from workbench.files.tabular import table_span
from workbench.ledger import Ledger
from workbench.limits import UNBOUNDED, Limits
from workbench.marker import Marker
from workbench.reply import Reply, Text
from workbench.visible import visible
from workbench.workspace import shown


class Gate:
    """The gate of one loop.

    Parameters
    ----------
    loop : str
        Loop id.
    tools : sequence of str
        The agent's tools; a marker's next step names one of them.
    limits : Limits
        The session's table.
    ledger : Ledger
        Gets the ``limit_hit`` events.
    artefacts : Artefacts
        Checks and registers the files a reply claims.
    window : int
        The model's window in tokens.
    """

    def __init__(
        self,
        loop: str,
        tools: Sequence[str],
        limits: Limits,
        ledger: Ledger,
        artefacts: Artefacts,
        window: int,
    ) -> None:
        self.loop = loop
        self.limits = limits
        self.window = window
        self.steps = Steps(tuple(tools))
        self._ledger = ledger
        self._artefacts = artefacts
        self._rows = Previews(limits, self.steps, artefacts)

    @property
    def usable(self) -> int:
        """Tokens of the window that a request may use."""
        return self.window * (100 - self.limits["window_reserve"].number) // 100

    @property
    def known(self) -> list[Artefact]:
        """The files that the run has made so far."""
        return self._artefacts.all()

    def reply(self, call: str, bounds: Bounds, reply: Reply) -> Admitted:
        """Turn a tool's reply into the text its agent sees.

        Parameters
        ----------
        call : str
            Call id; the whole answer is kept under it where it was cut.
        bounds : Bounds
            The rows that bound this tool.
        reply : Reply
            What the child sent.
        """
        made, notes = self._register(reply)
        paths = {artefact.path: artefact.shown for artefact in made}
        parts = [self._facts(call, reply, made, notes)]
        parts += self._rows.rendered(bounds.rows, reply.previews, paths, self._share_chars())
        if reply.text is not None:
            before = "".join(f"{part.text}\n" for part in parts if part.text)
            parts.append(self._text(call, bounds, reply.text, before))
        told = {hit.key for part in parts for hit in part.hits}
        own = [Hit(key, 0, 0, "") for key in reply.limits_hit if key not in told]
        hits = [*own, *(hit for part in parts for hit in part.hits)]
        whole = "\n".join(part.text for part in parts if part.text)
        return self._admit(call, whole, hits, tuple(made))

    def refusal(self, call: str, message: str, key: str | None = None) -> Admitted:
        """Turn an error or refusal into the text its agent sees; rows in it are rows."""
        tally = self._rows.tally()
        words = said.text(message, tally)
        lines, hits = self._cut_rows(call, tally, message)
        text = "\n".join([f"error: {visible(words)}", *lines])
        part = self._bounded(call, text, "answer_chars")
        own = [Hit(key, 0, 0, "")] if key else []
        return self._admit(call, part.text, [*own, *hits, *part.hits], ())

    def question(self, text: str, *, paste: Callable[[str], str]) -> Admitted:
        """Admit what a person typed; a pasted table becomes a file with a marker.

        Parameters
        ----------
        text : str
            The question.
        paste : callable
            Keeps the rows as a file and returns how it is named.

        Raises
        ------
        Refused
            If it is empty.
        """
        if not text.strip():
            raise Refused("question: it is empty; write what you want to know")
        lines = text.splitlines()
        hits: list[Hit] = []
        while len(rows := table_span(lines)) > self.limits["question_lines"].number:
            name = paste("\n".join(lines[rows.start : rows.stop]) + "\n")
            head = self.limits["data_file_head"].number
            lines, hit = render.pasted(lines, rows, head, name, self.steps.table(name))
            hits.append(hit)
        whole = visible("\n".join(lines) if hits else text, keep="\n\t")
        part = self._bounded("question", whole, "question_chars")
        return self._admit("question", part.text, [*hits, *part.hits], ())

    def earlier(self, answer: str) -> str:
        """Admit an earlier answer of the conversation, bounded as a result is."""
        part = self._bounded("earlier_answer", visible(answer, keep="\n\t"), "result_chars")
        return self._admit("conversation", part.text, part.hits, ()).text

    def attachment(self, item: Text, used: int) -> Admitted:
        """Admit an attached file: the data-file rule first, then size, alone and together.

        Parameters
        ----------
        item : Text
            The file's text or first lines.
        used : int
            Tokens that earlier attachments of the question took.
        """
        alone = self.limits["attachment_tokens"].number
        together = max(self.limits["attachments_tokens"].number - used, 0)
        key = "attachment_tokens" if alone <= together else "attachments_tokens"
        lead = f"attached file {shown(item.name)}:\n"
        fits = render.behind(lead, render.by_tokens(min(alone, together)))
        part = render.text(item, self.limits, fits, key, self.steps.text)
        whole = lead + part.text
        if not tokens.fits(whole, min(alone, together)):
            raise LimitReached(
                f"attachment '{item.name}': the attachments of a question hold at most "
                f"{self.limits['attachments_tokens'].number:,} tokens; attach fewer files",
                "attachments_tokens",
            )
        return self._admit(f"attachment {shown(item.name)}", whole, list(part.hits), ())

    def objective(self, text: str) -> str:
        """Admit an objective for a dispatch.

        Raises
        ------
        LimitReached
            If it is longer than `objective_chars`: it is refused, since a cut task is another task.
        """
        most = self.limits["objective_chars"].number
        if len(text) > most:
            raise LimitReached(
                f"objective of {len(text):,} characters: at most {most:,} are allowed; say what to "
                "do and name the files",
                "objective_chars",
            )
        return visible(text, keep="\n\t")

    def hit(self, call: str, hit: Hit) -> None:
        """Record that a row of the table cut or refused something."""
        row = self.limits[hit.key]
        data = {
            "key": hit.key,
            "value": row.value,
            "enforced": row.enforced,
            "call": call,
            "left": hit.left,
            "total": hit.total,
            "unit": hit.unit,
        }
        self._ledger.append("limit_hit", data, self.loop)

    def keep(self, name: str, text: str) -> str:
        """Keep a whole text beside the run's records; return the id that reads it by range."""
        folder = self._artefacts.folder / "full"
        with new_file(folder, name, "txt") as (part, final):
            part.write_text(text, encoding="utf-8", errors="replace")
        return Path(final[0]).stem

    def _admit(
        self, call: str, text: str, hits: Sequence[Hit], made: tuple[Artefact, ...]
    ) -> Admitted:
        once = {hit.key: hit for hit in reversed(hits)}
        keys = tuple(dict.fromkeys(hit.key for hit in hits if hit.key in self.limits))
        for key in keys:
            self.hit(call, once[key])
        full = next((mark.full for mark in marker.parse(text)), "")
        return Admitted(text, keys, full, made)

    def _register(self, reply: Reply) -> tuple[list[Artefact], list[str]]:
        """Register what a child says it made; what is not so becomes a note."""
        made, notes = [], []
        most = self.limits["preview_rows"].number
        if len(reply.made) > most:
            notes.append(f"{len(reply.made) - most:,} more files were claimed and not registered")
        for claim in reply.made[:most]:
            try:
                made.append(self._artefacts.claim(self.loop, claim))
            except Refused as error:
                notes.append(str(error))
        for key in reply.kept[:1]:
            self._artefacts.keep_text(key)
        return made, notes

    def _facts(self, call: str, reply: Reply, made: list[Artefact], notes: list[str]) -> Rendered:
        tally = self._rows.tally()
        part = render.facts(said.facts(reply.facts, tally), self.limits)
        lines = [part.text] if part.text else []
        told = said.notes((*reply.notes, *notes), tally)
        lines += [f"note: {visible(note)}" for note in told]
        marks, hits = self._cut_rows(call, tally, {"facts": reply.facts, "notes": reply.notes})
        lines += marks
        for artefact in made:
            shape = "" if artefact.rows is None else f", {artefact.rows:,} rows"
            shape += "" if artefact.columns is None else f", {artefact.columns:,} columns"
            lines.append(f"artefact: {artefact.shown} ({artefact.media_type}{shape})")
        cut = self._bounded(call, "\n".join(lines), "answer_chars")
        return Rendered(cut.text, (*hits, *part.hits, *cut.hits))

    def _cut_rows(self, call: str, tally: Tally, whole: object) -> tuple[list[str], list[Hit]]:
        """Say that rows were left out of words; the whole is kept where no tool reads it."""
        hit = self._rows.count(tally)
        if hit is None:
            return [], []
        kept = self._artefacts.keep_said(call, whole)
        return [self._rows.mark(hit, kept)], [hit]

    def _share_chars(self) -> int:
        """Return the characters of one read: the size of a listing is bounded like one."""
        most = self.usable * self.limits["read_share"].number // 100 * tokens.CHARS_PER_TOKEN
        return min(most, UNBOUNDED)

    def _text(self, call: str, bounds: Bounds, item: Text, before: str) -> Rendered:
        """Render a text so that it and what stands before it are within the tool's row."""
        fits = render.behind(before, self._fits(bounds.answer))
        if item.kind == "output":
            tally, keep = self._rows.tally(), output.keeper(self._artefacts, self.loop, call)
            how = (self.limits, fits, bounds.answer, self.steps, tally, keep)
            part = output.printed(item, *how)
            hit = self._rows.count(tally)
            return Rendered(part.text, part.hits if hit is None else (*part.hits, hit))
        return render.text(item, self.limits, fits, bounds.answer, self.steps.text)

    def _fits(self, key: str) -> Callable[[str], str]:
        if key == "read_share":
            return render.by_tokens(self.usable * self.limits[key].number // 100)
        return render.by_chars(self.limits[key].number)

    def _bounded(self, call: str, text: str, key: str) -> Rendered:
        """Cut a text by characters, head and tail kept, the whole kept under the call's id."""
        room = self.limits[key].number
        if len(text) <= room:
            return Rendered(text)
        kept = self.keep(re.sub(r"\W+", "_", call), text)
        cut = marker.head_and_tail(
            text,
            room,
            lambda left: str(
                Marker(left, len(text), "characters", kept, self.steps.range(kept, room // 2))
            ),
        )
        return Rendered(cut, (Hit(key, len(text) - room, len(text), "characters"),))
