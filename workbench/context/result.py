"""The one thing that leaves a dispatch: a result of a strict shape, bounded as a whole.

Entries are kept in order until the total would pass the cap; each that does not fit becomes a
note of its length, which counts too. The whole result is kept as an artefact.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

LISTS = ("results", "evidence_for", "evidence_against", "recommendations", "errors")
STATUSES = ("success", "partial", "error")
_HEADINGS = {
    "evidence_for": "For",
    "evidence_against": "Against",
    "recommendations": "Next",
    "errors": "Errors",
}


@dataclass(frozen=True)
class Result:
    """What a dispatch came to.

    Attributes
    ----------
    status : {"success", "partial", "error"}
        How it ended.
    results, evidence_for, evidence_against, recommendations, errors : tuple of str
        Entries in order of weight.
    claimed : tuple of dict
        What its numbers are said to be, as its agent gave it; it travels with no text.
    """

    status: str
    results: tuple[str, ...] = ()
    evidence_for: tuple[str, ...] = ()
    evidence_against: tuple[str, ...] = ()
    recommendations: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    claimed: tuple[dict[str, Any], ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, data: Any) -> Result:  # noqa: ANN401 - whatever a model sent
        """Read a result strictly.

        Raises
        ------
        ValueError
            If it is not an object of exactly this shape.
        """
        if not isinstance(data, dict) or set(data) - {"status", "claims", *LISTS}:
            raise ValueError(f"a result has the keys status, {', '.join(LISTS)}, claims")
        if data.get("status") not in STATUSES:
            raise ValueError(f"status must be one of {', '.join(STATUSES)}")
        lists: dict[str, Any] = {}
        for key in LISTS:
            items = data.get(key) or []
            if not isinstance(items, list | tuple) or not all(isinstance(x, str) for x in items):
                raise ValueError(f"{key} must be a list of texts")
            lists[key] = tuple(items)
        if not lists["results"] and not lists["errors"]:
            raise ValueError("results is empty; say what you found, or errors what stood against")
        claims = data.get("claims") or []
        if not isinstance(claims, list) or not all(isinstance(x, dict) for x in claims):
            raise ValueError("claims must be a list of objects")
        return cls(status=data["status"], claimed=tuple(claims), **lists)

    def also(self, notes: Sequence[str]) -> Result:
        """Return the result with more entries among its errors."""
        return replace(self, errors=(*self.errors, *notes))

    def said(self, put: Callable[[str], str]) -> Result:
        """Return the result with each of its texts changed."""
        return self._with({key: [*map(put, getattr(self, key))] for key in LISTS})

    @classmethod
    def failed(cls, reason: str) -> Result:
        """Return the result of a dispatch that could not end by itself."""
        return cls("error", errors=(reason,))

    def text(self) -> str:
        """Return the result as compact JSON, empty lists left out."""
        kept = {key: list(getattr(self, key)) for key in LISTS if getattr(self, key)}
        return json.dumps({"status": self.status, **kept}, ensure_ascii=False)

    def words(self) -> str:
        """Return the result as a person reads it."""
        parts = ["\n\n".join(self.results)] if self.results else []
        for key, heading in _HEADINGS.items():
            items = getattr(self, key)
            if items:
                parts.append(f"{heading}:\n" + "\n".join(f"- {item}" for item in items))
        return "\n\n".join(parts)

    def _entries(self) -> Iterator[tuple[str, str]]:
        for key in LISTS:
            for item in getattr(self, key):
                yield key, item

    def bounded(self, cap: int, notice: Callable[[int], str]) -> Result:
        """Return the result within `cap` characters.

        Parameters
        ----------
        cap : int
            Characters of `text()` allowed.
        notice : callable
            Gets the characters of the entries left out, says where the whole is; its words stand
            first among the errors where something was left out.
        """
        whole = len(self.text())
        if whole <= cap:
            return self
        kept: dict[str, list[str]] = {key: [] for key in LISTS}
        kept["errors"].append(notice(whole))
        size = len(self._with(kept).text())
        left = 0
        for key, item in self._entries():
            note = f"[... truncated: an entry of {len(item):,} characters left out ...]"
            left += len(item)
            for candidate, room in ((item, cap - _RESERVE), (note, cap)):
                more = _added(key, candidate, kept[key])
                if size + more <= room:
                    kept[key].append(candidate)
                    size += more
                    left -= len(item) * (candidate is item)
                    break
        kept["errors"][0] = notice(left)
        return self._with(kept)

    def _with(self, lists: dict[str, list[str]]) -> Result:
        entries: dict[str, Any] = {key: tuple(items) for key, items in lists.items()}
        return Result(self.status, **entries)


# Room kept for the notes of entries that come after one that still fits.
_RESERVE = 400


def _added(key: str, item: str, entries: list[str]) -> int:
    """Return the characters that one more entry adds to `Result.text`."""
    shell = len(", ") if entries else len(f', "{key}": []')
    return shell + len(json.dumps(item, ensure_ascii=False))
