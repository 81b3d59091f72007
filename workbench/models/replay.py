"""A run played again from its recorded answers: no model, no network, no key.

The recorded answer is given for each request by its number. Where a request differs from the
recorded one, play goes on and the difference is kept in `departures`: a changed prompt, tool or
datum is told, never hidden.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench import ledger
from workbench.calibration import Calibration
from workbench.context.block import Form
from workbench.errors import Failed

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_WINDOW = 200_000


class ReplayModel:
    """Serves the answers of a kept run.

    Parameters
    ----------
    folder : Path
        The run's folder, with ``requests/`` and ``responses/``.

    Attributes
    ----------
    provider : str
        ``replay``.
    name : str
        Name of the model that was recorded, so that an unchanged request is equal byte for byte.
    window : int
        Its window in tokens.
    estimated : bool
        Whether the recorded usage was an estimate.
    durations : dict
        Seconds of each recorded loop, as the history paragraph told them.
    form : Form
        What stood in the envelope of the recorded requests.
    calibration : Calibration
        What was known of the recorded model's counts, so that the same requests fit.
    told : dict
        Number of a request → what the analyst added before it.
    departures : list of str
        One line for each request that differs from the recorded one: its number and the parts.
    """

    provider = "replay"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.departures: list[str] = []
        view = _json(folder / "run.json") or {}
        recorded = _json(next(iter(sorted((folder / "requests").glob("*.json"))), Path())) or {}
        self.name = str(recorded.get("model") or _get(view, "model", "name") or "unknown")
        self.window = _window(view)
        self.calibration = Calibration.of(view.get("calibration"))
        self.told = _told(folder)
        self.form, self.estimated = Form(), True
        self.durations: Mapping[str, float] = {}
        self._ended = ""
        try:
            self._read(view)
        except (TypeError, ValueError, AttributeError, OverflowError):
            raise Failed(
                f"replay of '{folder.name}': its run.json is not as a run writes it; it was "
                "changed or is of another version, ask again with a model"
            ) from None

    def _read(self, view: dict[str, Any]) -> None:
        """Take over how the recorded requests were made."""
        self._ended = f"{view.get('status', 'not ended')}: {view.get('reason', '')}".strip(": ")
        sent = view.get("sent_as") or {}
        self.form = Form(dict(sent.get("settings") or {}), int(sent.get("cache_floor") or 0))
        self.estimated = bool(sent.get("estimated", _get(view, "usage", "estimated")))
        self.durations = {
            str(loop["id"]): float(loop["seconds"])
            for loop in view.get("loops") or ()
            if "id" in loop and "seconds" in loop
        }

    def send(self, body: str, key: str) -> str:
        """Return the recorded answer of a request.

        Parameters
        ----------
        body : str
            The request; compared with the recorded one.
        key : str
            Its number in the run, for example ``d01-r03``.

        Raises
        ------
        Failed
            If the run holds no answer of that number.
        """
        if not _KEY.fullmatch(key):
            raise Failed(f"replay: '{key[:80]}' is no request number; see the run's responses")
        try:
            answer = _exact(self.folder / "responses" / f"{key}.json")
        except UnicodeDecodeError:
            raise Failed(f"replay of '{self.folder.name}': answer '{key}' is no text") from None
        except OSError:
            raise Failed(
                f"replay of '{self.folder.name}': no recorded answer '{key}'; {self._why()}"
            ) from None
        self._compare(body, key)
        return answer

    def _why(self) -> str:
        if self._ended.startswith("answered"):
            return "the run took another way than the recorded one, ask again with a model"
        return f"the record ends there ({self._ended}), ask again with a model"

    def _compare(self, body: str, key: str) -> None:
        try:
            recorded = _exact(self.folder / "requests" / f"{key}.json")
        except (OSError, UnicodeDecodeError):
            self.departures.append(f"{key}: its request was not recorded")
            return
        if recorded != body:
            self.departures.append(f"{key}: {', '.join(_parts(recorded, body))} differ")


def _told(folder: Path) -> dict[str, list[str]]:
    """Return what the analyst added while the recorded run was at work."""
    found: dict[str, list[str]] = {}
    with contextlib.suppress(OSError, UnicodeDecodeError):
        for event in ledger.read(folder / "events.jsonl").events:
            if event.kind == "told" and _KEY.fullmatch(str(event.data.get("kept"))):
                text = _exact(folder / "full" / f"{event.data['kept']}.txt")
                found.setdefault(str(event.data.get("before")), []).append(text)
    return found


def _exact(file: Path) -> str:
    """Return a kept text as it was sent: no line end is translated."""
    return file.read_bytes().decode("utf-8", "surrogatepass")


def _parts(recorded: str, body: str) -> list[str]:
    """Name the parts of two requests that differ, messages by their number."""
    old, new = _loads(recorded), _loads(body)
    found = [
        key for key in ("model", "max_tokens", "system", "tools") if old.get(key) != new.get(key)
    ]
    before, after = _messages(old), _messages(new)
    for number in range(max(len(before), len(after))):
        if before[number : number + 1] != after[number : number + 1]:
            found.append(f"message {number + 1}")
            break
    return found or ["form"]


def _messages(request: dict[str, Any]) -> list[Any]:
    messages = request.get("messages")
    return messages if isinstance(messages, list) else []


def _loads(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _json(file: Path) -> dict[str, Any] | None:
    try:
        return _loads(_exact(file))
    except (OSError, UnicodeDecodeError):
        return None


def _get(view: dict[str, Any], *keys: str) -> Any:  # noqa: ANN401 - JSON values
    value: Any = view
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _window(view: dict[str, Any]) -> int:
    loops = view.get("loops")
    for loop in loops if isinstance(loops, list) else ():
        window = _get(loop, "context", "window")
        if isinstance(window, int) and window > 0:
            return window
    return _WINDOW
