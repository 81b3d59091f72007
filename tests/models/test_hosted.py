"""A model on a server, through the real SDK and a real loopback: what is sent, what comes back."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from models.provider_server import Act, ProviderServer, act, error, stream, text, use

from workbench.context.block import dumps
from workbench.errors import Failed, Stopped
from workbench.limits import Limits
from workbench.models import anthropic, keys
from workbench.models.hosted import HostedModel
from workbench.models.keys import Key, Place
from workbench.models.protocol import Line, ModelReply, read_reply
from workbench.models.retry import Clock
from workbench.models.table import Card, find

KEY = "sk-canary-0451"
TOOLS = [{"name": "list_files", "description": "Lists.", "input_schema": {"type": "object"}}]


def body(**more: object) -> str:
    asked = [{"role": "user", "content": [text("Which files are there?")]}]
    request = {"model": "m", "max_tokens": 8_000, "stream": True, "system": [], "tools": TOOLS}
    return dumps({**request, "messages": asked, **more})


class Skipping(Clock):
    """A clock that waits no real time."""

    def __init__(self) -> None:
        self.at = 0.0
        self.waited: list[float] = []
        super().__init__(lambda: self.at, lambda: 0.5)

    def wait(self, line: Line, seconds: float) -> bool:
        object.__setattr__(self, "at", self.at + seconds)
        self.waited.append(seconds)
        return line.stop.is_set()

    def __setattr__(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


@dataclass
class Bench:
    """A model over a line that notes everything."""

    server: ProviderServer
    card: Card = field(default_factory=lambda: Card("m", window=200_000))
    limits: dict[str, object] = field(default_factory=dict)
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    hits: list[str] = field(default_factory=list)
    kept: dict[str, bytes] = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)
    clock: Skipping = field(default_factory=Skipping)

    def send(self, request: str = "", key: str = "d01-r01") -> ModelReply:
        line = Line(
            Limits().changed(self.limits),
            self.stop,
            lambda kind, data: self.events.append((kind, data)),
            lambda name, _used, _unit: self.hits.append(name),
            self.kept.__setitem__,
        )
        place = Place(self.server.url, Key(KEY), own=False)
        model = HostedModel(self.card, place, clock=self.clock)
        return read_reply(model.over(line).send(request or body(), key))

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [data for name, data in self.events if name == kind]


Serve = Callable[..., Bench]


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[ProviderServer] = []

    def start(*acts: Act, card: Card | None = None, **limits: object) -> Bench:
        server = ProviderServer(acts).__enter__()
        servers.append(server)
        named = {} if card is None else {"card": card}
        return Bench(server, limits=limits, **named)

    yield start
    anthropic.close()
    for server in servers:
        server.kill()


def test_the_bytes_that_arrive_are_those_that_were_built(serve: Serve) -> None:
    bench = serve(act(text("Three.")))
    request = body(system=[text("Größe ≥ 5 µm 𝄞 \u2028")])
    assert bench.send(request).words == "Three."
    (asked,) = bench.server.asked
    assert asked.body == request.encode()
    assert asked.path == "/v1/messages"
    assert asked.headers["Authorization"] == f"Bearer {KEY}"


def test_bytes_that_are_not_those_kept_do_not_leave(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = serve(act(text("Three.")))
    place = Place(bench.server.url, Key(KEY), own=False)
    post = anthropic.client(place).post

    def changed(path: str, *, content: bytes, **more: object) -> object:
        return post(path, content=content + b" ", **more)

    monkeypatch.setattr(anthropic.client(place), "post", changed)
    with pytest.raises(Failed, match="not what was kept"):
        bench.send()
    assert bench.server.asked == []


def test_no_sampling_setting_and_no_retry_of_the_sdk(serve: Serve) -> None:
    bench = serve(error(400, "invalid_request_error"), card=find("claude-opus-5-5"))
    with pytest.raises(Failed, match="400 invalid_request_error: said so"):
        bench.send()
    assert len(bench.server.asked) == 1
    settings = find("claude-opus-5-5").form.settings
    assert not {"temperature", "top_p", "top_k"} & set(settings)


def test_text_comes_word_by_word_and_is_told_on_the_way(serve: Serve) -> None:
    bench = serve(act(text("one two three four")))
    assert bench.send().words == "one two three four"
    first = bench.of("saying")[0]
    assert first["text"] == "one tw"
    assert first["key"] == "d01-r01"


def test_several_calls_come_whole_and_in_order(serve: Serve) -> None:
    calls = [use("list_files", n, folder=f"f{n}") for n in range(3)]
    reply = serve(act(text("Looking."), *calls)).send()
    assert [call.arguments for call in reply.calls] == [{"folder": f"f{n}"} for n in range(3)]
    assert (reply.stop, reply.words) == ("tool_use", "Looking.")


def test_a_call_without_arguments_has_none(serve: Serve) -> None:
    part = {**use("list_files"), "raw": ""}
    assert serve(act(part)).send().calls[0].arguments == {}


@pytest.mark.parametrize("raw", ['{"folder": "a', "[1, 2]", "nonsense", '"text"'])
def test_arguments_that_are_no_object_stay_an_object_that_no_tool_takes(
    serve: Serve, raw: str
) -> None:
    (call,) = serve(act({**use("list_files"), "raw": raw})).send().calls
    assert call.arguments == {"unreadable_arguments": raw}


def test_arguments_of_a_megabyte_come_whole(serve: Serve) -> None:
    long = "x" * 1_000_000
    (call,) = serve(act(use("store_text", content=long))).send().calls
    assert call.arguments == {"content": long}


def test_what_was_thought_comes_back_with_its_signature(serve: Serve) -> None:
    thought = {"type": "thinking", "thinking": "They ask for files.", "signature": "EqQBCg=="}
    redacted = {"type": "redacted_thinking", "data": "opaque"}
    bench = serve(act(thought, redacted, text("Three.")))
    assert bench.send().content == [thought, redacted, text("Three.")]
    assert bench.of("saying")[0]["thought"]


def test_a_reply_that_is_not_streamed_is_understood(serve: Serve) -> None:
    message = {"type": "message", "role": "assistant", "content": [text("All at once.")]}
    message |= {"stop_reason": "end_turn", "usage": {"input_tokens": 90, "output_tokens": 5}}
    bench = serve(Act(text=json.dumps(message), kind="application/json"))
    assert bench.send().words == "All at once."


@pytest.mark.parametrize(
    "stop", ["end_turn", "max_tokens", "refusal", "model_context_window_exceeded", "pause_turn"]
)
def test_why_a_reply_ended_is_handed_on(serve: Serve, stop: str) -> None:
    assert serve(act(text("So far."), stop=stop)).send().stop == stop


def test_what_came_is_kept_byte_for_byte(serve: Serve) -> None:
    answer = act(text("Three."))
    bench = serve(answer)
    bench.send()
    whole = "".join(f"event: {name}\ndata: {data}\n\n" for name, data in answer.events)
    assert bench.kept == {"d01-r01-try1.sse": whole.encode()}


# Trying again.


@pytest.mark.parametrize(
    ("status", "kind"),
    [(500, "api_error"), (529, "overloaded_error"), (503, ""), (502, ""), (408, "timeout_error")],
)
def test_e3_what_may_pass_is_tried_again_with_growing_pauses(
    serve: Serve, status: int, kind: str
) -> None:
    bench = serve(*[error(status, kind)] * 3, act(text("At last.")))
    assert bench.send().words == "At last."
    assert len(bench.server.asked) == 4
    assert sum(bench.clock.waited) == pytest.approx(0.5 + 1 + 2)
    assert [data["try"] for data in bench.of("attempt")] == [1, 2, 3]


def test_e3_after_the_last_try_it_is_given_up_with_a_way_on(serve: Serve) -> None:
    bench = serve(error(529, "overloaded_error", "Overloaded"))
    with pytest.raises(Failed, match=r"529 overloaded_error: Overloaded; given up after 4 tries"):
        bench.send()
    assert len(bench.server.asked) == 4
    assert bench.hits == ["provider_tries"]


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        (400, "invalid_request_error", "ask again"),
        (401, "authentication_error", "ANTHROPIC_API_KEY"),
        (402, "billing_error", "billing"),
        (403, "permission_error", "another model"),
        (413, "request_too_large", "narrower"),
        (409, "conflict_error", "ask again"),
    ],
)
def test_e2_what_is_wrong_for_good_is_sent_once_and_said_with_a_remedy(
    serve: Serve, status: int, kind: str, says: str
) -> None:
    bench = serve(error(status, kind))
    with pytest.raises(Failed, match=says):
        bench.send()
    assert len(bench.server.asked) == 1
    assert bench.clock.waited == []


def test_an_unknown_model_is_told_with_the_nearest_there_is(serve: Serve) -> None:
    bench = serve(error(404, "not_found_error", "model: m"), card=Card("claude-opus-55"))
    bench.server.models = [{"id": "claude-opus-5-5"}, {"id": "claude-haiku-5-5"}]
    with pytest.raises(Failed, match="nearest: 'claude-opus-5-5'"):
        bench.send()


def test_e1_a_wait_that_was_asked_for_is_waited_and_counted_down(serve: Serve) -> None:
    bench = serve(error(429, "rate_limit_error", retry_after="7"), act(text("Now.")))
    assert bench.send().words == "Now."
    assert 7 <= sum(bench.clock.waited) <= 9
    left = [data["left"] for data in bench.of("waiting")]
    assert left == sorted(left, reverse=True)
    assert len(left) >= 7


def test_a_wait_longer_than_the_limit_is_not_begun(serve: Serve) -> None:
    bench = serve(error(429, "rate_limit_error", retry_after="3600"))
    with pytest.raises(Failed, match="provider_seconds"):
        bench.send()
    assert bench.clock.waited == []
    assert bench.hits == ["provider_seconds"]


def test_e2_a_spent_budget_is_no_rate_limit(serve: Serve) -> None:
    details = {"error_code": "enforced_spend_limit_reached"}
    inner = {"type": "rate_limit_error", "message": "limit reached", "details": details}
    said = json.dumps({"type": "error", "error": inner})
    bench = serve(Act(status=429, text=said, kind="application/json"))
    with pytest.raises(Failed, match="limits of your account"):
        bench.send()
    assert len(bench.server.asked) == 1


def test_an_error_inside_a_stream_is_judged_by_its_kind(serve: Serve) -> None:
    half = stream([text("Half an answer that nobody gets")])[:5]
    inner = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    bench = serve(Act([*half, ("error", json.dumps(inner))]), act(text("Whole.")))
    assert bench.send().words == "Whole."
    inner["error"]["type"] = "invalid_request_error"
    bench = serve(Act([*half, ("error", json.dumps(inner))]))
    with pytest.raises(Failed, match="invalid_request_error"):
        bench.send()
    assert len(bench.server.asked) == 1


WHOLE = stream([text("one two three"), use("list_files", folder="a")], "tool_use")


@pytest.mark.parametrize("cut", range(len(WHOLE)))
def test_e4_a_stream_cut_at_any_event_is_thrown_away_and_asked_again(
    serve: Serve, cut: int
) -> None:
    bench = serve(Act(WHOLE, cut=cut), Act(WHOLE))
    reply = bench.send()
    assert (reply.words, len(reply.calls)) == ("one two three", 1)
    assert len(bench.server.asked) == 2
    assert bench.server.asked[0].body == bench.server.asked[1].body


@pytest.mark.parametrize("end", range(len(WHOLE)))
def test_a_stream_that_ends_early_without_an_error_is_no_reply(serve: Serve, end: int) -> None:
    bench = serve(Act([*WHOLE[:end], ("ping", '{"type":"ping"}')]), Act(WHOLE))
    assert len(bench.send().calls) == 1
    assert len(bench.server.asked) == 2


def test_e4_what_a_broken_try_cost_is_told(serve: Serve) -> None:
    card = Card("m", 200_000, find("claude-opus-5-5").price)
    bench = serve(Act(WHOLE, cut=6), Act(WHOLE), card=card)
    bench.send()
    (attempt,) = bench.of("attempt")
    assert attempt["usage"]["input_tokens"] == 900
    assert attempt["usd"] == pytest.approx(900 * 4e-6 + 20e-6)


def test_a_piece_that_is_no_json_breaks_the_try_and_not_the_run(serve: Serve) -> None:
    events = [*WHOLE[:4], ("content_block_delta", '{"type": "content_bl'), *WHOLE[4:]]
    bench = serve(Act(events), Act(WHOLE))
    assert len(bench.send().calls) == 1


def test_events_out_of_order_break_the_try(serve: Serve) -> None:
    bench = serve(Act([*WHOLE[3:5], *WHOLE]), Act(WHOLE))
    assert len(bench.send().calls) == 1
    assert len(bench.server.asked) == 2


def test_events_of_a_kind_nobody_knows_are_passed_over(serve: Serve) -> None:
    strange = ("weather", '{"type": "weather", "sky": "grey"}')
    assert serve(Act([WHOLE[0], strange, *WHOLE[1:]])).send().words == "one two three"


def test_the_end_sign_of_another_protocol_is_passed_over(serve: Serve) -> None:
    bench = serve(Act([*WHOLE, ("message", "[DONE]")]))
    assert bench.send().words == "one two three"
    assert len(bench.server.asked) == 1


def test_an_error_that_is_named_in_its_data_alone_is_an_error(serve: Serve) -> None:
    inner = {"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}
    bench = serve(Act([*WHOLE[:3], ("message", json.dumps(inner))]))
    with pytest.raises(Failed, match="invalid_request_error: no"):
        bench.send()
    assert len(bench.server.asked) == 1


def test_e3_silence_ends_a_try(serve: Serve) -> None:
    bench = serve(act(text("late"), hang=3), act(text("in time")), provider_silence=1)
    assert bench.send().words == "in time"
    assert bench.hits == ["provider_silence"]


def test_a_server_that_is_not_there_is_tried_and_named(serve: Serve) -> None:
    bench = serve(act(text("never")))
    bench.server.kill()
    with pytest.raises(Failed, match=r"http://127.0.0.1:\d+ cannot be reached"):
        bench.send()
    assert len(bench.of("attempt")) == 4


def test_a_stop_ends_a_request_that_nobody_answers(serve: Serve) -> None:
    bench = serve(act(text("late"), hang=20))
    threading.Timer(0.2, bench.stop.set).start()
    began = time.monotonic()
    with pytest.raises(Stopped):
        bench.send()
    assert time.monotonic() - began < 10  # the server would have taken twice that


def test_a_stop_ends_a_wait(serve: Serve) -> None:
    bench = serve(error(429, "rate_limit_error", retry_after="60"))
    bench.stop.set()
    with pytest.raises(Stopped):
        bench.send()


def test_a_redirect_is_not_followed(serve: Serve) -> None:
    other = serve(act(text("stolen")))
    bench = serve(Act(status=308, headers={"location": f"{other.server.url}/v1/messages"}))
    with pytest.raises(Failed, match="308"):
        bench.send()
    assert other.server.asked == []


def test_a_key_that_a_server_sends_back_is_kept_nowhere(serve: Serve) -> None:
    bench = serve(error(400, "invalid_request_error", f"bad header: Bearer {KEY}"))
    with pytest.raises(Failed, match=r"Bearer \[key\]") as caught:
        bench.send()
    everything = repr((bench.events, bench.kept, caught.value, caught.value.__context__))
    assert KEY not in everything


# Counts.


def test_cached_and_fresh_tokens_stay_apart(serve: Serve) -> None:
    used = {"input_tokens": 12, "cache_creation_input_tokens": 300, "cache_read_input_tokens": 700,
            "output_tokens": 9}  # fmt: skip
    assert serve(act(text("So."), usage=used)).send().usage == used


@pytest.mark.parametrize(
    "used",
    [{}, {"input_tokens": 0}, {"input_tokens": -5}, {"input_tokens": 10**9}, {"input_tokens": "9"}],
)
def test_e6_counts_that_cannot_be_true_are_ours_and_said_to_be(
    serve: Serve, used: dict[str, object]
) -> None:
    found = serve(act(text("So it is."), usage=used)).send().usage
    assert found["estimated"] == 1
    assert 20 < found["input_tokens"] < 200
    assert 0 < found["output_tokens"] < 50


def test_money_is_counted_only_where_a_price_is_known() -> None:
    place = Place("http://127.0.0.1:9", Key(KEY), own=False)
    used = {"input_tokens": 1_000_000, "output_tokens": 100_000}
    priced = HostedModel(find("claude-opus-5-5"), place)
    assert priced.cost(used) == pytest.approx(4 + 2)
    assert HostedModel(find("claude-opus-5-5", own=False), place).cost(used) is None
    assert HostedModel(Card("my-own"), place).cost(used) is None


def test_a_request_near_the_window_is_counted_by_the_provider_first(serve: Serve) -> None:
    bench = serve(act(text("Fits.")), card=Card("m", 10_000))
    near = body(system=[text("words and more " * 500)])
    bench.server.count = 1_500
    assert bench.send(near).words == "Fits."
    bench.server.count = 2_001
    with pytest.raises(Failed, match="2,001 tokens by the provider's count: 2,000 fit"):
        bench.send(near)
    assert len(bench.server.asked) == 1
    counted = [asked.json for asked in bench.server.aside if asked.path.endswith("count_tokens")]
    assert set(counted[0]) == {"model", "system", "tools", "messages"}


def test_a_request_far_from_the_window_is_not_counted(serve: Serve) -> None:
    bench = serve(act(text("Fits.")))
    bench.send()
    assert [asked.path for asked in bench.server.aside] == ["/v1/models"]


def test_a_window_is_what_the_server_says_else_what_the_table_says() -> None:
    listed = [{"id": "big", "max_input_tokens": 70_000}, {"id": "vllm", "max_model_len": 8_192},
              {"id": "llama", "meta": {"n_ctx": 4_096}}, {"id": "claude-opus-5-5"}]  # fmt: skip
    with ProviderServer([], models=listed) as server:
        place = keys.place(server.url, {})
        windows = {
            name: HostedModel(find(name), place).window
            for name in ("big", "vllm", "llama", "claude-opus-5-5", "nobody")
        }
        anthropic.close()
    assert windows == {
        "big": 70_000, "vllm": 8_192, "llama": 4_096, "claude-opus-5-5": 1_000_000,
        "nobody": 32_768,
    }  # fmt: skip


# Calls between fences.


FENCED = 'I look.\n```json\n{"tool": "list_files", "arguments": {"folder": "a"}}\n```'


def test_a_fenced_call_is_understood_where_the_table_says_so(serve: Serve) -> None:
    bench = serve(act(text(FENCED)), card=Card("m", 200_000, calls="fenced"))
    reply = bench.send()
    assert [(call.tool, call.arguments) for call in reply.calls] == [
        ("list_files", {"folder": "a"})
    ]
    assert (reply.stop, reply.words) == ("tool_use", "I look.")


def test_a_fenced_call_is_words_everywhere_else(serve: Serve) -> None:
    reply = serve(act(text(FENCED))).send()
    assert (reply.calls, reply.words) == ([], FENCED)
