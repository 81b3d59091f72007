"""Scores that are kept, a column a model: what README shows, and what anybody can add to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.errors import Refused
from workbench.files.records import write_whole
from workbench.score.scoring import OUTCOMES, Outcome, Scored, questions

KEPT = Path(__file__).with_name("scores.json")
_PROJECT = Path(__file__).resolve().parents[2]
_PACKAGED = Path(__file__).resolve().parents[1] / "quickstart"
_SIGN = "meridian_ridge_geochem.csv"


def sample() -> Path:
    """Return the folder of the sample set: of the checkout, else of the wheel.

    Raises
    ------
    Refused
        If neither is there.
    """
    for folder in (_PROJECT / "data", _PACKAGED / "data"):
        if (folder / _SIGN).is_file():
            return folder
    raise Refused("score: the sample set is not here; run it in a checkout")


def public(named: str | None) -> Path | None:
    """Return the folder of public files, or None where it is not here.

    Raises
    ------
    Refused
        If one is named that is not there.
    """
    folder = Path(named) if named else _PROJECT.parent / "shared" / "data" / "real"
    if named and not folder.is_dir():
        raise Refused(f"score: '{named}': no such folder; leave --real out to skip those questions")
    return folder.resolve() if folder.is_dir() else None


def read(path: Path = KEPT) -> dict[str, dict[str, Outcome]]:
    """Return the kept scores: model → id of a question → outcome."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def keep(path: Path, model: str, found: Iterable[Scored]) -> None:
    """Add a model's column to a file, or put it in the place of its old one."""
    known = read(path) if path.exists() else {}
    known[model] = {item.id: item.outcome for item in found}
    write_whole(path, (json.dumps(known, indent=1) + "\n").encode())


def table(kept: Mapping[str, Mapping[str, Outcome]]) -> list[tuple[str, ...]]:
    """Return rows of text: heads, a row a group, and all; a cell says how many are right.

    Of the others it is said how many were not answered; what is neither was wrong or incomplete.
    """
    groups: dict[str, list[str]] = {}
    for item in questions():
        groups.setdefault(item.group, []).append(item.id)
    rows = [("group", "questions", *(f"`{model}`" for model in kept))]
    groups["all"] = [item.id for item in questions()]
    for name, ids in groups.items():
        cells = [_cell([outcomes.get(one, "skipped") for one in ids]) for outcomes in kept.values()]
        rows.append((name, str(len(ids)), *cells))
    return rows


def _cell(outcomes: Sequence[Outcome]) -> str:
    said = [f"{outcomes.count('right')} right"]
    said += [
        f"{outcomes.count(kind)} {kind}"
        for kind in OUTCOMES
        if kind != "right" and outcomes.count(kind)
    ]
    return ", ".join(said)
