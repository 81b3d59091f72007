"""The magics in plain IPython: what they read, show and hand over, and how a cell fails."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest
from cells import Shell
from conversation import events, hits, session

from workbench import __version__
from workbench.answer import Answer
from workbench.models.scripted import Heard, Say, call
from workbench.notebook import static, subcommands
from workbench.notebook.failing import CellFailed
from workbench.reply import Reply

_LOADED = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "workbench")
heavy = ("duckdb", "pandas", "numpy", "pyarrow", "anywidget", "sklearn", "plotly", "tiktoken")
print([name for name in heavy if name in sys.modules])
"""


def test_loading_imports_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LOADED], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_question_shows_one_static_output_and_hands_over_the_result(asked: Shell) -> None:
    (shown,) = asked.run("%%agent -o found\nHow many groups?")
    assert set(shown) == {static.MIME, "text/html", "text/plain"}
    assert "Three groups." in shown["text/plain"]
    found = asked.shell.user_ns["found"]
    assert isinstance(found, Answer)
    assert (found.text, found.status) == ("Three groups.", "answered")


def test_progress_is_told_on_stderr_alone(asked: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    asked.run("%%agent\nHow many groups?")
    told = capsys.readouterr()
    assert "guide" in told.err
    assert told.out == ""


def test_quiet_shows_the_words_alone(asked: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert asked.run("%%agent -q\nHow many groups?") == [{"text/plain": "Three groups."}]
    assert capsys.readouterr().err == ""


def test_a_variable_is_inserted_and_single_braces_are_not(asked: Shell) -> None:
    asked.shell.user_ns.update(element="Au", frame=pd.DataFrame({"Au": [987654]}))
    asked.run("%%agent -o a\nCluster {{element}} in {{frame}}, not {element} or $element")
    (request,) = asked.shell.user_ns["a"].seen
    assert (
        "Cluster Au in table frame: 1 rows, 1 columns: Au (int64), not {element} or $element"
        in request
    )
    assert "987654" not in request


def test_a_cut_value_is_one_recorded_hit(asked: Shell) -> None:
    asked.shell.user_ns["log"] = "x" * 9_000
    asked.run("%%agent -o a\nRead {{log}}")
    assert hits(asked.shell.user_ns["a"]).count("inserted_value_chars") == 1


def test_a_second_question_goes_on_with_the_conversation_until_reset(asked: Shell) -> None:
    asked.run("%%agent\nFirst?")
    asked.run("%%agent -o a\nSecond?")
    assert "First?" in asked.shell.user_ns["a"].seen[0]
    asked.run("%agent reset")
    asked.run("%%agent -o b\nThird?")
    assert "First?" not in asked.shell.user_ns["b"].seen[0]


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("%%agent -z\nx", "%%agent: flag '-z': there is none"),
        ("%%agent analytcs\nx", "nearest: 'analytics'"),
        ("%%agent a b\nx", "'b' is one word too many"),
        ("%%agent -o 1x\nx", "--out 1x: it is no name"),
        ("%%agent -o class\nx", "--out class: it is no name"),
        ("%%agent -a nothing.txt\nx", "no such file in the data folder"),
        ("%agent use dat", "looked in folder"),
        ("%%agent -l preview_row=5\nx", "nearest: 'preview_rows'"),
        ("%%agent -m offlin\nx", "model 'offlin'"),
        ("%%agent\n   ", "it is empty"),
        ("%%agent\n{{nothing}}", "there is no variable of this name"),
        ("%agent opne", "nearest: 'open'"),
        ("%agent open", "which result"),
        ("%agent open d09a9", "'d09a9'"),
        ("%agent version x", "one word too many"),
        ("%agent use /no/such/folder", "give an existing folder or file"),
        ("%agent use . --set Au=ppb", "FILE:COLUMN.KEY=VALUE"),
        ("%agent use . --set a.csv:Au.unti=ppb", "nearest: 'unit'"),
    ],
)
def test_a_cell_fails_with_one_line_that_says_what_to_do(
    asked: Shell, cell: str, line: str
) -> None:
    with pytest.raises(CellFailed) as failed:
        asked.run(cell)
    shown = failed.value._render_traceback_()
    assert shown == [str(failed.value)]
    assert line in shown[0]
    assert "\n" not in shown[0]
    assert asked.displayed == []


