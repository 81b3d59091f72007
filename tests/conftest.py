"""What every test shares: the sample data, the public files, and no network to a model."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# Shared machines are noisy: how long one example took says nothing about the code.
settings.register_profile("shared", deadline=None)
settings.load_profile("shared")

CHECKOUT = Path(__file__).resolve().parent.parent


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
