"""Numbers of an answer lead to their claims; those without one, and failed ones, are marked."""

from __future__ import annotations

from typing import Any

from markdown_it import MarkdownIt

from workbench.report import claimed
from workbench.report.markup import Markdown

ANSWER = "233 of 240 fall *into* groups; 47 % are\nhigh, 12 low."


def view(**more: object) -> dict[str, Any]:
    claims = [
        {"id": "d01.1", "status": "verified", "what": "rows", "found": "233", "artefact": "d01a1"},
        {"id": "d01.2", "status": "failed", "what": "rows", "reason": "241 were found"},
    ]
    marks = [[0, 3, "d01.1"], [7, 10, "d01.2"], [31, 33, ""]]
    return {"answer": ANSWER, "claims": claims, "numbers": marks, **more}


def test_a_number_leads_to_its_claim_and_says_what_it_is() -> None:
    words = claimed.answer(view())
    assert '[233](#Claims "d01.1: rows; verified: 233")' in words
    assert '[240 *failed*](#Claims "d01.2: rows; failed: 241 were found")' in words
    assert '47[*?*](#Claims "no source") %' in words
    assert "\\*into\\*" in words
    assert "12 low" in words


def test_an_answer_without_any_claim_is_marked_at_each_number_as_in_the_card() -> None:
    bare = view(claims=[], numbers=[[0, 3, ""], [7, 10, ""]])
    words = claimed.answer(bare)
    assert words.startswith('233[*?*](#Claims "no source") of 240[*?*](#Claims "no source") fall')
    assert "no source, marked by a question mark: 2." in claimed.table_of(bare)


def test_marks_that_are_no_marks_are_passed_over() -> None:
    odd = view(numbers=[[9, 2, "x"], [0, 9_999, "x"], "abc", [0, "1", 2], [1, 2]])
    assert claimed.answer(odd).startswith("233 of 240")


def test_a_hostile_claim_ends_no_link() -> None:
    text = '")](javascript:alert(1)) <script> \\" [x](y)'
    found = view(claims=[{"id": text, "status": "failed", "what": text, "reason": text}])
    found["numbers"] = [[0, 3, text]]
    for source in (claimed.answer(found), claimed.table_of(found)):
        tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(source)
        inner = [child for token in tokens for child in token.children or ()]
        links = [child.attrGet("href") for child in inner if child.type == "link_open"]
        assert set(links) <= {"#Claims"}
        assert "<script" not in Markdown().html(source)


def test_the_table_counts_what_holds() -> None:
    told = claimed.table_of(view())
    assert "1 of 2 claims hold" in told
    assert "marked by a question mark: 1." in told
    assert "241 were found" in told


def test_the_question_mark_is_explained_under_the_answer_that_has_one() -> None:
    assert claimed.answer(view()).endswith("no claim ties the number before it to a file.*")
    held = view()
    held["numbers"] = [place for place in held["numbers"] if place[2]]
    assert "question mark" not in claimed.answer(held)


def test_without_numbers_there_is_no_section() -> None:
    assert claimed.table_of(view(claims=[], numbers=[])) == ""
