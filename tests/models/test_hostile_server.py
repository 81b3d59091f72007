"""A server that lies, floods or never ends: one outcome in words, no traceback, little memory."""

from __future__ import annotations

import contextlib
import gzip
import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from models.provider_server import Act, act, stream, text, use
from models.test_hosted import KEY, WHOLE, Bench, Serve, serve

from workbench import tokens
from workbench.errors import Failed, Refused
from workbench.limits import Limits
from workbench.models import anthropic
from workbench.models.hosted import HostedModel
from workbench.models.keys import Key, Place
from workbench.models.protocol import Line, read_reply
from workbench.models.retry import Clock
from workbench.models.table import Card
from workbench.tools import registry

__all__ = ["serve"]  # a fixture

Flood = Callable[[], Iterator[bytes]]


class Raw:
    """A server that writes what it likes under any headers; counts what it could get rid of."""

    def __init__(self, pieces: Flood, status: int, **headers: str) -> None:
        self.written, self.headers_seen = 0, {}
        raw = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                raw.headers_seen = dict(self.headers)
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                try:
                    for piece in pieces():
                        self.wfile.write(piece)
                        raw.written += len(piece)
                except OSError:
                    pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def raw() -> Iterator[Callable[..., Raw]]:
    servers: list[Raw] = []

    def start(pieces: Flood, status: int = 200, **headers: str) -> Raw:
        servers.append(Raw(pieces, status, **headers))
        return servers[-1]

    yield start
    anthropic.close()
    for server in servers:
        server.close()


def ask(server: Raw) -> str:
    """Send one request in one try and return how it failed."""
    limits = Limits().changed({"provider_tries": 1, "provider_silence": 5})
    line = Line(limits, threading.Event(), lambda *_: None, lambda *_: None, lambda *_: None)
    model = HostedModel(Card("m"), Place(server.url, Key(KEY), own=False), clock=Clock())
    body = '{"model":"m","max_tokens":100,"messages":[]}'
    with pytest.raises(Failed) as caught:
        model.over(line).send(body, "d01-r01")
    return str(caught.value)


def came_through(bench: Bench) -> bool:
    """Tell whether a request ended in calls or in one line that says why not."""
    with contextlib.suppress(Failed):
        return bool(bench.send().calls)
    return all("\n" not in str(one["reason"]) for one in bench.of("attempt"))


def test_a_server_that_gives_nothing_but_signs_of_life_is_left(
    raw: Callable[..., Raw], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anthropic, "_PINGS", 0.2)

    def pings() -> Iterator[bytes]:
        for kind, data in WHOLE[:1]:
            yield f"event: {kind}\ndata: {data}\n\n".encode()
        for _ in range(100):
            yield b'event: ping\ndata: {"type": "ping"}\n\n'
            time.sleep(0.1)

    assert "only signs of life came" in ask(raw(pings, content_type="text/event-stream"))


# Events that do not fit.


@pytest.mark.parametrize(
    "event",
    [
        {"type": "message_start", "message": "abc"},
        {"type": "message_start", "message": [1]},
        {"type": "message_start", "message": {"content": 5}},
        {"type": "message_start", "message": {"content": ["abc"]}},
        {"type": "message_start", "message": {"content": [], "usage": "abc"}},
        {"type": "message_start", "message": {"content": [], "usage": [1]}},
        {"type": "content_block_start", "index": "x", "content_block": {"type": "text"}},
        {"type": "content_block_start", "index": math.inf, "content_block": {"type": "text"}},
        {"type": "content_block_start", "index": math.nan, "content_block": {"type": "text"}},
        {"type": "content_block_start", "index": 0, "content_block": "abc"},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": 5}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": ["text"]}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": ["text_delta"]}},
        {"type": "message_delta", "delta": "abc"},
        {"type": "message_delta", "delta": {"usage": "abc"}},
        {"type": "message_delta", "delta": {"content": "abc"}},
        {"type": "message_delta", "delta": {}, "usage": "abc"},
        {"type": "message_delta", "delta": {}, "usage": {"input_tokens": [1]}},
        {"type": "error", "error": "abc"},
    ],
    ids=lambda event: json.dumps(event)[:90],
)
@pytest.mark.parametrize("cut", [False, True])
def test_an_event_that_does_not_fit_breaks_the_try_and_not_the_run(
    serve: Serve, event: dict[str, object], *, cut: bool
) -> None:
    at = 0 if event["type"] == "message_start" else 2
    odd = (str(event["type"]), json.dumps(event))
    events = [*WHOLE[:at], odd, *WHOLE[at + (at == 0) :]]
    bench = serve(Act(events, cut=at + 2 if cut else None), Act(WHOLE))
    assert came_through(bench)


def test_arguments_nested_deep_are_refused_as_unreadable_at_any_depth(serve: Serve) -> None:
    for depth in (200, 400, 600, 800, 900, 960, 990, 2_000, 20_000, 90_000):
        deep = '{"a":' * depth + "1" + "}" * depth
        bench = serve(act({**use("list_files"), "raw": deep}))
        assert came_through(bench)


