"""Scripts and commands in the sandbox, by every engine that this machine has."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conversation import events
from faults import figures

from workbench import cli
from workbench.answer import Answer
from workbench.asking.onecall import CallOutcome
from workbench.check.escapes import ESCAPES, script
from workbench.files.recordnames import WORK
from workbench.ledger import read
from workbench.models.scripted import Heard, Say, ScriptedModel, call, finish
from workbench.process import processtree
from workbench.session import Session
from workbench.walls import engines

HERE = [engine.name for engine in engines.ENGINES if not engines.missing(engine)]
PATIENCE = 60.0
MANY = {"model_calls": 300, "tool_calls": 300}

pytestmark = pytest.mark.skipif(not HERE, reason="no sandbox on this machine: nothing is run")


@pytest.fixture(scope="module", params=[engine.name for engine in engines.ENGINES])
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Leave one engine alone; one that this machine lacks is said to be lacking."""
    name = str(request.param)
    if name not in HERE:
        reason = next(engines.missing(one) for one in engines.ENGINES if one.name == name)
        pytest.skip(f"{name}: {reason}")
    others = [one.name for one in engines.ENGINES if one.name != name]
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("WORKBENCH_WITHOUT_ENGINES", ",".join(others))
        yield name


def planted_data(place: Path) -> Path:
    data = place / "data"
    data.mkdir()
    (data / "soils.csv").write_text("id,Au_ppb\ns1,5\ns2,<1\n")
    cells = [f"R{n},{'-9999' if n % 9 == 0 else '<2' if n % 7 == 0 else n}" for n in range(1, 61)]
    (data / "rocks.csv").write_text("\n".join(["SampleID,As_ppm", *cells, ""]))
    return data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return planted_data(tmp_path)


def open_session(folder: Path, *scripts: Say | Callable[[Heard], Say]) -> Session:
    def said(heard: Heard) -> Say:
        reply = scripts[heard.number - 1]
        return reply if isinstance(reply, Say) else reply(heard)

    return Session.open(folder, model=ScriptedModel({"d01": said}))


def ran(folder: Path, tool: str = "run_script", **arguments: object) -> CallOutcome:
    return open_session(folder).call(tool, arguments, agent="extended")


@dataclass
class Work:
    """What one dispatch of an engine did: a sandbox is started once for all that needs no own.

    Attributes
    ----------
    answer : Answer
        What it came to.
    texts : dict of str to str
        Name of a step → what the agent was told of it.
    left : bool
        Whether a process that had left its session was gone when the next step began.
    """

    answer: Answer
    texts: dict[str, str]
    left: bool

    def log(self, step: str) -> str:
        """Return all that a step wrote."""
        number = list(STEPS).index(step) + 1
        return (self.answer.folder / "full" / f"d01_output_{number}.txt").read_text()


SIGN = f"7{os.getpid()}{time.monotonic_ns() % 10**8}"
_BAD = "print('planted code ran')"
_PLANTED = ("sitecustomize.py", "usercustomize.py", "csv.py", "x.pth", "workbench.py")
STEPS: dict[str, Say] = {
    "reads": call(
        "run_script",
        code="rows = open('data/soils.csv').read().splitlines()\n"
        "open('counts.txt', 'w').write(str(len(rows)))\n"
        "print('noise')\nprint('===RESULT===')\nprint('n =', len(rows))\n"
        "print('===END_RESULT===')",
    ),
    "leaves": call("run_command", line=f"(setsid sleep {SIGN} > /dev/null 2>&1 &) ; echo it began"),
    "holds": call("run_script", code="x = bytearray(6_000_000_000)"),
    "plants": call(
        "run_script",
        code="\n".join(f"open({name!r}, 'w').write({_BAD!r})" for name in _PLANTED),
    ),
    "imports": call(
        "run_script",
        code="import csv, sys\nprint('===RESULT===')\nprint('clean')\nprint('===END_RESULT===')",
    ),
    "starts": call("run_command", line=f"'{shutil.which('python3')}' -c 'print(1+1)'; echo over"),
    "reads typed": call(
        "run_script",
        tables=["rocks.csv"],
        code="import pandas\nd = pandas.read_parquet('tables/rocks.parquet')\n"
        "def tried(do):\n    try:\n        do()\n    except OSError as error:\n"
        "        return error.errno\n"
        "print('===RESULT===')\nprint(len(d), d.As_ppm.sum(), d.As_ppm.min())\n"
        "print(dict(d.As_ppm__flag.value_counts()), set(d.As_ppm__limit.dropna()))\n"
        "print(tried(lambda: open('tables/rocks.parquet', 'ab')))\nprint('===END_RESULT===')",
    ),
    "many": call("run_command", line="for i in $(seq 21); do echo $i > tick_$i.txt; done"),
    "tells": call(
        "run_script",
        code="import os\nprint(os.getcwd(), os.path.realpath('data'))\nraise ValueError(__file__)",
    ),
}


