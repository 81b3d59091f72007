"""Which models there are: the table's, and what a server says it has."""

from __future__ import annotations

import json
import os

import pytest
from models.provider_server import ProviderServer, act

from workbench.cli import main
from workbench.errors import Refused
from workbench.models import anthropic, table
from workbench.models.offers import models


@pytest.fixture(autouse=True)
def nothing_given(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)


def test_without_key_or_address_it_is_the_table_and_nobody_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(anthropic, "client", lambda _: pytest.fail("somebody was asked"))
    rows = models()
    assert rows[0] == {"model": "offline", "window": 200_000, "price": None, "source": "built in"}
    assert [row["model"] for row in rows[1:]] == [f"anthropic:{name}" for name in table.known()]
    assert rows[1]["price"] == {"fresh": 2, "reply": 10, "cached": 0.1}


def test_a_server_of_ones_own_is_listed_with_its_windows_and_without_published_prices() -> None:
    listed = [{"id": "llama", "max_model_len": 8_192}, {"id": table.DEFAULT}, {"no": "id"}]
    with ProviderServer([act()], models=listed) as server:
        rows = models(server.url)
    assert [(row["model"], row["window"], row["price"], row["source"]) for row in rows[1:]] == [
        ("anthropic:llama", 8_192, None, server.url),
        (f"anthropic:{table.DEFAULT}", 1_000_000, None, server.url),
    ]
    assert server.asked == []


def test_an_address_where_nobody_is_says_so_in_one_line() -> None:
    with ProviderServer([act()]) as server:
        url = server.url
    with pytest.raises(Refused, match=f"{url} cannot be reached"):
        models(url)


def test_the_command_lists_them_for_people_and_programs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = [{"id": "evil\x1b[2J\u202e", "n_ctx": 4_096}]
    with ProviderServer([act()], models=listed) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert main(["models"]) == 0
        shown = capsys.readouterr().out
        assert main(["models", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[1]["window"] == 4_096
    assert "anthropic:evil\\u001b[2J\\u202e" in shown
    assert "\x1b" not in shown
