"""One table of soil samples in every dress that a file can put it into."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

NAMES = ("SampleID", "Easting", "Lithology", "Au_ppb", "As_ppm", "Remark")
Record = Sequence[str]
_ROCKS = ("basalt", "dolerite", "black shale", "granite", "")
_REMARKS = ("", "", "wet", "near old workings", "duplicate of the one before, taken by hand")


def records(count: int = 120, seed: int = 7) -> list[list[str]]:
    """Return samples: ids, coordinates, rocks, values below detection, blanks, remarks."""
    chance = random.Random(seed)
    return [
        [
            f"MR-{number:04}",
            f"{chance.uniform(412_000, 414_000):.1f}",
            chance.choice(_ROCKS),
            chance.choice(["<0.5", f"{chance.lognormvariate(2, 1):.1f}"]),
            chance.choice(["", f"{chance.lognormvariate(3, 1):.0f}"]),
            chance.choice(_REMARKS),
        ]
        for number in range(count)
    ]


def _cut(sign: str) -> Callable[[list[list[str]]], list[str]]:
    return lambda rows: [sign.join(row) for row in (NAMES, *rows)]


def _pairs(rows: list[list[str]]) -> list[str]:
    names = (NAMES[0], *NAMES[3:5])
    kept = ((row[0], row[3], row[4] or "NA") for row in rows)
    return [" ".join(f"{n}={v}" for n, v in zip(names, row, strict=True)) for row in kept]


def _blocks(form: str) -> Callable[[list[list[str]]], list[str]]:
    return lambda rows: [
        line
        for row in rows
        for line in (*(form.format(n, v) for n, v in zip(NAMES, row, strict=True)), "")
    ]


def _xml(rows: list[list[str]]) -> list[str]:
    lines = ['<?xml version="1.0"?>', "<survey>"]
    for row in rows:
        cells = (f"    <{n}>{v}</{n}>" for n, v in zip(NAMES, row, strict=True))
        lines += ["  <sample>", *cells, "  </sample>"]
    return [*lines, "</survey>"]


def _xml_a_line(rows: list[list[str]]) -> list[str]:
    cells = ("".join(f"<{n}>{v}</{n}>" for n, v in zip(NAMES, row, strict=True)) for row in rows)
    return ["<survey>", *(f"<sample>{cell}</sample>" for cell in cells), "</survey>"]


def _attributes(rows: list[list[str]]) -> list[str]:
    cells = (" ".join(f'{n}="{v}"' for n, v in zip(NAMES, row, strict=True)) for row in rows)
    return ["<survey>", *(f"  <sample {cell}/>" for cell in cells), "</survey>"]


def _xml_of_words(rows: list[list[str]]) -> list[str]:
    cells = (f"<log><hole>{row[0]}</hole><rock>{row[2] or 'x'}</rock></log>" for row in rows)
    return ["<holes>", *cells, "</holes>"]


def _page(rows: list[list[str]]) -> list[str]:
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return ["<table>", *(f"<tr>{cell}</tr>" for cell in cells), "</table>"]


def _json(rows: list[list[str]]) -> list[str]:
    return json.dumps([dict(zip(NAMES, row, strict=True)) for row in rows], indent=1).splitlines()


def _yaml(rows: list[list[str]]) -> list[str]:
    return [
        f"{'- ' if at == 0 else '  '}{name}: {value}"
        for row in rows
        for at, (name, value) in enumerate(zip(NAMES, row, strict=True))
    ]


def _fixed(rows: list[list[str]]) -> list[str]:
    return ["".join(f"{cell[:12]:<13}" for cell in row).rstrip() for row in (NAMES, *rows)]


def _column(at: int, head: bool = True) -> Callable[[list[list[str]]], list[str]]:  # noqa: FBT001, FBT002 - stands in a table
    return lambda rows: [NAMES[at]] * head + [row[at] for row in rows]


def _drawn(rows: list[list[str]]) -> list[str]:
    return [row[2].split(" ")[-1] or "unknown" for row in rows]


def _two(sign: str) -> Callable[[list[list[str]]], list[str]]:
    return lambda rows: [f"{row[0]}{sign}{row[3]}" for row in rows]


def _markdown(rows: list[list[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in (NAMES, ["---"] * len(NAMES), *rows)]
    return ["# Samples", "", *lines]


DRESSES: dict[str, Callable[[list[list[str]]], list[str]]] = {
    **{f"cut by {sign!r}": _cut(sign) for sign in (",", ";", "\t", "|", "~", ":", "^", "/")},
    "cut by two signs": _cut("::"),
    "cut by a hash": _cut("#"),
    "fixed width": _fixed,
    "pairs a line": _pairs,
    "pairs in blocks": _blocks("{}={}"),
    "settings in blocks": _blocks("{} = {}"),
    "fields in blocks": _blocks("{}: {}"),
    "xml": _xml,
    "xml, a record a line": _xml_a_line,
    "xml, attributes": _attributes,
    "xml of words": _xml_of_words,
    "a page's table": _page,
    "json, indented": _json,
    "yaml": _yaml,
    "markdown": _markdown,
    "numbers one a line": _column(1),
    "numbers alone": _column(1, head=False),
    "values below detection one a line": _column(3),
    "ids one a line": _column(0),
    "names drawn from a list": _drawn,
    "id=value": _two("="),
    "id: value": _two(": "),
    "id ~ value": _two(" ~ "),
}
