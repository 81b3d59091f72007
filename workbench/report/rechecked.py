"""A report held against its record: every cell, or section, is made again and compared.

What stands in the record is what the report has to show. Outputs come from the calls as they were
just made again; execution counts and the values of parameters may differ, nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench import marker
from workbench.errors import Refused
from workbench.report import book, carried, page, saved, shown, text
from workbench.report.cells import signature
from workbench.runs.calls import Call
from workbench.runs.comparing import Row
from workbench.runs.recorded import Recorded
from workbench.runs.redoing import Outcome

_EXCERPT = 60


@dataclass(frozen=True)
class Again:
    """A run that was made again.

    Attributes
    ----------
    recorded : Recorded
        As it was.
    outcomes : sequence of Outcome
        What each call came to now.
    files : Path
        Where the files lie that it made now.
    hashes : mapping
        Id of each of those → its hash.
    """

    recorded: Recorded
    outcomes: Sequence[Outcome]
    files: Path
    hashes: Mapping[str, str] = field(default_factory=dict)

    @property
    def loose(self) -> frozenset[str]:
        """Cells whose bytes need not come again: values within tolerance, what a folder holds."""
        found = {
            f"call-{one.step.id}"
            for one in self.outcomes
            if one.reply is not None and one.found != one.step.found
        }
        for item in self.recorded.artefacts:
            if self.hashes.get(item.id) != item.sha256:
                found |= {f"table-{item.id}", f"figure-{item.id}"}
        return frozenset(found)

    def notebook(self, told: Mapping[str, Any], room: shown.Room) -> dict[str, Any]:
        """Return the report as the record and the calls made again give it."""
        texts = {one.step.id: one.text for one in self.outcomes if one.text}
        gone = {key for key, sign in _mapping(told, "outputs").items() if sign == _gone(key, self)}

        def seen(call: Call) -> str | None:
            return None if f"call-{call.id}" in gone else texts.get(call.id)

        name, data = str(told.get("name") or "report.ipynb"), str(told.get("data") or "data")
        beside = str(told.get("results") or "")
        made = book.Book(
            *(self.recorded, name, data, beside, self.files, seen, _mapping(told, "versions")),
            room=room,
        )
        return made.notebook()


def _gone(key: str, again: Again) -> str:
    """Return the hash of a cell whose text had been removed when the report was made."""
    call = again.recorded.calls.get(key.removeprefix("call-"))
    words = book.no_text(call) if call else ""
    return signature({"outputs": [{"data": {"text/plain": words}}]})


def _mapping(told: Mapping[str, Any], key: str) -> dict[str, str]:
    value = told.get(key)
    return {str(k): str(v) for k, v in value.items()} if isinstance(value, dict) else {}


def rows(place: Path, words: str, told: Mapping[str, Any], again: Again) -> list[Row]:
    """Compare a report with what its record gives now.

    Parameters
    ----------
    place : Path
        The report: a notebook, a page or Markdown.
    words : str
        What stands in it.
    told : mapping
        What of it does not follow from the run: name, place of the data, versions, outputs.
    again : Again
        The run made again.

    Raises
    ------
    Refused
        If what it carries is damaged.
    """
    try:
        if place.suffix.casefold() == ".ipynb":
            made = again.notebook(told, shown.Room(keep=True))
            of = _mapping(told, "outputs").items()
            signs = {key: sign for key, sign in of if key in again.loose}
            return list(saved.cells(json.loads(words), made, signs))
        made = again.notebook(told, shown.Room())
        return list(_sections(place, words, made, told))
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise Refused(
            f"report '{place}': what it carries is damaged ({type(error).__name__}); make it "
            "again with workbench report RUN"
        ) from None


def _sections(
    place: Path, words: str, made: dict[str, Any], told: Mapping[str, Any]
) -> Iterator[Row]:
    """Compare a page or a Markdown file by its sections, as it is or with the last cell run."""
    found = carried.without(words)
    last = next(cell for cell in made["cells"] if cell["id"] == "verification")
    should, drawings = _rendered(place, made, told)
    if found != should:
        ran = {"output_type": "execute_result", "data": {"text/plain": repr(saved.verdict(last))}}
        last["outputs"] = [ran]
        again, _ = _rendered(place, made, told)
        should = again if again == found else should
    mark = r"(?=<section )" if place.suffix.casefold() == ".html" else r"(?m)^(?=## )"
    pairs = list(_paired(re.split(mark, should), re.split(mark, found)))
    for was, now in pairs:
        yield saved.row("section", _title(was or now), was, now, same=was == now)
    for name, data in drawings.items():
        beside = place.with_name(f"{Path(str(told.get('name'))).stem}_files") / name
        same = beside.is_file() and beside.read_bytes() == data
        yield Row("section", f"drawing {name}", "as made again", "" if same else "other", same=same)


def _rendered(
    place: Path, made: dict[str, Any], told: Mapping[str, Any]
) -> tuple[str, dict[str, bytes]]:
    if place.suffix.casefold() == ".html":
        return carried.without(page.render(made)), {}
    words, drawings = text.render(made, f"{Path(str(told.get('name'))).stem}_files")
    return carried.without(words), drawings


def _paired(was: list[str], now: list[str]) -> Iterator[tuple[str, str]]:
    for number in range(max(len(was), len(now))):
        yield (
            was[number] if number < len(was) else "",
            now[number] if number < len(now) else "",
        )


def _title(section: str) -> str:
    hit = re.search(r"<h[12][^>]*>(.*?)</h|^#+ (.*)$", section, re.MULTILINE)
    return marker.short((hit[1] or hit[2] or "") if hit else "head of the report", _EXCERPT)
