"""Words in a Markdown cell stay words."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from workbench.report.words import line, mono, paragraphs, table

HARD = (
    *("# h", "- a", "1. a", "1) a", "> q", "---", "===", "+ x", "*a* _b_ `c` ~~d~~", "a|b"),
    *("<script>alert(1)</script>", "<b>x", "&lt;", "[a](javascript:1)", "![a](http://x.y/z)"),
    *("http://x.y", "www.x.y", "a@b.c", "$x$", r"\(a\)", r"\begin{x}", "    code", ":--"),
)


@pytest.mark.parametrize("text", HARD)
def test_a_hard_text_reads_as_it_is(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(line(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    children = tokens[1].children or []
    assert {child.type for child in children} <= {"text", "text_special", "code_inline"}
    assert "".join(child.content for child in children) == text.strip()


@pytest.mark.parametrize("text", HARD)
def test_a_hard_text_in_code_and_cells_is_one_span(text: str) -> None:
    source = table(["x"], [[mono(text)], [line(text)]])
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(source)
    assert sum(token.type == "tr_open" for token in tokens) == 3
    assert sum(token.type == "td_open" for token in tokens) == 2


def test_lines_and_paragraphs_stay() -> None:
    assert paragraphs("a\nb\n\n\n- c") == "a\\\nb\n\n\\- c"


def test_signs_that_steer_are_written_out() -> None:
    assert "\u202e" not in line("a\u202eb")
    assert "202e" in line("a\u202eb")
