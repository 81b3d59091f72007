"""What makes a probe pass: within the published value, said where it was cut, recorded once."""

from __future__ import annotations

from workbench import marker
from workbench.check.bench import published
from workbench.check.outcome import Broken, Seen
from workbench.check.trace import Trace


def held(
    key: str,
    measured: int,
    trace: Trace,
    detail: str,
    *,
    told: str | None,
    most: int | None = None,
    least: int = 0,
    names: str | None = "",
) -> Seen:
    """Judge a probe.

    Parameters
    ----------
    key : str
        The row.
    measured : int
        What reached the model, or what was used up, in the unit of the row.
    trace : Trace
        The run.
    detail : str
        One line for the person who reads the table.
    told : str or None
        The text that must say what was left out and where the rest is; None where nothing was.
    most : int, optional
        The value to compare with, where the published one was scaled.
    least : int, optional
        Below this the attack did not reach the limit, and the probe proves nothing.
    names : str or None, optional
        The row that the one event names, where it is another (the reserve is held by
        ``context_full``); None for a row that shapes and cuts nothing.

    Raises
    ------
    Broken
        If one of the three does not hold.
    """
    bound = published(key) if most is None else most
    if measured > bound:
        raise Broken(f"{measured:,} where at most {bound:,} are allowed: {detail}")
    if measured < least:
        raise Broken(f"only {measured:,}: the attack did not reach the limit: {detail}")
    if told is not None:
        says(key, told)
    if names is not None:
        recorded(names or key, trace)
    return Seen(f"{measured:,}", detail)


def says(key: str, text: str) -> None:
    """Require a marker that leads to the rest, or a refusal.

    Raises
    ------
    Broken
        If the text has neither.
    """
    leads = [mark for mark in marker.parse(text) if mark.full and mark.next]
    refused = text.startswith("error: ") or key in text
    if not leads and not marker.short_marks(text) and not refused:
        raise Broken(f"nothing says what was left out: {text[-120:]!r}")


def recorded(key: str, trace: Trace, times: int = 1) -> None:
    """Require that exactly so many ``limit_hit`` events name a row.

    Raises
    ------
    Broken
        If there are more or fewer.
    """
    hits = trace.hits(key)
    if hits != times:
        raise Broken(f"{hits} limit_hit events name the row, {times} expected ({trace.reason})")


def require(holds: object, words: str) -> None:
    """Require a condition of a probe.

    Raises
    ------
    Broken
        If it does not hold; `words` say what was seen.
    """
    if not holds:
        raise Broken(words)
