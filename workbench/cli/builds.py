"""What the command line does about snapshots that are still being built when the answer is out."""

from __future__ import annotations

import sys

from workbench.asking.building import Build
from workbench.cli.terminal import err
from workbench.session import Session

_STEP_SECONDS = 0.2


def finish(session: Session) -> None:
    """Wait for the snapshots that looks have begun, so that the next command finds them.

    Ctrl-C ends them; what was half done is removed.
    """
    builds = session.setting.builds
    sys.stdout.flush()
    try:
        for build in builds.at_work:
            err(f"the answer is out; building the snapshot of {build.name} (Ctrl-C ends it)")
            _wait(build)
    except KeyboardInterrupt:
        builds.close()
        err("ended; the next command begins it anew")


def _wait(build: Build) -> None:
    told = ""
    while not build.done.wait(_STEP_SECONDS):
        if build.stage != told:
            told = build.stage
            err(f"{build.name}: {told}")
