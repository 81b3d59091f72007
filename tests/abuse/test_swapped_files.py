"""A child that puts another thing where its finished file was, while the file is taken over."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.files import handing

SWAPS: dict[str, Callable[[Path, Path], None]] = {
    "a link": lambda place, other: place.symlink_to(other),
    "a FIFO": lambda place, _other: os.mkfifo(place),
    "a link to nothing": lambda place, other: place.symlink_to(other / "x"),
    "a folder": lambda place, _other: place.mkdir(),
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs here")
@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.timeout(20)
def test_what_is_no_file_any_more_is_not_taken_and_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swap: str
) -> None:
    source, target, other = (tmp_path / name for name in ("made.csv", "kept.csv", "other"))
    source.write_text("a\n1\n")
    other.write_text("not the child's")
    link = os.link

    def swapped(*places: Path, **how: bool) -> None:
        source.unlink()
        SWAPS[swap](source, other)
        link(*places, **how)

    # Between the look at it and its taking.
    monkeypatch.setattr(os, "link", swapped)
    with pytest.raises(OSError):  # noqa: PT011 - the system's own for some
        handing.take(source, target)
    assert not os.path.lexists(target)
    assert other.read_text() == "not the child's"
