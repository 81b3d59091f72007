"""What a report carries of its run, so that it can be verified by itself: told, and read back.

A notebook has it in its metadata; a page and a Markdown file in one comment that nothing shows.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.errors import Refused

FORMS = (".ipynb", ".html", ".md")
_COMMENT = re.compile(r"\n?<!-- workbench record ([A-Za-z0-9+/=]+) -->\n?")
_MOST_BYTES = 200_000_000


def comment(told: Mapping[str, Any]) -> str:
    """Return the metadata of a report as a comment; the same give the same bytes."""
    if "record" not in told:
        return ""
    packed = zlib.compress(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"), 9)
    return f"<!-- workbench record {base64.b64encode(packed).decode()} -->"


def without(text: str) -> str:
    """Return a page or a Markdown file without the comment."""
    return _COMMENT.sub("\n", text)


def of_file(place: Path) -> tuple[str, dict[str, Any]]:
    """Return the text of a report, and what it carries.

    Raises
    ------
    Refused
        If it cannot be read, or carries no run.
    """
    try:
        text = place.read_text(encoding="utf-8")
        told = _told(text, place.suffix.casefold())
        told = {**told, "record": json.loads(told["record"])}
    except OSError as error:
        raise Refused(f"report '{place}': {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error, zlib.error):
        told = {}
    if not isinstance(told, dict) or not isinstance(told.get("record"), dict):
        raise Refused(f"report '{place}': it carries no run; make it with workbench report RUN")
    return text, told


def _told(text: str, form: str) -> Any:  # noqa: ANN401 - JSON values
    if form == ".ipynb":
        return json.loads(text)["metadata"]["workbench"]
    found = _COMMENT.search(text)
    packed = base64.b64decode(found[1]) if found else b""
    return json.loads(zlib.decompressobj().decompress(packed, _MOST_BYTES))
