"""One registry: a tool is one function; its schema and help follow from its signature.

Name, parameters and their help come from the function and its NumPy-style docstring, so a tool
is entered in one place. Tool modules import nothing heavy at the top: the parent reads schemas.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from workbench.context.admission import Bounds
from workbench.errors import Refused, nearest
from workbench.tools.schema import coerce, parameter_schemas

Effect = Literal["read", "derive", "export", "run"]
Place = Literal["child", "parent", "sandbox"]
Audience = Literal["agents", "people"]
Function = TypeVar("Function", bound=Callable[..., Any])
Looks = Callable[[Mapping[str, Any]], bool]


def _computes(_arguments: Mapping[str, Any]) -> bool:
    """Tell that a call does not only look."""
    return False


@dataclass(frozen=True)
class Tool:
    """One tool.

    Attributes
    ----------
    name : str
        The function's name.
    family : str
        The module it stands in: ``look``, ``text``, ``find`` …
    doc : str
        What it does and when to use it: the docstring before its sections.
    schema : dict
        JSON schema of its arguments.
    function : callable
        Takes the context first, then the arguments; returns a `Reply`.
    effect : {"read", "derive", "export", "run"}
        What it can change.
    bounds : Bounds
        Rows of the limits table that bound its answer.
    place : {"child", "parent", "sandbox"}
        Where it runs; only handing work over runs in the parent, and scripts beside the child.
    audience : {"agents", "people"}
        Tools for people page and describe without a gate; no agent can list or call them.
    looks : callable
        Tells by its arguments whether a call only looks: no number of it depends on all rows, so
        that the first lines of a large file may serve.
    """

    name: str
    family: str
    doc: str
    schema: dict[str, Any]
    function: Callable[..., Any]
    effect: Effect
    bounds: Bounds
    place: Place
    audience: Audience = "agents"
    looks: Looks = _computes

    def definition(self) -> dict[str, Any]:
        """Return the tool as a model of ours is told of it.

        What many tools say of a parameter in the same words stands once in the prompt; what
        only names the choices stands in them.
        """
        told = {
            name: {
                key: value
                for key, value in item.items()
                if key != "description" or not _said_elsewhere(name, item)
            }
            for name, item in self.schema["properties"].items()
        }
        schema = {**self.schema, "properties": told}
        return {"name": self.name, "description": self.doc, "input_schema": schema}

    def bind(self, arguments: object) -> dict[str, Any]:
        """Check arguments against the schema and return them typed, defaults filled in.

        Raises
        ------
        Refused
            For anything but an object, unknown or missing names, or wrong types; the message
            carries the schema line.
        """
        if not isinstance(arguments, dict):
            raise Refused(f"{self.name}: arguments must be one JSON object; {self.usage}")
        known = self.schema["properties"]
        for name in arguments:
            if name not in known:
                hint = nearest(str(name)[:80], known)
                raise Refused(f"{self.name}: no option '{str(name)[:80]}'{hint}; {self.usage}")
        for name in self.schema["required"]:
            if name not in arguments:
                raise Refused(f"{self.name}: '{name}' is missing; {self.usage}")
        try:
            given = {name: coerce(value, known[name]) for name, value in arguments.items()}
        except ValueError as error:
            raise Refused(f"{self.name}: {error}; {self.usage}") from None
        defaults = {name: item["default"] for name, item in known.items() if "default" in item}
        return {**defaults, **given}

    @property
    def usage(self) -> str:
        """The call in one line, for error messages."""
        required = set(self.schema["required"])
        names = [name if name in required else f"{name}=…" for name in self.schema["properties"]]
        return f"use {self.name}({', '.join(names)})"


# Help that many tools give in the same words: a prompt says it once, in `SAID_ONCE`.
_SAID_ONCE = {
    "path": "File or result path.",
    "sheet": "Sheet of a workbook.",
    "column": "Number column.",
    "columns": "Number columns.",
    "by": "Group column.",
    "transform": "clr (log-ratios, for parts of a whole), log (log10) or raw.",
}
SAID_ONCE = (
    "Where a tool does not say: `path` is a file or result path, `sheet` a sheet of a workbook, "
    "`column` and `columns` hold numbers, `by` is a group column, `transform` is clr (log-ratios, "
    "for parts of a whole), log (log10) or raw."
)


def _said_elsewhere(name: str, item: Mapping[str, Any]) -> bool:
    """Say whether a prompt or the choices themselves say what a parameter's help does."""
    words = set(re.findall(r"\w+", item["description"]))
    return item["description"] == _SAID_ONCE.get(name) or words - {"or"} == {*item.get("enum", ())}


