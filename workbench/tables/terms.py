"""Words of a column that seem to be one: by case, blanks and signs, or by a slip of the pen.

Proposals only: which words are one is for a person who knows the project to say.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

# Shorter words differ by too little: `sst` and `slt` are two rocks.
_SHORTEST = 5
_ALIKE = 0.86
# A slip is rare beside the word it was meant for.
_RARE = 0.25


@dataclass(frozen=True)
class Proposal:
    """One word and the word it seems to be.

    Attributes
    ----------
    word, to : str
        As they are written.
    rows : int
        Rows that have the word.
    why : {"spelling", "alike"}
        ``spelling`` for case, blanks and signs; ``alike`` for a letter or two.
    """

    word: str
    to: str
    rows: int
    why: str


def folded(word: str) -> str:
    """Return a word without regard to case, accents, blanks and signs."""
    plain = unicodedata.normalize("NFKD", word).casefold()
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(re.findall(r"[^\W_]+", letters))


def propose(counts: Mapping[str, int]) -> list[Proposal]:
    """Propose one spelling for words that seem to be one.

    Parameters
    ----------
    counts : mapping of str to int
        Word as written → rows.

    Returns
    -------
    list of Proposal
        One for each word that would change, most rows first. Words that differ in a digit are
        never taken for one.
    """
    groups: dict[str, list[str]] = {}
    for word in counts:
        groups.setdefault(folded(word) or word, []).append(word)
    chosen = {key: _best(words, counts) for key, words in groups.items()}
    rows = {key: sum(counts[word] for word in words) for key, words in groups.items()}
    meant = _slips(rows)
    found = []
    for key, words in groups.items():
        target = chosen[meant.get(key, key)]
        why = "alike" if key in meant else "spelling"
        found += [Proposal(word, target, counts[word], why) for word in words if word != target]
    return sorted(found, key=lambda one: (-one.rows, one.word))


def _best(words: list[str], counts: Mapping[str, int]) -> str:
    """Return the spelling that most rows have, tidy ones first where equal."""

    def rank(word: str) -> tuple[int, bool, bool, str]:
        written = word[:1].isupper() and not word.isupper()
        return -counts[word], word != " ".join(word.split()), not written, word

    return min(words, key=rank)


def _slips(rows: Mapping[str, int]) -> dict[str, str]:
    """Return rare words with the frequent word that each seems to be."""
    found: dict[str, str] = {}
    frequent = sorted(rows, key=lambda key: (-rows[key], key))
    for word in frequent:
        if len(word) < _SHORTEST:
            continue
        near = difflib.get_close_matches(word, [k for k in frequent if k != word], 3, _ALIKE)
        for other in near:
            same = re.findall(r"\d+", word) == re.findall(r"\d+", other)
            if same and rows[word] <= _RARE * rows[other] and other not in found:
                found[word] = other
                break
    return found
