"""From a name to a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.errors import Refused
from workbench.models.choose import choose, default
from workbench.models.hosted import HostedModel
from workbench.models.offline import OfflineModel


def test_without_a_key_the_default_is_offline(tmp_path: Path) -> None:
    assert default() == "offline"
    assert isinstance(choose("", tmp_path), OfflineModel)


def test_with_a_key_the_default_is_a_language_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-canary")
    assert default() == "anthropic:claude-sonnet-5-5"
    model = choose("", tmp_path)
    assert isinstance(model, HostedModel)
    assert (model.provider, model.name, model.base) == ("anthropic", "claude-sonnet-5-5", "")


def test_an_address_alone_is_enough_for_a_server_of_ones_own(tmp_path: Path) -> None:
    model = choose("anthropic:qwen3:8b", tmp_path, "http://127.0.0.1:11434")
    assert (model.name, model.provider) == ("qwen3:8b", "anthropic")
    assert getattr(model, "base", "") == "http://127.0.0.1:11434"


def test_an_address_is_for_models_on_a_server(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="anthropic:ID alone"):
        choose("offline", tmp_path, "http://127.0.0.1:1")


@pytest.mark.parametrize("name", ["claude-opus-5-5", "openai:gpt", "anthropic: x", "offline:x"])
def test_a_name_that_is_not_understood_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused, match="model ") as caught:
        choose(name, tmp_path, "")
    assert "\n" not in str(caught.value)


def test_a_bare_id_is_told_how_to_be_written(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="nearest: 'anthropic:claude-opus-5-5'"):
        choose("claude-opus-5-5", tmp_path)
