"""No bytes bring a reader down, and whatever it reads adds up: no line and no value is lost."""

from __future__ import annotations

import re

import pytest
from filebench import FileBench
from fuzz.examples import TIMES, tried
from fuzz.files import GOOD, anything, spoilt
from hypothesis import example, given

from workbench.errors import Refused
from workbench.formats.registry import formats

_BLANK = re.compile(r"^([\d,]+) empty rows were left out")
_UNDER = re.compile(r"^([\d,]+) rows under the table are no data")

pytestmark = pytest.mark.timeout(120 * TIMES)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> FileBench:
    limits = FileBench(tmp_path_factory.mktemp("limits")).limits
    return FileBench(tmp_path_factory.mktemp("readers"), limits.changed({"load_bytes": 20_000_000}))


def counted(notes: tuple[str, ...], form: re.Pattern[str]) -> int:
    return sum(int(hit[1].replace(",", "")) for note in notes if (hit := form.match(note)))


def read(bench: FileBench, name: str, data: bytes) -> str:
    """Read a file as the product does; return why it was refused, or an empty text."""
    path = bench.write(name, data)
    try:
        raws = bench.raws(path)
        opened = bench.tables(path)
    except Refused as error:
        return str(error)
    finally:
        for left in bench.snapshots.iterdir():
            if left.is_file():
                left.unlink()
    for raw in raws:
        assert raw.lines == sorted(set(raw.lines)), "two rows stand in one line"
        assert all(len(row) >= len(raw.names) for row in raw.rows)
    for table in opened.tables:
        for column in table.columns:
            known = column.count + column.below + column.above + sum(column.missing.values())
            assert known + column.rejected == table.rows, f"{column.name}: a value is lost"
    if name.endswith((".csv", ".tsv")) and len(raws) == 1 and raws[0].layout["delimiter"]:
        _lines_add_up(bench, name, raws[0])
    return ""


def _lines_add_up(bench: FileBench, name: str, raw: object) -> None:
    """Every line of a text is above the table, a row of it, empty, or below it."""
    path = bench.data / name
    with bench.opened(path) as file:
        form = next(item for item in formats() if item.name == "delimited text")
        total = form.head(file, 0, bench.limits).total
    if raw.layout["delimiter"] == "whitespace" or '"' in _text(path, raw):  # type: ignore[attr-defined]
        return
    above = raw.lines[0] - 1  # type: ignore[attr-defined]
    left_out = counted(raw.notes, _BLANK) + counted(raw.notes, _UNDER)  # type: ignore[attr-defined]
    kept = len(raw.rows)  # type: ignore[attr-defined]
    over = [not line.strip(" ,;\t") for line in _text(path, raw).splitlines()[:above]][::-1]
    # Empty lines between header and first row may count as above the table, or as left out.
    between = over.index(False) if False in over else len(over)
    assert 0 <= above + kept + left_out - total <= between, (
        f"{above} lines above, {kept} rows and {left_out} left out are not {total} lines"
    )


def _text(path: object, raw: object) -> str:
    encoding = str(raw.layout["encoding"])  # type: ignore[attr-defined]
    return path.read_bytes().decode(encoding, "replace")  # type: ignore[attr-defined]


def plainly(said: str) -> None:
    """Assert that a refusal is one short line for a person, and shows no path of the machine."""
    assert "\n" not in said
    assert len(said) < 700
    assert "Traceback" not in said
    assert "/tmp" not in said  # noqa: S108 - where the tests write


@pytest.mark.parametrize("name", sorted(GOOD))
def test_every_file_is_read_before_it_is_spoilt(bench: FileBench, name: str) -> None:
    assert read(bench, name, GOOD[name]) == ""


@tried(30)
@given(file=spoilt())
@example(file=("headed.csv", b"Report 7\n\nSample,Au_ppm,A\n\nSample,Au_ppm,A"))
def test_a_spoilt_file_is_refused_plainly_or_its_counts_add_up(
    bench: FileBench, file: tuple[str, bytes]
) -> None:
    plainly(read(bench, *file))


@tried(40)
@given(file=anything)
@example(file=("log.las", b"~A\n"))
def test_any_bytes_are_refused_plainly_or_read(bench: FileBench, file: tuple[str, bytes]) -> None:
    plainly(read(bench, *file))
