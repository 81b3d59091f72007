"""Every file that is listed can be opened by the name it is listed under; nothing else can."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.errors import Refused
from workbench.visible import cell
from workbench.workspace import Workspace

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names that POSIX alone allows")

NAMES = [
    *("a\\b.csv", "C:x.csv", "~home.csv", "~", "c:\\windows\\x.csv", "-dash.csv", "CON.csv"),
    *("trailing.csv ", " leading.csv", " ", "new\nline.csv", "tab\t.csv", "bi\u202edi.csv"),
    *(
        "a|b.csv",
        "a*b.csv",
        "q?.csv",
        "[x].csv",
        "quo'te\".csv",
        "a..b.csv",
        "e\u0301.csv",
    ),
    *("\u200b.csv", "raw\udcff.csv", "{{x}}.csv", "%41.csv", "x" * 250, "in\\ner/C:y.csv"),
]


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    for name in NAMES:
        file = tmp_path / "data" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name.encode("utf-8", "replace").hex())
    return Workspace.at(tmp_path / "data")


def test_every_name_that_a_file_can_have_is_listed(place: Workspace) -> None:
    assert sorted(entry.name for entry in place.walk()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_opens_by_its_own_name_and_by_the_one_it_is_listed_under(
    place: Workspace, name: str
) -> None:
    for form in (name, cell(name)):
        with place.open(form) as file:
            assert bytes.fromhex(file.read().decode()) == name.encode("utf-8", "replace")


def test_a_name_that_was_cut_in_a_listing_still_opens(place: Workspace) -> None:
    with place.open(f"{'x' * 190}…[+60]") as file:
        assert file.name == "x" * 250
    with pytest.raises(Refused):
        place.open(f"{'x' * 190}…[+59]")


def test_a_listed_name_that_two_files_share_opens_neither(place: Workspace) -> None:
    for name in ("a\x07.csv", "a\\u0007.csv"):
        (place.root / name).write_text("1")
    with place.open("a\x07.csv") as file:
        assert file.name == "a\x07.csv"
    # A file that really has the name is that file.
    with place.open("a\\u0007.csv") as file:
        assert file.name == "a\\u0007.csv"
    (place.root / "a\\u0007.csv").unlink()
    (place.root / "b\x07|.csv").write_text("1")
    (place.root / "b\x07¦.csv").write_text("1")
    with pytest.raises(Refused):
        place.open("b\\u0007¦.csv")


@pytest.mark.parametrize("name", ["..\\..\\etc\\passwd", "C:\\a.csv", "~/a.csv", "in\\..\\a.csv"])
def test_a_name_that_could_leave_elsewhere_is_refused_where_no_file_has_it(
    place: Workspace, name: str
) -> None:
    with pytest.raises(Refused, match="stay inside"):
        place.open(name)


def test_a_backslash_still_parts_folders_where_no_file_has_the_name(place: Workspace) -> None:
    (place.root / "inner").mkdir()
    (place.root / "inner" / "b.csv").write_text("1")
    with place.open("inner\\b.csv") as file:
        assert file.name == "inner/b.csv"


def test_links_that_lead_in_a_circle_hold_no_files_and_are_told(tmp_path: Path) -> None:
    """A2: no recursion into a loop, of one link or of two."""
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    (tmp_path / "up").symlink_to(".")
    for name in ("loop", "one", "two"):
        assert list(Workspace.at(tmp_path).walk(name)) == []
        with pytest.raises(Refused, match="circle"):
            Workspace.at(tmp_path / name)
    assert list(Workspace.at(tmp_path).walk()) == []


def test_folders_nested_beyond_any_stack_are_walked(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "z.csv").write_text("1")
    place = os.open(data, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    try:
        assert [entry.name for entry in Workspace.at(data).walk()] == ["z.csv"]
    finally:  # the library's own way of removing folders would overflow
        subprocess.run(["rm", "-rf", str(data / "d")], check=True)
