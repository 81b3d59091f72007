"""Calls as code: names that were checked, values by ``repr``, nothing pasted together."""

from __future__ import annotations

import builtins
import keyword
import pprint
import re
from collections.abc import Mapping
from typing import Any

from workbench.errors import Refused
from workbench.report.chain import PATHS
from workbench.runs.calls import Call
from workbench.runs.recorded import Recorded
from workbench.tools import registry
from workbench.workspace import RUN_PREFIX

# Ids stand in code cells as names; whatever else a ledger holds is none.
NAME = re.compile(r"[a-z][a-z0-9_]{0,60}")
_WIDTH = 88


class Expression(str):
    """Code of ours that stands for a value: it is written as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def value(item: object, indent: int = 0) -> str:
    """Return a JSON value as a Python literal, wrapped where it is long."""
    text = pprint.pformat(item, width=max(_WIDTH - indent, 20), sort_dicts=False, compact=True)
    return text.replace("\n", "\n" + " " * indent)


def name_of(call: Call) -> str:
    """Return the variable that holds what a call came to."""
    usable = NAME.fullmatch(call.id) and not keyword.iskeyword(call.id)
    if not usable or hasattr(builtins, call.id):
        raise Refused(f"call '{call.id[:80]}': the ledger was changed: it is no name of a call")
    return call.id


def call(made: Call, references: Mapping[str, Expression], seed: int | None, assign: str) -> str:
    """Return a call as code.

    Parameters
    ----------
    made : Call
        The recorded call; its arguments are there.
    references : mapping
        Names of files made before → the code that stands for them now.
    seed : int or None
        Seed of the run.
    assign : str
        Variable that takes the outcome.
    """
    arguments = whole(made.tool, made.arguments or {})
    known = registry.tools()
    names = {key: _named(key, item, references) for key, item in arguments.items()}
    plain = {key: item for key, item in names.items() if _is_name(key)}
    other = {key: item for key, item in names.items() if not _is_name(key)}
    parts = [f"{key}={value(item, len(key) + 5)}" for key, item in plain.items()]
    if seed is not None and made.tool in known and known[made.tool].effect != "read":
        parts.append(f"seed={seed!r}")
    if made.first_lines:
        parts.append(f"first_lines={value(made.first_lines, 16)}")
    if other:
        parts.append(f"**{value(other, 6)}")
    if made.tool in known and _is_name(made.tool):
        head = f"{assign} = tools.{made.tool}("
    else:
        head = f"{assign} = tools.call("
        parts.insert(0, repr(made.tool))
    short = f"{head}{', '.join(parts)})"
    if len(short) <= _WIDTH and "\n" not in short:
        return short
    return head + "".join(f"\n    {part}," for part in parts) + "\n)"


def whole(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return arguments with the defaults that were in force; unset ones are left out."""
    try:
        found = registry.get(tool)
        bound = found.bind(arguments)
    except Refused:
        return arguments
    order = [*arguments, *(key for key in found.schema["properties"] if key not in arguments)]
    return {key: bound[key] for key in order if bound.get(key) is not None}


def _is_name(word: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,60}", word)) and not keyword.iskeyword(word)


def _named(key: str, item: Any, references: Mapping[str, Expression]) -> Any:  # noqa: ANN401 - JSON values
    """Replace what names a file that an earlier call made."""
    if isinstance(item, list):
        return [_named(key, one, references) for one in item]
    if key not in PATHS or not isinstance(item, str):
        return item
    first = item.split(" ", 1)[0]
    return references.get(item, references.get(first, item))


def referring(recorded: Recorded, made: Call, variable: str) -> dict[str, Expression]:
    """Return the names under which later calls may mean the files of a call."""
    found: dict[str, Expression] = {}
    for number, key in enumerate(made.artefacts):
        item = recorded.artefact(key)
        if item is None:
            continue
        code = f"{variable}.path" if number == 0 else f"{variable}.paths[{number}]"
        path = str(item["path"])
        for word in (key, path, f"{RUN_PREFIX}{path}", f"results/{recorded.run}/{path}"):
            found[word] = Expression(code)
    return found


def source(
    made: Call, references: Mapping[str, Expression], seed: int | None, variable: str
) -> str:
    """Return a call as code; of one whose arguments are gone, a line that says so."""
    if made.arguments is None:
        return f"{variable} = None  # its arguments were too long for the ledger, and are not kept"
    return call(made, references, seed, variable)


def runs(made: Call) -> bool:
    """Tell whether a call can be made without a question: handing over and ending cannot."""
    if not NAME.fullmatch(made.id):
        return False
    try:
        return registry.get(made.tool).place != "parent"
    except Refused:
        return made.tool != "finish"
