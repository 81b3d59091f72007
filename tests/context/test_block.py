"""Blocks and requests: characters of the parts are the characters of the whole."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from workbench import tokens
from workbench.context import block
from workbench.context.block import Block

WORDS = st.text(max_size=60)


def _blocks(words: list[str]) -> list[Block]:
    made = [
        block.text("system", "system", "You are the guide."),
        block.make("tools", "tools", {"name": "a", "description": "b", "input_schema": {}}),
        block.make("tools", "tools", {"name": "c", "description": "d", "input_schema": {}}),
    ]
    for number, word in enumerate(words):
        part: block.Part = "user" if number % 3 != 1 else "assistant"
        category: block.Category = "question" if part == "user" else "assistant"
        made.append(block.text(category, part, word))
    return made


@given(words=st.lists(WORDS, min_size=1, max_size=8))
def test_the_characters_of_blocks_and_envelope_are_the_request(words: list[str]) -> None:
    blocks = _blocks(words)
    request = block.build("offline-planner", blocks, 8_000)
    assert sum(request.chars.values()) == len(request.body)
    assert sum(len(item.text) for item in blocks) + request.chars["envelope"] == len(request.body)


@given(words=st.lists(WORDS, min_size=1, max_size=8))
def test_a_request_is_a_message_of_the_protocol(words: list[str]) -> None:
    data = json.loads(block.build("m", _blocks(words), 5).body)
    assert list(data) == ["model", "max_tokens", "system", "tools", "messages"]
    assert [turn["role"] for turn in data["messages"]] == [
        "user" if number % 2 == 0 else "assistant" for number in range(len(data["messages"]))
    ]
    texts = [part["text"] for turn in data["messages"] for part in turn["content"]]
    assert texts == words


def test_tokens_are_the_sum_of_the_blocks_counts_and_the_envelopes() -> None:
    blocks = _blocks(["gold", "yes", "more"])
    request = block.build("m", blocks, 5)
    envelope = request.by_category["envelope"]
    assert request.tokens == sum(item.tokens for item in blocks) + envelope
    assert blocks[0].tokens == tokens.count(blocks[0].text)
