"""How a model's own token counts compare with ours: learnt from its answers, kept for the user.

It is kept in the user's own configuration folder, never in a workspace: a folder of data that
came from somebody else must not say how much of a window is full.
"""

from __future__ import annotations

import contextlib
import json
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import tokens
from workbench.errors import WorkbenchError
from workbench.files.records import write_whole
from workbench.tokens import Estimate

# Beyond these a figure says more about a proxy than about a tokeniser, and is not learnt from.
_LEAST_RATIO, _MOST_RATIO, _MOST_OVERHEAD = 0.5, 3.0, 2_000
# What is expected before the first answer, and how sure that is (one standard deviation): tokens
# that a provider adds to each request, its tokens for one of ours, and those for each digit more.
_PRIOR = (0.0, 1.0, 0.0)
_DOUBT = (400.0, 0.2, 0.25)
# One answer is off what these three can say by about a hundredth, and by some tokens.
_NOISE, _NOISE_TOKENS = 0.01, 10.0
# Old answers lose weight, so that a model that changes behind its name is followed.
_FORGET = 1.05
# What a fit may have wandered beyond a believable overhead, and what rounding may have left.
_FAR, _ROUNDING = 5, 1e-6
# A band of two standard deviations holds nearly all.
_WIDTH = 2.0

# A model takes some hundred bytes; what is larger, or no file, was not written here.
_MOST_BYTES = 1_000_000

Row = tuple[float, float, float]
_lock = threading.Lock()


@dataclass(frozen=True)
class Calibration:
    """What is known of one model's counts: a Bayesian linear regression, answer by answer.

    A provider's figure is taken for ``overhead + rate * tokens + extra * digits``; vocabularies
    differ most in how they cut numbers. The update is that of a Kalman filter without motion
    (Bishop, Pattern Recognition and Machine Learning, 2006, section 3.3).

    Attributes
    ----------
    mean : tuple of float
        Overhead, rate and extra.
    cover : tuple of tuple of float
        Their covariance.
    answers : int
        Answers it was learnt from; 0 where nothing is known yet.
    """

    mean: Row = _PRIOR
    cover: tuple[Row, Row, Row] = (
        (_DOUBT[0] ** 2, 0.0, 0.0),
        (0.0, _DOUBT[1] ** 2, 0.0),
        (0.0, 0.0, _DOUBT[2] ** 2),
    )
    answers: int = 0

    def estimate(self, counted: int, digits: int) -> Estimate:
        """Return what a provider will say of a request of so many of our tokens and digits."""
        if not self.answers:
            return tokens.estimate(counted)
        x = (1.0, float(counted), float(digits))
        middle = max(_dot(self.mean, x), _LEAST_RATIO * counted)
        half = _WIDTH * math.sqrt(max(_dot(x, self._reach(x)), 0.0) + _noise(counted))
        return Estimate(round(middle), max(math.floor(middle - half), 0), math.ceil(middle + half))

    def learnt(self, counted: int, digits: int, measured: int) -> Calibration:
        """Return it with one more answer; a figure that cannot be true changes nothing."""
        if not believable(counted, measured):
            return self
        x = (1.0, float(counted), float(digits))
        reach = self._reach(x)
        spread = _dot(x, reach) + _noise(counted)
        error = measured - _dot(self.mean, x)
        mean = [m + r * error / spread for m, r in zip(self.mean, reach, strict=True)]
        cover = [
            [_FORGET * (self.cover[i][j] - reach[i] * reach[j] / spread) for j in range(3)]
            for i in range(3)
        ]
        # What was forgotten is never doubted more than what was not known.
        for i in range(3):
            excess = cover[i][i] / _DOUBT[i] ** 2
            if excess > 1:
                for j in range(3):
                    cover[i][j] /= math.sqrt(excess)
                    cover[j][i] /= math.sqrt(excess)
        rows = [_row(line) for line in cover]
        return Calibration(_row(mean), (rows[0], rows[1], rows[2]), self.answers + 1)

    def _reach(self, x: Row) -> Row:
        return _row([_dot(line, x) for line in self.cover])

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values, every digit kept: a replay starts from them."""
        return {"mean": self.mean, "cover": self.cover, "answers": self.answers}

    @classmethod
    def of(cls, data: object) -> Calibration:
        """Read JSON values; what is not a calibration is one that knows nothing."""
        given = data if isinstance(data, dict) else {}
        try:
            mean, answers = _row(given["mean"]), int(given["answers"])
            first, second, third = (_row(line) for line in given["cover"])
        except (TypeError, ValueError, KeyError, OverflowError):
            return cls()
        cover = (first, second, third)
        sound = answers > 0 and _can_be_learnt(mean) and _is_covariance(cover)
        return cls(mean, cover, answers) if sound else cls()


def _can_be_learnt(mean: Row) -> bool:
    """Tell whether believable answers can lead to these three numbers."""
    overhead, rate, extra = mean
    near = abs(overhead) <= _FAR * _MOST_OVERHEAD and abs(extra) <= _MOST_RATIO
    return near and _LEAST_RATIO <= rate <= _MOST_RATIO


def _is_covariance(cover: tuple[Row, Row, Row]) -> bool:
    """Tell whether a matrix is symmetric, not negative in any direction, and within the doubt.

    It is scaled to ones on its diagonal first; its minors tell the rest (Sylvester).
    """
    if not all(0 < cover[n][n] <= 1.01 * _DOUBT[n] ** 2 for n in range(3)):
        return False
    scale = [math.sqrt(cover[n][n]) for n in range(3)]
    a, b, c = (cover[i][j] / scale[i] / scale[j] for i, j in ((0, 1), (0, 2), (1, 2)))
    back = (cover[j][i] / scale[i] / scale[j] for i, j in ((0, 1), (0, 2), (1, 2)))
    even = all(abs(one - other) <= _ROUNDING for one, other in zip((a, b, c), back, strict=True))
    within = all(abs(one) <= 1 + _ROUNDING for one in (a, b, c))
    return even and within and 1 + 2 * a * b * c - a * a - b * b - c * c >= -_ROUNDING


def believable(counted: int, measured: int) -> bool:
    """Tell whether a provider's figure can be that of a request of so many of our tokens."""
    return _LEAST_RATIO * counted <= measured <= _MOST_RATIO * counted + _MOST_OVERHEAD


