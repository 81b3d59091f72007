"""Stages: the offline model with scripted tools; a provider's model with a scripted server."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from inprocess import start_in_process
from llmock.testing import LLMockServer
from models.player import KEY, MODEL, playing
from models.provider_server import ProviderServer

from workbench.context import block
from workbench.context.block import Block
from workbench.context.result import Result
from workbench.models.offline import OfflineModel
from workbench.models.planner import answer, cards
from workbench.models.planner.cards import Card
from workbench.models.protocol import Call, read_reply
from workbench.session import Session
from workbench.sources import claiming, placing

GUIDE = (
    "list_files", "check_missing", "summarise_artefacts", "ask_specialist", "ask_orchestrator",
)  # fmt: skip
ORCHESTRATOR = ("dispatch", "read_file", "read_range", "search_text", "finish")
SPECIALIST = (
    "list_files", "describe_table", "query_data", "sql", "check_missing", "filter_rows",
    "log_ratio", "correlate", "anomaly", "cluster", "plot_map", "plot_scatter", "plot_histogram",
    "finish",
)  # fmt: skip

Script = Mapping[str, str | Callable[[dict[str, Any]], str]]


def placed(result: Result) -> Result:
    """Return a result with the numbers of its claims in their places, as the session puts them."""
    known = {
        str(n): replace(claiming.read(f"d01.{n}", claim), status="verified")
        for n, claim in enumerate(result.claimed, start=1)
    }
    return result.said(lambda text: placing.plain(placing.numbered(text, known)))


@dataclass
class Stage:
    """One loop of the offline model against scripted tools.

    Attributes
    ----------
    tools : tuple of str
        The agent's tools.
    script : mapping
        Tool → its answer, or what makes one of the arguments.
    calls : list of Call
        Every call that was made.
    """

    tools: tuple[str, ...]
    script: Script
    calls: list[Call] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    bodies: list[str] = field(default_factory=list)

    def ask(self, question: str) -> str | Result:
        """Put a question and play until the agent ends; return its words or result."""
        model = OfflineModel()
        if not self.blocks:
            self.blocks = [block.text("system", "system", "You are an agent.")]
            self.blocks += [block.make("tools", "tools", {"name": name}) for name in self.tools]
        self.blocks.append(block.text("question", "user", question))
        for _ in range(12):
            body = block.build(model.name, self.blocks, 8_000).body
            self.bodies.append(body)
            reply = read_reply(model.send(body, f"d01-r{len(self.bodies):02d}"))
            self.blocks += [block.make("assistant", "assistant", part) for part in reply.content]
            if not reply.calls:
                assert reply.stop == "end_turn"
                return reply.words
            assert reply.stop == "tool_use"
            ended = self._carry_out(reply.calls)
            if ended is not None:
                return ended
        raise AssertionError("the planner did not come to an end")

    def result(self, question: str) -> Result:
        """Put a question to an agent that ends with a result."""
        ended = self.ask(question)
        assert isinstance(ended, Result), ended
        return ended

    def _carry_out(self, calls: list[Call]) -> Result | None:
        assert len({call.id for call in calls}) == len(calls)
        for call in calls:
            assert call.tool in self.tools
            self.calls.append(call)
            if call.tool == "finish":
                return placed(Result.of(call.arguments))
            answer = self.script.get(call.tool, f"error: {call.tool} is not scripted")
            text = answer if isinstance(answer, str) else answer(call.arguments)
            value = {"type": "tool_result", "tool_use_id": call.id, "content": text}
            self.blocks.append(block.make("tool_results", "user", value))
        return None

    def made(self, tool: str) -> list[dict[str, Any]]:
        """Return the arguments of every call of a tool."""
        return [call.arguments for call in self.calls if call.tool == tool]


@pytest.fixture
def specialist() -> Callable[..., Stage]:
    """Make a stage for a specialist with every tool; a script adds to the folder's."""

    def make(script: Script | None = None) -> Stage:
        return Stage(SPECIALIST, {**FOLDER, **(script or {})})

    return make


@pytest.fixture
def guide() -> Callable[..., Stage]:
    """Make a stage for the guide."""
    return lambda script=None: Stage(GUIDE, {**FOLDER, **(script or {})})


