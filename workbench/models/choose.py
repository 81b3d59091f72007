"""From the name of a model to the model."""

from __future__ import annotations

from pathlib import Path

from workbench.errors import Refused, nearest
from workbench.models import keys, table
from workbench.models.protocol import Model

_NAME_CHARS = 200
_FORMS = "offline, anthropic:ID, or replay:RUN with the id of a kept run"


def default() -> str:
    """Return the name of the model that is used where none is named."""
    return f"anthropic:{table.DEFAULT}" if keys.has_key() else "offline"


def choose(spec: str, results: Path, base_url: str = "") -> Model:
    """Return the model that a name stands for.

    Parameters
    ----------
    spec : str
        ``offline``, ``anthropic:ID``, ``anthropic`` or ``replay:RUN``; empty for `default`.
    results : Path
        Where recorded runs lie.
    base_url : str, optional
        Address of a server that speaks the Messages protocol, for ``anthropic:ID``.

    Raises
    ------
    Refused
        If the name is not understood, the run is not there, or the model cannot be reached so.
    """
    kind, _, rest = (spec or default()).partition(":")
    if kind == "anthropic":
        return _hosted(rest or table.DEFAULT, base_url)
    if base_url:
        raise Refused(f"base address '{base_url[:200]}': it is for -m anthropic:ID alone")
    if kind == "offline" and not rest:
        from workbench.models.offline import OfflineModel

        return OfflineModel()
    if kind == "replay" and rest and Path(rest).name == rest:
        from workbench.models.replay import ReplayModel

        folder = results / rest
        if not (folder / "responses").is_dir():
            raise Refused(f"model '{spec}': no recorded run '{rest}' in '{results}'; see runs")
        return ReplayModel(folder)
    hint = nearest(spec, [f"anthropic:{name}" for name in table.known()])
    raise Refused(f"model '{spec[:200]}': use {_FORMS}{hint}")


def _hosted(name: str, base_url: str) -> Model:
    from workbench.models.hosted import HostedModel

    if len(name) > _NAME_CHARS or not name.isprintable() or name != name.strip():
        raise Refused(f"model 'anthropic:{name[:80]}': an id is one line without spaces around it")
    place = keys.place(base_url)
    return HostedModel(table.find(name, own=place.own), place)
