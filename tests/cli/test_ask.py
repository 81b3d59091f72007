"""``ask``: answer on stdout, progress on stderr, and the exit status of each way to end."""

from __future__ import annotations

import _thread
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench import cli
from workbench.models.scripted import Heard, Say, call, finish
from workbench.runs import past
from workbench.session import Session

Scripted = Callable[..., Session]
ASK = ("ask", "How many samples?", "--data", "x")


def test_the_answer_goes_to_stdout_and_progress_to_stderr(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    answering({"guide": [Say("There are 240 samples.")]})
    assert cli.main(ASK) == 0
    out, err = capsys.readouterr()
    assert out == "There are 240 samples.\n"
    assert [line.split(":")[0] for line in err.splitlines()][1:] == ["guide", "guide", "workbench"]


def test_each_loop_is_told_at_its_start_and_its_end(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    answering(
        {
            "guide": [
                call("ask_specialist", agent="dataops", objective="count the rows", final=True)
            ],
            "d01": [finish("240 rows")],
        }
    )
    assert cli.main(ASK) == 0
    err = capsys.readouterr().err
    assert "d01 dataops: started: count the rows" in err
    assert "d01 dataops: success" in err


def test_a_question_that_fails_ends_with_one_and_one_line(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    answering({"guide": []})
    assert cli.main(ASK) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1].startswith("workbench: failed: scripted model: no reply 1")


def test_a_budget_that_is_reached_ends_with_three(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    answering({"guide": [Say("done", usage={"input_tokens": 900, "output_tokens": 200})]})
    assert cli.main([*ASK, "-b", "1000"]) == 3
    assert "run_tokens" in capsys.readouterr().err.splitlines()[-1]


def test_c5_a_changed_limit_is_named_when_the_run_begins(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    answering({"guide": [Say("done")]})
    cli.main([*ASK, "-l", "preview_rows=7"])
    assert "limits changed: preview_rows" in capsys.readouterr().err.splitlines()[0]


@pytest.mark.parametrize("limit", ["preview_rowz=7", "preview_rows=-1"])
def test_a_limit_that_cannot_be_set_is_refused(
    limit: str, answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    answering({"guide": [Say("done")]})
    assert cli.main([*ASK, "-l", limit]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_an_interrupt_stops_the_run_and_ends_with_130(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupting(heard: Heard) -> Say:
        if heard.number == 1:
            _thread.interrupt_main()
            time.sleep(0.3)
        return call("list_files")

    session = answering({"guide": interrupting})
    assert cli.main(ASK) == 130
    assert capsys.readouterr().err.splitlines()[-1].startswith("workbench: interrupted: ")
    assert [run.status for run in past.runs(session.workspace.results)] == ["interrupted"]


def test_json_is_the_view_of_the_run(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    session = answering({"guide": [Say("There are 240 samples.")]})
    assert cli.main([*ASK, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    kept = next(session.workspace.results.glob("*/run.json"))
    assert shown == json.loads(kept.read_text())
    assert (shown["status"], shown["answer"]) == ("answered", "There are 240 samples.")


def test_a_run_that_failed_is_printed_as_json_too(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    answering({"guide": []})
    assert cli.main([*ASK, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["status"] == "failed"


def test_a14_signs_that_steer_a_terminal_are_written_out(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    answering({"guide": [Say("gold\x1b[2J \u202e240")]})
    cli.main(ASK)
    assert capsys.readouterr().out == "gold\\u001b[2J \\u202e240\n"


def test_an_agent_that_does_not_exist_is_refused_before_anything_is_written(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    session = answering({"guide": [Say("done")]})
    assert cli.main([*ASK, "--agent", "analitics"]) == 1
    assert "nearest: 'analytics'" in capsys.readouterr().err
    assert not session.workspace.results.exists()


def test_a_dry_run_keeps_the_request_and_sends_nothing(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(_: Heard) -> Say:
        raise AssertionError("a dry run sent something")

    answering({"*": never})
    assert cli.main([*ASK, "-n", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    body = Path(shown["path"]).read_text()
    assert len(body) == shown["chars"]
    assert sum(shown["by_category"].values()) == shown["tokens"]
    assert "How many samples?" in body


def test_a_dry_run_says_the_cost_with_its_band(
    answering: Scripted, capsys: pytest.CaptureFixture[str]
) -> None:
    answering({"guide": []})
    assert cli.main([*ASK, "--dry-run"]) == 0
    assert capsys.readouterr().out.startswith("not sent: ")


def test_a_model_that_does_not_exist_is_refused(
    geochem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["ask", "q", "--data", str(geochem), "-m", "offlin"]) == 1
    assert "offlin" in capsys.readouterr().err


BLOCKED = """
import sys, time
sys.path.insert(0, {tests!r})
from collections.abc import Callable
from pathlib import Path
from conversation import session
from workbench import cli
from workbench.models.scripted import Say
from workbench.session import Session

def block(heard):
    print("at work", flush=True)
    time.sleep(60)

made = session(Path({folder!r}), {{"guide": block}})
Session.open = lambda *_, **__: made
sys.exit(cli.main(["ask", "q", "--data", "x"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send there")
@pytest.mark.parametrize("times", [1, 2])
def test_a_run_that_does_not_heed_an_interrupt_is_ended_and_reads_as_interrupted(
    tmp_path: Path, times: int
) -> None:
    tests = str(Path(__file__).parent.parent)
    code = BLOCKED.format(tests=tests, folder=str(tmp_path))
    words = [sys.executable, "-c", code]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"at work\n"
        for _ in range(times):
            os.kill(process.pid, signal.SIGINT)
            time.sleep(0.2)
        assert process.wait(timeout=30) == 130
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
    results = tmp_path / "data" / "results"
    [run] = past.runs(results)
    assert run.status == "interrupted"
    assert past.view(run.folder)["status"] == "interrupted"
