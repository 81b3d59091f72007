"""What one run left behind: the requests as they were kept, and the ledger as it can be read.

A probe believes nothing else: what reached the model is what stands in ``requests/``.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from workbench.ledger import Event, read


@dataclass(frozen=True)
class Trace:
    """One run, read from its folder.

    Attributes
    ----------
    folder : Path
        The run's folder.
    text : str
        The text of the call, or the answer.
    ok : bool
        False where the call was refused or the run did not end with an answer.
    reason : str
        Why it did not.
    """

    folder: Path
    text: str
    ok: bool
    reason: str = ""

    @functools.cached_property
    def events(self) -> list[Event]:
        """The events of the ledger, in order."""
        return read(self.folder / "events.jsonl").events

    def of(self, kind: str, loop: str | None = None) -> list[dict[str, Any]]:
        """Return the data of all events of one kind, of one loop if it is named."""
        return [
            event.data
            for event in self.events
            if event.kind == kind and (loop is None or event.dispatch == loop)
        ]

    @property
    def seconds(self) -> float:
        """Seconds from the first event to the last."""
        times = [datetime.fromisoformat(event.time) for event in self.events]
        return (times[-1] - times[0]).total_seconds() if times else 0.0

    def hits(self, key: str) -> int:
        """Return how many ``limit_hit`` events name a row."""
        return sum(data["key"] == key for data in self.of("limit_hit"))

    @functools.cached_property
    def bodies(self) -> dict[str, str]:
        """The requests by key (``d01-r03``), byte for byte as they were kept."""
        files = sorted((self.folder / "requests").glob("*.json"))
        return {file.stem: file.read_bytes().decode("utf-8", "surrogatepass") for file in files}

    def requests(self, loop: str | None = None) -> list[dict[str, Any]]:
        """Return the requests as JSON values, of one loop if it is named, in order."""
        return [
            dict(json.loads(body))
            for key, body in self.bodies.items()
            if loop is None or key.rpartition("-r")[0] == loop
        ]

    def texts(self, loop: str | None = None, role: str = "user") -> list[str]:
        """Return every text and tool result of a loop's last request, in order."""
        found = self.requests(loop)
        return list(_texts(found[-1], role)) if found else []

    def everything(self) -> str:
        """Return all requests in one text: what must not be in it was never sent."""
        return "\n".join(self.bodies.values())


def _texts(request: dict[str, Any], role: str) -> Iterator[str]:
    for turn in request["messages"]:
        if turn["role"] == role:
            for part in turn["content"]:
                yield str(part.get("text") or part.get("content") or "")
