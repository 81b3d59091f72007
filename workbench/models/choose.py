"""From the name of a model to the model."""

from __future__ import annotations

from pathlib import Path

from workbench.errors import Refused
from workbench.models.protocol import Model


def choose(spec: str, results: Path) -> Model:
    """Return the model that a name stands for.

    Parameters
    ----------
    spec : str
        ``offline`` or ``replay:RUN``.
    results : Path
        Where recorded runs lie.

    Raises
    ------
    Refused
        If the name is not understood or the run is not there.
    """
    kind, _, rest = spec.partition(":")
    if kind == "offline" and not rest:
        from workbench.models.offline import OfflineModel

        return OfflineModel()
    if kind == "replay" and rest and Path(rest).name == rest:
        from workbench.models.replay import ReplayModel

        folder = results / rest
        if not (folder / "responses").is_dir():
            raise Refused(f"model '{spec}': no recorded run '{rest}' in '{results}'; see runs")
        return ReplayModel(folder)
    raise Refused(f"model '{spec}': use offline, or replay:RUN with the id of a kept run")
