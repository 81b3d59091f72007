"""Ways by which rows once came out, each closed: figures, errors, small JSON, false listings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench.errors import Refused
from workbench.files import tabular
from workbench.limits import Limits
from workbench.models.protocol import read_reply
from workbench.tools.context import Context
from workbench.tools.run import run_call
from workbench.workspace import Workspace

ROWS = 200


@pytest.fixture
def context(tmp_path: Path) -> Context:
    data, run = tmp_path / "data", tmp_path / "run"
    for folder in (data, run / "full"):
        folder.mkdir(parents=True)
    lines = "\n".join(f"S{n:04d},{350000 + n},{6600000 + n},{n}.5,{n}" for n in range(ROWS))
    (data / "a.csv").write_text(f"SampleID,Easting,Northing,Au_ppb,Au_ppm\n{lines}\n")
    return Context(Workspace(data, tmp_path / "results"), run, Limits())


def _said(context: Context, tool: str, **arguments: object) -> str:
    try:
        return json.dumps(run_call(tool, dict(arguments), context))
    except Refused as error:
        return str(error)


@pytest.mark.parametrize("ending", ["json", "html"])
@pytest.mark.parametrize("tool", ["read_file", "read_range", "search_text"])
def test_the_rows_of_a_figure_are_not_read_as_text(
    context: Context, tool: str, ending: str
) -> None:
    made = run_call("plot_map", {"path": "a.csv", "color": "Au_ppb"}, context)["made"]
    name = next(item["path"] for item in made if item["path"].endswith(ending))
    place = {"path": name} if tool == "read_file" else {"id": name}
    more = {"pattern": "S0"} if tool == "search_text" else {}
    said = _said(context, tool, **place, **more)
    assert sum(f"S{n:04d}" in said for n in range(ROWS)) <= 5


@pytest.mark.parametrize(
    "query",
    [
        "select timezone(string_agg(SampleID, ','), timestamp '2020-01-01') from a",
        "select regexp_matches('a', string_agg(SampleID, '(')) from a",
        "select cast(string_agg(SampleID, '''') as int) from a",
        "select cast(string_agg(SampleID, ',') as interval) from a",
    ],
)
def test_an_error_of_the_engine_repeats_no_cell(context: Context, query: str) -> None:
    said = _said(context, "sql", query=query)
    assert not any(f"S{n:04d}" in said for n in range(ROWS))


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(json.dumps({"id": f"S{n:04d}"}) for n in range(ROWS)),
        json.dumps({"bbox": [1, 2, 3, 4], "rows": [{"id": f"S{n:04d}"} for n in range(ROWS)]}),
        json.dumps({"data": {"rows": [[f"S{n:04d}"] for n in range(ROWS)]}}),
        json.dumps({f"S{n:04d}": {"au": n} for n in range(ROWS)}),
    ],
)
def test_records_in_a_small_json_file_are_rows(context: Context, text: str) -> None:
    (context.workspace.root / "r.json").write_text(text)
    for tool, place in (("read_file", "path"), ("read_range", "id")):
        said = run_or_refusal(context, tool, place)
        assert "table" in said or '"kind": "data"' in said


def run_or_refusal(context: Context, tool: str, place: str) -> str:
    return _said(context, tool, **{place: "r.json"})


def test_settings_in_a_small_json_file_are_still_read(context: Context) -> None:
    (context.workspace.root / "s.json").write_text(json.dumps({"lab": {"units": ["ppm", "ppb"]}}))
    assert "ppb" in _said(context, "read_file", path="s.json")


def test_records_a_line_are_a_table() -> None:
    assert tabular.is_table([json.dumps({"id": n}) for n in range(60)])


@pytest.mark.parametrize("text", ["Au_ppb + Au_ppm > 1500", "Au_ppb > Au_ppm"])
def test_unlike_units_are_neither_added_nor_compared(context: Context, text: str) -> None:
    assert "convert one first" in _said(context, "filter_rows", path="a.csv", expression=text)


def test_half_a_sign_in_a_reply_is_replaced() -> None:
    text = '{"content":[{"type":"text","text":"a\\ud800b"}],"stop_reason":"end_turn"}'
    assert read_reply(text).words.encode("utf-8")


def test_a_number_beyond_all_numbers_is_no_message() -> None:
    from workbench.errors import Failed

    with pytest.raises(Failed):
        read_reply('{"content":[{"type":"tool_use","id":"1","name":"x","input":{"n":1e999}}]}')
