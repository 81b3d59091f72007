"""A claim: one number of an answer, tied to what it was computed from.

A model says which number, of which file or call; code computes it again, decides whether it
holds, and puts it in its place in the text. Tolerances are set here and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

Status = Literal["verified", "failed", "unchecked"]
Found = float | int | str

COUNTS = ("rows", "count", "below", "above", "missing", "distinct")
NUMBERS = ("share", "mean", "geometric_mean", "median", "min", "max", "sum", "sd")
DERIVED = ("ratio", "share", "difference", "rest")
TOLERANCE = "equal when rounded to the digits claimed; counts exactly"

_NUMBER = r"[+\-−]?(?:\d{1,3}(?:,\d{3})+|\d{1,20})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?"
_UNIT = r"(?:\s?[%‰]|\s?[A-Za-zµ°][\w/·²³-]{0,11})?"
VALUE = re.compile(rf"([<>≤≥]?)\s?({_NUMBER})(?: to ({_NUMBER}))?{_UNIT}", re.ASCII)
_PLAIN = re.compile(rf"([<>≤≥]?)({_NUMBER})(?: to ({_NUMBER}))?", re.ASCII)
# Longer than any number a person reads, shorter than a row.
VALUE_CHARS, TEXT_CHARS = 40, 200


@dataclass(frozen=True)
class Claim:
    """One number and what it is said to be.

    Attributes
    ----------
    id : str
        ``d01.3``: third claim of the first dispatch.
    text : str
        The sentence it stands in, or what it is, in words.
    value : str
        The number as it stands in the text; empty until it was computed where none was stated.
    artefact : str
        Id of the result, or name of the data file, that it was computed from.
    statistic : str
        Mean, median, p95 …; or the fact of a tool's answer.
    path, sheet, column, filter, group
        The rows and column it is a statistic of.
    call, tool, fact, of
        Or the call, its tool, and the fact of its answer (in percent of another fact).
    parts : tuple of str
        Or ids of the claims that it is derived from: `statistic` then says how (`DERIVED`).
    status : {"verified", "failed", "unchecked"}
        What came of computing it again.
    found, basis, reason : str
        The number found, over which values, and why it did not hold or could not be checked.
    sha256 : str
        Hash of the file it was computed from.
    """

    id: str
    text: str = ""
    value: str = ""
    artefact: str = ""
    statistic: str = ""
    path: str = ""
    sheet: str = ""
    column: str = ""
    filter: str = ""
    group: Mapping[str, str] = field(default_factory=dict)
    call: str = ""
    tool: str = ""
    fact: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    status: Status = "unchecked"
    found: str = ""
    basis: str = ""
    reason: str = ""
    sha256: str = ""

    @property
    def of_call(self) -> bool:
        """True where it is a fact of a tool's answer."""
        return bool(self.fact)

    @property
    def exact(self) -> bool:
        """True for counts, which hold exactly or not at all."""
        if self.parts:
            return self.statistic == "rest"
        return not self.of_call and self.statistic in COUNTS

    @property
    def what(self) -> str:
        """What it is, in words: ``median of As_ppm where Au_ppb > 20``."""
        if self.parts:
            return f"{self.statistic} of claims {', '.join(self.parts)}"
        if self.of_call:
            share = f" in percent of {' '.join(self.of)}" if self.of else ""
            return f"{' '.join(self.fact)}{share}, {self.tool}"
        of = f" of {self.column}" if self.column else ""
        parts = [f"{name} {value}" for name, value in self.group.items()]
        where = [*parts, *([self.filter] if self.filter else [])]
        return f"{self.statistic}{of}{' where ' + ' and '.join(where) if where else ''}"

    def to_json(self) -> dict[str, Any]:
        """Return the claim as JSON values, empty ones left out after the first seven."""
        whole = asdict(self) | {"fact": list(self.fact), "of": list(self.of)}
        whole |= {"parts": list(self.parts)}
        kept = ("id", "text", "value", "artefact", "statistic", "status")
        first = {key: whole[key] for key in kept} | {"what": self.what}
        return first | {key: value for key, value in whole.items() if value and key not in kept}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Claim:
        """Rebuild a claim from its JSON; unknown keys are passed over.

        Raises
        ------
        ValueError, TypeError, KeyError
            If it is none.
        """
        known = {key: data[key] for key in cls.__dataclass_fields__ if key in data}
        known |= {
            key: tuple(map(str, known[key])) for key in ("fact", "of", "parts") if key in known
        }
        return cls(**{**known, "id": str(data["id"])})

    def judged(self, found: Sequence[tuple[Found, str]]) -> Claim:
        """Return the claim with what was found: verified where one of the findings is the number.

        Parameters
        ----------
        found : sequence of (number, basis)
            What it came to over each basis that has a name; the first is meant where no number
            was stated.
        """
        found = [one for one in found if _is_number(one[0])]
        if not found:
            return self.failed("nothing was found to compute it from")
        met = next((one for one in found if self.value and holds(self, one[0])), None)
        number, basis = met or found[0]
        told = replace(self, found=shown(number), basis=basis[:TEXT_CHARS])
        if met is not None:
            return replace(told, status="verified")
        if not self.value:
            return replace(told, status="verified", value=shown(number, digits=3))
        return replace(told, status="failed", reason=f"computed {told.found}")

    def backed(self, beside: Sequence[tuple[Found, str]]) -> Claim:
        """Return the claim with what another way found: that it agrees, or the numbers it has.

        Over another basis another number says nothing against the claim; it is told to be weighed.
        """
        others = [one for one in beside if _is_number(one[0])]
        also = next((basis for number, basis in others if self._same(number)), "")
        apart = ", ".join(f"{shown(number)} by {basis}" for number, basis in others)
        if self.status != "verified" or not others:
            return self
        told = f"also {also}" if also else f"otherwise {apart}"
        return replace(self, basis=f"{self.basis}; {told}"[:TEXT_CHARS])

    def _same(self, number: Found) -> bool:
        return holds(replace(self, value=self.found), number)

    def failed(self, reason: str) -> Claim:
        """Return the claim as one that does not hold."""
        return replace(self, status="failed", reason=reason[:TEXT_CHARS])

    def unchecked(self, reason: str) -> Claim:
        """Return the claim as one that nobody could check."""
        return replace(self, status="unchecked", reason=reason[:TEXT_CHARS])


