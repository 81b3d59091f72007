"""Putting the questions to a model, one by one, and counting by group what came of them.

A question the model turned down counts as not answered; one whose files are not here is skipped;
an answer that lacks anything a right one has counts as wrong.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

from workbench.errors import Refused, WorkbenchError, nearest
from workbench.score.judging import missing
from workbench.score.rawfiles import Raw
from workbench.session import Session

Outcome = Literal["right", "wrong", "not answered", "skipped"]
OUTCOMES: tuple[Outcome, ...] = ("right", "wrong", "not answered", "skipped")
_FILE = Path(__file__).with_name("questions.toml")
SAMPLE = "sample"


@dataclass(frozen=True)
class Question:
    """One question.

    Attributes
    ----------
    id : str
        Letter of its group and a number.
    group : str
        What it is about.
    ask : str
        Its words.
    expect : sequence of mapping
        What a right answer has in it.
    data : str
        ``sample``, or a folder of public files.
    """

    id: str
    group: str
    ask: str
    expect: Sequence[Mapping[str, Any]]
    data: str = SAMPLE


@dataclass(frozen=True)
class Scored:
    """What came of one question.

    Attributes
    ----------
    id, group, ask : str
        The question.
    outcome : str
        ``right``, ``wrong``, ``not answered`` or ``skipped``.
    why : str
        What is missing, or why there is no answer.
    run : str
        The run that has the answer.
    tokens : int
        Tokens it took, in and out.
    """

    id: str
    group: str
    ask: str
    outcome: Outcome
    why: str = ""
    run: str = ""
    tokens: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Places:
    """Where the data of the questions is.

    Attributes
    ----------
    sample : Path
        The sample set.
    public : Path or None
        Folder of public files; their questions are skipped where it is None.
    results : Path or None
        Where runs are kept; in a folder that goes with the process if None.
    """

    sample: Path
    public: Path | None = None
    results: Path | None = None

    def data(self, name: str) -> Path | None:
        """Return the folder of some data, or None where it is not here."""
        folder = self.sample if name == SAMPLE else self.public and self.public / name
        return folder if folder and folder.is_dir() else None


def questions(only: Iterable[str] = ()) -> list[Question]:
    """Return the questions, or those of the given ids or letters.

    Raises
    ------
    Refused
        If one is not there.
    """
    every = [Question(**entry) for entry in _document()["question"]]
    wanted = list(only)
    for word in wanted:
        if not any(item.id == word or item.id[0] == word for item in every):
            ids = [item.id for item in every]
            raise Refused(f"score: question '{word}': there is none{nearest(word, ids)}")
    return [item for item in every if not wanted or item.id in wanted or item.id[0] in wanted]


def _document() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def score(
    model: str,
    places: Places,
    only: Iterable[str] = (),
    limits: Mapping[str, object] | None = None,
    base_url: str = "",
) -> Iterator[Scored]:
    """Put the questions to a model; yield what comes of each.

    Parameters
    ----------
    model : str
        Name of a model, as for ``ask -m``.
    places : Places
        Where the data is.
    only : iterable of str, optional
        Ids or letters of the questions; all if left out.
    limits : mapping, optional
        Changed limits, such as a budget for each question.
    base_url : str, optional
        Address of a server of one's own, as for ``ask --base-url``.
    """
    how = _document()["files"]
    with tempfile.TemporaryDirectory(prefix="workbench-score-") as passing:
        results = places.results or Path(passing)
        for question in questions(only):
            folder = places.data(question.data)
            if folder is None:
                why = f"public files '{question.data}' are not here; see --real"
                yield _scored(question, "skipped", why)
                continue
            kept = results / question.data
            kept.mkdir(parents=True, exist_ok=True)
            opened = partial(Session.open, folder, kept, model, base_url=base_url, limits=limits)
            yield _judged(question, Raw(folder, how), opened)


def _judged(question: Question, raw: Raw, opened: Callable[[], Session]) -> Scored:
    try:
        answer = opened().ask(question.ask)
    except WorkbenchError as error:
        return _scored(question, "not answered", str(error))
    used = answer.usage
    more = {"run": answer.run, "tokens": used["input_tokens"] + used["output_tokens"]}
    if answer.status != "answered":
        return _scored(question, "not answered", answer.reason.splitlines()[0], **more)
    lacks = missing(raw, question.expect, answer)
    return _scored(question, "wrong" if lacks else "right", "; ".join(lacks), **more)


def _scored(question: Question, outcome: Outcome, why: str, **more: Any) -> Scored:  # noqa: ANN401 - run and tokens
    return Scored(question.id, question.group, question.ask, outcome, why, **more)


def by_group(found: Iterable[Scored]) -> dict[str, dict[str, int]]:
    """Return how many of each outcome every group has, in order of the questions."""
    counts: dict[str, dict[str, int]] = {}
    for item in found:
        row = counts.setdefault(item.group, dict.fromkeys(OUTCOMES, 0))
        row[item.outcome] += 1
    return counts
