"""``call``: one tool call through the gate; prints exactly the text that a model would see."""

from __future__ import annotations

import argparse
import json
from typing import Any

from workbench.cli.terminal import err, out_json
from workbench.cli.usage import add_data, add_json, add_set, pairs, whole
from workbench.errors import Refused

# In a smaller one not even the markers of what was cut have room.
_LEAST_WINDOW = 1_000


def add_call(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``call``."""
    parser.add_argument("tool", metavar="TOOL", help="name of a tool, see workbench tools")
    parser.add_argument(
        *("arguments",), nargs="*", metavar="key=value", help="JSON, or text; lists also as a,b"
    )
    add_data(parser)
    parser.add_argument("--agent", metavar="NAME", help="hold the call to this agent's tool list")
    parser.add_argument(
        *("--window",), type=whole(_LEAST_WINDOW), metavar="N", help="window in tokens"
    )
    add_set(parser)
    add_json(parser)


def run_call(arguments: argparse.Namespace) -> int:
    """Make the call."""
    from workbench.cli.builds import finish
    from workbench.session import Session

    words = pairs(arguments.arguments, "argument")
    places = arguments.data, arguments.results, "offline"
    session = Session.open(*places, overrides=arguments.settings)
    outcome = session.call(
        arguments.tool,
        values(arguments.tool, words),
        agent=arguments.agent,
        window=arguments.window,
    )
    if arguments.json:
        out_json(outcome.to_json())
    else:
        print(outcome.text)
    finish(session)
    if not outcome.ok:
        err(outcome.text.removeprefix("error: "))
    return 0 if outcome.ok else 1


def values(tool: str, words: dict[str, str]) -> dict[str, Any]:
    """Return arguments as the tool's schema takes them.

    Text stays text for a parameter that takes text; a list may be written ``a,b``; everything
    else is JSON where it parses, else text, and the tool says what is wrong with it.
    """
    from workbench.tools import registry

    try:
        known: dict[str, Any] = registry.get(tool).schema["properties"]
    except Refused:
        known = {}  # the call itself says that there is no such tool
    return {key: _value(word, known.get(key, {})) for key, word in words.items()}


def _value(word: str, schema: dict[str, Any]) -> object:
    parsed = _parsed(word)
    kind = schema.get("type")
    if kind == "string":
        # 1e5 may be a sample and 007 a hole: a number must not be made of them and back.
        return parsed if parsed is None or isinstance(parsed, str) else word
    if kind == "array" and not isinstance(parsed, list) and parsed is not None:
        parts = [parsed] if isinstance(parsed, str) and parsed != word else word.split(",")
        return [_value(part.strip(), schema.get("items", {})) for part in parts]
    return parsed


def _parsed(word: str) -> Any:  # noqa: ANN401 - JSON values
    try:
        return json.loads(word)
    except (ValueError, RecursionError):
        return word
