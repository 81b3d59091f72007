"""The tools as an MCP server, called by the official client over stdio and over loopback HTTP."""

from __future__ import annotations

import csv
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="mcp is not installed: pip install -e '.[dev]'")
import anyio
import httpx2
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from workbench import cli
from workbench.agents import registry as agents
from workbench.asking.onecall import open_tools
from workbench.tools import registry

pytestmark = pytest.mark.slow
GEOCHEM = "meridian_ridge_geochem.csv"
TOKEN = "a-token-of-the-test"
# A query that would take hours.
ENDLESS = "SELECT count(*) AS n FROM range(10000000) a, range(10000000) b WHERE a.range <> b.range"


@pytest.fixture
def folder(tmp_path: Path, sample_data: Path) -> Path:
    ignored = shutil.ignore_patterns("results", "*.py", "__pycache__")
    shutil.copytree(sample_data, tmp_path / "data", ignore=ignored)
    return tmp_path / "data"


def words(folder: Path, *more: str) -> list[str]:
    return ["-m", "workbench", "mcp", "--data", str(folder), *more]


def over_stdio(folder: Path, work: Callable[[Client], Awaitable[Any]], *more: str) -> Any:  # noqa: ANN401 - whatever the work returns
    """Start the server as a client does, and have some work done with it."""

    async def run() -> Any:  # noqa: ANN401 - as above
        server = StdioServerParameters(command=sys.executable, args=words(folder, *more))
        async with Client(stdio_client(server), read_timeout_seconds=60) as client:
            return await work(client)

    return anyio.run(run)


def values(folder: Path, column: str) -> list[float]:
    with (folder / GEOCHEM).open(newline="", encoding="utf-8") as file:
        return [float(row[column]) for row in csv.DictReader(file) if row[column][:1].isdigit()]


def test_every_tool_that_hands_nothing_over_is_listed_as_the_registry_has_it(folder: Path) -> None:
    listed = over_stdio(folder, lambda client: client.list_tools()).tools
    assert [item.name for item in listed] == sorted(open_tools())
    for item in listed:
        known = registry.get(item.name)
        assert item.input_schema == known.schema
        assert item.description == known.doc
        assert item.output_schema["type"] == "object"
        assert item.annotations.read_only_hint is (known.effect == "read")
        assert item.annotations.destructive_hint is False
        assert item.annotations.open_world_hint is False


def test_an_agents_tools_alone_are_served_where_one_is_named(folder: Path) -> None:
    listed = over_stdio(folder, lambda client: client.list_tools(), "--agent", "dataops").tools
    assert {item.name for item in listed} <= set(agents.get("dataops").tools)


def test_scripts_and_commands_are_not_served_even_where_their_agent_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def work(client: Client) -> Any:  # noqa: ANN401 - two answers of the client
        asked = await client.call_tool("run_command", {"line": "echo ran > ran.txt"})
        return await client.list_tools(), asked

    listed, asked = over_stdio(folder, work, "--agent", "extended")
    names = {item.name for item in listed.tools}
    assert "read_range" in names
    assert not {name for name in names if registry.place_of(name) == "sandbox"}
    assert asked.is_error
    assert "run_command is not served" in asked.content[0].text
    assert not list(folder.rglob("ran.txt"))
    assert cli.main(["mcp", "--help"]) == 0
    assert "never served" in " ".join(capsys.readouterr().out.split())


def test_an_answer_has_the_gated_text_and_says_where_the_whole_is(folder: Path) -> None:
    arguments = {"path": GEOCHEM, "expression": "As_ppm > 100"}
    found = over_stdio(folder, lambda client: client.call_tool("filter_rows", arguments))
    assert not found.is_error
    (made,) = found.structured_content["artefacts"]
    result = folder / "results" / found.structured_content["run"] / made["path"]
    with result.open(newline="", encoding="utf-8") as file:
        kept = list(csv.DictReader(file))
    with (folder / GEOCHEM).open(newline="", encoding="utf-8") as file:
        above = sum(row["As_ppm"][:1] == ">" for row in csv.DictReader(file))
    plain = sum(value > 100 for value in values(folder, "As_ppm"))
    assert len(kept) == made["rows"] == plain + above
    assert made["id"] in found.content[0].text


