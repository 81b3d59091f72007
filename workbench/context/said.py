"""What a child says in words: facts, notes, errors. Rows that travel in them are rows.

An honest tool says counts, names and sentences, and these pass as they are. Texts that read as
rows, and facts that are one record each, count as rows of a preview, for a call and a dispatch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench import marker
from workbench.files.rowtext import is_rows
from workbench.files.tabular import rows_in

# Words that a tool has for what it tells of: `rows_in`, `policy`, `flagged share`.
_VOCABULARY = re.compile(r"^[a-z][a-z_ -]{0,39}$")
# A number of order, as of a hit, a group or a percentile; a name that ends in a digit is an id.
_ORDINAL = re.compile(r"^\d{1,3}$")
_ID = re.compile(r"^\S{0,40}\d$")
_DATE = re.compile(r"^\d{4}-\d\d-\d\d$")
_CENSORED = re.compile(r"^[<>]=?\d[\d.,eE+-]*$")
# A sentence: long enough, with words between blanks.
_SENTENCE, _WORDS = 20, 3
_KEY_CHARS = 200
# Longer texts are judged by their start; every door cuts far below it.
_JUDGED = 20_000
# Entries of one fact, such as sizes of groups or names of columns; more are a column of a table.
_NUMBERS, _ENTRIES, _NAMES = 20, 60, 200


@dataclass
class Tally:
    """Rows that may still be said, and what came of it.

    Attributes
    ----------
    room : int
        Rows that may still be said.
    shown, left : int
        Rows said, and rows left out.
    """

    room: int
    shown: int = 0
    left: int = 0

    def take(self, rows: int) -> int:
        """Count some rows; return how many of them may be said."""
        taken = max(min(rows, self.room), 0)
        self.room -= taken
        self.shown += taken
        self.left += rows - taken
        return taken


def text(words: str, tally: Tally) -> str:
    """Return a text with as many of its rows as may be said; words pass as they are."""
    rows, sign = _rows(words)
    filled = sum(bool(row.strip()) for row in rows)
    taken = tally.take(filled)
    return words if taken == filled else sign.join(_first(rows, taken))


def _rows(words: str) -> tuple[list[str], str]:
    """Return the rows of a text and the sign between them: of a table, or in any other dress."""
    rows, sign = rows_in(words)
    lines = words[:_JUDGED].splitlines() if not rows else []
    return (lines, "\n") if lines and is_rows(lines) else (rows, sign)


def _first(rows: Sequence[str], number: int) -> list[str]:
    return [row for row in rows if row.strip()][:number]


def notes(sentences: Sequence[str], tally: Tally) -> list[str]:
    """Return the notes of a reply; each is a sentence, and together they are no table."""
    lines = [" ".join(sentence.split()) for sentence in sentences]
    together = len(lines) > 1 and bool(rows_in("\n".join(lines))[0])
    kept = []
    for sentence in sentences:
        alone = not rows_in(sentence)[0]
        said = text(sentence, tally)
        if said and not (together and alone and not tally.take(1)):
            kept.append(said)
    return kept


def header(names: Sequence[str], tally: Tally) -> tuple[str, ...]:
    """Return the column names of a preview; names that are whole rows are rows."""
    lines = [name for name in names if any(sign in name for sign in ",;|\t")]
    if 2 * len(lines) >= len(names) and rows_in("\n".join(names))[0]:
        return tuple(names[: tally.take(len(names))])
    return tuple(names)


def facts(values: Mapping[str, Any], tally: Tally) -> dict[str, Any]:
    """Return facts with as many records among them as may be said.

    Parameters
    ----------
    values : mapping
        As a child sent them.
    tally : Tally
        Counts the records.
    """
    kept: dict[str, Any] = {}
    for key, value in values.items():
        name = marker.short(text(str(key), tally), _KEY_CHARS)
        if not _is_record(name, value):
            kept[name] = _inside(value, tally)
        elif tally.take(max(_ids(value), 1)):
            kept[name] = value if _ids(value) <= _WORDS else _inside(value, tally)
    return {key: value for key, value in kept.items() if key}


def _is_record(key: str, value: object) -> bool:
    """Tell whether a fact stands for one record: it is named like one, and is no sentence."""
    name = key.rpartition(" ")[2] if " | " not in key else key
    if _VOCABULARY.match(key) or (isinstance(value, str) and _is_sentence(value)):
        return False
    if _ORDINAL.match(name) and key != name:
        return isinstance(value, dict | list) and not _has_sentence(value)
    return bool(_ID.match(name)) or not isinstance(value, dict | list)


def _has_sentence(value: dict[str, object] | list[object]) -> bool:
    inner = list(value.values()) if isinstance(value, dict) else value
    texts = [item for item in inner if isinstance(item, str)]
    return any(map(_is_sentence, texts)) and not any(map(_is_id, texts))


def _is_sentence(value: str) -> bool:
    return len(value) >= _SENTENCE and len(value.split()) >= _WORDS and not rows_in(value)[0]


def _is_id(value: object) -> bool:
    """Tell whether a text is an id; dates and censored values are numbers of a statistic."""
    return (
        isinstance(value, str)
        and bool(_ID.match(value))
        and not _DATE.match(value)
        and not _CENSORED.match(value)
        and "/" not in value
    )


def _ids(value: object) -> int:
    """Count the ids in a value, at any depth."""
    if isinstance(value, dict):
        return sum(_is_id(key) and not _ORDINAL.match(key) for key in value) + sum(
            map(_ids, value.values())
        )
    return sum(map(_ids, value)) if isinstance(value, list) else int(_is_id(value))


def _inside(value: Any, tally: Tally) -> Any:  # noqa: ANN401 - JSON values
    """Return a value with as many of the records in it as may be said."""
    if isinstance(value, str):
        return text(value, tally)
    if isinstance(value, dict):
        return {key: item for key, item in _items(value, tally) if item is not _LEFT}
    if isinstance(value, list):
        found = enumerate(value)
        pairs = ((None, _item("", item, number, tally)) for number, item in found)
        return [item for _, item in pairs if item is not _LEFT]
    return value


_LEFT = object()


def _items(value: dict[str, Any], tally: Tally) -> list[tuple[str, Any]]:
    return [
        (marker.short(text(key, tally), _KEY_CHARS), _item(key, item, number, tally))
        for number, (key, item) in enumerate(value.items())
    ]


def _item(key: str, item: Any, number: int, tally: Tally) -> Any:  # noqa: ANN401 - JSON values
    """Return one entry of a list or mapping, or `_LEFT` where it is a record too many."""
    if not _is_entry_of_table(key, item, number):
        return _inside(item, tally)
    return item if _ids(item) <= _WORDS and tally.take(1) else _LEFT


def _is_entry_of_table(key: str, item: object, number: int) -> bool:
    """Tell whether an entry of a list (without a key) or a mapping stands for a record."""
    ordered = not key or bool(_ORDINAL.match(key))
    if _is_id(item) or (_is_id(key) and not ordered):
        return True
    if isinstance(item, dict | list):
        return ordered and not _is_counts(item)
    most = _ENTRIES if key else _NAMES if isinstance(item, str) else _NUMBERS
    return number >= most


def _is_counts(value: dict[str, object] | list[object]) -> bool:
    """Tell whether a mapping counts kinds: names that are no ids, and whole numbers."""
    return (
        isinstance(value, dict)
        and not any(map(_is_id, value))
        and all(isinstance(item, int) for item in value.values())
    )
