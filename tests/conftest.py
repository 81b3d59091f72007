"""What every test shares: the sample data, the public files, and no network to a model."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from workbench import calibration

# Shared machines are noisy: how long one example took says nothing about the code.
settings.register_profile("shared", deadline=None)
settings.load_profile("shared")

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _own_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep what is learnt of models out of the settings of whoever runs the tests."""
    kept = tmp_path_factory.getbasetemp() / "settings" / "calibration.json"
    kept.unlink(missing_ok=True)
    monkeypatch.setattr(calibration, "file", lambda: kept)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(kept.parent))  # for processes that tests start


@pytest.fixture(scope="session")
def sample_data() -> Path:
    """The synthetic sample set of the checkout; tests copy what they change."""
    return CHECKOUT / "data"


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Public files with right answers beside them; not part of the product."""
    folder = CHECKOUT.parent / "shared" / "data" / "real"
    if not folder.is_dir():
        pytest.skip("public test files are not here: put them into ../shared/data/real")
    return folder