# Counts.


@pytest.mark.parametrize("lie", [-(10**9), 10**12, 0, "900", None, [1], 1.5, True])
def test_what_a_broken_try_says_it_cost_is_believed_only_where_it_can_be_true(
    serve: Serve, lie: object
) -> None:
    lying = stream([text("one two three")], usage={"input_tokens": lie, "output_tokens": lie})
    bench = serve(Act(lying, cut=6), Act(WHOLE))
    bench.send()
    (attempt,) = bench.of("attempt")
    assert 20 < attempt["usage"]["input_tokens"] < 200
    assert attempt["usage"]["estimated"] == 1
    assert 0 <= attempt["usage"]["output_tokens"] < 50


def test_a_try_that_brought_nothing_cost_nothing(serve: Serve) -> None:
    bench = serve(Act(WHOLE, cut=0), Act(WHOLE))
    bench.send()
    assert bench.of("attempt")[0]["usage"] == {}


# Too much.


def _events_without_end() -> Iterator[bytes]:
    yield "".join(f"event: {n}\ndata: {d}\n\n" for n, d in WHOLE[:4]).encode()
    delta = {"type": "text_delta", "text": "x" * 60_000}
    data = json.dumps({"type": "content_block_delta", "index": 0, "delta": delta})
    while True:
        yield f"event: content_block_delta\ndata: {data}\n\n".encode()


def _line_without_end() -> Iterator[bytes]:
    yield b"data: "
    while True:
        yield b"x" * 65_536


def _bomb() -> Iterator[bytes]:
    yield gzip.compress(b" " * 400_000_000, 6)


@pytest.mark.parametrize(
    ("pieces", "status", "headers"),
    [
        (_events_without_end, 200, {"content_type": "text/event-stream"}),
        (_line_without_end, 200, {"content_type": "text/event-stream"}),
        (_line_without_end, 200, {"content_type": "application/json"}),
        (_line_without_end, 400, {"content_type": "application/json"}),
        (_line_without_end, 529, {"content_type": "text/plain"}),
        (_bomb, 200, {"content_type": "application/json", "content_encoding": "gzip"}),
        (_bomb, 400, {"content_type": "application/json", "content_encoding": "gzip"}),
    ],
    ids=["events", "line", "whole", "error", "busy", "bomb", "bomb in an error"],
)
@pytest.mark.timeout(120)
def test_a_reply_without_end_is_cut_off(
    raw: Callable[..., Raw], pieces: Flood, status: int, headers: dict[str, str]
) -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    server = raw(pieces, status, **headers)
    assert "\n" not in ask(server)
    assert server.written < 100_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # KiB


def test_a_key_for_the_loopback_goes_through_no_proxy(
    raw: Callable[..., Raw], monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = raw(lambda: iter([b"{}"]), 400)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, proxy.url)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    target = raw(lambda: iter([b"{}"]), 400)
    ask(target)
    assert proxy.headers_seen == {}
    assert target.headers_seen


# Calls.


def test_calls_of_one_reply_have_ids_of_their_own(serve: Serve) -> None:
    same = [{**use("list_files"), "id": name} for name in ("x", "x", "", "", "a b\n", 5)]
    calls = serve(act(*same)).send().calls
    assert len({call.id for call in calls}) == len(calls)
    assert all(call.id for call in calls)
    assert calls[0].id == "x"


@pytest.mark.parametrize("name", ["\u202eexe", "a\x00b", "x" * 100_000, 5, None, ["a"], {}])
def test_a_name_that_is_none_is_a_name_in_text(serve: Serve, name: object) -> None:
    reply = serve(act({**use("list_files"), "name": name})).send()
    assert isinstance(reply.calls[0].tool, str)


def test_a_key_in_a_models_words_is_taken_out_before_they_are_kept(serve: Serve) -> None:
    bench = serve(act(text(f"The key is {KEY}, so."), use("list_files", folder=KEY)))
    reply = bench.send()
    assert KEY not in json.dumps(reply.content)
    assert KEY.encode() not in b"".join(bench.kept.values())
    assert tokens.count(reply.words) > 1


def test_arguments_nested_too_deep_are_no_arguments() -> None:
    deep: object = 1
    for _ in range(500):
        deep = {"a": deep}
    content = [use("list_files", folder=deep), {"type": "other", "of": deep}, text("So.")]
    reply = read_reply(json.dumps({"content": content}))
    assert reply.calls[0].arguments == {"unreadable_arguments": "nested more than 64 deep"}
    assert reply.words == "So."
    assert len(reply.content) == 2


@pytest.mark.parametrize("number", [10**400, -(10**400), 10**4_000])
def test_a_number_beyond_all_numbers_is_refused_as_an_argument(number: int) -> None:
    with pytest.raises(Refused, match="is not a number"):
        registry.get("query_data").bind({"path": "a.csv", "operation": "head", "n": number})
