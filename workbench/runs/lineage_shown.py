"""A lineage as a person reads it: a tree of text, and a small drawing without script.

Names and parameters come from files and models: they are made visible, cut with a mark, escaped.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from workbench import marker
from workbench.runs.lineage import Lineage
from workbench.runs.lineage_steps import Step, Used
from workbench.visible import visible

_VALUE, _NAME, _CALL = 120, 80, 400
_HASH = 12
_BOX, _LINE, _GAP_X, _GAP_Y, _EDGE = (220, 58), 15, 56, 16, 8
_BOX_NAME = 32
# More boxes than this are no picture any more; the text has them all.
_BOXES = 60


def text(lineage: Lineage, standing: Mapping[str, str] | None = None) -> str:
    """Return a lineage as an indented tree: each result, the call that made it, what it read.

    Parameters
    ----------
    lineage : Lineage
        Of one result, or of all that a run made.
    standing : mapping, optional
        What has become of each source; see `lineage.standing`.
    """
    told: set[str] = set()
    if lineage.target:
        roots = [lineage.target]
    else:
        read = {used.made for step in lineage.steps for used in step.inputs}
        roots = [made for step in lineage.steps for made in step.makes if made not in read]
    lines = [line for root in roots for line in _tree(lineage, root, standing or {}, told, "")]
    return "\n".join(lines) or "no result was made"


def _tree(
    lineage: Lineage, made: str, standing: Mapping[str, str], told: set[str], indent: str
) -> Iterator[str]:
    """Yield the lines of one result and of all it came from."""
    step = lineage.step_of(made)
    if step is None:
        yield f"{indent}{made}: the call that made it is not in the ledger"
        return
    item = next(one for one in step.outputs if f"{step.run}/{one.id}" == made)
    size = f"{item.rows:,} × {item.columns}, " if item.rows is not None else ""
    head = f"{indent}{item.id} {_short(item.path)} ({size}sha256 {item.sha256[:_HASH]})"
    if made in told:
        yield f"{head}, see above"
        return
    told.add(made)
    yield head
    yield f"{indent}  by {call(step)}"
    yield f"{indent}  {_circumstances(step)}"
    for used in step.inputs:
        if used.made:
            yield from _tree(lineage, used.made, standing, told, f"{indent}    ")
        else:
            yield f"{indent}    {_source(used, standing)}"


def call(step: Step) -> str:
    """Return a step as a call in one line."""
    given = ", ".join(f"{visible(key)}={_value(value)}" for key, value in step.parameters.items())
    return marker.short(f"{visible(step.tool)}({given})", _CALL)


def _circumstances(step: Step) -> str:
    parts = [f"seed {step.seed}" if step.seed is not None else "no seed recorded"]
    parts += [f"{step.seconds:.1f} s"] if step.seconds is not None else []
    parts += [f"workbench {visible(step.version)}"] if step.version else []
    parts.append(f"run {step.run}{f', call {step.call}' if step.call else ''}")
    if step.cut:
        parts.append("parameters are cut in the ledger, whole in the run's responses")
    return ", ".join(parts)


def _source(used: Used, standing: Mapping[str, str]) -> str:
    state = standing.get(used.name)
    said = f"{_short(used.name)} (source, sha256 {used.sha256[:_HASH]}"
    said += f", {state})" if state else ")"
    return said + "".join(
        f"; set by hand: {visible(str(key))} = {_value(value)}"
        for key, value in used.settings.items()
    )


def _value(value: object) -> str:
    return visible(marker.short(json.dumps(value, ensure_ascii=False, default=str), _VALUE))


def _short(name: str, most: int = _NAME) -> str:
    return visible(marker.short(name, most))


@dataclass(frozen=True)
class _Box:
    """One file of the drawing."""

    key: str
    lines: tuple[str, ...]
    whole: str
    source: bool
    parents: tuple[str, ...]


def drawing(lineage: Lineage) -> str:
    """Return a lineage as SVG: sources on the left, each result to the right of what it came from.

    Returns
    -------
    str
        Self-contained: no script, no reference to anything outside. At most 60 files; the drawing
        says how many more there are.
    """
    boxes = _boxes(lineage)
    shown = {box.key: box for box in boxes[-_BOXES:]}
    columns: dict[str, int] = {}
    for box in shown.values():
        columns[box.key] = max(
            (columns[one] + 1 for one in box.parents if one in columns), default=0
        )
    rows: dict[int, int] = {}
    places: dict[str, tuple[int, int]] = {}
    for key, column in columns.items():
        row = rows.get(column, 0)
        rows[column] = row + 1
        places[key] = (
            _EDGE + column * (_BOX[0] + _GAP_X),
            _EDGE + row * (_BOX[1] + _GAP_Y),
        )
    width = max((x for x, _ in places.values()), default=0) + _BOX[0] + _EDGE
    height = max((y for _, y in places.values()), default=0) + _BOX[1] + _EDGE
    left = len(boxes) - len(shown)
    note = _words(_EDGE, height + 14, f"{left:,} earlier files are not drawn") if left else ""
    arrows = [
        _arrow(places[one], places[box.key])
        for box in shown.values()
        for one in box.parents
        if one in places
    ]
    drawn = "".join(arrows + [_drawn(box, *places[key]) for key, box in shown.items()]) + note
    height += 20 if left else 0
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="system-ui, Arial, sans-serif">'
        f"<title>Lineage</title>{drawn}</svg>"
    )


def _boxes(lineage: Lineage) -> list[_Box]:
    """Return the files in an order in which each comes after what it came from."""
    boxes: dict[str, _Box] = {}
    for step in lineage.steps:
        parents = tuple(used.made or f"{used.name} {used.sha256}" for used in step.inputs)
        for used, key in zip(step.inputs, parents, strict=True):
            if not used.made:
                lines = (_last(used.name), "source", f"sha256 {used.sha256[:_HASH]}")
                boxes.setdefault(key, _Box(key, lines, _short(used.name), source=True, parents=()))
        for item, key in zip(step.outputs, step.makes, strict=True):
            size = f"{item.rows:,} × {item.columns}" if item.rows is not None else item.media_type
            seed = f" · seed {step.seed}" if step.seed is not None else ""
            by = marker.short(f"{visible(step.tool)}{seed}", _BOX_NAME)
            lines = (_last(item.path), by, f"{item.id} · {visible(size)}")
            boxes[key] = _Box(key, lines, call(step), source=False, parents=parents)
    return list(boxes.values())


def _last(name: str) -> str:
    """Return the end of a name where what was done stands, cut in front if need be."""
    plain = visible(PurePosixPath(name).name or name)
    return plain if len(plain) <= _BOX_NAME else f"…{plain[-_BOX_NAME + 1 :]}"


def _drawn(box: _Box, x: int, y: int) -> str:
    fill, edge = ("#f5f7fa", "#9aa5b1") if box.source else ("#e6f2f1", "#2f7f79")
    words = "".join(
        _words(x + 8, y + 19 + at * _LINE, line, strong=at == 0)
        for at, line in enumerate(box.lines)
    )
    return (
        f'<g><title>{html.escape(box.whole)}</title><rect x="{x}" y="{y}" width="{_BOX[0]}" '
        f'height="{_BOX[1]}" rx="5" fill="{fill}" stroke="{edge}"/>{words}</g>'
    )


def _words(x: int, y: int, words: str, *, strong: bool = False) -> str:
    look = 'font-weight="600" fill="#1f2933"' if strong else 'fill="#52606d"'
    return f'<text x="{x}" y="{y}" font-size="11.5" {look}>{html.escape(words)}</text>'


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    x1, y1 = start[0] + _BOX[0], start[1] + _BOX[1] // 2
    x2, y2 = end[0], end[1] + _BOX[1] // 2
    middle = (x1 + x2) // 2
    return (
        f'<path d="M{x1} {y1} C{middle} {y1} {middle} {y2} {x2 - 6} {y2}" fill="none" '
        f'stroke="#7b8794"/><path d="M{x2 - 7} {y2 - 4} L{x2} {y2} L{x2 - 7} {y2 + 4} Z" '
        'fill="#7b8794"/>'
    )
