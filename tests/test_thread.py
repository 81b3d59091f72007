"""A conversation over several questions: what an earlier one made can be opened by the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.asking.run import Setting
from workbench.asking.starting import start_child
from workbench.context.history import Thread
from workbench.errors import Refused
from workbench.limits import Limits
from workbench.models.scripted import Heard, Say, ScriptedModel, call, finish
from workbench.session import Session
from workbench.tools.context import Context
from workbench.workspace import Workspace

SOILS = "id,Au_ppb\ns1,5\ns2,7\ns3,9\n"
MADE = "results/…/soils_filtered.csv"


def test_a_thread_follows_its_last_run_and_looks_at_the_newest_first() -> None:
    assert (Thread().follows, Thread().earlier) == ("", ())
    thread = Thread(("a", "b"))
    assert (thread.follows, thread.earlier) == ("b", ("b", "a"))


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """A run of its own after two others that made files of one name."""
    folders = [tmp_path / "results" / f"20261130-14150{n}-x-aa{n}" for n in range(3)]
    for number, folder in enumerate(folders):
        (folder / "requests").mkdir(parents=True)
        (folder / "requests" / "guide-r01.json").write_text("{}")
        (folder / "events.jsonl").write_text("{}\n")
        if number < 2:
            (folder / "a.csv").write_text(f"n\n{number}\n")
    (folders[0] / "old.csv").write_text("n\n7\n")
    (tmp_path / "data").mkdir()
    place = Workspace(tmp_path / "data", tmp_path / "results")
    return Context(place, folders[2], Limits(), earlier=(folders[1], folders[0]))


def test_of_one_name_the_newest_result_is_opened(context: Context) -> None:
    with context.open("results/…/a.csv") as file:
        assert file.read() == b"n\n1\n"
    with context.open("results/…/old.csv") as file:
        assert file.read() == b"n\n7\n"
    (context.run / "a.csv").write_text("n\n2\n")
    with context.open("a.csv") as file:
        assert file.read() == b"n\n2\n"


@pytest.mark.parametrize(
    "name",
    ["events.jsonl", "requests/guide-r01.json", "full/x.txt", "../a.csv", "nosuch.csv", "a.csv/.."],
)
def test_records_of_earlier_runs_stay_closed(name: str, context: Context) -> None:
    for given in (name, f"results/…/{name}"):
        with pytest.raises(Refused):
            context.open(given)


def test_the_results_of_a_conversation_are_listed_once(context: Context) -> None:
    assert [name for name, _ in context.results()] == ["results/…/a.csv", "results/…/old.csv"]


def test_a_result_of_the_first_question_is_read_by_a_child_of_the_second(tmp_path: Path) -> None:
    (tmp_path / "soils.csv").write_text(SOILS)
    calls = [
        call("filter_rows", path="soils.csv", expression="Au_ppb > 5"),
        call("query_data", path=MADE, operation="head", n=5),
    ]

    def transform(heard: Heard) -> Say:
        return finish("Done.") if heard.number > 1 else calls[min(len(talk.runs), 1)]

    model = ScriptedModel({"d01": transform})
    talk = Session(Setting(Workspace.at(tmp_path), model, Limits(), start_child))
    assert talk.ask("Filter", agent="transform").status == "answered"
    assert "s3 | 9" in talk.ask("Look", agent="transform").seen[-1]
    talk.runs[:] = ["20261130-141502-nothing-k3f"]
    assert "no such file" in talk.ask("Look", agent="transform").seen[-1]
