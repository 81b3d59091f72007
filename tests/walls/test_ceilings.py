"""How much memory a child may hold, by the row and by the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.walls.ceilings import memory_cap

GB = 1_000_000_000


def machine(root: Path, cgroup: str, limits: dict[str, str]) -> Path:
    """Lay out what the kernel shows of a process's control groups."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(cgroup)
    for name, value in limits.items():
        place = root / "sys/fs/cgroup" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(value + "\n")
    return root


def test_the_row_holds_where_nothing_else_is_less(tmp_path: Path) -> None:
    root = machine(tmp_path, "0::/\n", {"memory.max": "max"})
    assert memory_cap(1_000_000, root=root) == 1_000_000


@pytest.mark.parametrize(
    ("cgroup", "limits"),
    [
        ("0::/user/lab\n", {"user/lab/memory.max": "800000000"}),
        ("0::/user/lab\n", {"user/memory.max": "800000000", "user/lab/memory.max": "max"}),
        ("4:cpu,memory:/box\n0::/\n", {"memory/box/memory.limit_in_bytes": "800000000"}),
        ("4:memory:/gone/away\n", {"memory/memory.limit_in_bytes": "800000000"}),
    ],
)
def test_a_quarter_of_the_control_group_holds_if_it_is_less(
    tmp_path: Path, cgroup: str, limits: dict[str, str]
) -> None:
    root = machine(tmp_path, cgroup, limits)
    assert memory_cap(2 * GB, root=root) == 200_000_000


def test_the_older_word_for_no_limit_is_no_limit(tmp_path: Path) -> None:
    endless = {"memory/memory.limit_in_bytes": "9223372036854771712"}
    root = machine(tmp_path, "4:memory:/\n", endless)
    assert memory_cap(1_000_000, root=root) == 1_000_000


def test_a_path_in_the_listing_does_not_lead_out_of_the_control_groups(tmp_path: Path) -> None:
    root = machine(tmp_path, "0::/../../../secret\n", {"memory.max": "4000000"})
    (root / "secret").mkdir()
    (root / "secret/memory.max").write_text("4")
    assert memory_cap(2 * GB, root=root) == 1_000_000


def test_a_quarter_of_the_machine_is_the_most(tmp_path: Path) -> None:
    assert memory_cap(2**60, root=tmp_path) < 2**60 // 1024
