"""Where the data and the results of a dispatch lie on this host.

Only what starts a child and what opens names knows these paths; a job never carries them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workbench.files.recordnames import SNAPSHOTS


@dataclass(frozen=True)
class Places:
    """The folders a child works in.

    Attributes
    ----------
    root : str
        The data folder, absolute; a child only reads it.
    results : str
        The results folder, absolute; a child only reads it.
    run : str
        The folder of the run, absolute; a child only reads it.
    only : str or None
        Name of the single data file, where a file was given instead of a folder.
    earlier : tuple of str
        Runs of the conversation so far, newest first: their results can be read, by name.
    work : str or None
        The folder that a child writes into, absolute; the run's own where there is no other.
    """

    root: str
    results: str
    run: str
    only: str | None = None
    earlier: tuple[str, ...] = ()
    work: str | None = None

    @property
    def desk(self) -> str:
        """The folder that a child writes into."""
        return self.work or self.run

    @property
    def snapshots(self) -> str:
        """The folder that a child builds snapshots of tables in."""
        return str(Path(self.work or self.results, SNAPSHOTS))

    def to_json(self) -> dict[str, Any]:
        """Return the places as plain values, for the first line that a child reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, object]) -> Places:
        """Read places back.

        Raises
        ------
        KeyError
            If one is missing.
        """
        root, results, run = (str(values[name]) for name in ("root", "results", "run"))
        only, work = (
            None if values.get(name) is None else str(values[name]) for name in ("only", "work")
        )
        earlier = values.get("earlier")
        runs = tuple(map(str, earlier)) if isinstance(earlier, list | tuple) else ()
        return cls(root, results, run, only, runs, work)
