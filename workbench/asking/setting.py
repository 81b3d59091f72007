"""What a session gives each of its runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.asking.building import Builds
from workbench.ledger import Clock, utc_now
from workbench.limits import Limits
from workbench.models.protocol import Model
from workbench.workspace import Workspace


@dataclass(frozen=True)
class Setting:
    """What a session gives each of its runs.

    Attributes
    ----------
    workspace : Workspace
        Data and results.
    model : Model
        Carries requests.
    limits : Limits
        Rows in force.
    start_child : callable
        Takes a job, places, limits, stop and a noise listener; returns a connected child.
    overrides : mapping
        The analyst's reader settings, by file and column.
    seed : int
        Seed of everything random.
    open_scripts : bool
        Whether scripts may run where nothing confines them: the analyst's own word.
    clock : callable
        UTC now.
    builds : Builds
        Snapshots that are built beside the questions.
    recorded : mapping or None
        Call → bytes of each file whose first lines it looked at, where a run is made again; None
        where large files are looked at anew.
    """

    workspace: Workspace
    model: Model
    limits: Limits
    start_child: Callable[..., Any]
    overrides: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 42
    open_scripts: bool = False
    clock: Clock = utc_now
    builds: Builds = field(default_factory=Builds)
    recorded: Mapping[str, Mapping[str, int]] | None = None
