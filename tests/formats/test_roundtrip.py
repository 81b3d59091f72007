"""A table written in any dress comes back cell by cell: delimiter, encoding, line ends, marks."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from filebench import FileBench
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SIGNS = (",", ";", "\t", "|")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252")
WORDS = ("basalt", "tuff, altered", 'say "so"', "a;b|c", "Grün", "two\nlines", "5' wide", "#12")
PREAMBLES = ("", "Report 7\n", "Laboratory of the north\nJob No: A-12\n\n", "# made in 2020\n")
FOOTERS = ("", "\n", "\nEnd of report\n")


@dataclass(frozen=True)
class Dress:
    """How a table is written."""

    sign: str
    encoding: str
    end: str
    decimal: str
    preamble: str
    footer: str
    quoting: int

    def write(self, names: list[str], rows: list[tuple[str, float | None, int, str]]) -> bytes:
        """Write a table."""
        target = io.StringIO()
        writer = csv.writer(
            target,
            delimiter=self.sign,
            lineterminator="\n",
            quoting=self.quoting,  # type: ignore[arg-type]
        )
        writer.writerow(names)
        for name, value, whole, word in rows:
            number = "" if value is None else f"{value:.4f}".replace(".", self.decimal)
            writer.writerow([name, number, whole, word])
        text = self.preamble + target.getvalue() + self.footer
        return text.replace("\n", self.end).encode(self.encoding)


dresses = st.builds(
    Dress,
    st.sampled_from(SIGNS),
    st.sampled_from(ENCODINGS),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from([".", ","]),
    st.sampled_from(PREAMBLES),
    st.sampled_from(FOOTERS),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
)
records = st.lists(
    st.tuples(
        st.one_of(st.none(), st.floats(0.0001, 99_999, allow_nan=False)),
        st.integers(0, 9_999),
        st.sampled_from(WORDS),
    ),
    min_size=6,
    max_size=30,
)


@given(dress=dresses, body=records)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_table_in_any_dress_comes_back_cell_by_cell(
    bench: FileBench, dress: Dress, body: list[tuple[float | None, int, str]]
) -> None:
    rows = [(f"S-{n:03d}", *record) for n, record in enumerate(body)]
    raw = bench.raw(dress.write(["Sample", "Au_ppm", "n", "note"], rows))
    assert raw.names == ["Sample", "Au_ppm", "n", "note"]
    end = dress.end
    wanted = [
        (
            name,
            None if value is None else f"{value:.4f}".replace(".", dress.decimal),
            str(whole),
            word.replace("\n", end),
        )
        for name, value, whole, word in rows
    ]
    seen = [
        (*row[:3], (row[3] or "").replace("\r\n", "\n").replace("\r", "\n")) for row in raw.rows
    ]
    assert seen == [(*row[:3], row[3].replace(end, "\n")) for row in wanted]
