"""The tree of elements: data in it is text, whatever it holds."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampleview import HOSTILE

from workbench.notebook import nodes
from workbench.notebook.nodes import node, texts, to_html, to_json

SCRIPT = Path(nodes.__file__).with_name("widget.js").read_text(encoding="utf-8")


class Reader(HTMLParser):
    """Collects tags, attributes and text of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.named: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.named += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def read(markup: str) -> Reader:
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader


def test_a_text_is_never_markup() -> None:
    found = read(to_html(node("div", "wb", HOSTILE)))
    assert (found.tags, found.text) == (["div"], HOSTILE)


def test_an_attribute_is_never_markup() -> None:
    found = read(to_html(node("span", "", "x", title=HOSTILE)))
    assert (found.tags, found.named) == (["span"], [("title", HOSTILE)])


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_text_comes_back_as_it_went_in(text: str) -> None:
    assert read(to_html(node("span", "", text))).text == text


@pytest.mark.parametrize("tag", ["script", "style", "iframe", "img", "a", "svg", "button", "form"])
def test_a_tag_that_could_act_is_refused(tag: str) -> None:
    with pytest.raises(ValueError, match="allow-list"):
        node(tag)


@pytest.mark.parametrize("name", ["onclick", "href", "src", "id", "name", "data_commandlinker"])
def test_an_attribute_that_could_act_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="allow-list"):
        node("div", "", **{name: "x"})


@pytest.mark.parametrize(
    "style", ["background:url(//evil.example)", "width:10px", "position:fixed"]
)
def test_a_style_is_a_length_in_per_cent_or_nothing(style: str) -> None:
    with pytest.raises(ValueError, match="per cent"):
        node("div", style=style)


def test_a_node_travels_as_tag_attributes_and_children() -> None:
    tree = node("div", "a", node("span", "", "x"), None, "y")
    assert to_json(tree) == ["div", {"class": "a"}, [["span", {}, ["x"]], "y"]]
    assert json.loads(json.dumps(to_json(tree))) == to_json(tree)


def test_the_texts_of_a_tree_come_in_reading_order() -> None:
    assert list(texts(node("div", "", "a", node("span", "", "b"), "c"))) == ["a", "b", "c"]


def test_the_script_allows_the_same_tags_attributes_and_styles() -> None:
    lists = [
        set(" ".join(re.findall(r'"([^"]*)"', block)).split())
        for block in re.findall(r"new Set\((.*?)\);", SCRIPT, re.DOTALL)
    ]
    assert [{word for word in found if word != " "} for found in lists] == [
        nodes.TAGS,
        nodes.ATTRIBUTES,
    ]
    assert nodes.STYLE.pattern in SCRIPT


def test_the_script_builds_no_html() -> None:
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "fetch(",
    ):
        assert word not in SCRIPT
