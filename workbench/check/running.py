"""Running the probes: each in an empty folder of its own, each ending in one line."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from workbench.asking.starting import start_child as start_real_child
from workbench.check.bench import Bench, StartChild
from workbench.check.outcome import Broken, CheckResult
from workbench.check.registry import Probe, probes
from workbench.errors import Refused, WorkbenchError, nearest
from workbench.limits import LIMITS, Limits


def keys() -> list[str]:
    """Return what is checked: every row held by code, then what is checked beyond the rows."""
    rows = [row.key for row in LIMITS if row.enforced == "code"]
    return rows + sorted(set(probes()) - set(rows))


def run_checks(
    *,
    only: Iterable[str] | None = None,
    limits: Limits | None = None,
    start_child: StartChild = start_real_child,
) -> list[CheckResult]:
    """Attack every limit that code holds, and what else is promised.

    Parameters
    ----------
    only : iterable of str, optional
        Keys to check; all if left out.
    limits : Limits, optional
        Limits that the attacked sessions run under; what is measured is compared with the
        published table all the same.
    start_child : callable, optional
        Starts the children; real ones if left out.

    Raises
    ------
    Refused
        If a key is not known; the nearest is named.
    """
    known = keys()
    wanted = known if only is None else list(only)
    for key in wanted:
        if key not in known:
            raise Refused(
                f"check '{key}': no such check{nearest(key, known)}; see workbench limits"
            )
    table = Limits() if limits is None else limits
    return [_checked(key, probes().get(key), table, start_child) for key in wanted]


def _checked(key: str, probe: Probe | None, limits: Limits, start: StartChild) -> CheckResult:
    if probe is None:
        return CheckResult(key, ok=False, seen="", detail="no probe: nothing attacks this row")
    with tempfile.TemporaryDirectory(prefix="workbench-check-") as folder:
        bench = Bench(Path(folder).resolve(), limits, start)
        try:
            seen = probe(bench)
        except Broken as broken:
            return CheckResult(key, ok=False, seen="", detail=_line(str(broken)))
        except WorkbenchError as error:
            return CheckResult(key, ok=False, seen="", detail=_line(str(error)))
        except Exception as error:  # noqa: BLE001 - a probe that breaks has not shown that a limit holds
            words = f"the probe broke: {type(error).__name__}: {error}"
            return CheckResult(key, ok=False, seen="", detail=_line(words))
    return CheckResult(key, ok=True, seen=seen.number, detail=_line(seen.detail))


def _line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())[:400]
