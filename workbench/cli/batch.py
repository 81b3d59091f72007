"""``batch``: a file of questions put to a set of data folders, with reports and one summary."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cli.ask import ask
from workbench.cli.terminal import err, near, out
from workbench.cli.usage import pairs
from workbench.errors import Refused, Stopped, WorkbenchError
from workbench.loops import budget

if TYPE_CHECKING:
    from workbench.answer import Answer
    from workbench.report.batch import Done, Task

_SHOWN = 70


def add_batch(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``batch``."""
    parser.add_argument("questions", metavar="QUESTIONS.md", help="one question a heading")
    parser.add_argument("data", metavar="DATA", nargs="+", help="data folders, or data files")
    parser.add_argument(
        *("-o", "--out"),
        metavar="DIR",
        default="batch",
        help="reports and summary (default: batch)",
    )
    parser.add_argument(*("-m", "--model"), default="", help="as in workbench ask")
    parser.add_argument(*("--base-url",), default="", metavar="URL", help="as in workbench ask")
    parser.add_argument(*("-b", "--budget"), metavar="N", help="of each question: 200k or 0.50usd")
    parser.add_argument(
        *("-l", "--limit"), action="append", default=[], metavar="key=value", help="change a limit"
    )
    parser.add_argument("--again", action="store_true", help="ask what was answered before too")
    parser.epilog = "example: workbench batch questions.md week-47 week-48 -o reports"


def run_batch(arguments: argparse.Namespace) -> int:
    """Ask what is not answered yet, write its report, keep the summary up to date."""
    from workbench.report import batch

    place = Path(arguments.questions)
    try:
        text = place.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise Refused(f"questions '{place}': {reason}; give a Markdown file") from None
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    model = f"{arguments.model} {arguments.base_url}".strip()
    tasks = batch.plan(batch.questions(text), [Path(one) for one in arguments.data], model)
    found = {} if arguments.again else batch.known(folder)
    found = {sign: done for sign, done in found.items() if done.status == "answered"}
    try:
        for number, task in enumerate(tasks, start=1):
            _one(folder, task, f"{number}/{len(tasks)}", found, arguments)
    finally:
        shown = batch.summary(folder, tasks, found)
    out(near(shown))
    left = [task for task in tasks if found[task.sign].status != "answered"]
    if left:
        err(f"batch: {len(left)} of {len(tasks)} not answered; see {near(shown)}")
    return 1 if left else 0


def _one(
    folder: Path,
    task: Task,
    place: str,
    found: dict[str, Done],
    arguments: argparse.Namespace,
) -> None:
    """Carry out one task, unless it was before."""
    from workbench.report import batch

    said = " ".join(task.question.split())
    said = said if len(said) <= _SHOWN else f"{said[: _SHOWN - 1]}…"
    where = task.name.partition("/")[0]
    if task.sign in found:
        err(f"{place} {where}: answered before: {said}")
        return
    err(f"{place} {where}: {said}")
    done = _asked(folder, task, arguments)
    found[task.sign] = done
    batch.keep(folder, done)


def _heeded(answer: Answer) -> Answer:
    """Return an answer; a stop by the analyst ends the whole batch."""
    if answer.status == "interrupted":
        raise Stopped("stopped by the analyst")
    return answer


def _asked(folder: Path, task: Task, arguments: argparse.Namespace) -> Done:
    """Ask one question and write its report; what fails becomes the outcome of the task alone."""
    from workbench.report import writing
    from workbench.report.batch import Done
    from workbench.session import Session

    started = time.monotonic()
    told = (task.sign, str(task.data), task.question)
    limits: dict[str, Any] = dict(pairs(arguments.limit, "limit"))
    if arguments.budget is not None:
        limits |= budget.read(arguments.budget, "budget")
    try:
        session = Session.open(
            task.data, None, arguments.model, base_url=arguments.base_url, limits=limits
        )
        answer = _heeded(ask(session, task.question, {}))
        targets = [folder / f"{task.name}.{form}" for form in ("html", "ipynb")]
        report = writing.write(answer.folder, targets)[0]
    except Stopped:
        raise
    except WorkbenchError as error:
        return Done(*told, "failed", str(error), "", "", round(time.monotonic() - started, 1))
    words = answer.text or answer.reason
    name = report.relative_to(folder).as_posix()
    seconds = round(time.monotonic() - started, 1)
    return Done(*told, answer.status, words, answer.run, name, seconds)
