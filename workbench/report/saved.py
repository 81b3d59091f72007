"""The cells of a saved notebook against those that it should have: words, code, saved outputs.

Execution counts and the values of parameters may differ, nothing else; see `report.rechecked`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any

from workbench import marker
from workbench.report import parts, shown
from workbench.report.cells import signature
from workbench.report.compared import Compared, compare
from workbench.report.rows import Head
from workbench.runs.comparing import Row

_EXCERPT, _BEFORE = 60, 20


def cells(
    found: Mapping[str, Any],
    made: Mapping[str, Any],
    signs: Mapping[str, str],
) -> Iterator[Row]:
    """Compare the cells of a notebook with those it should have, in order.

    Parameters
    ----------
    found, made : mapping
        The notebook as it lies there, and as it should be.
    signs : mapping
        Id of a cell whose bytes need not come again → hash of its outputs in the record.
    """
    cells = [cell for cell in found["cells"] if not _injected(cell)]
    bare = not any(cell.get("outputs") for cell in cells)
    for number, should in enumerate(made["cells"]):
        key = should["id"]
        if number >= len(cells):
            yield Row("cell", key, "there", "not there", same=False)
            return
        cell = cells[number]
        if (cell.get("id"), cell.get("cell_type")) != (key, should["cell_type"]):
            yield Row("cell", key, "there", f"another cell: {cell.get('id')}", same=False)
            return
        yield _source(key, should, cell)
        if should["cell_type"] == "code" and not bare:
            yield _saved(key, should, cell, signs.get(key, ""))
    for cell in cells[len(made["cells"]) :]:
        yield Row("cell", str(cell.get("id")), "no such cell", "added", same=False)


def _injected(cell: Mapping[str, Any]) -> bool:
    """Tell whether papermill put a cell there; it may give values, and nothing else."""
    tags = (cell.get("metadata") or {}).get("tags") or ()
    return "injected-parameters" in tags and _values_alone(parts.joined(cell.get("source")))


def _values_alone(source: str) -> bool:
    """Tell whether code does nothing but give values to names."""
    try:
        for line in ast.parse(source).body:
            if not isinstance(line, ast.Assign) or not isinstance(line.targets[0], ast.Name):
                return False
            ast.literal_eval(line.value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _source(key: str, should: Mapping[str, Any], cell: Mapping[str, Any]) -> Row:
    was, now = parts.joined(should["source"]), parts.joined(cell.get("source"))
    free = key == "parameters" and _values_alone(now)
    what = f"{key}: its {'code' if should['cell_type'] == 'code' else 'words'}"
    return row("cell", what, was, now, same=was == now or free)


def _saved(key: str, should: Mapping[str, Any], cell: Mapping[str, Any], sign: str) -> Row:
    """Compare what a cell shows: with what the calls gave just now, or what the report carries."""
    what = f"{key}: its saved output"
    outputs = cell.get("outputs") or []
    if key == "verification":
        holds = verdict(should)
        html = {"", holds._repr_html_()}
        now = "\n".join(_text(one) for one in outputs)
        alike = not outputs or (
            now == repr(holds)
            and all(parts.joined(_data(one).get("text/html")) in html for one in outputs)
            and all(set(_data(one)) <= {"text/plain", "text/html"} for one in outputs)
        )
        return row("cell", what, repr(holds), now, same=alike)
    expected = should["outputs"]
    if len(outputs) != len(expected):
        return Row("cell", what, f"{len(expected)} outputs", f"{len(outputs)} outputs", same=False)
    for was, now in zip(expected, outputs, strict=True):
        departs = next(_differing(was["data"], _data(now)), "")
        if departs and not (sign and sign == signature(cell)):
            pair = was["data"].get(departs, ""), _data(now).get(departs, "")
            return row("cell", f"{what}, {departs}", *(_plain(one) for one in pair), same=False)
    return Row("cell", what, "as made again", "the same", same=True)


def _differing(was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the forms in which an output is not what it should be; some may be left out."""
    if "text/plain" not in now:
        yield "text/plain"
    for form, value in now.items():
        if form == "text/html" and shown.TABLE in was:
            if _words_of(parts.joined(value)) != _words_in(Head.from_json(was[shown.TABLE])):
                yield form
        elif form not in was or _plain(value) != _plain(was[form]):
            yield form


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    return parts.joined(value)


def _data(output: Mapping[str, Any]) -> dict[str, Any]:
    """Return the forms of an output; what was printed or raised is a form of its own."""
    kind = str(output.get("output_type"))
    if kind in {"execute_result", "display_data"}:
        return dict(output.get("data") or {})
    return {kind: parts.joined(output.get("text") or output.get("evalue"))}


def _text(output: Mapping[str, Any]) -> str:
    return parts.joined(_data(output).get("text/plain"))


def verdict(cell: Mapping[str, Any]) -> Compared:
    """Return what the last cell says where all is the same, from the hashes in its code."""
    body = ast.parse(parts.joined(cell["source"])).body
    inputs, results = (ast.literal_eval(line.value) for line in body[:2])  # type: ignore[attr-defined]
    return compare(inputs, inputs, results, results)


class _Reader(HTMLParser):
    """Takes the words of a page apart from its marks."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._style = tag == "style"
        if tag in {"script", "iframe", "img", "object", "embed", "svg", "link", "form"}:
            self.words.append(f"<{tag}>")
        self.words += [f"{name}=" for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        self._style = self._style and tag != "style"

    def handle_data(self, data: str) -> None:
        if not self._style:
            self.words += data.split()


def _words_of(html: str) -> list[str]:
    reader = _Reader()
    reader.feed(html)
    return reader.words


def _words_in(head: Head) -> list[str]:
    cells = [*head.columns, *(cell for row in head.rows for cell in row), head.caption]
    return [word for cell in cells for word in cell.split()]


def row(kind: str, what: str, was: str, now: str, *, same: bool) -> Row:
    """Return a row; of what differs the first place that does."""
    if same:
        return Row(kind, what, "as made again", "the same", same=True)
    pairs = enumerate(zip(was, now, strict=False))
    apart = next((place for place, (a, b) in pairs if a != b), min(len(was), len(now)))
    start = max(apart - _BEFORE, 0)
    return Row(kind, what, _excerpt(was[start:]), _excerpt(now[start:]), same=False)


def _excerpt(words: str) -> str:
    return marker.short(" ".join(words.split()), _EXCERPT) or "nothing"
