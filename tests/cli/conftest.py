"""A scripted session behind the command line, and data that a test may change."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from conversation import session as scripted

from workbench.models.scripted import Script
from workbench.session import Session

Scripted = Callable[..., Session]


@pytest.fixture
def answering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """Return what makes the next session of the command line a scripted one."""

    def prepare(scripts: Mapping[str, Script], **options: object) -> Session:
        made = scripted(tmp_path, scripts, **options)  # type: ignore[arg-type]

        def opened(
            *_: object, limits: Mapping[str, object] | None = None, **_more: object
        ) -> Session:
            return made.with_limits(limits or {})

        monkeypatch.setattr(Session, "open", opened)
        return made

    return prepare


@pytest.fixture
def geochem(tmp_path: Path, sample_data: Path) -> Path:
    """The sample soils in a folder of their own."""
    folder = tmp_path / "field"
    folder.mkdir()
    shutil.copy(sample_data / "meridian_ridge_geochem.csv", folder)
    return folder / "meridian_ridge_geochem.csv"


@pytest.fixture(autouse=True)
def _no_results_folder_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WORKBENCH_RESULTS", raising=False)
