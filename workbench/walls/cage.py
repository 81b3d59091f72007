"""What a script or command may do: which files, how much of the machine, in which environment.

A plain description, drawn up by the process that starts it and carried out by every engine alike.
Of the results folder only finished files are open: records and snapshots of runs are not.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workbench.errors import Refused
from workbench.files.places import Places
from workbench.files.recordnames import RECORDS, SNAPSHOTS, is_kept
from workbench.limits import Limits
from workbench.walls import boot
from workbench.walls.ceilings import memory_cap
from workbench.walls.environment import child_environment

# Where the shells, interpreters and shared libraries of the system lie.
_PROGRAMS = ("/bin", "/usr/bin", "/usr/local/bin", "/lib", "/lib64", "/usr/lib", "/usr/lib64")
_MORE_PROGRAMS = ("/usr/local/lib", "/usr/libexec", "/nix/store", "/opt/homebrew", "/System")
_SYSTEM = (
    *("/usr/share/zoneinfo", "/usr/share/fonts", "/etc/fonts", "/usr/share/misc", "/usr/share/awk"),
    *(
        "/etc/localtime",
        "/etc/timezone",
        "/etc/ld.so.cache",
        "/etc/ld.so.conf",
        "/etc/alternatives",
    ),
    *("/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm", "/proc/meminfo", "/proc/cpuinfo"),
    *("/proc/stat", "/proc/sys/vm", "/dev/urandom", "/dev/random", "/dev/zero"),
)
_DEVICES = ("/dev/null",)
# Below this, libraries that only reserve address space do not load (DuckDB, pandas, scikit-learn).
_ADDRESS_SPACE = 4_000_000_000
_DESCRIPTORS = 256
_MOST_PARTS = 2_000
_DEEPEST = 64
# Names in the script's own folder: the data, the results of the run, and what is not handed on.
DATA, RESULTS, RUN, PRIVATE, TABLES = "data", "results", "…", "tmp", "tables"


@dataclass(frozen=True)
class Cage:
    """What one script or command may do.

    Attributes
    ----------
    readable : tuple of str
        Files and folders it may read.
    runnable : tuple of str
        Folders from which it may start programs and load libraries.
    devices : tuple of str
        Devices it may read and write.
    folder : str
        Where it starts, and the only folder it writes into.
    environment : mapping
        All of its environment.
    limits : mapping
        ``cpu_seconds, file_bytes, memory, address_space, descriptors, processes``.
    required : bool
        False where the analyst said that scripts may run without walls.
    """

    readable: tuple[str, ...]
    runnable: tuple[str, ...]
    devices: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]
    limits: Mapping[str, int]
    required: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Cage:
        """Read it back."""
        return cls(
            tuple(data["readable"]),
            tuple(data["runnable"]),
            tuple(data["devices"]),
            str(data["folder"]),
            dict(data["environment"]),
            dict(data["limits"]),
            bool(data["required"]),
        )


def draw_up(places: Places, limits: Limits, folder: Path, *, required: bool) -> Cage:
    """Return the cage of the scripts of one dispatch.

    Parameters
    ----------
    places : Places
        Where the data and the results are.
    limits : Limits
        The session's table.
    folder : Path
        The scripts' own folder.
    required : bool
        Whether walls are required.
    """
    libraries = (*boot.folders(), *_split(os.environ.get("LD_LIBRARY_PATH", "")))
    python = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    python |= {sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib")}
    package = str(Path(__file__).absolute().parent.parent)
    return Cage(
        readable=(*_data(places), *results(places), *_SYSTEM, package),
        runnable=(*sorted(python), *libraries, *_PROGRAMS, *_MORE_PROGRAMS),
        devices=_DEVICES,
        folder=str(folder),
        environment=_environment(folder, places),
        limits=_caps(limits),
        required=required,
    )


def _split(paths: str) -> list[str]:
    return [path for path in paths.split(os.pathsep) if path]


def _caps(limits: Limits) -> dict[str, int]:
    memory = memory_cap(limits["child_memory"].number)
    return {
        "cpu_seconds": limits["child_seconds"].number,
        "file_bytes": limits["artefact_bytes"].number,
        "memory": memory,
        "address_space": max(_ADDRESS_SPACE, 2 * memory),
        "descriptors": _DESCRIPTORS,
        "processes": limits["script_processes"].number,
    }


def _environment(folder: Path, places: Places) -> dict[str, str]:
    """Return an environment without anything of the analyst's but the paths of programs."""
    given = child_environment()
    own = ("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR", "XDG_CACHE_HOME")
    return {
        **{name: value for name, value in given.items() if name != "USERPROFILE"},
        **dict.fromkeys(own, str(folder / PRIVATE)),
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "WORKBENCH_RESULTS_OF": os.pathsep.join(_runs(places)),
    }


