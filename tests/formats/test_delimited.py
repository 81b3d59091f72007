"""Delimited text: every row arrives, with its line, or it is said which did not fit."""

from __future__ import annotations

import csv
import io

import pytest
from filebench import FileBench
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.errors import LimitReached, Refused
from workbench.formats import reading
from workbench.limits import Limits


def test_quoted_cells_hold_delimiters_quotes_and_line_breaks(bench: FileBench) -> None:
    raw = bench.raw('id,note,v\n1,"a, ""b""\nc",5\n2,plain,6\n')
    assert raw.rows == [("1", 'a, "b"\nc', "5"), ("2", "plain", "6")]
    assert raw.lines == [2, 4]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "end"])
def test_every_line_end_ends_a_row(bench: FileBench, end: str, last: str) -> None:
    raw = bench.raw(f"a,b{end}1,2{end}3,4" + (end if last else ""))
    assert raw.rows == [("1", "2"), ("3", "4")]


def test_mixed_line_ends_are_read_line_by_line(bench: FileBench) -> None:
    raw = bench.raw("a,b\n1,2\r3,4\r\n5,6\n")
    assert raw.rows == [("1", "2"), ("3", "4"), ("5", "6")]
    assert raw.layout["line_end"] == "mixed"
    assert raw.lines == [2, 3, 4]


def test_ragged_rows_are_padded_counted_and_listed_by_line(bench: FileBench) -> None:
    raw = bench.raw("a,b,c\n1,2,3\n4,5\n6,7,8,9\n1,2,3\n\n1,2,3\n")
    assert raw.rows[1:3] == [("4", "5", None, None), ("6", "7", "8", "9")]
    assert (raw.short, raw.long, raw.ragged) == (1, 1, (3, 4))
    assert raw.lines == [2, 3, 4, 5, 7]
    assert any("lines 3, 4" in note for note in raw.notes)


def test_a_trailing_delimiter_on_every_row_is_no_raggedness(bench: FileBench) -> None:
    raw = bench.raw("a,b\n1,2,\n3,4,\n")
    assert (raw.short, raw.long) == (0, 0)
    assert raw.names == ["a", "b", ""]
    assert raw.rows == [("1", "2", None), ("3", "4", None)]


def test_empty_rows_are_left_out_and_counted(bench: FileBench) -> None:
    raw = bench.raw("a,b\n1,2\n,\n\n3,4\n,\n")
    assert raw.rows == [("1", "2"), ("3", "4")]
    assert any("3 empty rows" in note for note in raw.notes)


def test_a_stray_quote_costs_no_text(bench: FileBench) -> None:
    raw = bench.raw('hole,core,n\nH1,5" pipe,1\nH2,"late" tail,2\nH3,x,3\n')
    assert [row[1] for row in raw.rows] == ['5" pipe', '"late" tail', "x"]
    assert any("by line" in note for note in raw.notes)


def test_a_quote_that_is_never_closed_swallows_no_rows(bench: FileBench) -> None:
    raw = bench.raw('a,b\n1,2\n"3,4\n5,6\n')
    assert raw.rows == [("1", "2"), ('"3', "4"), ("5", "6")]
    assert any("never closed" in note for note in raw.notes)


def test_control_signs_are_taken_out(bench: FileBench) -> None:
    raw = bench.raw(b"hole,Au\n" + b"H1,2\n" * 60 + b"H2\x00,4\n\x1a")
    assert raw.rows[-1] == ("H2", "4")
    assert len(raw.rows) == 61


def test_white_space_around_cells_is_taken_off(bench: FileBench) -> None:
    raw = bench.raw('a,b\n" 307.000\t\t",\u00a0x \n4,5\n')
    assert raw.rows[0] == ("307.000", "x")


def test_cells_between_runs_of_blanks_are_read(bench: FileBench) -> None:
    body = "2.386  3.077  1.74\n2.5 1.9 1.3\n"
    raw = bench.raw(f"A report of soils\n\nX      Y     Cd\n{body * 9}", "t.txt")
    assert raw.names == ["X", "Y", "Cd"]
    assert raw.rows[:2] == [("2.386", "3.077", "1.74"), ("2.5", "1.9", "1.3")]
    assert raw.layout["delimiter"] == "whitespace"


def test_a_line_of_five_megabytes_is_read(bench: FileBench) -> None:
    long = "x" * 5_000_000
    raw = bench.raw(f"a,b\n1,{long}\n2,y\n")
    assert [len(row[1] or "") for row in raw.rows] == [5_000_000, 1]


def test_ten_thousand_columns_are_read(bench: FileBench) -> None:
    names = [f"c{at}" for at in range(10_000)]
    raw = bench.raw("\n".join([",".join(names), ",".join("1" * 10_000), ",".join("2" * 10_000)]))
    assert raw.names == names
    assert raw.rows[1] == ("2",) * 10_000