def _dot(one: Row, other: Row) -> float:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def _row(values: Sequence[Any]) -> Row:
    """Return three finite numbers.

    Raises
    ------
    ValueError
        If they are not.
    """
    one, two, three = (float(value) for value in values)
    if not all(map(math.isfinite, (one, two, three))):
        raise ValueError("a number of a calibration is not finite")
    return one, two, three


def _noise(counted: int) -> float:
    return (_NOISE * counted) ** 2 + _NOISE_TOKENS**2


def file() -> Path:
    """Return where calibrations are kept: the user's own configuration folder."""
    import platformdirs

    return platformdirs.user_config_path("workbench", appauthor=False) / "calibration.json"


def load(model: str) -> Calibration:
    """Return what is kept of a model (``provider:name``); nothing known where it cannot be read."""
    return Calibration.of(_all().get(model))


def learn(model: str, counted: int, digits: int, measured: int) -> None:
    """Keep one more answer of a model.

    Parameters
    ----------
    model : str
        ``provider:name``.
    counted, digits : int
        Our count of the request, and its digits.
    measured : int
        The provider's figure.
    """
    with _lock:
        known = _all()
        found = Calibration.of(known.get(model)).learnt(counted, digits, measured)
        known[model] = found.to_json()
        # A full disk or a read-only home costs the calibration, never the run.
        with contextlib.suppress(OSError, WorkbenchError):
            place = file()
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(place, json.dumps(known, sort_keys=True).encode())


def _all() -> dict[str, Any]:
    try:
        place = file()
        if not place.is_file() or place.stat().st_size > _MOST_BYTES:
            return {}
        found = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
