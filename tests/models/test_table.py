"""What is known of models, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from workbench.context.block import dumps, make, text
from workbench.models import table
from workbench.models.table import Card, Price


@pytest.fixture(autouse=True)
def _as_published() -> Iterator[None]:
    kept = table.known()
    yield
    table._KNOWN.clear()
    table._KNOWN.update(kept)


def test_the_default_is_in_the_table() -> None:
    assert table.DEFAULT in table.known()


@pytest.mark.parametrize("card", table.ROWS, ids=lambda card: card.name)
def test_a_published_row_is_whole(card: Card) -> None:
    assert card.window >= 200_000
    assert card.cache_floor in {512, 1_024, 2_048, 4_096}
    price = card.price
    assert price is not None
    assert price.read < price.fresh < price.written < price.reply
    assert price.written == pytest.approx(1.25 * price.fresh)
    assert not {"temperature", "top_p", "top_k"} & set(card.form.settings)


def test_a_request_costs_what_its_parts_cost() -> None:
    price = Price(4, 20, 5, 0.2)
    used = {"input_tokens": 1_000, "cache_creation_input_tokens": 2_000,
            "cache_read_input_tokens": 50_000, "output_tokens": 300}  # fmt: skip
    # 1,000 × 4 + 2,000 × 5 + 50,000 × 0.2 + 300 × 20 = 30,000 millionths of a dollar
    assert price.of(used) == pytest.approx(0.03)


def test_a_long_request_costs_its_own_price_for_all_of_it() -> None:
    price = table.find("claude-haiku-5-5").price
    assert price is not None
    short = {"input_tokens": 60_000, "cache_read_input_tokens": 40_000, "output_tokens": 1_000}
    long = {**short, "cache_read_input_tokens": 40_001}
    assert price.of(short) == pytest.approx((60_000 * 0.1 + 40_000 * 0.01 + 500) / 1e6)
    assert price.of(long) == pytest.approx((60_000 * 0.5 + 40_001 * 0.05 + 2_500) / 1e6)


def test_an_unknown_model_has_a_small_window_and_no_price() -> None:
    card = table.find("my-model")
    assert (card.window, card.price, card.cache_floor) == (32_768, None, 0)


def test_a_model_can_be_added_and_known_ones_replaced() -> None:
    table.add(Card("my-model", window=8_192, calls="fenced", price=Price(1, 2, 1, 1)))
    assert table.find("my-model", own=False).window == 8_192
    assert table.find("my-model", own=False).price is not None
    table.add(Card("claude-opus-5-5", window=500_000))
    assert table.find("claude-opus-5-5").window == 500_000


def test_published_prices_hold_at_the_providers_own_address_alone() -> None:
    assert table.find("claude-opus-5-5").price is not None
    assert table.find("claude-opus-5-5", own=False).price is None


def test_prompt_and_tools_are_marked_from_the_floor_on() -> None:
    blocks = [text("system", "system", "You " * 600), make("tools", "tools", {"name": "t"})]
    total = sum(item.tokens for item in blocks)
    form = Card("m", cache_floor=total).form
    marked = form.stable(blocks)
    assert marked[0].value["cache_control"] == {"type": "ephemeral"}
    assert marked[0].text == dumps({**blocks[0].value, "cache_control": {"type": "ephemeral"}})
    assert marked[1:] == blocks[1:]
    assert Card("m", cache_floor=total + 1).form.stable(blocks) == blocks
    assert Card("m").form.stable(blocks) == blocks
