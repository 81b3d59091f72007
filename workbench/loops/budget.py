"""What one run may use: tokens, money, seconds. Held before a request is sent, not after.

A run that reaches a budget ends with its own reason and with what it had so far.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping

from workbench.context.meter import Measured
from workbench.errors import BudgetReached, Refused
from workbench.ledger import Ledger
from workbench.limits import Limits
from workbench.models.protocol import Model

# A comma parts thousands and nothing else: 0,50 is not read as 50.
_AMOUNT = re.compile(
    r"(?P<number>(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9_]*)(?:\.[0-9]+)?)\s*(?P<unit>[a-z$]*)",
    re.IGNORECASE,
)
_UNITS = {"": "run_tokens", "tokens": "run_tokens", "k": "run_tokens", "m": "run_tokens"}
_UNITS |= {"usd": "run_usd", "$": "run_usd"}
_TIMES = {"k": 1_000, "m": 1_000_000}


def read(text: str, what: str) -> dict[str, object]:
    """Read a budget: ``200000``, ``200k``, ``0.50usd``, ``$2``.

    Parameters
    ----------
    text : str
        As it was typed.
    what : str
        What is read, for errors.

    Returns
    -------
    dict
        Row of the limits table → value.

    Raises
    ------
    Refused
        If it is not an amount above 0 in a known unit.
    """
    found = _AMOUNT.fullmatch(text.strip().removeprefix("$").strip())
    unit = found["unit"].lower() if found else ""
    if text.strip().startswith("$"):
        unit = "$" if unit in {"", "usd"} else "?"
    amount = float(re.sub(r"[_,]", "", found["number"]) or 0) if found else 0.0
    if not found or unit not in _UNITS or not amount > 0:
        raise Refused(f"{what} '{text}': write tokens above 0 (200000, 200k) or money (0.50usd)")
    return {_UNITS[unit]: amount * _TIMES.get(unit, 1)}


class Budget:
    """What one run has used, and how much it may.

    Parameters
    ----------
    model : Model
        Its price, where it is known, is what money is counted by.
    limits : Limits
        Gives `run_tokens` and `run_usd`.
    over : callable
        Gets a row's key and what was used, records it and returns the error.

    Raises
    ------
    Refused
        If money is to be counted and the model has no known price.
    """

    def __init__(
        self, model: Model, limits: Limits, over: Callable[[str, float], BudgetReached]
    ) -> None:
        self.limits = limits
        self._model = f"{model.provider}:{model.name}"
        self._over = over
        self._cost = getattr(model, "cost", None)
        self._used = {"run_tokens": 0.0, "run_usd": 0.0}
        self._open: dict[str, dict[str, float]] = {}
        self._lock = threading.Lock()
        self._priced(limits)

    def _priced(self, limits: Limits) -> None:
        if limits["run_usd"].value != "off" and self.cost({}) is None:
            raise Refused(
                f"budget in money: no price is known for {self._model}; give it in tokens "
                "(-b 200000)"
            )

    def allow(self, values: Mapping[str, object]) -> None:
        """Change what the run may use while it is at work; what is used already counts.

        Raises
        ------
        Refused
            If it is no amount, or money is to be counted and the model has no known price.
        """
        limits = self.limits.changed(values)
        self._priced(limits)
        with self._lock:
            self.limits = limits

    def recorded(self, ledger: Ledger) -> Callable[[Mapping[str, object]], None]:
        """Return `allow` as something that also stands in the ledger."""

        def allow(values: Mapping[str, object]) -> None:
            self.allow(values)
            ledger.append("budget", {"values": dict(values)})

        return allow

    def cost(self, usage: Mapping[str, int]) -> float | None:
        """Return the price of a usage in US dollars, or None where it is not known."""
        if self._cost is None:
            return None
        found = self._cost(usage)
        return None if found is None else float(found)

    def ahead(self, key: str, tokens: int) -> None:
        """Set aside what a request will use at least, before it is sent.

        Parameters
        ----------
        key : str
            Its number.
        tokens : int
            Estimate of its input.

        Raises
        ------
        BudgetReached
            If that is more than is left; nothing was sent.
        """
        wanted = {"run_tokens": float(tokens)}
        wanted["run_usd"] = self.cost({"input_tokens": tokens}) or 0.0
        with self._lock:
            for row, amount in wanted.items():
                taken = self._used[row] + sum(one[row] for one in self._open.values())
                bound = self.limits[row].value
                if not isinstance(bound, str) and taken + amount > bound:
                    raise self._over(row, self._used[row])
            self._open[key] = wanted

    def broke(self, usage: Mapping[str, int]) -> None:
        """Take in what a try used that broke off; the request is still on its way."""
        with self._lock:
            self._add(usage)

    def spent(self, key: str, usage: Mapping[str, int]) -> None:
        """Take in what an answered request used.

        An answer that is paid for is not thrown away: it is the next request that is not sent.
        """
        with self._lock:
            self._open.pop(key, None)
            self._add(usage)

    def _add(self, usage: Mapping[str, int]) -> None:
        used = Measured.of(usage).tokens + usage.get("output_tokens", 0)
        self._used["run_tokens"] += used
        self._used["run_usd"] += self.cost(usage) or 0.0


def amount(number: float) -> str:
    """Return tokens and seconds without decimals, money with them."""
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:.4g}"  # noqa: PLR2004 - digits
