"""Where a model is reached and with which key."""

from __future__ import annotations

import pytest

from workbench.errors import Refused
from workbench.models import keys
from workbench.models.keys import Key

OWN = {"ANTHROPIC_API_KEY": "sk-canary-1"}


def test_a_key_shows_itself_nowhere() -> None:
    key = Key("sk-canary-1")
    assert repr(key) == str(key) == f"{key}" == "Key(hidden)"
    assert key.hide("a sk-canary-1 b") == "a [key] b"
    assert key.hide_bytes(b"a sk-canary-1 b") == b"a [key] b"
    assert "canary" not in repr(keys.place("", OWN))


def test_without_an_address_it_is_the_providers_own_with_its_key() -> None:
    place = keys.place("", OWN)
    assert (place.base, place.key.secret, place.own) == (keys.OWN_BASE, "sk-canary-1", True)


def test_without_a_key_there_is_no_model_and_a_way_on() -> None:
    with pytest.raises(Refused, match="ANTHROPIC_API_KEY"):
        keys.place("", {})


def test_an_address_of_the_environment_gets_the_key_of_the_environment() -> None:
    place = keys.place("", {**OWN, "ANTHROPIC_BASE_URL": "https://proxy.example/anthropic/"})
    assert (place.base, place.key.secret) == ("https://proxy.example/anthropic", "sk-canary-1")
    assert not place.own


def test_d2_an_address_that_was_asked_for_never_gets_the_providers_key() -> None:
    place = keys.place("http://127.0.0.1:8080", OWN)
    assert "canary" not in place.key.secret
    assert not place.key
    other = keys.place("https://there.example", {**OWN, "WORKBENCH_API_KEY": "other"})
    assert other.key.secret == "other"


def test_a_key_does_not_go_unencrypted_over_a_network() -> None:
    with pytest.raises(Refused, match="use https"):
        keys.place("", {**OWN, "ANTHROPIC_BASE_URL": "http://far.example"})
    assert keys.place("http://far.example", OWN).base == "http://far.example"
    assert keys.place("", {**OWN, "ANTHROPIC_BASE_URL": "http://localhost:1"}).key


@pytest.mark.parametrize(
    "address",
    ["ftp://a", "a.example", "http://", "https://me:secret@a.example", "https://a.example?k=1",
     "http://[::1", "http://a.example:99999"],
)  # fmt: skip
def test_an_address_that_is_none_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(Refused, match="base address") as caught:
        keys.place(address, {})
    assert "secret" not in str(caught.value)


def test_a_path_of_version_one_is_left_to_the_sdk() -> None:
    assert keys.place("http://localhost:11434/v1/", {}).base == "http://localhost:11434"


def test_a_key_that_was_typed_in_is_used_and_forgotten() -> None:
    keys.keep("  sk-canary-2\n")
    assert keys.place("", OWN).key.secret == "sk-canary-2"
    assert keys.has_key({})
    keys.forget()
    assert not keys.has_key({})


@pytest.mark.parametrize("typed", ["", "  ", "two words", "schlüssel"])
def test_what_cannot_be_a_key_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="no key"):
        keys.keep(typed)
