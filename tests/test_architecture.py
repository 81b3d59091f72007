"""The shape of the package, held over its syntax trees: who imports whom, and how large things are.

A module stands in one layer and imports from its own layer and those before it. A new module has
to be entered here, which is the moment to ask where it belongs.
"""

from __future__ import annotations

import ast
import functools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGE = CHECKOUT / "workbench"

# In the order of import. A name stands for the module, or the package with all that is in it;
# names after ``package:`` are modules of that package.
LAYERS: tuple[tuple[str, str], ...] = (
    ("words", ". errors visible limits_rows limits marker"),
    (
        "names",
        "tokens files: longtext tabular rowtext beneath filenames filewords recordnames walking",
    ),
    ("places", "workspace files: fileset places resultsplace"),
    ("bytes", "calibration files: newfile records knownhashes handing lines pipes"),
    ("ledger", "ledger approvals files: writerlock"),
    ("artefacts", "reply artefacts"),
    ("gate", "context: block sources: claims claiming deriving placing unsourced backing"),
    ("gate", "context: result sources: measures"),
    ("gate", "view context: history inbox used"),
    ("gate", "context: admission steps render packing said"),
    ("gate", "gate answer context: previews output"),
    ("formats", "formats"),
    ("tables", "tables"),
    ("accounting", "accounting"),
    ("figures", "figures"),
    ("tools", "tools"),
    ("agents", "agents models listing"),
    ("loop", "context: meter loops: budget services turns thoughts stops"),
    ("loop", "context: context_window loops: readahead hearing"),
    ("loop", "loop loops: finishing"),
    ("walls", "confine walls: syscalls seccomp landlock ceilings environment boot"),
    ("walls", "walls: cage engines caged scripts: inside"),
    ("process", "child process: preload processtree cancellation lifeline forkserver"),
    ("sandbox", "scripts: keeper spool caging yields sandbox"),
    (
        "launch",
        "launch process: launched forked launch_fork launch_exec childwords childstream childlink",
    ),
    (
        "dispatch",
        "dispatch asking: building starting surroundings executor scripts: leftovers lending",
    ),
    ("run", "asking: setting unfinished run sofar attachments desk onecall people"),
    ("session", "session dryrun"),
    ("past", "doctor runs: past conversation located pruning lineage_steps lineage lineage_shown"),
    ("past", "runs: deciding kept_texts calls seen story transcript infull openable"),
    ("past", "runs: recorded replaying redoing comparing verifying"),
    ("surface", "report notebook score check demo mcp cli"),
    ("surface", "docs_models docs_beside ugly_file docs __main__"),
)

# Names in the package that may import a foreign library; everything else may not.
ALONE: dict[str, tuple[str, ...]] = {
    "IPython": ("notebook",),
    "ipywidgets": ("notebook",),
    "anywidget": ("notebook",),
    "traitlets": ("notebook",),
    "great_tables": ("report",),
    "nbformat": ("report", "demo"),
    "nbclient": ("report", "demo"),
    "anthropic": ("models.anthropic",),
    "lasio": ("formats.las_header",),
    "chardet": ("formats.las_text",),
    "threadpoolctl": ("tables",),
    "sandlock": ("scripts.keeper",),
    "mcp": ("mcp",),
    "mcp_types": ("mcp",),
    "duckdb": ("formats", "tables"),
}
HEAVY = ("sklearn", "scipy", "pyrolite", "matplotlib", "plotly", "mcp", "anthropic", "pandas")

MODULE_LINES, FUNCTION_LINES, DOCSTRING_LINES = 300, 40, 6
# Its docstring is the drawing of the error tree, and longer for it.
DRAWN = {"errors"}

# A late import counts like any other, unless it is here with its reason.
EXCUSED: dict[tuple[str, str], str] = {
    (".", "notebook.magics"): "%load_ext calls load_ipython_extension of the package itself",
}


