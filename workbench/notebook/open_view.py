"""The view of something open, in a cell: a widget whose messages are answered by a thread.

Its scripts are plain modules, put together here: nothing is built and nothing is fetched. Its state
is one word; rows travel as answers and are never part of a saved notebook.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from workbench.notebook import static
from workbench.notebook.opening import Opening

_HERE = Path(__file__).parent / "open"
# In the order of their imports. The table's own module is set apart: its names are its own.
MODULES = (
    *("draw", "header", "filter", "grid", "linked", "text", "talk", "ruler", "view"),
    "widget",
)
_IMPORT = re.compile(r'^import (?:.* from )?"\./[\w-]+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const))", re.MULTILINE)
_LAST_EXPORT = re.compile(r"export\s*\{[^}]*\};?\s*$")


@functools.cache
def script() -> str:
    """Return the modules as one."""
    table = (_HERE / "regular-table.js").read_text(encoding="utf-8")
    parts = [f"(() => {{\n{_LAST_EXPORT.sub('', table)}\n}})();"]
    for name in MODULES:
        text = (_HERE / f"{name}.js").read_text(encoding="utf-8")
        parts.append(_EXPORT.sub("", _IMPORT.sub("", text)))
    return "\n".join(parts)


@functools.cache
def style() -> str:
    """Return the style sheet: that of the card, and the view's own."""
    return static.style() + (_HERE / "open.css").read_text(encoding="utf-8")


class OpenView(anywidget.AnyWidget):  # type: ignore[misc]
    """One thing opened in full.

    Parameters
    ----------
    opening : Opening
        Answers what is asked of it.
    twins : mapping
        Forms for places that cannot draw a widget, by media type.
    face : {"full", "seen"}
        What is shown first.
    """

    face = traitlets.Unicode("full").tag(sync=True)

    def __init__(
        self, opening: Opening, twins: Mapping[str, str] | None = None, face: str = "full"
    ) -> None:
        super().__init__(face=face, _esm=script(), _css=style())
        self._opening = opening
        self._twins = dict(twins or {})
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="workbench-open")
        self.on_msg(self._take)

    def _take(self, _widget: object, message: object, _buffers: object) -> None:
        """Hand a message to the worker; the kernel's own thread waits for nothing."""
        self._worker.submit(self._answer, message)

    def _answer(self, message: object) -> None:
        key = message.get("id") if isinstance(message, dict) else None
        if not isinstance(key, str) or len(key) > _KEY_CHARS:
            return

        def said(text: str, share: float) -> None:
            self.send({"id": key, "progress": text, "share": share})

        self.send({"id": key, "value": self._opening.answer(message, said)})

    def close(self) -> None:
        """End the child that reads, and the widget."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._opening.close()
        super().close()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - the signature of the base class
        """Return the widget's view with forms for places that cannot draw it."""
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return {**data, **self._twins}, metadata


_KEY_CHARS = 80
