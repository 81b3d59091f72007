"""The marker grammar: parsable, counted inside the limit, head and tail kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench import marker
from workbench.marker import Marker


def test_the_long_form_reads_as_the_design_says() -> None:
    mark = Marker(236, 241, "lines", "d01a2 results/…/x.csv", 'query_data(path="x.csv")', 11_904)
    assert str(mark) == (
        "[... truncated: 236 of 241 lines left out (11,904 characters) | full: d01a2 "
        'results/…/x.csv | next: query_data(path="x.csv") ...]'
    )


@given(
    left=st.integers(0, 10**9),
    total=st.integers(0, 10**9),
    chars=st.none() | st.integers(0, 10**9),
)
def test_a_marker_is_parsed_back_to_itself(left: int, total: int, chars: int | None) -> None:
    mark = Marker(left, total, "rows", "a.csv", 'query_data(path="a.csv")', chars)
    assert marker.parse(f"head\n{mark}\ntail") == [mark]


@given(text=st.text(min_size=0, max_size=400), limit=st.integers(8, 120))
def test_a_short_cut_never_exceeds_its_limit_and_counts_what_it_left_out(
    text: str, limit: int
) -> None:
    cut = marker.short(text, limit)
    assert len(cut) <= limit
    if len(text) > limit:
        kept, _, _ = cut.rpartition("…[+")
        assert marker.short_marks(cut)[-1] == len(text) - len(kept)
    else:
        assert cut == text


@given(text=st.text(alphabet="ab c\n", min_size=0, max_size=3_000), limit=st.integers(300, 600))
def test_head_and_tail_stay_and_the_marker_counts_inside_the_limit(text: str, limit: int) -> None:
    def mark(left: int) -> str:
        return str(Marker(left, len(text), "characters", "x", "read_range(id=x)"))

    cut = marker.head_and_tail(text, limit, mark)
    assert len(cut) <= limit
    if len(text) > limit:
        (found,) = marker.parse(cut)
        head, tail = cut.split(f"\n{found}\n")
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) + len(tail) + found.left == len(text)
    else:
        assert cut == text
