"""The live card in a cell: a display-only widget that is sent drawn trees and sends nothing.

Its state is one small tree and one text; no row of data is ever in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from workbench.notebook.nodes import Node, node, to_html, to_json
from workbench.notebook.static import MIME

SAVED = (
    "The question was at work when this notebook was last saved; what came of it: %agent use DIR, "
    "then %agent results."
)
_HERE = Path(__file__).parent


class RunCard(anywidget.AnyWidget):  # type: ignore[misc]
    """The card of one run at work.

    Attributes
    ----------
    card : list
        The drawn tree, as `workbench.notebook.nodes.to_json` gives it.
    elapsed : str
        Time since the question was put; sent apart, since it changes when nothing else does.
    """

    _esm = _HERE / "widget.js"
    _css = _HERE / "card.css"
    card = traitlets.List(to_json(node("div"))).tag(sync=True)
    elapsed = traitlets.Unicode("").tag(sync=True)
    # Names the run, for a page that finds this card when nobody draws it any more.
    begun: dict[str, Any] | None = None

    def show(self, tree: Node, elapsed: str) -> None:
        """Send what changed of a drawn tree and the time."""
        drawn = to_json(tree)
        with self.hold_sync():
            if drawn != self.card:
                self.card = drawn
            self.elapsed = elapsed

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:  # noqa: ANN401 - the signature of the base class
        """Return the widget's view with texts for places that cannot draw it.

        Such a place is a notebook that was saved while the question was at work: what came of it
        is not known there.
        """
        data, metadata = super()._repr_mimebundle_(**kwargs)
        twins: dict[str, Any] = {"text/plain": SAVED, "text/html": to_html(node("p", "", SAVED))}
        if self.begun is not None:
            twins[MIME] = self.begun
        return {**data, **twins}, metadata
