"""Names of columns and views: unique without regard to case, none empty, safe in SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that SQL would not take as a bare name.
_RESERVED = _words(
    "all and any array as asc between both case cast check column constraint create default desc "
    "describe distinct do else end except false for foreign from grant group having in initially "
    "intersect into lateral leading limit not null offset on only or order pivot placing primary "
    "qualify references returning select show some summarize symmetric table then to trailing true "
    "union unique unpivot using variadic when where window with"
)


def view_name(name: str) -> str:
    """Make a name that SQL takes without quotes.

    Examples
    --------
    >>> view_name("2024 soils (final)"), view_name("table"), view_name("Görlitz")
    ('t_2024_soils_final', 't_table', 'Görlitz')
    """
    plain = re.sub(r"\W+", "_", name).strip("_") or "table"
    reserved = plain.casefold() in _RESERVED or plain[0].isdigit()
    return f"t_{plain}" if reserved else plain


def unique_names(headers: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Make column or table names of texts: trimmed, none empty, unique without regard to case.

    Parameters
    ----------
    headers : iterable of str
        Texts as the file gives them. An empty one becomes ``column_7`` at the seventh place.
    taken : iterable of str, optional
        Names that are in use already.

    Returns
    -------
    list of str
        One name a text, in order; a repeated one becomes ``Au_2``, ``Au_3``.
    """
    seen = {name.casefold() for name in taken}
    names = []
    for place, header in enumerate(headers, start=1):
        wanted = header.strip() or f"column_{place}"
        name, number = wanted, 1
        while name.casefold() in seen:
            number += 1
            name = f"{wanted}_{number}"
        seen.add(name.casefold())
        names.append(name)
    return names
