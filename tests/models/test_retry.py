"""When a request is sent again, and after how long."""

from __future__ import annotations

import email.utils
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from workbench.errors import Failed, Stopped
from workbench.limits import Limits
from workbench.models.protocol import Line
from workbench.models.retry import Clock, Trouble, asked_wait, carried, pause, trouble


def line(stop: threading.Event | None = None, **limits: object) -> tuple[Line, list[Any]]:
    noted: list[Any] = []
    table = Limits().changed({"provider_seconds": 5, **limits})
    return Line(
        table,
        stop or threading.Event(),
        lambda kind, data: noted.append((kind, data)),
        lambda key, used, unit: noted.append((key, used, unit)),
        lambda _name, _data: None,
    ), noted


def failing(times: int, wait: float | None = None) -> Callable[[int], str]:
    def attempt(number: int) -> str:
        if number <= times:
            raise Trouble("it broke", again=True, wait=wait)
        return f"reply of try {number}"

    return attempt


def test_a_first_reply_is_the_reply() -> None:
    over, noted = line()
    assert carried(failing(0), over, "d01-r01") == "reply of try 1"
    assert noted == []


def test_pauses_double_and_spread_by_a_quarter() -> None:
    met = Trouble("x", again=True)
    assert [pause(n, met, 0.5) for n in (1, 2, 3)] == [0.5, 1, 2]
    assert (pause(2, met, 0.0), pause(2, met, 1.0)) == (0.75, 1.25)


def test_e1_a_wait_that_was_asked_for_is_never_cut_short() -> None:
    met = Trouble("x", again=True, wait=7)
    assert pause(1, met, 0.0) == 7
    assert pause(3, met, 1.0) == 8


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_a_wait_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(headers) == seconds


def test_a_wait_may_be_a_date() -> None:
    found = asked_wait({"retry-after": email.utils.formatdate(time.time() + 30, usegmt=True)})
    assert found is not None
    assert 20 < found <= 30


def said(kind: str, words: str = "words", code: str = "") -> str:
    details = {"details": {"error_code": code}} if code else {}
    return json.dumps({"type": "error", "error": {"type": kind, "message": words, **details}})


@pytest.mark.parametrize(
    ("status", "text", "again"),
    [
        (429, said("rate_limit_error"), True),
        (429, said("rate_limit_error", code="contract_spend_limit_reached"), False),
        (429, said("rate_limit_error", "Your credit balance is too low"), False),
        (429, said("rate_limit_error", code="ramp_limit_exceeded"), True),
        (200, said("overloaded_error"), True),
        (200, said("invalid_request_error"), False),
        (500, "<html>oops</html>", True),
        (501, "", False),
        (418, "", False),
        (400, said("api_error"), True),
        (500, "[1, 2]", True),
        (500, '{"error": "flat"}', True),
    ],
)
def test_what_may_pass_is_told_by_its_kind_then_by_its_status(
    status: int, text: str, *, again: bool
) -> None:
    assert trouble(status, text, {}).again is again


def test_the_providers_own_word_on_trying_again_counts() -> None:
    assert not trouble(529, said("overloaded_error"), {"x-should-retry": "false"}).again
    assert trouble(409, said("conflict_error"), {"x-should-retry": "true"}).again


def test_an_error_is_one_short_line() -> None:
    met = trouble(400, said("invalid_request_error", "long\nlines " * 500), {})
    assert "\n" not in str(met)
    assert len(str(met)) < 400


@pytest.mark.parametrize("words", ["prompt is too long: 250000 tokens", "context_length_exceeded"])
def test_e7_a_request_beyond_the_window_says_what_to_do(words: str) -> None:
    assert "narrower" in trouble(400, said("invalid_request_error", words), {}).remedy


def test_every_broken_try_is_noted_and_then_given_up() -> None:
    over, noted = line(provider_tries=3)
    with pytest.raises(Failed, match="given up after 3 tries"):
        carried(failing(9, wait=0.0), over, "k", Clock(chance=lambda: 0.0))
    assert [note[1]["try"] for note in noted if note[0] == "attempt"] == [1, 2, 3]
    assert noted[-1] == ("provider_tries", 3, "tries")


def test_a_stop_is_heard_between_tries() -> None:
    stop = threading.Event()
    stop.set()
    over, _ = line(stop, provider_seconds=90)
    with pytest.raises(Stopped):
        carried(failing(1, wait=60.0), over, "k")
