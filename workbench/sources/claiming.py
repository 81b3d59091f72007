"""Reading what a model claims: known keys, statistics out of a list, texts within bounds.

Nothing in a claim is code, SQL or a path of the host: a filter is read by the one expression
grammar, a file by the door that opens names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.errors import nearest
from workbench.sources.claims import COUNTS, DERIVED, NUMBERS, TEXT_CHARS, VALUE, VALUE_CHARS, Claim

KEYS = (
    *("text", "value", "path", "sheet", "statistic", "column", "filter", "group"),
    *("tool", "call", "fact", "of", "from"),
)
_PERCENTILE = re.compile(r"p(\d{1,2}(?:\.\d{1,3})?|100)", re.ASCII)
_NAME_CHARS, _FILTER_CHARS = 200, 400
_PARTS = 40


def read(key: str, data: Mapping[str, Any]) -> Claim:
    """Read what a model claims.

    Parameters
    ----------
    key : str
        Id of the claim.
    data : mapping
        As the model gave it.

    Returns
    -------
    Claim
        Not checked yet; failed, with the reason, where it is no claim.
    """
    try:
        return _read(key, data)
    except ValueError as error:
        return Claim(key, value=_shown_value(data.get("value"))).failed(str(error))


def _read(key: str, data: Mapping[str, Any]) -> Claim:
    for name in data:
        if name not in {*KEYS, "artefact"}:
            raise ValueError(f"no key '{str(name)[:40]}' in a claim{nearest(str(name)[:40], KEYS)}")
    value = _value(data.get("value"))
    text = _word(data, "text", TEXT_CHARS)
    if data.get("from"):
        return Claim(key, text, value, statistic=_way(data), parts=_parts(data["from"]))
    if data.get("fact"):
        tool, call = _word(data, "tool", 60), _word(data, "call", 60)
        fact, of = _path(data.get("fact")), _path(data.get("of"))
        told = Claim(key, text, value, statistic=" ".join(fact), fact=fact, of=of)
        return replace(told, tool=tool, call=call)
    path = _word(data, "path", _NAME_CHARS) or _word(data, "artefact", _NAME_CHARS)
    if not path:
        raise ValueError("it has no path; name the file or result, or tool and fact")
    return Claim(
        key,
        text,
        value,
        artefact=path,
        statistic=statistic(data.get("statistic")),
        path=path,
        sheet=_word(data, "sheet", _NAME_CHARS),
        column=_word(data, "column", _NAME_CHARS),
        filter=_word(data, "filter", _FILTER_CHARS),
        group=_group(data.get("group")),
    )


def _way(data: Mapping[str, Any]) -> str:
    """Return how a number is derived from others."""
    name = str(data.get("statistic") or "").strip().casefold()[:40]
    if name not in DERIVED:
        raise ValueError(f"a number from other claims is one of {', '.join(DERIVED)}")
    return name


def _parts(value: object) -> tuple[str, ...]:
    """Return the claims that a number is derived from, as they were named."""
    parts = value if isinstance(value, list | tuple) else [value]
    if not 2 <= len(parts) <= _PARTS or any(isinstance(one, dict | list) for one in parts):  # noqa: PLR2004 - one and another
        raise ValueError(f"from names 2 to {_PARTS} claims")
    return tuple(str(one)[:40] for one in parts)


def statistic(value: object) -> str:
    """Return the name of a statistic.

    Raises
    ------
    ValueError
        If it is none.
    """
    name = str(value or "").strip().casefold()[:40]
    if name not in {*COUNTS, *NUMBERS} and percentile(name) is None:
        known = (*COUNTS, *NUMBERS, "p95")
        raise ValueError(f"statistic '{name}' is none{nearest(name, known)}")
    return name


def percentile(name: str) -> float | None:
    """Return 95 for ``p95``, None for anything else."""
    hit = _PERCENTILE.fullmatch(name)
    return float(hit[1]) if hit else None


def _value(value: object) -> str:
    """Return a number as it is to be placed; nothing where none was stated."""
    text = _shown_value(value)
    if text and not VALUE.fullmatch(text):
        raise ValueError(f"value '{text}' is not a number")
    return text


def _shown_value(value: object) -> str:
    if value is None or isinstance(value, bool | dict | list):
        return ""
    text = " ".join(str(value).split())
    return text[:VALUE_CHARS]


def _word(data: Mapping[str, Any], key: str, most: int) -> str:
    value = data.get(key)
    if value is None:
        return ""
    if isinstance(value, dict | list):
        raise ValueError(f"{key} is not text")  # noqa: TRY004 - as every claim that cannot be read
    text = str(value).strip()
    if len(text) > most:
        raise ValueError(f"{key} has {len(text):,} characters, at most {most} are read")
    return text


def _path(value: object) -> tuple[str, ...]:
    parts = value if isinstance(value, list | tuple) else [value] if value else []
    if len(parts) > 4 or any(isinstance(part, dict | list) for part in parts):  # noqa: PLR2004 - no fact is deeper
        raise ValueError("fact is a name, or names one below the other")
    return tuple(str(part)[:_NAME_CHARS] for part in parts)


def _group(value: object) -> dict[str, str]:
    """Read ``{"Lithology": "Dacite"}``."""
    if value is None or value == "":
        return {}
    if not isinstance(value, dict) or len(value) > 4:  # noqa: PLR2004 - no table is read deeper
        raise ValueError('group is written {"COLUMN": "VALUE"}; or use filter')
    return {str(k)[:_NAME_CHARS]: str(v)[:_NAME_CHARS] for k, v in value.items()}
