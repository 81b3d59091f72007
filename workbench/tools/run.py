"""Running one tool call in the child: bind, expand stored texts, run, describe."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.accounting import facts
from workbench.errors import Refused, WorkbenchError
from workbench.reply import FIRST_LINES, LENT, Reply
from workbench.tools import libraries, registry
from workbench.tools.context import Context
from workbench.tools.firstlook import facts_of, notes_of
from workbench.visible import visible

# The start by which a stored text is known again; shorter ones are too like other words.
_SIGN = 24
# A stored text is named like this in any later argument; the expanded text never goes back.
BLOB = re.compile(r"§§§Blob§([A-Za-z0-9_-]{1,80})§§§")


def run_call(tool: str, arguments: dict[str, Any], context: Context) -> dict[str, Any]:
    """Run one tool call and return its reply as JSON values.

    Raises
    ------
    Refused
        For an unknown tool, wrong arguments, or whatever the tool itself turns down.
    """
    found = registry.for_people().get(tool) or registry.get(tool)
    given = {key: value for key, value in arguments.items() if key not in {FIRST_LINES, LENT}}
    bound = found.bind(given)
    context.begin(tool, bound)
    if found.looks(bound):
        context.looking = arguments.get(FIRST_LINES)
    context.lent = dict(arguments.get(LENT) or {})
    stored: dict[str, str] = {}
    expanded = {name: _expand(value, context, stored) for name, value in bound.items()}
    try:
        with libraries.used() as asked:
            reply: Reply = found.function(context, **expanded)
    except WorkbenchError as error:
        error.args = tuple(_fold(item, stored) for item in error.args)
        raise
    whole = replace(
        reply,
        facts={**facts_of(context.first_lines), **facts.applied(reply.facts)},
        notes=(*notes_of(context.first_lines, bound.get("path")), *reply.notes),
        first_lines=context.first_lines,
        limits_hit=(*reply.limits_hit, *context.limits_hit),
        raw_tokens={**context.raw_tokens, **reply.raw_tokens},
        snapshots={**context.snapshots, **reply.snapshots},
        inputs={**context.inputs, **reply.inputs},
        versions=libraries.versions(asked, {one.media_type for one in reply.made}),
    )
    return dict(_fold(whole.to_json(), stored))


def _expand(value: Any, context: Context, stored: dict[str, str]) -> Any:  # noqa: ANN401 - JSON values
    """Replace stored-text names by the texts, at any depth, and take note of both."""

    def text(hit: re.Match[str]) -> str:
        stored[hit[0]] = _blob(hit[1], context)
        return stored[hit[0]]

    if isinstance(value, str) and "§§§Blob§" in value:
        return BLOB.sub(text, value)
    if isinstance(value, list):
        return [_expand(item, context, stored) for item in value]
    if isinstance(value, dict):
        return {key: _expand(item, context, stored) for key, item in value.items()}
    return value


def _fold(value: Any, stored: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON values
    """Put the names of stored texts back in the place of the texts, cut ones too, at any depth."""
    if not stored:
        return value
    if isinstance(value, str):
        for name, text in stored.items():
            for form in dict.fromkeys((text, visible(text), " ".join(text.split()))):
                value = _folded(value, name, form)
        return value
    if isinstance(value, dict):
        return {_fold(key, stored): _fold(item, stored) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_fold(item, stored) for item in value)
    return value


def _folded(said: str, name: str, text: str) -> str:
    """Replace a text, or a start of it, by its name; a short one only where nothing else stands."""
    if said == text or len(text) < _SIGN:
        return name if said == text else said
    begin = said.find(text[:_SIGN])
    while begin >= 0:
        end = begin + len(os.path.commonprefix((said[begin:], text)))  # noqa: RUF071 - signs are meant
        said = said[:begin] + name + said[end:]
        begin = said.find(text[:_SIGN], begin + len(name))
    return said


def _blob(key: str, context: Context) -> str:
    try:
        with context.workspace.open_result(context.run / "full", f"{key}.txt") as file:
            return file.read().decode("utf-8")
    except Refused:
        raise Refused(f"blob '{key}': no such stored text; keep it first with store_text") from None
