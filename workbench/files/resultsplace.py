"""The folder that results go to: made, proved to be writable, and looked at before it is used."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from workbench.errors import Fault
from workbench.files.filewords import reason
from workbench.files.recordnames import SNAPSHOTS


def prepare(results: Path) -> str:
    """Make the results folder and prove that it can be written.

    Returns
    -------
    str
        Who else can change what is in it; empty if nobody can.

    Raises
    ------
    Fault
        If it cannot be written, before any model call is made; or if a link stands where runs keep
        what all of them share, since it could lead anywhere.
    """
    try:
        results.mkdir(parents=True, exist_ok=True)
        probe = results / f"probe-{secrets.token_hex(4)}.part"
        with os.fdopen(os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb"):
            pass
        probe.unlink()
        linked = [name for name in (SNAPSHOTS, "index.jsonl") if (results / name).is_symlink()]
        said = _exposed(results)
    except OSError as error:
        raise Fault(
            f"results folder '{results}': {reason(error)}; give a writable one with "
            "--results DIR or WORKBENCH_RESULTS"
        ) from None
    if linked:
        raise Fault(
            f"results folder '{results}': its '{linked[0]}' is a link; remove it, or give another "
            "folder with --results DIR"
        )
    return said


def _exposed(results: Path) -> str:
    """Say who else can change what is in the folder."""
    if os.name == "nt":
        return ""
    found = results.stat()
    others = "anyone on this machine can write in it" if found.st_mode & stat.S_IWOTH else ""
    if not others and found.st_uid != os.geteuid():
        others = "it belongs to another user"
    return others and (
        f"results folder '{results.name}': {others}; what runs leave there can be removed or "
        "replaced (their hashes are in the ledger), so give one of your own with --results DIR"
    )
