"""What a probe came to: kept as plain words and numbers, so that a table can show them."""

from __future__ import annotations

from dataclasses import asdict, dataclass


class Broken(Exception):
    """A limit that did not hold, or did not say that it held; the text says what was seen."""


@dataclass(frozen=True)
class Seen:
    """What a probe measured where everything held.

    Attributes
    ----------
    number : str
        The measured number.
    detail : str
        One line: what was attacked, and what came of it.
    """

    number: str
    detail: str


@dataclass(frozen=True)
class CheckResult:
    """One line of ``workbench check``.

    Attributes
    ----------
    key : str
        Row of the limits table, or name of a check beyond the rows.
    ok : bool
        Whether it held.
    seen : str
        The measured number, or empty.
    detail : str
        One line.
    """

    key: str
    ok: bool
    seen: str
    detail: str

    def to_json(self) -> dict[str, str | bool]:
        """Return the shape of ``check --json``."""
        return asdict(self)
