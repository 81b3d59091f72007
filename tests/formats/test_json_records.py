"""JSON: arrays of records, records by line, and an object around one array."""

from __future__ import annotations

import json

import pytest
from filebench import FileBench

from workbench.errors import Refused

RECORDS = [
    {"id": "S1", "Au_ppb": 1.50, "x/y": "a", 'q"t': None},
    {"id": "S2", "note": {"by": "me"}, "Au_ppb": "<1", "ok": True},
]
ROWS = [
    ("S1", "1.5", "a", None, None, None),
    ("S2", "<1", None, None, '{"by":"me"}', "true"),
]
NAMES = ["id", "Au_ppb", "x/y", 'q"t', "note", "ok"]


def lines(records: list[dict[str, object]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps(RECORDS)),
        ("a.jsonl", lines(RECORDS)),
        ("a.ndjson", lines(RECORDS)),
        ("a.json", json.dumps({"made": "2024", "samples": RECORDS}, indent=1)),
        ("a.txt", json.dumps(RECORDS)),
    ],
)
def test_records_become_rows_and_keys_columns(bench: FileBench, name: str, content: str) -> None:
    raw = bench.raw(content, name)
    assert (raw.names, raw.rows) == (NAMES, ROWS)


def test_wide_text_is_read_too(bench: FileBench) -> None:
    raw = bench.raw(b"\xff\xfe" + json.dumps(RECORDS).encode("utf-16-le"), "a.json")
    assert raw.rows == ROWS


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"setting": 1}', "0 arrays of records"),
        ("[1, 2, 3]", "array of values"),
        ("[]", "no records"),
        ('[{"a": 1}, {"a": ', "not valid JSON"),
        ('{"a": [', "not valid JSON"),
        ("[" * 100_000 + "]" * 100_000, "JSON"),
        ('{"a": [{"b": 1}], "c": [{"d": 1}]}', "2 arrays of records"),
    ],
)
def test_what_is_no_table_is_refused_with_the_reason(
    bench: FileBench, content: str, words: str
) -> None:
    with pytest.raises(Refused, match=words) as caught:
        bench.raw(content, "a.json")
    assert "\n" not in str(caught.value)
    assert str(bench.data) not in str(caught.value)
