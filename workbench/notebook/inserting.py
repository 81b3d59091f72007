"""``{{name}}`` in a question: a notebook variable as text, a table as its schema, always capped.

Single braces are never touched, and what was inserted is not read again for names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbench import marker
from workbench.context.render import Hit
from workbench.errors import Refused, nearest
from workbench.limits import Limits
from workbench.marker import Marker
from workbench.visible import visible

KEY = "inserted_value_chars"
_NAME = re.compile(r"\{\{\s*([^\W\d]\w*)\s*\}\}")
# Tables by the package that makes them: none is imported to find out.
_FRAMES = ("pandas", "geopandas", "polars", "pyarrow", "duckdb")


@dataclass(frozen=True)
class Inserted:
    """A question with its names replaced.

    Attributes
    ----------
    text : str
        The question as it goes on.
    hits : tuple of Hit
        One for each value that was cut.
    """

    text: str
    hits: tuple[Hit, ...]


def insert(question: str, names: Mapping[str, object], limits: Limits) -> Inserted:
    """Replace each ``{{name}}`` of a question by the variable's value.

    Parameters
    ----------
    question : str
        The cell's text.
    names : mapping
        Variables of the notebook.
    limits : Limits
        Gives `inserted_value_chars`.

    Raises
    ------
    Refused
        If there is no such variable; the nearest is named.
    """
    most = limits[KEY].number
    hits: list[Hit] = []

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if name not in names:
            known = [key for key in names if not key.startswith("_")]
            raise Refused(
                f"{{{{{name}}}}}: there is no variable of this name in the notebook"
                f"{nearest(name, known)}; define it in a cell above"
            )
        whole = visible(described(name, names[name]), keep="\n\t")
        if len(whole) > most:
            hits.append(Hit(KEY, len(whole) - most, len(whole), "characters"))
        return marker.head_and_tail(whole, most, _marker(name, len(whole)))

    return Inserted(_NAME.sub(value, question), tuple(hits))


def _marker(name: str, total: int) -> Callable[[int], str]:
    """Return what writes the marker: no tool reaches a notebook variable, a saved file is."""
    step = f"save {name} as a file in the data folder and ask about the file"
    full = f"notebook variable {name}"
    return lambda left: str(Marker(left, total, "characters", full, step))


def described(name: str, value: object) -> str:
    """Return a value as it enters a question: a table as its schema, else its text.

    Raises
    ------
    Refused
        If it has no text.
    """
    package = type(value).__module__.partition(".")[0]
    if package in _FRAMES or package == "numpy":
        schema = _schema(name, value)
        if schema is not None:
            return schema
    try:
        return value if isinstance(value, str) else str(value)
    except Exception as error:  # noqa: BLE001 - whatever a variable's own code raises
        raise Refused(
            f"{{{{{name}}}}}: the variable cannot be written as text "
            f"({type(error).__name__}: {error}); insert a text or a table"
        ) from None


def _schema(name: str, value: object) -> str | None:
    """Return name, size and columns of a table or array on one line; no value of it."""
    columns = _columns(value)
    if columns is not None:
        listed = ", ".join(f"{column} ({kind})" for column, kind in columns)
        return f"table {name}: {_rows(value)}, {len(columns):,} columns: {listed}"
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        size = " × ".join(f"{number:,}" for number in shape)
        title = getattr(value, "name", None)
        named = f" '{title}'" if title is not None else ""
        return f"array {name}{named}: {size}, {getattr(value, 'dtype', 'values')}"
    return None


def _columns(value: object) -> list[tuple[str, str]] | None:
    """Return names and types of a table's columns, or None if it is not a table."""
    names, kinds = getattr(value, "columns", None), getattr(value, "dtypes", None)
    if type(value).__module__.startswith("pyarrow"):
        schema = getattr(value, "schema", None)
        names, kinds = getattr(schema, "names", None), getattr(schema, "types", None)
    if names is None or kinds is None or callable(names) or callable(kinds):
        return None
    return [(str(column), str(kind)) for column, kind in zip(names, kinds, strict=False)]


def _rows(value: object) -> str:
    """Return the number of rows, without running anything to count them."""
    for name in ("height", "num_rows"):
        found = getattr(value, name, None)
        if isinstance(found, int):
            return f"{found:,} rows"
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and "duckdb" not in type(value).__module__:
        return f"{shape[0]:,} rows"
    return "rows not counted"
