"""JSON schemas from annotations, and values checked against them.

Only the types that tools use: text, whole number, number, switch, fixed words, lists of these.
A value is never bent silently: ``2.5`` is not a whole number, ``"three"`` is not a number.
"""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin, get_type_hints

_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object"}


def parameter_schemas(
    function: Callable[..., Any], helps: dict[str, str]
) -> tuple[dict[str, Any], list[str]]:
    """Return the schema of each parameter after the first, and the names without default."""
    hints = get_type_hints(function)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        schema = _schema(hints[parameter.name])
        if parameter.name in helps:
            schema["description"] = helps[parameter.name]
        if parameter.default is inspect.Parameter.empty:
            required.append(parameter.name)
        elif parameter.default is not None:
            schema["default"] = parameter.default
        properties[parameter.name] = schema
    return properties, required


def _schema(hint: Any) -> dict[str, Any]:  # noqa: ANN401 - annotations are of any kind
    origin = get_origin(hint)
    if origin in {types.UnionType, typing.Union}:
        return _schema(next(part for part in get_args(hint) if part is not type(None)))
    if origin is Literal:
        return {"type": "string", "enum": list(get_args(hint))}
    if origin in {list, tuple}:
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    return {"type": _NAMES[get_origin(hint) or hint]}


def coerce(value: Any, schema: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON values
    """Return `value` as the schema's type.

    Raises
    ------
    ValueError
        If it is of another type; the message says which was wanted.
    """
    if value is None and "default" not in schema:
        return None
    kind = schema["type"]
    if kind == "array":
        items = [value] if isinstance(value, str | int | float) else value
        if not isinstance(items, list):
            raise ValueError(f"{_said(value)} is not a list")
        return [coerce(item, schema["items"]) for item in items]
    return _scalar(value, schema, kind)


def _scalar(value: Any, schema: dict[str, Any], kind: str) -> Any:  # noqa: ANN401 - JSON values
    if kind == "string":
        return _word(value, schema)
    if kind == "boolean" and isinstance(value, bool):
        return value
    if kind == "object" and isinstance(value, dict):
        return value
    if kind in {"integer", "number"} and isinstance(value, int | float):
        if isinstance(value, bool) or not _finite(value):
            raise ValueError(f"{_said(value)} is not a number")
        if kind == "number":
            return float(value)
        if float(value).is_integer():
            return int(value)
    wanted = {"integer": "a whole number", "number": "a number", "boolean": "true or false"}
    raise ValueError(f"{_said(value)} is not {wanted.get(kind, 'an object')}")


def _finite(value: float) -> bool:
    """Tell whether a number fits a float; JSON has whole ones that do not."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _word(value: Any, schema: dict[str, Any]) -> str:  # noqa: ANN401 - JSON values
    if isinstance(value, bool | dict | list) or value is None:
        raise ValueError(f"{_said(value)} is not text")
    text = str(value)
    words = schema.get("enum")
    if words and text not in words:
        raise ValueError(f"{_said(value)} is none of {', '.join(words)}")
    return text


def _said(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:50]}…[+{len(text) - 50:,}]"  # noqa: PLR2004 - fits one line
