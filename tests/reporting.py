"""Scripted questions over real tools, for tests of reports."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from inprocess import start_in_process

from workbench.answer import Answer
from workbench.asking.run import Setting
from workbench.limits import Limits
from workbench.models.scripted import Say, Script, ScriptedModel, call, finish
from workbench.session import Session
from workbench.workspace import Workspace

GEOCHEM = "meridian_ridge_geochem.csv"
CLUSTER = call("cluster", path=GEOCHEM, columns=["Au_ppb", "As_ppm", "Cu_ppm"], k=3)
MAP = call("plot_map", path=GEOCHEM, color="Au_ppb")


def scripted(data: Path, scripts: Mapping[str, Script], **options: object) -> Session:
    """Return a session over a folder whose model is scripted; its tools are the real ones."""
    table = Limits().changed(dict(options))
    return Session(Setting(Workspace.at(data), ScriptedModel(scripts), table, start_in_process))


def hand(agent: str, objective: str) -> Say:
    """Return a reply that hands the question to one specialist for good."""
    return call("ask_specialist", agent=agent, objective=objective, final=True)


def grouped(data: Path) -> Answer:
    """Ask for groups: one specialist, one table."""
    scripts = {
        "guide": [call("list_files"), hand("analytics", "Group the samples.")],
        "d01": [CLUSTER, finish("Three groups of 240 samples.")],
    }
    return scripted(data, scripts).ask("Group the samples by Au, As and Cu.")