@pytest.fixture(scope="module")
def work(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Work:
    left: list[bool] = []
    heard: list[Heard] = []

    def said(now: Heard) -> Say:
        heard.append(now)
        if now.number == list(STEPS).index("leaves") + 2:
            left.append(gone(SIGN))
        return [*STEPS.values(), finish("x")][now.number - 1]

    data = planted_data(tmp_path_factory.mktemp(engine))
    answer = Session.open(data, model=ScriptedModel({"d01": said})).ask("go", agent="extended")
    assert answer.status == "answered", answer.reason
    return Work(answer, dict(zip(STEPS, heard[-1].results, strict=True)), left[0])


def gone(sign: str) -> bool:
    """Wait until no process bears a sign on its command line."""
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        if not with_sign(sign):
            return True
        time.sleep(0.05)
    return False


def with_sign(sign: str) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if sign in place.read_bytes().decode("utf-8", "replace"):
                found.append(int(place.parent.name))
        except OSError:
            continue
    return found


def test_a_script_reads_data_and_its_result_block_comes_back(work: Work) -> None:
    assert work.texts["reads"].splitlines()[-1] == "n = 3"
    assert "noise" not in work.texts["reads"]
    first, second = work.answer.artefacts[:2]
    assert [first.path, second.path] == ["script.py", "counts.txt"]
    assert second.made_by["script"] == "script.py"


def test_a_script_reads_a_table_that_is_lent_as_typed_numbers_and_cannot_write_it(
    work: Work,
) -> None:
    """No code for a missing value is a number in it, and what was censored is told."""
    plain = [n for n in range(1, 61) if n % 9 and n % 7]
    below = sum(n % 7 == 0 and n % 9 != 0 for n in range(1, 61))
    text = work.texts["reads typed"]
    assert f"60 {float(sum(plain))} 1.0" in text
    assert f"'<': {below}" in text.replace("np.int64(", "").replace(")", "")
    assert "{2.0}" in text
    assert text.splitlines()[-1] in {"13", "30"}  # not permitted, or a file system to read only
    assert f"tables/rocks.parquet: 60 rows of rocks.csv; not plain numbers: As_ppm {below}" in text


def test_no_known_way_out_is_open(engine: str, work: Work) -> None:
    run = work.answer.folder
    folder = run.parent.parent
    secret = folder.parent / "secret.txt"
    secret.write_text("nobody's business")
    places = {
        "data": str(folder / "soils.csv"),
        "records": str(run),
        "snapshots": str(run.parent / "_snapshots"),
        "snapshot": str(next((run.parent / "_snapshots").glob("*.parquet"))),
        "result": str(run / "counts.txt"),
        "secret": str(secret),
        "key": "canary-of-a-key",
    }
    before = (folder / "soils.csv").read_bytes(), (folder / "soils.csv").stat().st_mode
    attack = call("run_script", code=script(places), seconds=100)
    shown = call("run_command", line="cat tmp/tries")
    answer = open_session(folder, attack, shown, finish("x")).ask("try", agent="extended")
    text = (answer.folder / "full" / "d01_output_2.txt").read_text()
    came = dict(line.split(": ", 1) for line in text.splitlines())
    refused = sum(said.startswith("refused") for said in came.values())
    figures.escapes(engine, len(came), refused)
    assert set(came) == set(ESCAPES)
    assert {way: said for way, said in came.items() if not said.startswith("refused")} == {}
    assert before == ((folder / "soils.csv").read_bytes(), (folder / "soils.csv").stat().st_mode)


def test_which_engine_ran_and_how_well_stands_in_the_record(engine: str, work: Work) -> None:
    (told,) = [event.data for event in events(work.answer, "sandbox")]
    assert told["engine"] == engine
    assert told["level"] in {"full", "partial"}
    assert told["files"] == told["network"] == told["others"] == told["memory"] == "enforced"
    assert told["processes"] == "enforced" or told["level"] == "partial"


def test_a_process_that_left_its_session_is_ended_with_the_script(work: Work) -> None:
    assert "it began" in work.texts["leaves"]
    assert work.left


def test_a_detached_command_goes_on_and_ends_with_the_dispatch(engine: str, folder: Path) -> None:
    """What it had written by then becomes a result that is told to be unfinished."""
    sign = f"6{os.getpid()}{time.monotonic_ns() % 10**8}"
    seen: list[bool] = []

    def look(heard: Heard) -> Say:
        part = next(folder.glob(f"results/*/{WORK}/d01/late.csv"), None)
        if part is None or not part.stat().st_size:  # it goes on, and writes only now
            time.sleep(0.3)  # until the calls are used up
            return call("read_file", path="data/soils.csv")
        seen.append(bool(with_sign(sign)))
        return finish("done")

    line = f"touch half.part; (sleep 2; echo id,Au > late.csv; sleep {sign})"
    replies = {1: call("run_command", line=line, seconds=1)}

    def said(heard: Heard) -> Say:
        return replies.get(heard.number) or look(heard)

    session = Session.open(folder, model=ScriptedModel({"d01": said}), limits=MANY)
    answer = session.ask("go", agent="extended")
    assert answer.status == "answered", answer.reason
    assert seen == [True]
    assert gone(sign)
    keys = [event.data["key"] for event in events(answer, "limit_hit")]
    assert keys.count("command_seconds") == 1
    (late,) = answer.artefacts
    assert (late.path, late.made_by["parameters"]) == ("late.csv", {"unfinished": True})
    assert (answer.folder / "late.csv").read_text() == "id,Au\n"
    told = [event.data["text"] for event in events(answer, "notice")]
    assert any("late.csv" in text and "unfinished" in text for text in told)
    assert any("left out and removed, 1: half.part" in text for text in told)
    assert all(text.removeprefix("d01: ") in answer.text for text in told)


def test_files_that_no_later_call_handed_on_are_handed_on_at_the_end(work: Work) -> None:
    made = [item for item in work.answer.artefacts if item.path.startswith("tick_")]
    assert len({item.path for item in made}) == 21
    assert "more files are handed on with the next call" in work.texts["many"]


def test_copies_without_end_are_bounded(
    engine: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(folder).with_limits({"script_processes": 12})
    code = (
        "import os, time\n"
        "for n in range(60):\n"
        "    try:\n        new = os.fork()\n"
        "    except OSError:\n        break\n"
        "    if not new:\n        os.setsid(); time.sleep(300); os._exit(0)\n"
        "    open('tmp/n', 'w').write(str(n + 1)); time.sleep(0.1)\n"
        "print('it stopped at', n)\n"
    )
    outcome = session.call("run_script", {"code": code, "seconds": 100}, agent="extended")
    ended = "script_processes" in outcome.limits_hit
    assert ended or "it stopped at 1" in outcome.text or "it stopped at 9" in outcome.text


def test_many_files_do_not_fill_the_disk(folder: Path) -> None:
    """Each is small enough, and all of them together are not."""
    session = open_session(folder).with_limits({"artefact_bytes": 3_000_000})
    code = (
        "import time\nfor n in range(10_000):\n"
        "    open(f'tmp/{n}', 'wb').write(bytes(100_000))\n    time.sleep(0.02)\n"
    )
    outcome = session.call("run_script", {"code": code, "seconds": 300}, agent="extended")
    assert "ended: above the limit artefact_bytes" in outcome.text


def test_more_memory_than_a_child_may_hold_is_not_had(work: Work) -> None:
    assert "MemoryError" in work.texts["holds"]


def test_what_a_script_plants_does_not_run_in_the_next(work: Work) -> None:
    assert "clean" in work.texts["imports"]
    assert "over" in work.texts["starts"]
    for step in ("plants", "imports", "starts", "tells"):
        assert "planted code ran" not in work.log(step)


def test_no_path_of_this_machine_comes_back(work: Work) -> None:
    told = work.texts["tells"]
    assert str(work.answer.folder.parent.parent) not in told
    assert work.answer.run not in told
    assert 'File "script-6.py", line 3' in told


def test_everything_ends_when_the_one_who_started_it_is_killed(folder: Path) -> None:
    """The kernel's end of the pipe closes; whoever runs scripts ends them first."""
    sign = f"5{os.getpid()}{time.monotonic_ns() % 10**8}"
    pids: list[int] = []

    def kill(_: Heard) -> Say:
        pids.extend(with_sign(sign))
        for pid in beside():
            os.kill(pid, signal.SIGKILL)
        return finish("done")

    def said(heard: Heard) -> Say:
        first = call("run_command", line=f"sleep {sign}", seconds=2)
        return first if heard.number == 1 else kill(heard)

    answer = Session.open(folder, model=ScriptedModel({"d01": said})).ask("go", agent="extended")
    assert pids
    assert answer.status == "answered"
    assert gone(sign)


def beside() -> Iterator[int]:
    """Yield the processes that run scripts for this one."""
    for pid in processtree.descendants(os.getpid()):
        if b"boot.py\0sandbox" in Path(f"/proc/{pid}/cmdline").read_bytes():
            yield pid


def test_without_an_engine_nothing_runs_unless_the_analyst_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_WITHOUT_ENGINES", ",".join(one.name for one in engines.ENGINES))
    refused = ran(folder, "run_command", line="echo it ran > ran.txt")
    assert not refused.ok
    assert "no sandbox on this machine" in refused.text
    assert "open-scripts" in refused.text
    session = Session.open(folder, model=ScriptedModel({}), open_scripts=True)
    allowed = session.call("run_command", {"line": "echo it ran"}, agent="extended")
    assert allowed.ok
    told = read(folder / "results" / allowed.run / "events.jsonl").events
    (box,) = [event.data for event in told if event.kind == "sandbox"]
    assert box["engine"] == "none"


def test_a_package_is_not_installed_and_the_analyst_is_told(folder: Path) -> None:
    replies = [call("run_command", line="pip install laspy"), finish("x")]
    answer = open_session(folder, *replies).ask("go", agent="extended")
    assert [(one["id"], one["name"]) for one in answer.view["approvals"]] == [("p1", "laspy")]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Answer, list[str]]:
    """One dispatch whose scripts and commands leave texts behind, and what its agent was told."""
    code = "for n in range(40):\n    print('the needle is in line', n, 'of the hay')\n"
    quiet = "print('===RESULT===')\nprint(1)\nprint('===END_RESULT===')"
    heard: list[Heard] = []

    def said(now: Heard) -> Say:
        heard.append(now)
        key = now.results[0].split("blob_id: ")[1].split()[0] if now.number > 1 else ""
        steps = [
            call("store_text", content=code),
            call("run_script", code=f"§§§Blob§{key}§§§"),
            call("search_text", id="d01_output_1", pattern="line 17"),
            call("search_text", id="results/…/script.py", pattern="needle"),
            call("read_range", id="d01_output_1", offset=0, limit=30),
            call("run_script", code=quiet),
            call("run_command", line="echo 'a long story' > tmp/out.txt"),
            call("read_file", path="tmp/out.txt"),
            finish("x"),
        ]
        return steps[now.number - 1]

    data = planted_data(tmp_path_factory.mktemp("texts"))
    answer = Session.open(data, model=ScriptedModel({"d01": said})).ask("go", agent="extended")
    return answer, heard[-1].results


def test_log_script_and_stored_text_can_be_searched_and_run(
    texts: tuple[Answer, list[str]],
) -> None:
    log, code_hits, stretch = texts[1][2:5]
    assert "total: 1" in log
    assert "total: 1" in code_hits
    assert "the needle is in line 0 of the" in stretch


def test_how_well_scripts_kept_quiet_is_measured(texts: tuple[Answer, list[str]]) -> None:
    rows = {row["key"]: row for row in texts[0].view["dispatches"][0]["limits"]}
    assert (rows["silent_scripts"]["kept"], rows["silent_scripts"]["of"]) == (1, 2)


def test_what_was_sent_to_a_file_in_tmp_is_read_from_there(texts: tuple[Answer, list[str]]) -> None:
    assert "a long story" in texts[1][7]
    assert not [item for item in texts[0].artefacts if "out" in item.path]


def test_an_orchestrator_sends_the_specialist_and_joins_what_it_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole way: guide, orchestrator, specialist, sandbox, and back as words."""
    monkeypatch.delenv("WORKBENCH_WITHOUT_ENGINES", raising=False)
    code = "print('===RESULT===')\nprint('2 samples, 1 below 1 ppb')\nprint('===END_RESULT===')"
    scripts = {
        "guide": [call("ask_orchestrator", objective="count the samples of soils.csv")],
        "orchestrator": [
            call("dispatch", agent="extended", objective="count soils.csv", final=True)
        ],
        "d01": [call("run_script", code=code), finish("2 samples, 1 below 1 ppb (script.py)")],
    }
    answer = Session.open(folder, model=ScriptedModel(scripts)).ask("how many samples?")
    assert "2 samples, 1 below 1 ppb" in answer.text
    assert answer.view["sandbox"]["engine"] == HERE[0]
    assert next(item.path for item in answer.artefacts) == "script.py"


def test_a_run_with_scripts_is_verified_by_running_them_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = "rows = open('data/soils.csv').read()\nopen('copy.csv', 'w').write(rows)\n"
    long = code + "# " + "x" * 6_000 + "\n"  # longer than an event of the ledger
    replies = [call("run_script", code=long), call("run_command", line="wc -l < data/soils.csv")]
    answer = open_session(folder, *replies, finish("copied")).ask("copy it", agent="extended")
    assert cli.main(["verify", answer.folder.name, "--data", str(folder)]) == 0
    assert "2 of 2 calls, 2 of 2 files" in capsys.readouterr().out
