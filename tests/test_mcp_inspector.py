"""The tools as an MCP server, called by a client nobody here wrote: the MCP Inspector's command.

It comes from npm, where a test may not go: ``make test-inspector`` fetches it and runs these.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from workbench.asking.onecall import open_tools

pytest.importorskip("mcp", reason="mcp is not installed: pip install -e '.[dev]'")
INSPECTOR = shutil.which("mcp-inspector")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(INSPECTOR is None, reason="no mcp-inspector: make test-inspector gets it"),
]
GEOCHEM = "meridian_ridge_geochem.csv"
# What the command ends with where a tool's answer carries the error flag.
FLAGGED = 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, sample_data: Path) -> Path:
    place = tmp_path_factory.mktemp("inspected")
    shutil.copy(sample_data / GEOCHEM, place)
    return place


def asked(folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
    """Return the exit status and the answer of one request, over a server of its own."""
    server = [sys.executable, "-m", "workbench", "mcp", "--data", str(folder)]
    done = subprocess.run(
        [str(INSPECTOR), "--cli", *server, "--method", *words],
        env={**os.environ, "MCP_CATALOG_PATH": str(folder.parent / "catalog.json")},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    return done.returncode, json.loads(done.stdout)


def called(folder: Path, tool: str, *arguments: str) -> tuple[int, dict[str, Any]]:
    given = (word for one in arguments for word in ("--tool-arg", one))
    return asked(folder, "tools/call", "--tool-name", tool, *given)


def test_it_lists_every_tool_with_the_shapes_of_arguments_and_answer(folder: Path) -> None:
    status, told = asked(folder, "tools/list")
    assert status == 0
    assert [one["name"] for one in told["tools"]] == sorted(open_tools())
    assert all({"inputSchema", "outputSchema"} <= set(one) for one in told["tools"])


def test_a_call_answers_in_words_and_in_the_shape_that_was_told(folder: Path) -> None:
    given = (f"path={GEOCHEM}", 'columns=["As_ppm","Cu_ppm"]', "k=3")
    status, told = called(folder, "cluster", *given)
    assert (status, told["isError"]) == (0, False)
    (made,) = told["structuredContent"]["artefacts"]
    place = folder / "results" / told["structuredContent"]["run"] / made["path"]
    assert made["rows"] == len(place.read_text().splitlines()) - 1
    assert made["id"] in told["content"][0]["text"]


def test_a_refusal_carries_the_error_flag_and_the_nearest_name(folder: Path) -> None:
    status, told = called(folder, "describe_table", "path=meridian_ridge_geochm.csv")
    assert (status, told["isError"]) == (FLAGGED, True)
    assert f"nearest: '{GEOCHEM}'" in told["content"][0]["text"]


def test_the_limits_hold_for_it(folder: Path) -> None:
    status, told = called(folder, "read_file", f"path={GEOCHEM}")
    assert (status, told["structuredContent"]["cut"]) == (0, True)
    assert told["structuredContent"]["limits_hit"] == ["data_file_lines", "data_file_head"]
    assert "236 of 241 lines left out" in told["content"][0]["text"]
