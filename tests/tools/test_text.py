"""Reading text: the data-file rule, ranges that lose nothing, searches that find everything."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from toolbench import Bench

from workbench.errors import Refused

PROSE = "\n".join(
    f"Line {n} of the report on gold, arsénic and {n * n} other things." for n in range(400)
)


def test_prose_is_sent_whole_with_its_size(bench: Bench) -> None:
    bench.write("report.md", PROSE)
    reply = bench.call("read_file", path="report.md")
    assert reply.text is not None
    assert (reply.text.kind, reply.text.body) == ("prose", PROSE)
    assert reply.facts == {"lines": 400, "characters": len(PROSE)}


def test_a_data_file_is_sent_as_its_first_lines_with_its_length(ridge: Bench) -> None:
    reply = ridge.call("read_file", path="meridian_ridge_geochem.csv")
    assert reply.text is not None
    assert (reply.text.kind, reply.text.total_lines) == ("data", 241)
    assert reply.text.body.count("\n") < 50
    whole = (ridge.data / "meridian_ridge_geochem.csv").read_text()
    assert reply.text.total_chars == len(whole)


def test_a_short_data_file_is_sent_whole(bench: Bench) -> None:
    bench.write("small.csv", "a,b\r\n1,2\r\n3,4\r\n")
    reply = bench.call("read_file", path="small.csv")
    assert reply.text is not None
    assert reply.text.body == "a,b\n1,2\n3,4"
    assert reply.text.total_chars == len(reply.text.body)


def test_a_table_under_another_name_is_data(bench: Bench) -> None:
    bench.write("notes.md", "\n".join(f"{n},{n * 2},{n * 3}" for n in range(80)))
    reply = bench.call("read_file", path="notes.md")
    assert reply.text is not None
    assert reply.text.kind == "data"


def test_rows_of_a_workbook_count_as_lines(ridge: Bench) -> None:
    reply = ridge.call("read_file", path="meridian_ridge_certificate.xlsx")
    assert reply.text is not None
    assert reply.text.kind == "data"
    assert reply.text.total_lines > 114
    assert reply.text.total_chars == 0


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"setting": 1, "list": list(range(40)), "other": [1]}, "prose"),
        ({"setting": 1, "list": list(range(200)), "other": [1]}, "data"),
        ([{"a": n} for n in range(51)], "data"),
        ([{"a": n} for n in range(50)], "prose"),
        ({"samples": [{"a": n} for n in range(51)]}, "data"),
    ],
)
def test_small_json_is_text_unless_it_is_records(bench: Bench, value: object, kind: str) -> None:
    bench.write("some.json", json.dumps(value))
    reply = bench.call("read_file", path="some.json")
    assert reply.text is not None
    assert reply.text.kind == kind


def test_large_json_is_data(bench: Bench) -> None:
    bench.write("some.json", json.dumps({"text": "x" * 52_000}))
    reply = bench.call("read_file", path="some.json")
    assert reply.text is not None
    assert reply.text.kind == "data"
    assert "json_exempt_bytes" in reply.limits_hit


def test_a_binary_file_is_refused_by_name(bench: Bench) -> None:
    (bench.data / "scan.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 40)
    with pytest.raises(Refused, match="no text"):
        bench.call("read_file", path="scan.pdf")


def test_invisible_signs_become_visible_and_are_counted_as_shown(bench: Bench) -> None:
    bench.write("odd.txt", "gold\u202e and\u200b silver\x07" + " and more" * 50)
    reply = bench.call("read_file", path="odd.txt")
    assert reply.text is not None
    assert "\\u202e" in reply.text.body
    assert reply.text.total_chars == len(reply.text.body)


def test_reading_on_in_ranges_gives_the_whole_text(bench: Bench) -> None:
    bench.write("report.md", PROSE)
    read, offset = "", 0
    while True:
        reply = bench.call("read_range", id="report.md", offset=offset, limit=3_000)
        assert reply.text is not None
        assert reply.facts["total_length"] == len(PROSE)
        read += reply.text.body
        offset += len(reply.text.body)
        if not reply.facts["truncated"]:
            break
    assert read == PROSE


def test_reading_on_in_one_long_line_misses_nothing(bench: Bench) -> None:
    text = " ".join(str(n) for n in range(4_000))
    bench.write("line.txt", f"short\n{text}\nend")
    whole = f"short\n{text}\nend"
    read, offset = "", 0
    while offset < len(whole):
        reply = bench.call("read_range", id="line.txt", offset=offset)
        assert reply.text is not None
        assert max(len(line) for line in reply.text.body.split("\n")) <= 2_000
        read += reply.text.body
        offset += len(reply.text.body)
    assert read == whole


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"offset": -1}, "give 0 to"),
        ({"offset": 10_000_000}, "give 0 to"),
        ({"limit": 0}, "1 to 20,000"),
        ({"limit": 20_001}, "1 to 20,000"),
        ({"limit": 2.5}, "whole number"),
    ],
)
def test_a_range_outside_the_text_is_refused(
    bench: Bench, arguments: dict[str, Any], reason: str
) -> None:
    bench.write("report.md", PROSE)
    with pytest.raises(Refused, match=reason):
        bench.call("read_range", id="report.md", **arguments)


@pytest.mark.parametrize("tool", ["read_range", "search_text"])
def test_tables_are_not_paged_or_searched_as_text(ridge: Bench, tool: str) -> None:
    more = {"pattern": "MR-0001"} if tool == "search_text" else {}
    for name in ("meridian_ridge_geochem.csv", "meridian_ridge_MRD001.las"):
        with pytest.raises(Refused, match="use query_data"):
            ridge.call(tool, id=name, **more)


def test_a_log_of_words_can_be_searched(bench: Bench) -> None:
    lines = [f"2026-11-30 step {n} of the run went well" for n in range(90)]
    bench.write("run.log", "\n".join([*lines, "error: the disk is full"]))
    assert bench.facts("search_text", id="run.log", pattern="error")["total"] == 1


def test_a_search_gives_places_that_hold_the_word(bench: Bench) -> None:
    bench.write("report.md", PROSE)
    facts = bench.facts("search_text", id="report.md", pattern="arsénic and 144")
    hits = [value for key, value in facts.items() if key.startswith("hit ")]
    assert facts["total"] == PROSE.count("arsénic and 144") == len(hits)
    for hit in hits:
        assert PROSE[hit["start_index"] : hit["end_index"]] == "arsénic and 144"
        assert "arsénic and 144" in hit["context"]


def test_a_search_shows_twenty_hits_and_tells_the_total(bench: Bench) -> None:
    bench.write("report.md", PROSE)
    reply = bench.call("search_text", id="report.md", pattern="gold")
    assert (reply.facts["total"], reply.facts["shown"]) == (400, 20)
    assert "search_hits" in reply.limits_hit
    assert "380 of 400 hits left out" in reply.notes[0]


def test_a_pattern_is_letters_unless_asked(bench: Bench) -> None:
    bench.write("report.md", "a.c abc a.c")
    assert bench.facts("search_text", id="report.md", pattern="a.c")["total"] == 2
    assert bench.facts("search_text", id="report.md", pattern="a.c", regex=True)["total"] == 3


@pytest.mark.parametrize("pattern", [r"(?i)LINE \d+", r"arsénic", r"\bother\b", r"things\.$"])
def test_patterns_find_what_another_engine_finds(bench: Bench, pattern: str) -> None:
    bench.write("report.md", PROSE)
    facts = bench.facts("search_text", id="report.md", pattern=pattern, regex=True)
    truth = [hit.span() for hit in re.finditer(pattern, PROSE, re.MULTILINE)]
    assert facts["total"] == len(truth)
    spans = [
        (value["start_index"], value["end_index"])
        for key, value in facts.items()
        if key.startswith("hit ")
    ]
    assert spans == truth[:20]


def test_no_pattern_can_hang_a_search(bench: Bench) -> None:
    bench.write("report.md", "a" * 50_000)
    assert bench.facts("search_text", id="report.md", pattern="(a+)+$b", regex=True)["total"] == 0


@pytest.mark.parametrize("pattern", ["(", "(?<=a)b", "a{1,100000}", ""])
def test_a_pattern_that_cannot_be_run_is_refused(bench: Bench, pattern: str) -> None:
    bench.write("report.md", PROSE)
    with pytest.raises(Refused, match="search_text"):
        bench.call("search_text", id="report.md", pattern=pattern, regex=True)


def test_a_stored_text_is_found_again_by_its_id(bench: Bench) -> None:
    facts = bench.facts("store_text", content=PROSE)
    assert facts["length"] == len(PROSE)
    assert len(facts["preview"]) <= 200
    key = facts["blob_id"]
    assert bench.facts("read_range", id=key)["total_length"] == len(PROSE)
    assert bench.facts("search_text", id=key, pattern="Line 399")["total"] == 1
    assert bench.facts("store_text", content=PROSE)["blob_id"] == key
    assert len(list((bench.run / "full").iterdir())) == 1


def test_a_stored_text_with_terminal_colours_is_still_text(bench: Bench) -> None:
    key = bench.facts("store_text", content="\x1b[31mred\x1b[0m" * 9)["blob_id"]
    reply = bench.call("read_range", id=key)
    assert reply.text is not None
    assert reply.text.body.startswith("\\u001b[31mred")


def test_a_stored_text_stands_in_a_later_argument(bench: Bench) -> None:
    bench.write("a.csv", "SampleID,Au_ppb\nS1,5\nS2,50\n")
    key = bench.facts("store_text", content="Au_ppb > 20")["blob_id"]
    facts = bench.facts("filter_rows", path="a.csv", expression=f"§§§Blob§{key}§§§")
    assert facts["rows_out"] == 1
    with pytest.raises(Refused, match="no such stored text"):
        bench.call("filter_rows", path="a.csv", expression="§§§Blob§nothing§§§")


def test_records_of_a_run_are_not_read(bench: Bench) -> None:
    (bench.run / "requests").mkdir()
    (bench.run / "requests" / "d01-r01.json").write_text("{}")
    for name in ("results/…/requests/d01-r01.json", "results/…/events.jsonl", "../run/run.json"):
        with pytest.raises(Refused):
            bench.call("read_file", path=name)
