"""What a table would cost as pasted text: counted against the text itself, whatever packs it."""

from __future__ import annotations

import csv
import io

import openpyxl
import pytest
from toolbench import Bench

from workbench import tokens
from workbench.accounting.pasted import SAMPLE_ROWS

HEADER = ["SampleID", "Lithology", "Au_ppb", "As_ppm"]
ROWS = [
    ["MR-0001", "Basalt", "3", "6.8"],
    ["MR-0002", "Sulphidic schist, altered", "<1", "12.5"],
    ["MR-0003", "", "2610", ""],
    ["MR-0004", "Dacite", "<1", "0.25"],
    ["MR-0005", "Dolerite", "14", "101.5"],
]


def text(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([HEADER, *rows])
    return out.getvalue()


def workbook(bench: Bench, *sheets: list[list[str]]) -> str:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"Batch{number}")
        for row in [HEADER, *rows]:
            sheet.append(row)
    book.save(bench.data / "assays.xlsx")
    return "assays.xlsx"


def test_a_small_table_costs_the_tokens_of_its_text(bench: Bench) -> None:
    path = bench.write("soils.csv", text(ROWS))
    reply = bench.call("query_data", path=path, operation="head", n=1)
    assert reply.raw_tokens == {path: pytest.approx(tokens.count(text(ROWS)), abs=2)}


def test_a_workbook_costs_what_it_says_not_what_its_packed_bytes_are(bench: Bench) -> None:
    reply = bench.call("query_data", path=workbook(bench, ROWS), operation="head", n=1)
    assert reply.raw_tokens["assays.xlsx"] == pytest.approx(tokens.count(text(ROWS)), abs=2)


def test_of_a_workbook_the_sheet_that_was_worked_on_counts(bench: Bench) -> None:
    path = workbook(bench, ROWS, ROWS * 3)
    reply = bench.call("query_data", path=path, sheet="Batch1", operation="head", n=1)
    assert list(reply.raw_tokens) == ["assays.xlsx, Batch1"]
    assert reply.raw_tokens["assays.xlsx, Batch1"] == pytest.approx(tokens.count(text(ROWS)), abs=2)


def test_a_table_that_was_only_described_costs_nothing(bench: Bench) -> None:
    path = bench.write("soils.csv", text(ROWS))
    assert bench.call("describe_table", path=path).raw_tokens == {}


def test_a_query_costs_the_tables_that_it_names(bench: Bench) -> None:
    bench.write("soils.csv", text(ROWS))
    bench.write("rocks.csv", text(ROWS))
    reply = bench.call("sql", query="SELECT count(*) AS n FROM soils")
    assert list(reply.raw_tokens) == ["soils.csv"]


def test_a_long_table_is_estimated_from_its_first_rows(bench: Bench) -> None:
    rows = [[f"MR-{n:04d}", "Basalt", str(n % 97), f"{n / 7:.2f}"] for n in range(5 * SAMPLE_ROWS)]
    path = bench.write("soils.csv", text(rows))
    reply = bench.call("query_data", path=path, operation="head", n=1)
    assert reply.raw_tokens[path] == pytest.approx(tokens.count(text(rows)), rel=0.1)


def test_a_text_file_costs_its_own_text(bench: Bench) -> None:
    words = "The shear dips north-east under the lens of alteration.\n" * 10
    path = bench.write("notes.txt", words)
    assert bench.call("read_file", path=path).raw_tokens == {path: tokens.count(words)}
