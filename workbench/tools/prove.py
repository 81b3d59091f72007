"""Claims worked out again: the tolerance is ours, one bad claim spoils no other."""

from __future__ import annotations

from typing import Any

from workbench.errors import Refused, nearest
from workbench.reply import Reply
from workbench.sources import claiming
from workbench.sources.claims import TOLERANCE, Claim
from workbench.tools import claimed
from workbench.tools.context import Context
from workbench.tools.registry import tool

_MOST = 50
_KEYS = ("value", "statistic", "column", "filter", "group")


@tool(effect="read")
def verify_claims(
    context: Context, path: str, claims: list[dict[str, Any]], sheet: str | None = None
) -> Reply:
    """Check numbers before they are stated: each claim is worked out again from the file.

    Parameters
    ----------
    path : str
        File or result path.
    claims : list of dict
        At most 50: value (as stated), statistic (rows, count, share, below, above, missing, mean,
        geometric_mean, median, min, max, sum, sd, p95 …), column, filter (a condition; optional).
    sheet : str
        Sheet of a workbook.
    """
    if not 1 <= len(claims) <= _MOST:
        raise Refused(f"verify_claims: {len(claims)} claims; give 1 to {_MOST} a call")
    table = context.table(path, sheet)
    told: dict[str, Any] = {}
    for number, claim in enumerate(claims, start=1):
        try:
            read = _read(str(number), path, claim)
            done = read.judged(claimed.of_table(context, table, {**claim, **_asked(read)}))
        except (Refused, ValueError) as error:
            told[f"claim {number}"] = {"status": "error", "reason": str(error)[:300]}
            continue
        told[f"claim {number}"] = {
            "status": done.status,
            "claimed": read.value,
            "found": _json(done.found),
            "basis": done.basis,
        }
    counts = {state: sum(one["status"] == state for one in told.values()) for state in _STATES}
    values: dict[str, Any] = {
        "claims": len(claims),
        "verified": counts["verified"],
        "failed": counts["failed"],
        "errors": counts["error"],
        "tolerance": TOLERANCE,
        **told,
    }
    return Reply(values)


_STATES = ("verified", "failed", "error")


def _read(key: str, path: str, claim: dict[str, Any]) -> Claim:
    for name in claim:
        if name not in _KEYS:
            raise ValueError(
                f"no key '{str(name)[:40]}' in a claim{nearest(str(name)[:40], _KEYS)}"
            )
    read = claiming.read(key, {**claim, "path": path})
    if read.status == "failed":
        raise ValueError(read.reason)
    if not read.value:
        raise ValueError("value is missing")
    return read


def _asked(claim: Claim) -> dict[str, Any]:
    """Return what is to be computed."""
    return {
        "statistic": claim.statistic,
        "column": claim.column,
        "filter": claim.filter,
        "group": claim.group,
    }


def _json(found: str) -> float | int | str:
    """Return a number found as a number."""
    try:
        number = float(found)
    except ValueError:
        return found
    return int(number) if number.is_integer() else number
