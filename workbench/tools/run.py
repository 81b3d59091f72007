"""Running one tool call in the child: bind, expand stored texts, run, describe."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tools import registry
from workbench.tools.context import Context

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
    bound = found.bind(arguments)
    context.begin(tool, bound)
    expanded = {name: _expand(value, context) for name, value in bound.items()}
    reply: Reply = found.function(context, **expanded)
    return replace(
        reply,
        limits_hit=(*reply.limits_hit, *context.limits_hit),
        raw_tokens={**context.raw_tokens, **reply.raw_tokens},
        snapshots={**context.snapshots, **reply.snapshots},
    ).to_json()


def _expand(value: Any, context: Context) -> Any:  # noqa: ANN401 - JSON values
    """Replace stored-text names by the texts, at any depth."""
    if isinstance(value, str) and "§§§Blob§" in value:
        return BLOB.sub(lambda hit: _blob(hit[1], context), value)
    if isinstance(value, list):
        return [_expand(item, context) for item in value]
    if isinstance(value, dict):
        return {key: _expand(item, context) for key, item in value.items()}
    return value


def _blob(key: str, context: Context) -> str:
    try:
        with context.workspace.open_result(context.run / "full", f"{key}.txt") as file:
            return file.read().decode("utf-8")
    except Refused:
        raise Refused(f"blob '{key}': no such stored text; keep it first with store_text") from None
