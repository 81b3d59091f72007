"""Other files under the names that recorded calls use: next season's table for this one's."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from workbench.errors import Refused

_NAMED = "_named"


def as_named(data: Path, results: Path, names: Mapping[str, str]) -> Path:
    """Return a folder in which other files have the names that the calls use; no byte is changed.

    Raises
    ------
    Refused
        If one of the files is not there.
    """
    renamed = {old: new for old, new in names.items() if old != new}
    if not renamed:
        return data
    sign = hashlib.sha256(repr((str(data.resolve()), sorted(names.items()))).encode())
    place = results / _NAMED / sign.hexdigest()[:12]
    shutil.rmtree(place, ignore_errors=True)
    for old, new in names.items():
        source, target = data / new, place / old
        if old not in renamed and not source.is_file():
            continue  # a file that no result rests on may not be there this time
        if not source.is_file() or not target.resolve().is_relative_to(place.resolve()):
            raise Refused(
                f"data '{new}': no such file in '{data}'; say in the parameters which file stands "
                f"for {old}"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        _link(source, target)
    return place


def _link(source: Path, target: Path) -> None:
    """Give a file a second name, or copy it where the disk has no links."""
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copyfile(source, target)