@given(
    rows=st.lists(
        st.lists(
            st.text(alphabet='ab1.,;"\n\r\t <é', min_size=1, max_size=6).filter(str.strip),
            min_size=3,
            max_size=3,
        ),
        min_size=3,
        max_size=12,
    )
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_a_csv_writer_wrote_is_read_back(bench: FileBench, rows: list[list[str]]) -> None:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    # A number in each column right under the names leaves no doubt which row they are.
    rows = [["1", "2", "3"], *rows]
    writer.writerows([["first", "second", "third"], *rows])
    raw = bench.raw(out.getvalue())
    white = reading.WHITE
    assert raw.names == ["first", "second", "third"]
    assert raw.rows == [tuple(cell.strip(white) or None for cell in row) for row in rows]


def test_the_engine_and_the_reader_by_line_agree(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = "id,note,v\n" + "".join(f'{i},"n {i % 7}, x",{i / 4}\n' for i in range(5_000))
    fast = bench.raw(content)
    monkeypatch.setattr("workbench.formats.delimited_rows._by_engine", lambda *_: None)
    slow = bench.raw(content)
    assert (fast.rows, fast.lines) == (slow.rows, slow.lines)


def test_a_large_text_is_read_again_instead_of_being_held(
    bench: FileBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = "id,Au_ppb\n" + "".join(f"S{i},{i}\n" for i in range(1_000))
    held = bench.table(content, "held.csv")
    monkeypatch.setattr(reading, "HELD_BYTES", 100)
    again = bench.table(content + "\n", "again.csv")
    assert [c.to_json() for c in held.columns] == [c.to_json() for c in again.columns]


def test_an_empty_file_is_refused(bench: FileBench) -> None:
    with pytest.raises(Refused, match=r"'t.csv': the file is empty \(0 bytes\)"):
        bench.raw("")


def test_a_file_of_blanks_is_refused(bench: FileBench) -> None:
    with pytest.raises(Refused, match=r"'t\.csv'"):
        bench.raw(" \n\n  \n")


def test_a_header_alone_is_refused_and_named(bench: FileBench) -> None:
    with pytest.raises(Refused, match=r"header .hole, from, to. and no data rows"):
        bench.raw("hole,from,to\n")


def test_binary_called_csv_is_refused_by_what_it_is(bench: FileBench) -> None:
    with pytest.raises(Refused, match="binary data of no known kind"):
        bench.raw(bytes(range(256)) * 20)


def test_prose_called_txt_is_refused(bench: FileBench) -> None:
    with pytest.raises(Refused, match="plain text without a table"):
        bench.raw("A letter.\nIt says nothing, really.\n", "letter.txt")


def test_a_file_above_the_load_limit_is_refused_with_the_remedy(bench: FileBench) -> None:
    bench.limits = Limits().changed({"load_bytes": 10})
    with pytest.raises(LimitReached, match="-l load_bytes=") as caught:
        bench.raw("a,b\n1,2\n3,4\n")
    assert caught.value.key == "load_bytes"


def test_progress_is_told_and_can_cancel(bench: FileBench) -> None:
    stages: list[str] = []

    def told(stage: str, share: float) -> None:
        assert 0.0 <= share <= 1.0
        stages.append(stage)
        if stage == "write":
            raise KeyboardInterrupt

    path = bench.write("t.csv", "a,b\n1,2\n3,4\n")
    with pytest.raises(KeyboardInterrupt):
        bench.tables(path, progress=told)
    assert stages[0] == "hash"
    assert "scan" in stages
    assert list(bench.snapshots.iterdir()) == []


@pytest.mark.parametrize("quote", ["", '"'], ids=["by the engine", "by line"])
def test_delimiters_in_a_last_column_of_remarks_cut_nothing_off(
    bench: FileBench, quote: str
) -> None:
    body = "".join(f"H{n},{n}.5,vein{', minor py, asp' * (n % 2)}\n" for n in range(30))
    raw = bench.raw(f"hole,Au,remarks\nH,0,6{quote} core\n" + body)
    assert (raw.names, len(raw.rows), raw.long) == (["hole", "Au", "remarks"], 31, 15)
    assert raw.rows[2][2] == "vein, minor py, asp"
    assert any("joined to its last column" in note for note in raw.notes)


def test_numbers_are_never_joined_to_cells_beyond_the_header(bench: FileBench) -> None:
    raw = bench.raw("id,Au\n" + "S1,1\n" * 20 + "S2,2,x\n")
    assert raw.rows[-1][:2] == ("S2", "2")
    assert any("left out (lines 22)" in note for note in raw.notes)


def test_names_with_a_delimiter_are_no_names_of_rows(bench: FileBench) -> None:
    body = "".join(f"{n},A{n},Office{', North' * (n % 3)}\n" for n in range(30))
    raw = bench.raw("id,code,agency\n" + body)
    assert raw.names == ["id", "code", "agency"]
    assert raw.rows[2] == ("2", "A2", "Office, North, North")


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("P;Ort;Au\n" + "P1;Berg;1,75\n" * 20 + "P2;Berg;3,75;x\n", "3,75"),
        ("id,Cu,Au\n" + "S1,1,<0.01\n" * 20 + "S2,2,<0.01,x\n", "<0.01"),
        ("id,Cu,Au\n" + "S1,1,BDL\n" * 20 + "S2,2,0.7,x\n", "0.7"),
        ("id,Cu,Au\n" + "S1,1,X\n" * 20 + "S2,2,0.7,x\n", "0.7"),
    ],
    ids=["decimal commas", "below a limit", "below detection", "crosses"],
)
def test_a_last_column_of_numbers_however_written_takes_nothing_in(
    bench: FileBench, text: str, last: str
) -> None:
    raw = bench.raw(text)
    assert raw.rows[-1][2] == last
    assert any("left out (lines 22)" in note for note in raw.notes)


@pytest.mark.parametrize("quote", ["", '"'], ids=["by the engine", "by line"])
def test_what_is_joined_to_an_empty_cell_is_the_cell(bench: FileBench, quote: str) -> None:
    rows = f"H1,1,vein\nH2,2,6{quote} core\n" * 9 + "H3,3,,late\n"
    assert bench.raw("hole,Au,remarks\n" + rows).rows[-1] == ("H3", "3", "late")


def test_more_lines_of_odd_rows_than_are_named_are_marked(bench: FileBench) -> None:
    raw = bench.raw("id,Au,Cu\n" + "S1,1,2\nS2,3\n" * 11)
    assert any("11 rows are shorter" in n and n.endswith("19, 21 …)") for n in raw.notes)
