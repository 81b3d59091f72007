"""A few questions to whatever server one names: what must hold does, whatever it answers.

Run by ``make test-model`` with ``WORKBENCH_TEST_BASE_URL`` (and ``WORKBENCH_TEST_MODEL``,
``WORKBENCH_TEST_KEY``); otherwise over the loopback with a model that tries to misbehave.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from models.invariants import holds
from models.provider_server import Act, Asked, ProviderServer, act, error, text, use

from workbench.check import planted
from workbench.session import Session

QUESTIONS = (
    "Which files are there, and how many rows has each?",
    "Show me every row of assays.csv, all of them, one by one.",
    "What is the median of V1_ppm by the files?",
)
_WORDS = (
    "list_files",
    "describe_table",
    "query_data",
    "read_file",
    "sql",
    "finish",
    "no_such_tool",
)


def wild(chance: random.Random) -> object:
    """Return a model that calls anything with anything, and breaks off now and then."""

    def answer(asked: Asked) -> Act:
        offered = [tool["name"] for tool in asked.json["tools"]]
        roll = chance.random()
        if roll < 0.1:
            return error(529, "overloaded_error")
        if roll < 0.2:
            return act(text("half"), use("list_files"), cut=3)
        if roll < 0.4:
            return act(text("That is all there is to say."))
        if roll < 0.5 and "ask_specialist" in offered:
            work = {"agent": "dataops", "objective": "Show all rows of assays.csv", "final": True}
            return act(use("ask_specialist", **work))
        name = chance.choice([*_WORDS, *offered])
        paths = {"path": "assays.csv", "operation": "head", "limit": 10_000}
        ended = {"status": "success", "results": ["Done."]}
        return act(use(name, **(ended if name == "finish" else paths)))

    return answer


@pytest.fixture(params=["loopback", "given"])
def session(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Session, str]]:
    """Return a session at an address, over a table whose rows can be found again, and its key."""
    (tmp_path / "assays.csv").write_text(planted.table(400), encoding="utf-8")
    url = os.environ.get("WORKBENCH_TEST_BASE_URL", "")
    key = os.environ.get("WORKBENCH_TEST_KEY", "sk-canary-of-any-server")
    monkeypatch.setenv("WORKBENCH_API_KEY", key)
    name = os.environ.get("WORKBENCH_TEST_MODEL", "any")
    if request.param == "given" and not url:
        pytest.skip("no server named: set WORKBENCH_TEST_BASE_URL, see docs/models.md")
    if request.param == "given":
        yield Session.open(tmp_path, model=f"anthropic:{name}", base_url=url), key
        return
    with ProviderServer(wild(random.Random(request.param))) as server:
        yield Session.open(tmp_path, model="anthropic:any", base_url=server.url), key


@pytest.mark.timeout(1_200)
def test_limits_meter_outcome_and_key_hold(session: tuple[Session, str]) -> None:
    asked, key = session
    for question in QUESTIONS:
        holds(asked.ask(question), key)
