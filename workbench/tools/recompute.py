"""Claims of an answer, computed again for the session: no agent can list or call this."""

from __future__ import annotations

import contextlib
from typing import Any

from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tools import by_sql, claimed
from workbench.tools.context import Context
from workbench.tools.registry import tool


@tool(effect="read", audience="people")
def recompute(
    context: Context,
    claims: list[dict[str, Any]],
    tool: str = "",
    arguments: dict[str, Any] | None = None,
) -> Reply:
    """Compute claims on one file or one call again.

    Parameters
    ----------
    claims : list of dict
        ``id`` with ``path, sheet, statistic, column, filter, group`` or ``fact, of``.
    tool : str
        Of the call, where they are of one; it is made again once.
    arguments : dict
        Its arguments.
    """
    again = _again(context, tool, arguments or {}) if tool else None
    told: dict[str, Any] = {}
    for claim in claims:
        try:
            found = _found(context, claim, again)
        except Refused as error:
            told[str(claim["id"])] = {"reason": str(error)[:300]}
            continue
        pairs = [list(pair) for pair in found]
        told[str(claim["id"])] = {"found": pairs, "inputs": dict(context.inputs)}
        if again is not None and not claim.get("of"):
            beside = by_sql.of_call(context, arguments or {}, claim["fact"])
            told[str(claim["id"])]["beside"] = [list(pair) for pair in beside]
    context.raw_tokens.clear()
    return Reply({"claims": told})


def _found(
    context: Context, claim: dict[str, Any], again: dict[str, Any] | None
) -> claimed.Findings:
    if again is not None:
        return claimed.of_reply(again, claim["fact"], claim.get("of") or ())
    table = context.table(str(claim["path"]), claim.get("sheet") or None)
    return claimed.of_table(context, table, claim)


def _again(context: Context, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Make a call again; the files it writes are not wanted a second time."""
    from workbench.tools.run import run_call

    reply = run_call(tool, dict(arguments), context)
    for item in reply["made"]:
        with contextlib.suppress(OSError):
            (context.desk / item["path"]).unlink()
    return reply


@tool(effect="read", audience="people")
def compare_tables(context: Context, path: str, other: str, tolerance: float = 1e-9) -> Reply:
    """Compare two result tables: columns, texts and what is known exactly, numbers within bounds.

    Parameters
    ----------
    path, other : str
        Result paths.
    tolerance : float
        Relative.
    """
    import numpy as np

    first, second = context.table(path), context.table(other)
    names = [column.name for column in first.columns]
    shapes = [(table.rows, [c.name for c in table.columns]) for table in (first, second)]
    if shapes[0] != shapes[1]:
        words = f"{first.rows} rows of {len(names)} columns, now {second.rows} of "
        return Reply({"difference": f"{words}{len(second.columns)}"})
    frames = [context.connection.frame(table, names) for table in (first, second)]
    for name in names:
        a, b = (frame.series[name] for frame in frames)
        same = np.isclose(a.values, b.values, rtol=tolerance, atol=0, equal_nan=True)
        same &= a.flag == b.flag
        if a.text.size:
            same &= a.text == b.text
        if not same.all():
            words = f"column {name}: {int((~same).sum())} of {first.rows} values differ"
            return Reply({"difference": words})
    return Reply({"difference": ""})