def _runs(places: Places) -> list[str]:
    return [places.run, *(str(Path(places.results, run)) for run in places.earlier)]


def _data(places: Places) -> list[str]:
    """Return what may be read of the data folder, without the results that may lie in it."""
    parts = _parts(places)
    return [places.root] if parts is None else [str(part) for part in parts]


def _parts(places: Places) -> list[Path] | None:
    """Return the parts of the data folder that may be read, None where that is the whole of it.

    Raises
    ------
    Refused
        If there are too many to be named one by one to the system.
    """
    if places.only is not None:
        return [Path(places.root, places.only)]
    parts = open_parts(Path(places.root), Path(places.results))
    if parts is not None and len(parts) > _MOST_PARTS:
        raise Refused(
            f"scripts: results lie among {len(parts):,} files of the data folder, and at most "
            f"{_MOST_PARTS:,} can be opened one by one; keep results elsewhere (--results DIR)"
        )
    return parts


def results(places: Places) -> list[str]:
    """Return the finished files of this run and of the conversation's earlier ones."""
    found = []
    for run in _runs(places):
        try:
            entries = sorted(Path(run).iterdir())
        except OSError:
            continue
        found += [
            str(entry)
            for entry in entries
            if entry.name not in RECORDS and entry.suffix != ".part" and entry.is_file()
        ]
    return found


def open_parts(folder: Path, kept: Path, depth: int = 0) -> list[Path] | None:
    """Return the parts of a folder that may be read, None where that is the whole of it.

    Parameters
    ----------
    folder : Path
        A folder of the data.
    kept : Path
        The results folder: it, and records of runs wherever they lie, are left out.
    depth : int, optional
        How deep it lies; far below, a folder is left out rather than looked through.
    """
    whole, parts = True, []
    for entry, is_folder in _entries(folder):
        if is_kept(entry, kept) or (is_folder and depth >= _DEEPEST):
            whole = False
            continue
        inner = open_parts(entry, kept, depth + 1) if is_folder else None
        whole = whole and inner is None
        parts += [entry] if inner is None else inner
    return None if whole else parts


def _entries(folder: Path) -> Iterator[tuple[Path, bool]]:
    try:
        with os.scandir(folder) as found:
            for entry in found:
                yield Path(entry.path), entry.is_dir(follow_symlinks=False)
    except OSError:
        return


def furnish(folder: Path, places: Places) -> None:
    """Make the folder of the scripts of a dispatch: links to data and results, a private folder.

    It is done before any script ran, so nothing in it can lead these steps astray.
    """
    parts = _parts(places)
    folder.mkdir(mode=0o700, parents=True)
    (folder / PRIVATE).mkdir(mode=0o700)
    (folder / RESULTS).mkdir(mode=0o700)
    _link(folder / RESULTS / RUN, Path(places.run))
    root, data = Path(places.root), folder / DATA
    if parts is None:
        _link(data, root)
        return
    data.mkdir(mode=0o700)
    for part in parts:
        place = data / part.relative_to(root)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _link(place, part)


def lend(folder: Path, places: Places, lent: Mapping[str, str]) -> list[str]:
    """Link the snapshots that a script may read; return their paths.

    Parameters
    ----------
    folder : Path
        The scripts' own folder.
    places : Places
        Where snapshots are kept.
    lent : mapping
        Name of a table → file name of its snapshot.

    Raises
    ------
    Refused
        If an earlier script left something in the way.
    """
    if not lent:
        return []
    shelf, found = Path(places.results, SNAPSHOTS), []
    try:
        (folder / TABLES).mkdir(mode=0o700, exist_ok=True)
        for name, part in lent.items():
            place = folder / TABLES / f"{name}.parquet"
            place.unlink(missing_ok=True)
            _link(place, shelf / part)
            found.append(str(shelf / part))
    except OSError as error:
        raise Refused(
            f"tables: {TABLES}/ of the scripts is in the way ({error.strerror})"
        ) from None
    return found


def _link(place: Path, target: Path) -> None:
    place.symlink_to(target, target_is_directory=target.is_dir())
