"""Tool answers read back from the gate's own text."""

from __future__ import annotations

from workbench.context.render import facts, preview
from workbench.limits import Limits
from workbench.models.planner.answer import read
from workbench.reply import Preview


def test_facts_written_by_the_gate_are_read_back() -> None:
    values = {"rule": "median + 2 MAD", "n": 3, "sizes": {"1": 2}, "column Au (ppb): x": {"n": 1}}
    told = read(facts(values, Limits()).text)
    assert told.facts == values


def test_a_preview_written_by_the_gate_is_read_back() -> None:
    item = Preview(
        "highest", ("SampleID", "As_ppm"), (("MR-1", 9.5), ("a|b", ">10000")), 7, "x.csv"
    )
    text = preview(item, Limits(), "preview_rows", 20, "query_data()").text
    (rows,) = read(f"n: 7\n{text}").previews
    assert (rows.title, rows.total, rows.columns) == ("highest", 7, ("SampleID", "As_ppm"))
    assert rows.rows == (("MR-1", "9.5"), ("a¦b", ">10000"))


def test_artefacts_and_notes_are_read() -> None:
    told = read("n: 1\nnote: guessed\nartefact: d01a2 results/…/x y.csv (text/csv, 3 rows)")
    assert told.notes == ("guessed",)
    assert (told.made[0].id, told.made[0].path) == ("d01a2", "results/…/x y.csv")


def test_a_refusal_is_an_error_and_nothing_else() -> None:
    told = read("error: column 'Xx': not in 't'\nrows: 5")
    assert told.error.startswith("column 'Xx'")
    assert told.facts == {}


def test_a_cut_fact_is_not_there() -> None:
    told = read('sizes: {"1": 110, "2": 9…[+4,000]')
    assert told.mapping("sizes") == {}
    assert told.number("sizes") is None


def test_a_later_fact_does_not_replace_an_earlier_one() -> None:
    assert read("rows: 5\nrows: 9").number("rows") == 5
