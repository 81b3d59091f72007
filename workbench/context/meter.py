"""The meter of a run: what each request will cost, put right by what the provider says it did.

Each loop learns from its own answers and starts with what its caller knew, so that dispatches
that run side by side estimate the same in a replay.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from workbench import calibration
from workbench.calibration import Calibration
from workbench.context.block import Request
from workbench.models.protocol import Model, named
from workbench.tokens import Estimate

_FRESH = ("input_tokens", "cache_creation_input_tokens")
_CACHED = "cache_read_input_tokens"
# What they say of tokens is played, and must not stand for a provider in the next run.
_NO_PROVIDER = frozenset({"replay", "scripted"})


@dataclass(frozen=True)
class Measured:
    """What a provider says that a request was.

    Attributes
    ----------
    fresh, cached : int
        Tokens that were read anew, and those that came from the provider's cache.
    """

    fresh: int
    cached: int

    @classmethod
    def of(cls, usage: Mapping[str, int]) -> Measured:
        """Read a provider's usage."""
        return cls(sum(usage.get(key, 0) for key in _FRESH), usage.get(_CACHED, 0))

    @property
    def tokens(self) -> int:
        """All tokens of the request: cached ones fill the window too."""
        return self.fresh + self.cached


class Meter:
    """Estimates of one run.

    Parameters
    ----------
    model : Model
        A replayed one brings the calibration that was in force when it was recorded.
    """

    def __init__(self, model: Model) -> None:
        # A server of one's own may call another model by the same name.
        self._name = ":".join(named(model).values())
        # A usage that is our own count teaches nothing of a provider.
        self._learns = not model.estimated
        self._keeps = self._learns and model.provider not in _NO_PROVIDER
        recorded = getattr(model, "calibration", None)
        self.start: Calibration = Calibration() if recorded is None else recorded
        if self._keeps:
            self.start = calibration.load(self._name)
        self._known: dict[str, Calibration] = {}
        self._lock = threading.Lock()

    def begin(self, loop: str, caller: str) -> None:
        """Let a loop start with what its caller knows."""
        with self._lock:
            self._known[loop] = self._known.get(caller, self.start)

    def estimate(self, loop: str, request: Request) -> Estimate:
        """Return what the provider will say of a loop's next request."""
        with self._lock:
            known = self._known.get(loop, self.start)
        return known.estimate(request.tokens, request.digits)

    def most(self, loop: str, request: Request) -> int:
        """Return what the provider may say at most: what has to fit.

        Where the model's figure is our own count, it is that count.
        """
        return self.estimate(loop, request).high if self._learns else request.tokens

    def learn(self, loop: str, request: Request, usage: Mapping[str, int]) -> None:
        """Take in the provider's figure for a loop's request; none teaches nothing."""
        measured = Measured.of(usage).tokens
        if not self._learns or not measured or usage.get("estimated"):
            return
        with self._lock:
            known = self._known.get(loop, self.start)
            self._known[loop] = known.learnt(request.tokens, request.digits, measured)
        if self._keeps:
            calibration.learn(self._name, request.tokens, request.digits, measured)