def test_a_folder_that_is_not_there_is_told_with_the_nearest(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "assays").mkdir()
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    for given in ("assays", "../assay"):
        with pytest.raises(CellFailed, match=r"looked in folder '.*nearest: '../assays'"):
            shell.run(f"%agent use {given}")


def test_use_without_a_folder_names_where_tables_lie_then_what_is_in_use(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a_notes.txt").write_text("notes")
    (tmp_path / "data" / "soils.csv").write_text("id,Au_ppb\ns1,5\n")
    (tmp_path / "data" / "settings.json").write_text('{"grid": {"zone": 50}}')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CellFailed, match=r"tables lie in: data$"):
        shell.run("%agent use")
    told = shell.text("%agent use data")
    assert "tables: soils.csv\n" in told
    assert "other files: a_notes.txt, settings.json" in told
    assert shell.text("%agent use") == told


def test_a_file_is_attached_by_its_path_from_the_data_or_from_here(
    asked: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = asked.magics.desk.opened().workspace.root
    (root / "notes").mkdir()
    (root / "notes" / "dips.txt").write_text("The shear dips.")
    (tmp_path / "outside.txt").write_text("elsewhere")
    monkeypatch.chdir(root / "notes")
    for path in ("notes/dips.txt", "dips.txt", "../notes/dips.txt"):
        asked.run(f"%%agent -o a -a {path}\nWhat dips?")
        assert asked.shell.user_ns["a"].view["attached"] == ["notes/dips.txt"]
    with pytest.raises(CellFailed, match="not in the data folder"):
        asked.run(f"%%agent -a {tmp_path / 'outside.txt'}\nWhat dips?")


def test_without_a_data_folder_the_next_step_is_named(shell: Shell) -> None:
    with pytest.raises(CellFailed, match="%agent use DIR"):
        shell.run("%%agent\nx")


def test_an_error_of_ours_is_one_line_too(asked: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("first\nsecond")

    monkeypatch.setattr(subcommands, "run", broken)
    with pytest.raises(CellFailed, match="internal error ZeroDivisionError: first second"):
        asked.run("%agent status")


def test_a_run_that_failed_is_shown_and_fails_the_cell(shell: Shell, tmp_path: Path) -> None:
    shell.magics.desk.session = session(tmp_path, {"guide": [Say(raw="no json")]})
    with pytest.raises(CellFailed, match="%%agent: failed: "):
        shell.run("%%agent -o a\nx")
    assert shell.displayed[0][static.MIME]["view"]["status"] == "failed"
    assert shell.shell.user_ns["a"].status == "failed"


def test_a_budget_ends_the_run_with_its_own_status(shell: Shell, tmp_path: Path) -> None:
    shell.magics.desk.session = session(tmp_path, {"guide": lambda _: call("list_files")})
    with pytest.raises(CellFailed, match=r"budget: .*run_tokens"):
        shell.run("%%agent -b 10\nx")


def test_limits_and_model_hold_for_one_question(asked: Shell) -> None:
    asked.run("%%agent -o a -l preview_rows=5\nx")
    asked.run("%%agent -o b\nx")
    assert asked.shell.user_ns["a"].view["changed_limits"] == ["preview_rows"]
    assert asked.shell.user_ns["b"].view["changed_limits"] == []


def test_settings_of_the_magics_hold_for_every_question(asked: Shell) -> None:
    asked.run('%config AgentMagics.limits = {"preview_rows": 5}')
    asked.run("%%agent -o a\nx")
    assert asked.shell.user_ns["a"].view["changed_limits"] == ["preview_rows"]


def test_a_dry_run_sends_nothing(asked: Shell) -> None:
    told = asked.text("%%agent -n\nHow many groups?")
    assert told.startswith("not sent: ")
    assert asked.magics.desk.answers == []


def test_a_worker_never_draws(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    from workbench.notebook import screen

    drawn: list[threading.Thread] = []
    plain = screen.Lines.draw

    def draw(self: screen.Lines, *given: object) -> None:
        drawn.append(threading.current_thread())
        plain(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(screen.Lines, "draw", draw)
    shell.magics.desk.session = session(tmp_path, {"guide": [call("list_files"), Say("Done.")]})
    shell.run("%%agent\nx")
    assert set(drawn) == {threading.main_thread()}


def test_a_question_works_inside_a_running_event_loop(asked: Shell) -> None:
    import asyncio

    async def cell() -> list[dict[str, object]]:
        return asked.run("%%agent\nHow many groups?")

    (shown,) = asyncio.run(cell())
    assert "Three groups." in str(shown["text/plain"])


@pytest.mark.parametrize("name", sorted(subcommands.known()))
def test_help_names_every_subcommand(shell: Shell, name: str) -> None:
    assert f"  {name}" in shell.text("%agent help")


def test_version_status_and_list_tell_what_is_in_use(asked: Shell) -> None:
    assert asked.text("%agent version") == f"workbench {__version__}"
    asked.run("%%agent -o a\nx")
    told = asked.text("%agent status")
    assert "1 question answered" in told
    assert asked.shell.user_ns["a"].run in told
    assert "orchestrator" in asked.text("%agent list")


def test_context_and_limits_show_the_last_run_in_both_forms(shell: Shell, tmp_path: Path) -> None:
    def tool(_tool: str, _arguments: Mapping[str, object]) -> Reply:
        return Reply(facts={"x": "y" * 9_000})

    scripts = {"guide": [call("list_files"), Say("Done.")]}
    shell.magics.desk.session = session(tmp_path, scripts, tool=tool)
    shell.run("%%agent\nx")
    (context,) = shell.run("%agent context")
    assert "tool results" in context["text/html"]
    assert "tool results" in context["text/plain"]
    (limits,) = shell.run("%agent limits")
    for form in limits.values():
        assert "answer_chars" in form
        assert "hit" in form


def test_results_lists_what_the_last_run_made_and_all_runs(asked: Shell) -> None:
    asked.run("%%agent -o a\nHow many groups?")
    told = asked.text("%agent results")
    assert asked.shell.user_ns["a"].run in told
    assert "answered" in told


def test_a_text_is_opened_by_range(asked: Shell) -> None:
    asked.run("%%agent\nHow many groups?")
    (first,) = asked.run("%agent open guide-r01 --limit 40")
    assert "characters 1–40 of" in first["text/plain"]
    assert "--offset 40" in first["text/plain"]
    (second,) = asked.run("%agent open guide-r01 --offset 40 --limit 40")
    body = [shown["text/plain"].split("\n", 1)[1] for shown in (first, second)]
    assert "".join(body) == asked.magics.desk.answers[0].seen[0][:80]


def test_stop_says_when_nothing_is_at_work(asked: Shell) -> None:
    assert asked.text("%agent stop") == "nothing is at work"


def test_stop_ends_a_question_that_another_thread_put(shell: Shell, tmp_path: Path) -> None:
    import threading

    started, go_on = threading.Event(), threading.Event()

    def guide(_: Heard) -> Say:
        started.set()
        go_on.wait(20)
        return call("list_files")

    shell.magics.desk.session = session(tmp_path, {"guide": guide})
    failed: list[str] = []

    def put() -> None:
        try:
            shell.magics.agent("-q", "x")
        except CellFailed as error:
            failed.append(str(error))

    thread = threading.Thread(target=put)
    thread.start()
    assert started.wait(20)
    assert "at work: " in shell.text("%agent status")
    assert shell.text("%agent stop") == "1 stopped"
    go_on.set()
    thread.join(20)
    assert failed
    assert "interrupted" in failed[0]


def test_a_new_kernel_finds_the_last_run_on_disk(asked: Shell) -> None:
    asked.run("%%agent -o a\nHow many groups?")
    asked.magics.desk.answers.clear()
    assert "guide" in asked.text("%agent context")


def test_the_static_output_is_plain_json(asked: Shell) -> None:
    (shown,) = asked.run("%%agent -o a\nHow many groups?")
    assert json.loads(json.dumps(shown)) == shown
    assert shown[static.MIME]["run"] == asked.shell.user_ns["a"].run
    assert len(events(asked.shell.user_ns["a"], "run_ended")) == 1