_TOOLS: dict[str, Tool] = {}


def tool(
    *,
    effect: Effect,
    answer: str = "answer_chars",
    rows: str = "preview_rows",
    place: Place = "child",
    audience: Audience = "agents",
    looks: Looks = _computes,
) -> Callable[[Function], Function]:
    """Register a function as a tool.

    Parameters
    ----------
    effect : {"read", "derive", "export", "run"}
        What it can change.
    answer, rows : str, optional
        Rows of the limits table that bound its text and its records.
    place : {"child", "parent", "sandbox"}, optional
        Where it runs.
    audience : {"agents", "people"}, optional
        Whom it serves.
    looks : callable, optional
        See `Tool`.
    """

    def register(function: Function) -> Function:
        name = function.__name__
        doc, helps = _split_docstring(inspect.getdoc(function) or "")
        properties, required = parameter_schemas(function, helps)
        schema = {"type": "object", "properties": properties, "required": required}
        family = function.__module__.rpartition(".")[2]
        bounds = Bounds(answer, rows)
        kind = (effect, bounds, place, audience, looks)
        _TOOLS[name] = Tool(name, family, doc, schema, function, *kind)
        return function

    return register


def _split_docstring(doc: str) -> tuple[str, dict[str, str]]:
    """Return the text before the sections, and the help of each parameter."""
    body, _, rest = doc.partition("\nParameters\n")
    section = re.split(r"\n\w+\n-{3,}\n", rest.partition("\n")[2])[0]
    helps: dict[str, str] = {}
    names: list[str] = []
    for line in section.splitlines():
        if line and not line.startswith(" "):
            names = [name.strip() for name in line.partition(":")[0].split(",")]
        for name in names if line.startswith(" ") else ():
            helps[name] = f"{helps.get(name, '')} {line.strip()}".strip()
    text = re.split(r"\n\w+\n-{3,}\n", body)[0]
    return " ".join(text.split()), helps


@functools.cache
def _load() -> None:
    """Import every module of this package once; each registers its tools."""
    package = importlib.import_module("workbench.tools")
    for module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"workbench.tools.{module}")


def tools() -> dict[str, Tool]:
    """Return every tool for agents by name, in name order."""
    _load()
    return {name: _TOOLS[name] for name in sorted(_TOOLS) if _TOOLS[name].audience == "agents"}


def for_people() -> dict[str, Tool]:
    """Return the tools that serve people: no agent can list or call them."""
    _load()
    return {name: item for name, item in _TOOLS.items() if item.audience == "people"}


def place_of(name: str) -> Place:
    """Return where a tool runs; what is not known is a child's matter, which refuses it."""
    _load()
    return _TOOLS[name].place if name in _TOOLS else "child"


def looks(name: str, arguments: Mapping[str, Any]) -> bool:
    """Tell whether a call, its arguments checked, only looks; see `Tool`."""
    _load()
    return name in _TOOLS and _TOOLS[name].looks(arguments)


def get(name: str) -> Tool:
    """Return a tool for agents by name.

    Raises
    ------
    Refused
        If there is none of that name; the nearest is named.
    """
    known = tools()
    if name not in known:
        short = name[:80]
        raise Refused(f"tool '{short}': no such tool{nearest(short, known)}; see the tool list")
    return known[name]
