"""Text from a file, a model or an error, made safe to show: nothing invisible stays invisible."""

from __future__ import annotations

import json

_LARGE = 100_000


def visible(text: str, keep: str = "") -> str:
    r"""Return `text` with control, bidirectional and zero-width signs written out.

    Parameters
    ----------
    text : str
        Any text.
    keep : str, optional
        Signs to leave as they are, for example line ends and tabs.

    Returns
    -------
    str
        For example ``a\\u202eb`` with the override written as ``\\u202e``.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else f"\\u{ord(char):04x}" for char in text
    )


def cell(value: object) -> str:
    """Return a cell of a preview on one line; six significant digits, ten from 100,000 on."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        # Six digits would move a northing by metres.
        return f"{value:.6g}" if abs(value) < _LARGE else f"{value:.10g}"
    if isinstance(value, str | int):
        return visible(str(value).replace("|", "¦"))
    return visible(json.dumps(value, ensure_ascii=False, default=str).replace("|", "¦"))
