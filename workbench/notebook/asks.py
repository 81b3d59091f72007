"""What a browser may ask of something that is open: ids of the ledger, places of columns, ranges.

Never a path and never SQL. A message with anything else in it is refused before it is acted on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from workbench.errors import Refused
from workbench.runs.infull import View
from workbench.tables.choice import CONDITIONS

Check = Callable[[Any], bool]
_MOST = 2**53
_WORD, _KEY, _FILTERS = 500, 120, 40


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST


def _text(most: int) -> Check:
    return lambda value: isinstance(value, str) and len(value) <= most


def _value(value: object) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or _text(_WORD)(value) or (isinstance(value, int) and abs(value) < _MOST)


def _fits(value: object, fields: Mapping[str, Check]) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == set(fields)
        and all(check(value[name]) for name, check in fields.items())
    )


def _filters(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= _FILTERS
        and all(
            _fits(
                one,
                {"column": _whole, "condition": lambda word: word in CONDITIONS, "value": _value},
            )
            for one in value
        )
    )


def _order(value: object) -> bool:
    if value is None:
        return True
    return _fits(value, {"column": _whole, "descending": lambda flag: isinstance(flag, bool)})


_VIEW: dict[str, Check] = {"filters": _filters, "order": _order}
_SPAN: dict[str, Check] = dict.fromkeys(("offset", "limit", "first", "width"), _whole)
ASKS: dict[str, dict[str, Check]] = {
    "open": {},
    "sound": {},
    "head": {},
    "columns": {},
    "rows": {**_VIEW, **_SPAN, "call": _text(_KEY)},
    "column": {"column": _whole, "filters": _filters},
    "sql": _VIEW,
    "export": _VIEW,
    "text": {"offset": _whole, "limit": _whole},
    "search": {"pattern": _text(_WORD)},
    "seen": {"call": _text(_KEY)},
    "transcript": {},
    "figure": {"dark": lambda flag: isinstance(flag, bool)},
    "close": {},
}


def checked(message: object) -> tuple[str, dict[str, Any]]:
    """Return what is asked and its fields.

    Raises
    ------
    Refused
        If the message has another shape.
    """
    fields = dict(message) if isinstance(message, Mapping) else {}
    ask = fields.pop("ask", None)
    fields.pop("id", None)
    if not isinstance(ask, str) or ask not in ASKS or not _fits(fields, ASKS[ask]):
        name = ask[:40] if isinstance(ask, str) else "?"
        raise Refused(f"open: a message '{name}' of an unknown shape was not acted on")
    return ask, fields


def view(fields: Mapping[str, Any]) -> View:
    """Return the view that a checked message describes."""
    return View(tuple(fields["filters"]), fields.get("order"))
