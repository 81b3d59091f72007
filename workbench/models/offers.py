"""Which models there are to choose from: those of the table, and those a server says it has."""

from __future__ import annotations

from typing import Any

from workbench.errors import Refused
from workbench.models import anthropic, keys, table
from workbench.models.keys import Place
from workbench.models.table import Card


def models(base_url: str = "") -> list[dict[str, Any]]:
    """Return the models that ``-m`` takes: the planner, the table's, and a server's own.

    The server is that of `base_url` or of the environment, else the provider's own where there is
    a key. Without any of them nothing is asked over the network.

    Parameters
    ----------
    base_url : str, optional
        Address of a server that speaks the Messages protocol.

    Returns
    -------
    list of dict
        ``{model, window, price, source}``; `window` in tokens, `price` in US dollars a million
        tokens (``fresh``, ``reply``, ``cached``) or None where none is known, `source`
        ``built in``, ``table``, or the address that offers the model.

    Raises
    ------
    Refused
        If the address is none, or nobody answers there.
    """
    place = _place(base_url)
    offered = [] if place is None else _offered(place)
    taken = {row["model"] for row in offered}
    known = [] if place is not None and not place.own else list(table.known().values())
    rows = [_row(card, card.window, "table") for card in known]
    return [_planner(), *offered, *(row for row in rows if row["model"] not in taken)]


def _place(base_url: str) -> Place | None:
    """Return where to ask; None where there is neither an address nor a key."""
    if not base_url and not keys.has_address() and not keys.has_key():
        return None
    return keys.place(base_url)


def _offered(place: Place) -> list[dict[str, Any]]:
    found = anthropic.offered(place)
    if found is None:
        raise Refused(
            f"models: {place.base} cannot be reached; see the network and the base address"
        )
    entries = [item for item in found if isinstance(item.get("id"), str)]
    cards = [(table.find(item["id"], own=place.own), anthropic.size(item)) for item in entries]
    return [_row(card, size or card.window, place.base) for card, size in cards]


def _row(card: Card, window: int, source: str) -> dict[str, Any]:
    price = card.price and {
        "fresh": card.price.fresh,
        "reply": card.price.reply,
        "cached": card.price.read,
    }
    return {
        "model": f"anthropic:{card.name}",
        "window": window,
        "price": price,
        "source": source,
    }


def _planner() -> dict[str, Any]:
    from workbench.models.offline import OfflineModel

    planner = OfflineModel()
    return {"model": "offline", "window": planner.window, "price": None, "source": "built in"}
