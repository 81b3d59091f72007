"""What every test shares: the sample data, the public files, and no network to a model."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from workbench import calibration
from workbench.models import anthropic, keys

if TYPE_CHECKING:
    from cells import Shell

# Shared machines are noisy: how long one example took says nothing about the code.
settings.register_profile("shared", deadline=None)
settings.load_profile("shared")

CHECKOUT = Path(__file__).resolve().parent.parent
# A test that failed and passed at once after it is named in the summary; more of them are a fault.
RERUNS = 3


def pytest_configure() -> None:
    """Heed interrupts: in a shell's background they are ignored, by processes of tests as well."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run in which more tests than `RERUNS` had to be tried a second time."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    again = [] if reporter is None else reporter.stats.get("rerun", [])
    for report in again:
        reporter.write_line(f"\nfailed at first: {report.nodeid}\n{report.longreprtext[-2000:]}")
    if len(again) > RERUNS:
        reporter.write_line(f"{len(again)} tests had to be tried again, more than {RERUNS}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def _own_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep what is learnt of models out of the settings of whoever runs the tests."""
    kept = tmp_path_factory.getbasetemp() / "settings" / "calibration.json"
    kept.unlink(missing_ok=True)
    monkeypatch.setattr(calibration, "file", lambda: kept)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(kept.parent))  # for processes that tests start


@pytest.fixture(autouse=True)
def _no_real_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse real model calls: no key of whoever runs the tests, no provider's own address."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("WORKBENCH_API_KEY", raising=False)
    monkeypatch.setattr(keys, "OWN_BASE", "https://127.0.0.1:9")
    yield
    keys.forget()
    if "anthropic" in sys.modules:
        anthropic.close()


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """Return a shell with the magics that leaves the settings of whoever runs the tests alone."""
    from cells import Shell

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    made = Shell.made()
    yield made
    made.close()


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