@pytest.fixture
def orchestrator() -> Callable[..., Stage]:
    """Make a stage for the orchestrator."""
    return lambda script=None: Stage(ORCHESTRATOR, script or {})


@pytest.fixture
def facts() -> Callable[[Mapping[str, object]], str]:
    """Write facts as the gate does: text bare, everything else as JSON."""
    return lambda values: "\n".join(
        f"{key}: {value if isinstance(value, str) else json.dumps(value)}"
        for key, value in values.items()
    )


@pytest.fixture
def geochem() -> Card:
    """The card of a surface table with gold, arsenic, copper, antimony and lithology."""
    card = cards.read("ridge_geochem.csv", None, answer.read(GEOCHEM))
    assert card is not None
    return card


@pytest.fixture
def assay() -> Card:
    """The card of a table of drillhole intervals with gold and arsenic."""
    card = cards.read("ridge_assay.csv", None, answer.read(ASSAY))
    assert card is not None
    return card


def _described(table: str, rows: int, columns: Mapping[str, Mapping[str, object]]) -> str:
    lines = [f"table: {table}", f"rows: {rows}", f"columns: {len(columns)}"]
    return "\n".join(lines + [f"column {name}: {json.dumps(c)}" for name, c in columns.items()])


GEOCHEM = _described(
    "geochem",
    240,
    {
        "SampleID": {"role": "id", "n": 240},
        "Easting": {"role": "easting", "unit": "m", "n": 240},
        "Northing": {"role": "northing", "unit": "m", "n": 240},
        "Depth_m": {"role": "depth", "unit": "m", "n": 240},
        "Lithology": {"role": "group", "n": 240},
        "Au_ppb": {"role": "element", "unit": "ppb", "n": 196, "below": 37, "missing": 7},
        "As_ppm": {"role": "element", "unit": "ppm", "n": 236, "above": 2, "missing": 2},
        "Cu_ppm": {"role": "element", "unit": "ppm", "n": 238, "missing": 2},
        "Sb_ppm": {"role": "element", "unit": "ppm", "n": 232, "below": 6, "missing": 2},
    },
)
ASSAY = _described(
    "assay",
    1005,
    {
        "HoleID": {"role": "hole", "n": 1005},
        "From_m": {"role": "from", "unit": "m", "n": 1005},
        "To_m": {"role": "to", "unit": "m", "n": 1005},
        "Au_ppm": {"role": "element", "unit": "ppm", "n": 900, "below": 105},
        "As_ppm": {"role": "element", "unit": "ppm", "n": 1005},
    },
)
COLLAR = _described(
    "collar",
    12,
    {
        "HoleID": {"role": "hole", "n": 12},
        "Easting": {"role": "easting", "unit": "m", "n": 12},
        "Northing": {"role": "northing", "unit": "m", "n": 12},
    },
)
TABLES = {"ridge_geochem.csv": GEOCHEM, "ridge_assay.csv": ASSAY, "ridge_collar.csv": COLLAR}
LISTING = (
    "files: 5\ntables: 3\nfiles (5 of 5 entries)\nname | bytes\nREADME.md | 2400\n"
    "ridge_assay.csv | 40000\nridge_collar.csv | 900\nridge_geochem.csv | 30000\n"
    "truth.json | 9000"
)
FOLDER: Script = {
    "list_files": LISTING,
    "describe_table": lambda given: TABLES.get(
        given["path"], f"error: file '{given['path']}': no such file"
    ),
}


@pytest.fixture
def soils(tmp_path: Path, sample_data: Path) -> Path:
    """A data folder with the sample soils in it."""
    folder = tmp_path / "field"
    folder.mkdir()
    shutil.copy(sample_data / "meridian_ridge_geochem.csv", folder)
    return folder


@pytest.fixture
def opened(soils: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Session]:
    """Return what opens a session at an address, the key from the environment."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

    def start(url: str, **limits: object) -> Session:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
        session = Session.open(soils, model=MODEL, limits=limits)
        object.__setattr__(session.setting, "start_child", start_in_process)
        return session

    return start


@pytest.fixture
def own() -> Iterator[ProviderServer]:
    """Our own server, playing along."""
    with ProviderServer(playing) as server:
        yield server


@pytest.fixture
def mock() -> Iterator[LLMockServer]:
    """Somebody else's server, with nothing to say yet."""
    with LLMockServer() as server:
        yield server
