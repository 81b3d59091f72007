"""Tables lent to a script: the typed snapshots of files it names, to read and nothing else.

A child reads the files, as for every tool; the parent keeps what it built and says which files
may be opened. A script that read the raw file would take codes for missing values for numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from workbench.errors import Failed, Refused
from workbench.reply import LENT, Reply

# As many files as one script may name.
_MOST = 20
_PART = re.compile(r"[0-9a-f]{32}-[0-9a-f]{16}\.parquet", re.ASCII)
_NAME = re.compile(r"[^\W][\w.-]{0,119}")


def lend(names: Sequence[object], ask: Callable[[str, str], Reply]) -> tuple[dict[str, Any], Reply]:
    """Have the tables of files read for a script.

    Parameters
    ----------
    names : sequence of str
        As the script's call names them.
    ask : callable
        Gets the number of the question and a name; returns what a child says of its tables.

    Returns
    -------
    dict
        What the call carries beside its arguments.
    Reply
        What is to be told with the script's own answer: notes, inputs and snapshots.

    Raises
    ------
    Refused
        If there are too many, or one cannot be read.
    Failed
        If the child's word makes no sense.
    """
    if len(names) > _MOST:
        raise Refused(f"tables: {len(names)} files are named, at most {_MOST} are lent to a script")
    parts: dict[str, str] = {}
    notes: list[str] = []
    inputs: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        reply = ask(str(number), str(name))
        found = reply.facts.get("parts")
        if not isinstance(found, dict) or not all(map(_is_part, found, found.values())):
            raise Failed("protocol: a child says of a table what is none")
        taken = sorted(set(found) & set(parts))
        if taken:
            raise Refused(f"tables: two files have a table '{taken[0]}'; name them in two scripts")
        parts |= found
        notes += reply.notes
        inputs |= reply.inputs
    return {LENT: parts}, Reply(notes=tuple(notes), inputs=inputs)


def _is_part(name: object, part: object) -> bool:
    named = isinstance(name, str) and _NAME.fullmatch(name) is not None
    return named and isinstance(part, str) and _PART.fullmatch(part) is not None