def module_name(path: Path) -> str:
    """Return the dotted name of a module below the package; ``.`` for the package itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join(parts) or "."


def _ranks() -> Iterator[tuple[str, int]]:
    for number, (_, entries) in enumerate(LAYERS):
        package = ""
        for entry in entries.split():
            if entry.endswith(":"):
                package = f"{entry[:-1]}."
            else:
                yield f"{package}{entry}", number


RANKS = dict(_ranks())
# A package of ranked modules is no module itself: its __init__ holds a docstring alone.
PACKAGES = {name.rpartition(".")[0] for name in RANKS if "." in name}
MODULES = {
    name: path
    for path in sorted(PACKAGE.rglob("*.py"))
    if (name := module_name(path)) not in PACKAGES or name in RANKS
}


def rank(module: str) -> int | None:
    """Return the layer of a module: by its own name, or that of a package above it."""
    parts = module.split(".")
    for end in range(len(parts), 0, -1):
        if (found := RANKS.get(".".join(parts[:end]))) is not None:
            return found
    return RANKS["."] if module == "." else None


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[str]:
    """Yield every name imported at run time, late imports included."""
    hidden = {
        id(inner)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree(path)):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports name the whole module"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ours(path: Path) -> Iterator[str]:
    """Yield the modules of this package that a module imports."""
    for name in imported(path):
        if name.split(".")[0] == "workbench":
            inner = name.removeprefix("workbench").removeprefix(".")
            yield next((form for form in (inner, inner.rpartition(".")[0]) if form in MODULES), ".")


def functions() -> Iterator[tuple[str, int]]:
    """Yield each function of the package and its lines, its docstring left out."""
    for name, path in MODULES.items():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[0]
                doc = ast.get_docstring(node) is not None
                said = (first.end_lineno or 0) - first.lineno + 1 if doc else 0
                yield f"{name}.{node.name}", (node.end_lineno or 0) - node.lineno + 1 - said


def test_every_module_stands_in_a_layer() -> None:
    assert [name for name in MODULES if rank(name) is None] == []


def test_every_entry_of_the_table_exists() -> None:
    assert sorted(set(RANKS) - set(MODULES)) == []


def test_imports_only_go_down() -> None:
    upward = [
        f"{name} imports {other}"
        for name, path in MODULES.items()
        for other in ours(path)
        if (rank(other) or 0) > (rank(name) or 0) and (name, other) not in EXCUSED
    ]
    assert upward == []


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = {name: set(ours(path)) - {name, "."} for name, path in MODULES.items()}
    done: set[str] = set()

    def walk(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, f"a circle: {' -> '.join((*way[way.index(name) :], name))}"
        if name not in done:
            for other in sorted(graph[name]):
                walk(other, (*way, name))
            done.add(name)

    for name in graph:
        walk(name, ())


def test_every_excuse_is_needed() -> None:
    needed = {
        (name, other)
        for name, path in MODULES.items()
        for other in ours(path)
        if (rank(other) or 0) > (rank(name) or 0)
    }
    assert set(EXCUSED) <= needed


@pytest.mark.parametrize("library", ALONE)
def test_a_foreign_library_is_imported_where_it_belongs_alone(library: str) -> None:
    places = ALONE[library]
    strangers = [
        name
        for name, path in MODULES.items()
        if any(word.split(".")[0] == library for word in imported(path))
        and not any(name == place or name.startswith(f"{place}.") for place in places)
    ]
    assert strangers == []


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    code = (
        "import json, sys, workbench, workbench.session, workbench.cli, workbench.cli.ask\n"
        f"print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert json.loads(done.stdout) == []


def test_modules_are_short() -> None:
    lines = {name: len(path.read_bytes().splitlines()) for name, path in MODULES.items()}
    assert {name: count for name, count in lines.items() if count > MODULE_LINES} == {}


def test_functions_are_short() -> None:
    assert {name: count for name, count in functions() if count > FUNCTION_LINES} == {}


def test_every_module_says_what_it_is() -> None:
    wrong = {}
    for name, path in MODULES.items():
        said = (ast.get_docstring(tree(path)) or "").splitlines()
        if not 1 <= len(said) <= DOCSTRING_LINES and name not in DRAWN:
            wrong[name] = len(said)
    assert wrong == {}


def tracked() -> list[Path]:
    """Return the text files that are, or are about to be, in the repository."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(words, cwd=CHECKOUT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    names = [name for name in done.stdout.decode().split("\0") if name]
    return [CHECKOUT / name for name in names if (CHECKOUT / name).is_file()]


# Put together here, since this file is tracked as well.
REGISTRIES = ("pythonhost" + "ed", "py" + "pi.org", "npm" + "js.", "yarn" + "pkg.")
MACHINE = r"(?<![\w.~])/(?:wo" + "rk|ho" + r"me/\w+|tmp/\w+/)/"


def test_no_file_names_a_package_registry_or_a_path_of_one_machine() -> None:
    found = []
    for path in tracked():
        data = path.read_bytes()
        if b"\0" in data[:8_192]:
            continue
        text = data.decode("utf-8", "replace")
        found += [f"{path.name}: {word}" for word in REGISTRIES if word in text]
        found += [f"{path.name}: {hit[0]}" for hit in re.finditer(MACHINE, text)]
    assert found == []
