"""Trying again, in one place: by the kind of error, never longer than the limits allow.

Whatever a try had received before it broke is thrown away whole; what it cost is counted.
"""

from __future__ import annotations

import contextlib
import email.utils
import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.errors import Failed, Stopped
from workbench.models.protocol import Line

# Doubled with each try, give or take a quarter, so that many clients do not come back together.
_FIRST_PAUSE, _SPREAD = 0.5, 0.25
# A wait that the provider asked for is never cut short, and lengthened by no more than this.
_LATER = 1.0
_COUNTDOWN = 1.0
_NOT_WELL = 300
_AGAIN = {"rate_limit_error", "timeout_error", "api_error", "overloaded_error"}
_AGAIN_STATUS = {408, 429, 500, 502, 503, 504, 529}
# Not sent where nothing is known of the model: the caller then says which there are.
UNKNOWN = "see the models of the server"
_REMEDY = {
    401: "the key was refused; set ANTHROPIC_API_KEY anew, or type %agent key",
    402: "see the billing of your account",
    403: "this key may not use it; take another model with -m, or another key",
    404: UNKNOWN,
    413: "ask a narrower question, or attach less",
    429: "see the limits of your account, or take another model with -m",
}
_BY_KIND = {"authentication_error": 401, "billing_error": 402, "permission_error": 403,
            "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429}  # fmt: skip
_TOO_LARGE = ("prompt is too long", "context length", "context_length", "context window")
_SPENT = ("spend_limit", "spend limit", "credit balance", "billing", "quota", "usage limit")


class Trouble(Exception):
    """A try that came to nothing.

    Parameters
    ----------
    words : str
        What happened, in one line.
    again : bool
        Whether another try may help.
    wait : float or None
        Seconds the provider asked to wait.
    remedy : str
        What to do about it.
    """

    def __init__(
        self, words: str, *, again: bool, wait: float | None = None, remedy: str = ""
    ) -> None:
        super().__init__(words)
        self.again = again
        self.wait = wait
        self.remedy = remedy
        self.usage: dict[str, int] = {}
        self.cost: float | None = None


def trouble(status: int, text: str, headers: Mapping[str, str]) -> Trouble:
    """Read an error of a provider: its kind, whether it may pass, and what to do.

    Parameters
    ----------
    status : int
        HTTP status; 200 for an error inside a stream.
    text : str
        What came: ``{"type": "error", "error": {"type", "message", "details"}}``, or anything.
    headers : mapping
        Of the response.
    """
    said: Any = None
    with contextlib.suppress(ValueError, RecursionError):
        said = json.loads(text)
    inner = said.get("error") if isinstance(said, dict) else None
    found = inner if isinstance(inner, dict) else {}
    kind, words = str(found.get("type") or ""), str(found.get("message") or text or "no reason")
    details = found.get("details")
    code = str(details.get("error_code", "")) if isinstance(details, dict) else ""
    again = worth_another(status, kind, f"{code} {words}", headers)
    short = " ".join(words.split())[:300]
    meant = 413 if any(sign in short for sign in _TOO_LARGE) else _BY_KIND.get(kind, status)
    shown = f"{status} " if status >= _NOT_WELL else ""
    return Trouble(
        f"{shown}{kind or 'error'}: {short}",
        again=again,
        wait=asked_wait(headers) if again else None,
        remedy=_REMEDY.get(meant, ""),
    )


def worth_another(status: int, kind: str, words: str, headers: Mapping[str, str]) -> bool:
    """Tell whether an error of a provider may pass by itself.

    Parameters
    ----------
    status : int
        HTTP status; 200 for an error inside a stream.
    kind : str
        The error's type as the provider names it.
    words : str
        Its code and message: a spent budget comes as a rate limit, and does not pass.
    headers : mapping
        ``x-should-retry`` is the provider's own word.
    """
    if any(sign in words.casefold() for sign in _SPENT):
        return False
    said = headers.get("x-should-retry", "")
    if said in {"true", "false"}:
        return said == "true"
    return kind in _AGAIN if kind else status in _AGAIN_STATUS


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds a provider asks to wait, or None."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(float(headers[name]) * unit, 0.0)
        except (KeyError, ValueError):
            continue
    try:
        moment = email.utils.parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return max(moment.timestamp() - time.time(), 0.0)


@dataclass(frozen=True)
class Clock:
    """Time as it is measured and waited for; tests bring their own.

    Attributes
    ----------
    now : callable
        Seconds that only grow.
    chance : callable
        A number from 0 to 1.
    """

    now: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = field(default=random.random)

    def wait(self, line: Line, seconds: float) -> bool:
        """Wait; return True at once when the run is stopped."""
        return line.stop.wait(seconds)


def pause(number: int, met: Trouble, chance: float) -> float:
    """Return the seconds before the try after try `number`."""
    if met.wait is not None:
        return met.wait + _LATER * chance
    return _FIRST_PAUSE * 2.0 ** (number - 1) * (1 + _SPREAD * (2 * chance - 1))


def carried(attempt: Callable[[int], str], line: Line, key: str, clock: Clock | None = None) -> str:
    """Try until a reply is whole, the error is one that stays, or a limit is reached.

    Parameters
    ----------
    attempt : callable
        Gets the number of the try, from 1; returns the reply.
    line : Line
        Limits, stop and ledger.
    key : str
        Number of the request.
    clock : Clock, optional
        Measures and waits.

    Raises
    ------
    Failed
        With what happened last, and what to do.
    Stopped
        If the run was stopped meanwhile.
    """
    clock = clock or Clock()
    began = clock.now()
    number = 1
    while True:
        try:
            return attempt(number)
        except Trouble as met:
            data = {"key": key, "try": number, "reason": str(met), "usage": met.usage}
            line.tell("attempt", data if met.cost is None else {**data, "usd": met.cost})
            seconds = pause(number, met, clock.chance())
            _check(line, number, seconds, clock.now() - began, met)
            _wait(line, key, number + 1, seconds, str(met), clock)
        number += 1


def _check(line: Line, number: int, seconds: float, spent: float, met: Trouble) -> None:
    """Raise unless there may be another try."""
    if not met.again:
        raise Failed(f"model: {met}; {met.remedy or 'ask again'}") from None
    tries, most = line.limits["provider_tries"], line.limits["provider_seconds"]
    if number >= tries.number:
        line.hit(tries.key, number, tries.unit)
        raise Failed(
            f"model: {met}; given up after {number} tries (provider_tries); "
            f"{met.remedy or 'ask again later'}"
        ) from None
    if spent + seconds > most.number:
        line.hit(most.key, round(spent), most.unit)
        raise Failed(
            f"model: {met}; the next try would be {spent + seconds:.0f} s after the first, at "
            f"most {most.number:,} s are waited (provider_seconds); ask again later"
        ) from None


def _wait(line: Line, key: str, number: int, seconds: float, reason: str, clock: Clock) -> None:
    """Wait before a try, second by second, so that it can be seen and stopped."""
    until = clock.now() + seconds
    while (left := until - clock.now()) > 0:
        data = {"key": key, "try": number, "left": round(left, 1), "reason": reason}
        line.tell("waiting", data)
        if clock.wait(line, min(left, _COUNTDOWN)):
            raise Stopped("stopped by the analyst")