def _is_number(found: object) -> bool:
    """Tell whether a child sent a number, or a bound as text; anything else is none."""
    if isinstance(found, str):
        return _PLAIN.fullmatch(found) is not None
    if isinstance(found, bool) or not isinstance(found, int | float):
        return False
    return abs(found) < 1e300  # noqa: PLR2004 - neither infinite nor NaN


def holds(claim: Claim, found: Found) -> bool:
    """Tell whether a number found is the one claimed, to the digits claimed."""
    said, told = VALUE.fullmatch(claim.value), _PLAIN.fullmatch(shown(found, digits=17))
    if said is None or told is None or _sign(said[1]) != _sign(told[1]):
        return False
    pairs = [(said[2], told[2]), (said[3], told[3])]
    return all(_equal(a, b, exact=claim.exact) for a, b in pairs)


def _sign(sign: str) -> str:
    return {"≤": "<", "≥": ">"}.get(sign, sign)


def _equal(said: str | None, found: str | None, *, exact: bool) -> bool:
    if said is None or found is None:
        return said is found
    try:
        claimed, number = _decimal(said), _decimal(found)
    except InvalidOperation:
        return False
    if exact:
        return claimed == number
    exponent = claimed.as_tuple().exponent
    # 1e3 is one thousand, not "between 500 and 1,500".
    step = Decimal(1).scaleb(min(exponent, 0) if isinstance(exponent, int) else 0)
    # A half rounds either way: 0.125 may have been stated as 0.12 or 0.13.
    return abs(number - claimed) <= step / 2


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "").replace("−", "-"))


def shown(found: Found, digits: int = 6) -> str:
    """Return a number found as text, with so many significant digits; bounds as they are."""
    if isinstance(found, str):
        return found[:VALUE_CHARS]
    if isinstance(found, int) or (float(found).is_integer() and abs(found) < 1e15):  # noqa: PLR2004 - exact in a double
        return f"{int(found):,}" if digits < 6 else str(int(found))  # noqa: PLR2004 - as a person reads it
    if digits < 6 and abs(found) >= 1_000:  # noqa: PLR2004 - decimals say nothing there
        return f"{round(found):,}"
    return f"{found:.{digits}g}"
