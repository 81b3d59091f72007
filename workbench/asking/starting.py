"""Starting a connected child for a job: the seam between a run and where its children live."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from workbench import launch
from workbench.files.places import Places
from workbench.limits import Limits
from workbench.process.childlink import ChildLink


def start_child(
    job: Mapping[str, Any],
    places: Places,
    limits: Limits,
    stop: threading.Event,
    noise: Callable[[str], None],
) -> ChildLink:
    """Start a confined child and return the parent's end of it.

    Parameters
    ----------
    job : mapping
        Ids, hashes and limit values.
    places : Places
        Where work and bytes are on this host.
    limits : Limits
        The session's table.
    stop : threading.Event
        Ends every wait.
    noise : callable
        Told of whatever the child says unasked.
    """
    return ChildLink(launch.start(job, places), limits, stop, on_noise=noise)
