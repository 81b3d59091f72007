"""The generated parts of docs/models.md: what is known of models, and a dry run as it comes out."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from workbench.dryrun import dry_run
from workbench.models import keys, table
from workbench.models.hosted import HostedModel
from workbench.models.keys import Key, Place
from workbench.models.table import Price
from workbench.session import Session

_DATA = Path(__file__).resolve().parent.parent / "data"
_SAMPLE = "meridian_ridge_geochem.csv"
QUESTION = "Cluster the samples by their major elements and map the groups."
# Enough of a request to see its parts; the whole is kept with the run.
_SHOWN = 600


class _AsPublished(HostedModel):
    """A model of which nothing has been learnt, so that every machine shows the same."""

    estimated: ClassVar[bool] = True


def models() -> str:
    """Return the table of models."""
    head = (
        "model",
        "window",
        "fresh in",
        "into cache",
        "from cache",
        "out",
        "cache from",
        "thinks",
    )
    lines = [head, ("---",) * len(head)]
    for card in table.ROWS:
        row = (f"`{card.name}`", f"{card.window:,}", *_prices(card.price))
        lines.append((*row, f"{card.cache_floor:,}", "asked to" if card.thinking else "no"))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _prices(price: Price | None) -> list[str]:
    if price is None:
        return ["not known"] * 4
    found = []
    for name in ("fresh", "written", "read", "reply"):
        more = f" (over {price.long_from:,}: {getattr(price.long, name):g})" if price.long else ""
        found.append(f"{getattr(price, name):g}{more}")
    return found


def dryrun() -> str:
    """Return what a dry run shows, the request cut."""
    with tempfile.TemporaryDirectory(prefix="workbench-docs-") as name:
        folder = Path(name).resolve()
        shutil.copy(_DATA / _SAMPLE, folder)
        place = Place(keys.OWN_BASE, Key("shown-nowhere"), own=True)
        model = _AsPublished(table.find(table.DEFAULT), place)
        found = dry_run(Session.open(folder, model=model), QUESTION, "guide", ())
        text = str(found).replace(str(found.path), f"results/RUN/requests/{found.path.name}")
    whole = text.index("\n\n") + 2 + _SHOWN
    left = len(text) - whole
    return f"```text\n{text[:whole]} … and {left:,} characters more\n```\n"


PARTS: dict[str, Callable[[], str]] = {"models": models, "dryrun": dryrun}
