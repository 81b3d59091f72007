"""Probes of what ends one loop: calls, turns, malformed calls, replies too long, budgets."""

from __future__ import annotations

from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, require
from workbench.models.scripted import Heard, Say, ScriptedModel, call, finish

_TOKENS_OF_A_RUN = 5_000
_SECONDS_OF_A_RUN = 1
_DOLLARS_OF_A_RUN = 4


def _for_ever(_: Heard) -> Say:
    return call("list_files")


@probe("model_calls")
def model_calls(bench: Bench) -> Seen:
    """Let an agent call a tool in every reply and never end."""
    trace = bench.ask("loop", {"d01": _for_ever}, agent="dataops")
    made = len(trace.requests("d01"))
    detail = "an agent that never ends was ended"
    return held("model_calls", made, trace, detail, told=trace.reason, least=1)


@probe("tool_calls")
def tool_calls(bench: Bench) -> Seen:
    """Let an agent make twelve calls in every reply."""
    many = Say(calls=(("list_files", {}),) * 12)
    trace = bench.ask("loop", {"d01": lambda _: many}, agent="dataops")
    made = len(trace.of("tool_call"))
    detail = "twelve calls in every reply were ended"
    return held("tool_calls", made, trace, detail, told=trace.reason, least=12)


@probe("malformed")
def malformed(bench: Bench) -> Seen:
    """Let an agent repeat a call with an option that does not exist."""
    wrong = call("list_files", nonsense=1)
    trace = bench.ask("loop", {"d01": lambda _: wrong}, agent="dataops")
    made = len(trace.of("tool_call"))
    detail = "an agent that repeats a malformed call was ended"
    return held("malformed", made, trace, detail, told=trace.reason, least=1)


@probe("reply_tokens")
def reply_tokens(bench: Bench) -> Seen:
    """Let a model reply at three times the length, once as it says itself, once as it hides."""
    most = published("reply_tokens")
    loud = Say(calls=(("list_files", {}),), usage={"output_tokens": most * 3})
    sly = Say(calls=(("list_files", {"folder": planted.prose(most * 15)}),), usage={})
    asked = 0
    for said in (loud, sly):
        trace = bench.ask("long", {"d01": [said, finish("short now")]}, agent="dataops")
        carried = [data["tool"] for data in trace.of("tool_call")]
        require(carried == ["finish"], "a call of a reply beyond the limit was carried out")
        asked = max(asked, *(request["max_tokens"] for request in trace.requests("d01")))
        require(_repair(trace), "the model was not told")
        kept = "".join(trace.texts("d01", "assistant")) + str(trace.requests("d01")[-1])
        require(len(kept) < most * 15, "a reply beyond the limit stands in the next request")
        last = held("reply_tokens", asked, trace, _REPLY, told=None)
    return last


_REPLY = "nothing of a reply beyond the limit was carried out, whatever the provider counts"


def _repair(trace: Trace) -> str:
    """Return what the model was told after its long reply."""
    return next((text for text in trace.texts("d01") if "length limit" in text), "")


@probe("run_tokens")
def run_tokens(bench: Bench) -> Seen:
    """Give a run a budget of tokens and let it go on."""
    limits = bench.unless_set("run_tokens", _TOKENS_OF_A_RUN)
    said = Say(calls=(("list_files", {}),), usage={"input_tokens": 900, "output_tokens": 100})
    trace = bench.ask("spend", {"d01": lambda _: said}, agent="dataops", limits=limits)
    spent = 1_000 * (len(trace.requests()) - 1)
    detail = f"a run with {_TOKENS_OF_A_RUN:,} tokens ended with its own reason"
    return held("run_tokens", spent, trace, detail, told=trace.reason, most=_TOKENS_OF_A_RUN)


@probe("run_seconds")
def run_seconds(bench: Bench) -> Seen:
    """Give a run a second and let its model be slow."""
    import time

    def slow(_: Heard) -> Say:
        time.sleep(0.25)
        return call("list_files")

    limits = bench.unless_set("run_seconds", _SECONDS_OF_A_RUN)
    trace = bench.ask("wait", {"d01": slow}, agent="dataops", limits=limits)
    waited = int(trace.seconds)
    detail = f"a run with {_SECONDS_OF_A_RUN} s ended with its own reason"
    return held("run_seconds", waited, trace, detail, told=trace.reason, most=_SECONDS_OF_A_RUN)


@probe("run_usd")
def run_usd(bench: Bench) -> Seen:
    """Give a run four dollars, let each request cost about half of one, and let it go on."""
    limits = bench.unless_set("run_usd", _DOLLARS_OF_A_RUN)
    used = {"input_tokens": 400, "output_tokens": 100}
    said = Say(calls=(("list_files", {}),), usage=used)
    model = ScriptedModel({"d01": lambda _: said}, usd=0.001)
    trace = bench.put(bench.session(model, limits), "spend", "dataops")
    spent = round(sum(data.get("usd", 0) for data in trace.of("response")))
    detail = f"a run with {_DOLLARS_OF_A_RUN} US dollars ended with its own reason"
    return held("run_usd", spent, trace, detail, told=trace.reason, most=_DOLLARS_OF_A_RUN)
