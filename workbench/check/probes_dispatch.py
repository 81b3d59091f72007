"""Probes of handing over: how many, how deep, how many at once, and what may travel either way."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from workbench.agents import registry as agents
from workbench.asking.executor import ChildExecutor
from workbench.asking.run import Run
from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, recorded, require
from workbench.context import block
from workbench.context.history import Thread
from workbench.loop import Loop
from workbench.models.scripted import Heard, Say, Script, ScriptedModel, finish

_DONE = finish("found nothing")


def _send(objective: str = "look at the files", agent: str = "dataops") -> tuple[str, object]:
    return ("dispatch", {"agent": agent, "objective": objective})


def _sends(*objectives: str) -> Say:
    return Say(calls=tuple(_send(objective) for objective in objectives))


def _loops(trace: Trace) -> list[str]:
    """Return the dispatches that were started."""
    started = [event.dispatch for event in trace.events if event.kind == "loop_started"]
    return [name for name in started if name[:1] == "d"]


@probe("dispatches")
def dispatches(bench: Bench) -> Seen:
    """Let an orchestrator send one specialist more than it may."""
    many = _sends(*(["look"] * (published("dispatches") + 1)))
    scripts = {"orchestrator": [many, _DONE], "dispatch": [_DONE]}
    trace = bench.ask("send", scripts, agent="orchestrator")
    refused = [text for text in trace.texts("orchestrator") if text.startswith("error: ")]
    sent = len(_loops(trace))
    detail = "the dispatch after the last was refused, and the run went on"
    require(trace.ok, f"the run did not go on: {trace.reason}")
    return held("dispatches", sent, trace, detail, told="\n".join(refused), least=1)


@probe("depth")
def depth(bench: Bench) -> Seen:
    """Give a specialist the tool to dispatch, which no list has, and let it use it."""
    model = ScriptedModel({"d01": [Say(calls=(_send(),)), _DONE], "dispatch": [_DONE]})
    session = bench.session(model)
    run = Run(session.setting, "depth", Thread(), threading.Event())
    forged = replace(agents.get("dataops"), tools=(*agents.get("dataops").tools, "dispatch"))
    dispatcher = run.dispatcher
    dispatcher.sent = 1  # the forged one is d01
    gate = dispatcher.gate("d01", forged)
    executor = ChildExecutor("d01", forged.name, dispatcher.around)
    loop = Loop("d01", forged, dispatcher.services, gate, executor, dispatcher.handovers("d01"))
    try:
        loop.run([block.text("question", "user", "send another")])
    finally:
        run.end("answered", "", "")
    trace = Trace(run.records.folder, "", ok=True)
    told = next((text for text in trace.texts("d01") if text.startswith("error: ")), "")
    levels = 1 + len(_loops(trace))
    detail = "a specialist with the tool to dispatch was refused all the same"
    return held("depth", levels, trace, detail, told=told, least=1)


@probe("at_once")
def at_once(bench: Bench) -> Seen:
    """Let an orchestrator send six specialists in one turn, each slow."""
    lock = threading.Lock()
    busy: list[int] = []
    peaks = [0]

    def slow(_: Heard) -> Say:
        with lock:
            busy.append(1)
            peaks[0] = max(peaks[0], len(busy))
        time.sleep(0.05)
        with lock:
            busy.pop()
        return _DONE

    scripts: dict[str, Script] = {"orchestrator": [_sends(*(["look"] * 6)), _DONE]}
    scripts["dispatch"] = slow
    trace = bench.ask("send", scripts, agent="orchestrator")
    require(len(_loops(trace)) == 6, "not all of six were sent")  # noqa: PLR2004 - as above
    detail = "six sent in one turn worked in their order"
    return held("at_once", peaks[0], trace, detail, told=None, least=1)


@probe("objective_chars")
def objective_chars(bench: Bench) -> Seen:
    """Send one objective of just the length, and one a character longer."""
    most = published("objective_chars")
    fits, longer = planted.prose(most), planted.prose(most + 1)
    scripts = {"orchestrator": [_sends(fits, longer), _DONE], "dispatch": [_DONE]}
    trace = bench.ask("send", scripts, agent="orchestrator")
    seen = [len(text) for name in _loops(trace) for text in trace.texts(name)]
    refused = [text for text in trace.texts("orchestrator") if text.startswith("error: ")]
    detail = "an objective a character too long was refused, not cut"
    told = "\n".join(refused)
    return held("objective_chars", max(seen, default=0), trace, detail, told=told, least=1)


@probe("result_chars")
def result_chars(bench: Bench) -> Seen:
    """Let a specialist return twice what it may, in entries of many lengths."""
    entries = [planted.prose(200 + 150 * number) for number in range(15)]
    result = finish(*entries, errors=["an error that must not be lost"])
    scripts = {"orchestrator": [_sends("look"), _DONE], "dispatch": [result]}
    trace = bench.ask("send", scripts, agent="orchestrator")
    told = trace.texts("orchestrator")[-1]
    kept = [data for data in trace.of("artefact") if data["path"].endswith("_result.json")]
    require(len(kept) == 1, "the whole result is no artefact")
    whole = (trace.folder / kept[0]["path"]).read_text(encoding="utf-8")
    require(all(entry.replace("\n", "\\n") in whole for entry in entries), "the file is not whole")
    require(f"{kept[0]['id']} " in told, "the notice does not name the artefact")
    detail = f"of a result of {len(whole):,} characters; the whole is {kept[0]['path']}"
    return held("result_chars", len(told), trace, detail, told=told, least=1)


@probe("final_only")
def final_only(bench: Bench) -> Seen:
    """Let a specialist read rows, call tools and think aloud; only its result may come back."""
    name = bench.plant("assays.csv", planted.table(30))
    aloud = "intermediate text that nobody else may see"
    work = Say(words=aloud, calls=(("read_file", {"path": name}),))
    scripts = {
        "orchestrator": [_sends("look"), _DONE],
        "dispatch": [work, finish("thirty rows were seen")],
    }
    trace = bench.ask("send", scripts, agent="orchestrator")
    inside = "\n".join(text for key, text in trace.bodies.items() if key.startswith("d01"))
    outside = "\n".join(text for key, text in trace.bodies.items() if key.startswith("orch"))
    require(planted.canaries(inside) and aloud in inside, "the specialist saw nothing to leak")
    leaked = len(planted.canaries(outside)) + (aloud in outside) + ("read_file(" in outside)
    require(not leaked, "rows or words of a specialist reached the orchestrator")
    require("thirty rows were seen" in outside, "its result did not")
    return Seen("0", "rows, calls and words of a specialist stayed with it")


@probe("history_dispatches")
def history_dispatches(bench: Bench) -> Seen:
    """Send more specialists over several questions than the history shows."""
    full = _sends(*(["look"] * published("dispatches")))
    rounds = published("history_dispatches") // published("dispatches") + 1
    result = finish("canary of a result")
    model = ScriptedModel({"orchestrator": [full, _DONE], "dispatch": [result]})
    session = bench.session(model)
    for _ in range(rounds):
        bench.put(session, "send", "orchestrator")
    last = bench.session(ScriptedModel({"orchestrator": [_DONE]}))
    last.past = session.past
    trace = bench.put(last, "what was tried", "orchestrator")
    system = "\n".join(part["text"] for part in trace.requests("orchestrator")[0]["system"])
    shown = [line for line in system.splitlines() if line.startswith("- d") and " -> " in line]
    require("canary of a result" not in system, "result data stand in the history")
    older = rounds * published("dispatches") - len(shown)
    require(not older or f"- {older} earlier: " in system, "older ones are not told in one line")
    detail = f"of {rounds * published('dispatches')} dispatches; older ones are one line"
    return held("history_dispatches", len(shown), trace, detail, told=None, least=1)


@probe("agent_tools")
def agent_tools(bench: Bench) -> Seen:
    """Let the guide, the orchestrator and a specialist call what is not in their lists."""
    name = bench.plant("assays.csv", planted.table(30))
    tries = {
        "guide": ("query_data", {"path": name, "operation": "head"}),
        "orchestrator": ("describe_table", {"path": name}),
        "dataops": ("filter_rows", {"path": name, "expression": "V1_ppm > 0"}),
    }
    for agent, (tool, arguments) in tries.items():
        loop = agent if agent != "dataops" else "d01"
        end = Say("done") if agent == "guide" else _DONE
        trace = bench.ask("try", {loop: [Say(calls=((tool, arguments),)), end]}, agent=agent)
        told = trace.texts(loop)[-1]
        require(told.startswith("error: ") and "not in the list" in told, f"{agent} has {tool}")
        require(not planted.canaries(trace.everything()), f"{agent} saw rows by {tool}")
        recorded("agent_tools", trace)
        direct = bench.call_as(agent, tool, arguments)
        require(not direct.ok, f"a direct call gave {agent} the tool {tool}")
        recorded("agent_tools", direct)
    return Seen("0", "three agents called three tools outside their lists and got none")