def test_a_file_made_by_one_call_opens_in_the_next(folder: Path) -> None:
    async def work(client: Client) -> Any:  # noqa: ANN401 - a result of the SDK
        made = await client.call_tool(
            "filter_rows", {"path": GEOCHEM, "expression": "As_ppm > 100"}
        )
        name = made.structured_content["artefacts"][0]["id"]
        return await client.call_tool("describe_table", {"path": name})

    found = over_stdio(folder, work)
    assert not found.is_error, found.content[0].text
    expected = statistics.median(value for value in values(folder, "As_ppm") if value > 100)
    assert f"{expected:g}" in found.content[0].text


def test_a_refusal_is_an_error_with_the_nearest_name(folder: Path) -> None:
    found = over_stdio(
        folder, lambda client: client.call_tool("describe_table", {"path": GEOCHEM[:-5] + ".csv"})
    )
    assert found.is_error
    assert GEOCHEM in found.content[0].text


def test_limits_hold_for_a_client_as_for_an_agent(folder: Path) -> None:
    found = over_stdio(folder, lambda client: client.call_tool("read_file", {"path": GEOCHEM}))
    assert found.structured_content["cut"] is True
    assert found.structured_content["limits_hit"] == ["data_file_lines", "data_file_head"]
    assert "241" in found.content[0].text
    assert found.content[0].text.count("\n") < 8


def test_records_are_opened_by_no_client(folder: Path) -> None:
    async def work(client: Client) -> Any:  # noqa: ANN401 - a result of the SDK
        first = await client.call_tool("list_files", {})
        run = first.structured_content["run"]
        return await client.call_tool("read_file", {"path": f"results/{run}/events.jsonl"})

    assert over_stdio(folder, work).is_error


def test_a_cancelled_call_ends_its_child_and_the_next_one_works(folder: Path) -> None:
    arguments = {"query": ENDLESS, "paths": [GEOCHEM]}

    async def work(client: Client) -> Any:  # noqa: ANN401 - a result of the SDK
        with anyio.move_on_after(2) as scope:
            await client.call_tool("sql", arguments)
        assert scope.cancelled_caught
        began = time.monotonic()
        after = await client.call_tool("list_files", {})
        assert time.monotonic() - began < 60  # the query never ends
        return after

    assert not over_stdio(folder, work).is_error
    events = next((folder / "results").glob("*/events.jsonl")).read_text(encoding="utf-8")
    assert "killed" in events


def test_progress_reaches_a_client_that_asks_for_it(folder: Path) -> None:
    table = folder / "many.csv"
    table.write_text("a,b\n" + "".join(f"{row},{row % 7}\n" for row in range(400_000)))
    heard: list[tuple[float, str]] = []

    async def note(share: float, _total: float | None, text: str | None) -> None:
        heard.append((share, text or ""))

    found = over_stdio(
        folder,
        lambda client: client.call_tool(
            "describe_table", {"path": "many.csv"}, progress_callback=note
        ),
    )
    assert not found.is_error
    assert heard
    assert all(0 <= share <= 1 for share, _ in heard)


@pytest.fixture
def served(folder: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, *words(folder, "--http", "--port", str(port))],
        env={**os.environ, "WORKBENCH_MCP_TOKEN": TOKEN},
        stderr=subprocess.PIPE,
    )
    url = f"http://127.0.0.1:{port}/mcp"
    for _ in range(300):
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield url
    process.terminate()
    process.communicate(timeout=20)


def test_a_client_with_the_token_is_served_over_http(served: str) -> None:
    async def run() -> Any:  # noqa: ANN401 - a result of the SDK
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(served, http_client=http)) as client,
        ):
            return await client.call_tool("list_files", {})

    found = anyio.run(run)
    assert not found.is_error
    assert GEOCHEM in found.content[0].text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}, 421),
        ({"Authorization": f"Bearer {TOKEN}", "Origin": "http://evil.example"}, 403),
    ],
)
def test_nobody_else_is_served_over_http(served: str, headers: dict[str, str], status: int) -> None:
    accept = {"Accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    assert httpx2.post(served, json=body, headers={**accept, **headers}).status_code == status
