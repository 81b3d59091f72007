"""Every registered tool, on a tall table with many labels, long names and a huge cell."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hostilecalls import arguments, write
from toolbench import Bench

from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tools import registry

ROWS, COLUMNS, LABELS, CELL = 4_000, 14, 1_000, 1_000_000
NUMBERS = [f"E{n}_ppm" for n in range(COLUMNS - 7)]
TOOLS = [name for name, tool in registry.tools().items() if tool.place == "child"]


@pytest.fixture(scope="module")
def tall(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    root = tmp_path_factory.mktemp("tall")
    (root / "data").mkdir()
    write(root / "data", ROWS, COLUMNS, LABELS, CELL)
    return Bench(root / "data", root / "results")


@pytest.mark.parametrize("name", TOOLS)
def test_any_tool_answers_or_refuses_shortly(tall: Bench, name: str) -> None:
    tool = registry.get(name)
    if tool.effect == "run":
        pytest.skip("runs what a model wrote; its limits have tests of their own")
    for call in list(arguments(tool, "tall.csv", NUMBERS))[:3]:
        reply = _replied(tall, name, call)
        if isinstance(reply, str):
            assert len(reply) < 2_500
            assert "unexpectedly" not in reply
            continue
        assert len(json.dumps(reply.to_json())) < 1_000_000
        if reply.text is None:
            assert len(json.dumps(reply.facts, ensure_ascii=False)) < 6_000
        assert all(len(made.path) < 120 for made in reply.made)


def _replied(tall: Bench, name: str, call: dict[str, Any]) -> Reply | str:
    """Return what a call came to, or the words of its refusal."""
    try:
        return tall.call(name, **call)
    except Refused as refused:
        return str(refused)
