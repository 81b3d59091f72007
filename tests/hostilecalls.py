"""A table made to break tools, and arguments for any tool, known by its schema alone.

A tool that is registered tomorrow is tried with the rest, without a line being added here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workbench.tools.registry import Tool

LONG = "n" * 1_000
NAMED = ["SampleID", "Easting", "Northing", "Lithology", LONG, "From", "To"]
# What a parameter of a name gets where it must be given; the rest is known by its type.
_COLUMNS = {"columns", "values", "elements", "parts"}
_KEYS = {"keys", "on", "right_on"}
_TEXTS = {
    "expression": "E1_ppm > 1 and Lithology != 'a'",
    "filter": "E1_ppm > 1",
    "query": "SELECT Lithology, count(*) AS n, max(E1_ppm) FROM tall GROUP BY ALL",
    "pattern": "a",
    "content": "text " * 1_000,
    "by": "Lithology",
    "names": "Lithology",
    "to": "ppb",
    "crs": "EPSG:28350",
}


def write(folder: Path, rows: int, columns: int, labels: int, cell: int) -> str:
    """Write ``tall.csv``: long names, many labels, one huge cell, values below and above limits."""
    generator = random.Random(5)
    header = [*NAMED, *(f"E{n}_ppm" for n in range(columns - len(NAMED)))]
    # Lines are drawn from a few hundred, so that a large table is written in minutes.
    pool = [",".join(_number(generator) for _ in range(columns - len(NAMED))) for _ in range(500)]
    with (folder / "tall.csv").open("w", encoding="utf-8") as file:
        file.write(",".join(header) + "\n")
        for n in range(rows):
            huge = "y" * cell if n == 3 else "short"
            place = f"S{n},{400_000 + n % 1000 * 25},{6_500_000 + n // 1000 * 25}"
            label = f"=label {n % labels} <b>"
            file.write(f"{place},{label},{huge},{n % 90},{n % 90 + 1},{pool[n * 7 % 500]}\n")
    return "tall.csv"


def _number(generator: random.Random) -> str:
    drawn = generator.random()
    if drawn < 0.1:
        return "<1"
    return ">900" if drawn > 0.99 else f"{generator.lognormvariate(1, 1):.2g}"


def arguments(tool: Tool, file: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Yield calls of a tool: a plain one, and those with the longest name and a wide choice."""
    needed = set(tool.schema["required"])
    properties: dict[str, dict[str, Any]] = tool.schema["properties"]

    def call(few: list[str], column: str) -> dict[str, Any]:
        found = {name: _value(name, properties[name], file, few, column) for name in needed}
        return found | ({"path": file} if "path" in properties else {})

    yield call(columns[:4], columns[0])
    yield call(columns, LONG)
    if "by" in properties:
        yield call(columns[:2], columns[0]) | {"by": "Lithology"}
    for name, item in properties.items():
        for word in item.get("enum", [])[1:]:
            yield call(columns[:3], columns[0]) | {name: word}


def _value(name: str, schema: dict[str, Any], file: str, few: list[str], column: str) -> Any:  # noqa: ANN401 - JSON values
    if name in {"path", "right_path"}:
        return file
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "array":
        if name == "claims":
            claim = {"value": 1, "statistic": "mean", "column": column, "text": "t" * 5_000}
            return [claim] * 50
        return ["SampleID"] if name in _KEYS else few
    if schema["type"] in {"integer", "number"}:
        return 1
    return _TEXTS.get(name, column)
