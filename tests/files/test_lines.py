"""Lines between child and parent: bounded, whole, and plain JSON."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.files.lines import Lines, LineTooLong, decode, encode

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(st.dictionaries(st.text(), plain, max_size=3), max_size=5), st.integers(1, 40))
def test_messages_come_out_as_they_went_in_however_the_bytes_are_cut(
    messages: list[dict[str, object]], step: int
) -> None:
    data = b"".join(encode(message) for message in messages)
    lines = Lines(1_000_000)
    chunks = [data[at : at + step] for at in range(0, len(data), step)]
    found = [decode(line) for chunk in chunks for line in lines.feed(chunk)]
    assert found == messages


@pytest.mark.parametrize("text", ["a\nb", "\u2028", "\udc80", "\0", "\r\n"])
def test_no_text_breaks_a_line(text: str) -> None:
    line = encode({"text": text})
    assert line.count(b"\n") == 1
    assert decode(line) == {"text": text}


def test_a_line_of_exactly_the_limit_passes() -> None:
    assert list(Lines(4).feed(b"1234\n")) == [b"1234"]


@pytest.mark.parametrize("chunks", [[b"12345\n"], [b"12345"], [b"123", b"45\n"]])
def test_a_line_beyond_the_limit_is_refused_complete_or_not(chunks: list[bytes]) -> None:
    lines = Lines(4)
    *before, last = chunks
    assert [line for chunk in before for line in lines.feed(chunk)] == []
    with pytest.raises(LineTooLong):
        list(lines.feed(last))
    assert lines.pending == 0


@pytest.mark.parametrize(
    "line",
    [b"", b"[1]", b"1", b"nothing", b"\xff", b'{"a": NaN}', b'{"a":' * 100_000, b"9" * 1_000_000],
)
def test_what_is_no_message_is_a_value_error(line: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        decode(line)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), b"x", {1, 2}])
def test_what_json_has_not_is_not_written(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        encode({"value": value})
