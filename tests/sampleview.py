"""The view of a run made by folding events, for tests of what is drawn from it."""

from __future__ import annotations

from typing import Any

from workbench.ledger import Event
from workbench.limits import Limits
from workbench.view import View

RUN = "20261130-141502-group-the-samples-by-k3f"
QUESTION = "Group the samples by Au, As, Cu and Sb into three clusters."
# Markup, formulas, links and signs that reorder text: none of it may be more than text.
HOSTILE = (
    "<script>alert(1)</script><img src=https://evil.example/p.png onerror=alert(2)>"
    "<iframe src=https://evil.example></iframe> ![x](https://evil.example/m.png) "
    "[go](javascript:alert(3)) $\\href{javascript:alert(4)}{x}$ \\(\\unicode{x41}\\) "
    '"><svg onload=alert(5)>'
    "<button data-commandlinker-command=kernelmenu:run>run</button> &lt;b&gt; {{x}} </pre></style>"
)


class Story:
    """Events of one run, told one after another."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def say(self, kind: str, data: dict[str, Any], loop: str = "") -> None:
        time = "2026-11-30T14:15:02+00:00"
        self.events.append(Event(len(self.events) + 1, RUN, loop, kind, data, time))

    def begin(self, question: str = QUESTION) -> None:
        limits = {key: row.value for key, row in Limits().items()}
        model = {"provider": "offline", "name": "offline"}
        self.say(
            "run_started",
            {"question": question, "model": model, "estimated": True, "limits": limits},
        )

    def loop(self, name: str, agent: str, objective: str = "", window: int = 200_000) -> None:
        usable = window * 8 // 10
        data = {"agent": agent, "objective": objective, "window": window, "usable": usable}
        self.say("loop_started", data, name)

    def request(self, name: str, **tokens: int) -> None:
        total = sum(tokens.values())
        self.say("request", {"by_category": tokens, "tokens": total, "chars": 4 * total}, name)
        self.say("response", {"usage": {"input_tokens": total, "output_tokens": 100}}, name)

    def hit(self, name: str, key: str) -> None:
        self.say("limit_hit", {"key": key, "enforced": "code"}, name)

    def rule(self, name: str, key: str, *, kept: bool) -> None:
        self.say("prompt_rule", {"key": key, "enforced": "prompt", "kept": kept}, name)

    def artefact(
        self, name: str, key: str, path: str, media_type: str = "text/csv", rows: int | None = 238
    ) -> None:
        data = {"id": key, "path": path, "bytes": 31_210, "sha256": "0" * 64, "rows": rows}
        more = {"media_type": media_type, "columns": 20, "made_by": {"tool": "cluster"}}
        self.say("artefact", {**data, **more}, name)

    def end(self, name: str = "", status: str = "success") -> None:
        if name:
            self.say("loop_ended", {"status": status, "seconds": 2.34}, name)
        else:
            self.say("run_ended", {"status": status, "reason": ""})

    def view(self) -> dict[str, Any]:
        return View().fold(self.events).data


def answered(
    question: str = QUESTION, answer: str = "Three groups.", name: str = ""
) -> dict[str, Any]:
    """Return the view of a run with one dispatch that was answered.

    Parameters
    ----------
    question, answer : str
        What stands in it.
    name : str, optional
        Goes into objective, file names and errors.
    """
    story = Story()
    story.begin(question)
    story.loop("guide", "guide")
    story.request("guide", system=812, tools=1_240, question=41, envelope=96)
    story.loop("d01", "analytics", f"Cluster the samples {name}".strip())
    story.say("raw", {"file": f"soils{name}.csv", "tokens": 31_204}, "d01")
    story.request("d01", system=702, tools=3_125, question=66, tool_results=1_180, envelope=115)
    story.hit("d01", "preview_rows")
    story.hit("d01", "preview_rows")
    story.rule("d01", "result_asked", kept=True)
    story.rule("d01", "rows_to_file", kept=False)
    story.artefact("d01", "d01a1", f"soils{name}_kmeans_3.csv")
    story.end("d01")
    story.end("guide")
    story.end(status="answered")
    view = story.view()
    view["answer"] = answer
    return view
