"""Handing work over: tools that the parent carries out itself.

They have no body here. The dispatcher gives each its meaning; a child that asks for one is
refused, since a specialist dispatches nobody.
"""

from __future__ import annotations

from typing import Any, Literal

from workbench.errors import Refused
from workbench.reply import Reply
from workbench.tools.registry import tool

# The call that ends a loop: every agent has it, so it stands in no agent's list.
FINISH = "finish"

Status = Literal["success", "partial", "error"]


def _in_parent() -> Reply:
    raise Refused("handing work over is done by the session, not by a child")


@tool(effect="run", place="parent")
def dispatch(_: object, agent: str, objective: str, *, final: bool = False) -> Reply:
    """Send one specialist to work with a fresh context. It sees the objective and nothing else.

    Parameters
    ----------
    agent : str
        Which specialist.
    objective : str
        What to find out, with file names and column names; never rows.
    final : bool
        True where the specialist's own words will be the answer: no further model call is made.
    """
    return _in_parent()


@tool(effect="run", place="parent")
def ask_specialist(_: object, agent: str, objective: str, *, final: bool = True) -> Reply:
    """Hand a simple question straight to one specialist.

    Parameters
    ----------
    agent : str
        Which specialist.
    objective : str
        The question, with the file names it is about.
    final : bool
        True where the specialist's own words will be the answer.
    """
    return _in_parent()


@tool(effect="run", place="parent")
def ask_orchestrator(_: object, objective: str, *, final: bool = True) -> Reply:
    """Hand a question of several steps to the orchestrator, who plans and sends specialists.

    Parameters
    ----------
    objective : str
        The question, with the file names it is about.
    final : bool
        True where the orchestrator's own words will be the answer.
    """
    return _in_parent()


@tool(effect="run", place="parent")
def finish(
    _: object,
    status: Status,
    results: list[str],
    evidence_for: list[str] | None = None,
    evidence_against: list[str] | None = None,
    recommendations: list[str] | None = None,
    errors: list[str] | None = None,
    claims: list[dict[str, Any]] | None = None,
) -> Reply:
    """Give your final result and end. Only this leaves your context.

    Parameters
    ----------
    status : str
        success, partial or error.
    results : list of str
        What you found, most important first: sentences with numbers, units and artefact paths.
    evidence_for, evidence_against : list of str
        What speaks for it, or against.
    recommendations : list of str
        What to do next.
    errors : list of str
        What did not work.
    claims : list of dict
        One for each number, named {{claim:1}}, {{claim:2}} … in the texts: value, path, statistic
        (rows, count, share, below, above, missing, mean, median, min, max, sum, sd, p95 …), column,
        filter, group {COLUMN: VALUE}; or value, tool and fact: the key of its answer;
        or value, statistic ratio, share, difference or rest, and from: numbers of other claims.
    """
    return _in_parent()
