"""Every inner check, taken away alone: the probe that stands for it must fail.

One table: what to take away, and which probe must see it. To add a check, add a line. The probes
run with their children in this process, so that what is taken away here is away there too.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
from inprocess import start_in_process

from workbench.check import run_checks
from workbench.context.render import Hit, Rendered
from workbench.files.places import Places
from workbench.tables.snapshot import open_tables


def gives(value: object) -> Callable[..., Any]:
    """Return a function that does nothing but give a value."""
    return lambda *_, **__: value


def same(text: Any, *_: object, **__: object) -> Any:  # noqa: ANN401 - whatever is handed in
    """Hand back the first argument as it is."""
    return text


def second(_: object, text: Any, *__: object, **___: object) -> Any:  # noqa: ANN401 - as above
    """Hand back the second argument as it is: a method without its check."""
    return text


def unbounded(_: object, __: object, text: str, ___: object) -> Rendered:
    return Rendered(text)


def uncounted(self: Any, tally: Any) -> Hit | None:  # noqa: ANN401 - a Previews
    return Hit("preview_rows", tally.left, tally.left, "rows") if tally.left else None


def lenient(name: str) -> tuple[str, ...]:
    return tuple(Path(name.replace("\0", "") or "x").parts)


def open_anything(folder: int, path: str) -> int:
    import os

    return os.open(path, os.O_RDONLY, dir_fd=folder)


def as_said(error: Exception, said: str, *_: object) -> str:
    return said


def unlocked(_: object) -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def unpinned(*arguments: Any) -> Any:  # noqa: ANN401 - as open_tables
    return open_tables(*arguments[:5])


def in_the_run(*given: Any) -> Places:  # noqa: ANN401 - as Places, its last left out
    return Places(*given[:5])


def whole_table(_: object, lines: list[str], *__: object) -> Rendered:
    return Rendered("\n".join(lines))


def all_at_once(lines: list[str], _: int) -> list[list[str]]:
    return [lines, []]


def counted_and_kept(spool: Any, text: str) -> None:  # noqa: ANN401 - a Spool
    spool._total += 1
    spool._lines.append(text)


def every_tool() -> Mapping[str, Any]:
    from workbench.tools import registry

    return dict(registry._TOOLS)


def believing(link: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a ChildLink
    if isinstance(message.get("failed"), str):
        raise importlib.import_module("workbench.process.childlink").ChildFailed(
            message["failed"], "ended"
        )


# What is taken away: names as `module:attribute`, several where one check has several doors; what
# stands in its place; the probe that must fail.
TAKEN_AWAY: tuple[tuple[str, object, str], ...] = (
    # Tables, figures and records are not read as text.
    ("tools.sources:_is_table", gives(value=False), "tables_as_text"),
    ("formats.lines:is_data_file", gives(value=False), "tables_as_text"),
    ("tools.sources:refuse_page tools.text:refuse_page", gives(None), "figures_as_text"),
    ("tools.sources:_records", gives(0), "json_records"),
    ("tools.sources:_longest", gives(0), "json_records"),
    ("tools.text:_BEGINNING", 2_000, "json_records"),
    # What a child calls prose is judged by its looks.
    ("context.render:is_rows", gives(value=False), "prose_that_is_rows"),
    ("files.tabular:_is_record", gives(value=False), "prose_that_is_rows"),
    # Rows in words are rows.
    ("context.said:facts", same, "rows_in_words"),
    ("context.said:notes", same, "rows_in_words"),
    ("context.said:text", same, "rows_in_words"),
    ("context.said:header", same, "rows_in_words"),
    ("context.said:_is_record", gives(value=False), "rows_in_words"),
    ("context.said:_is_id", gives(value=False), "rows_in_words"),
    ("context.said:rows_in", gives(([], "")), "rows_in_words"),
    ("files.tabular:_by_ids", gives([]), "rows_in_words"),
    ("process.childlink:ChildLink._note_failure", believing, "rows_in_words"),
    ("context.previews:Previews.count", uncounted, "rows_in_words_total"),
    # A listing is names of files that are there.
    ("context.previews:_is_listing", gives(value=True), "false_listings"),
    ("artefacts:Artefacts.is_there", gives(value=True), "false_listings"),
    # One run sees one content of a file.
    ("asking.executor:Surroundings.pin", gives(None), "pinned_snapshots"),
    ("tables.snapshot:open_tables", unpinned, "pinned_snapshots"),
    ("tables.store:_is_intact", gives(value=True), "pinned_snapshots"),
    # What others keep is out of a child's reach.
    ("asking.run:Places", in_the_run, "others_files"),
    ("files.handing:_is_out_of_reach", gives(value=True), "forged_results"),
    ("artefacts:take", lambda source, target: source.replace(target), "forged_results"),
    # Stored texts stay stored.
    ("tools.run:_fold", same, "stored_texts"),
    ("tools.run:_expand", same, "stored_texts"),
    # Names stay inside, and lead to no record.
    ("workspace:relative_parts", lenient, "outside_names"),
    ("files.walking:is_kept", gives(value=False), "outside_names"),
    ("workspace:Workspace._leads_to_record", gives(value=False), "links_to_records"),
    ("files.beneath:_openat2", open_anything, "links_to_records"),
    ("workspace:is_record", gives(value=False), "own_records"),
    ("workspace:RECORDS", frozenset(), "own_records"),
    # Queries: the statement, the engine, its errors.
    ("tables.connection:check_statement", gives(None), "closed_queries"),
    ("tables.statement:_CLOSED", frozenset(), "closed_queries"),
    ("tables.statement:_SYSTEM", ("nothing_",), "closed_queries"),
    ("tables.statement:_check_table", gives(None), "closed_queries"),
    ("tables.connection:Connection._locked", unlocked, "locked_connection"),
    ("tables.refusals:_reason", as_said, "engine_errors"),
    ("tables.refusals:_OF_THE_QUERY", (duckdb.Error,), "engine_errors"),
    # Who may call what.
    ("tools.registry:tools", every_tool, "tools_for_people"),
    # Signs that hide are shown.
    ("gate:visible", same, "invisible_signs"),
    ("context.render:visible", same, "invisible_signs"),
    ("context.render:cell", str, "invisible_signs"),
    # A child that breaks the protocol is ended.
    ("process.childlink:_NOISE", 10**9, "talkative_child"),
    ("process.childstream:ChildStream.bad_line", gives(None), "talkative_child"),
    # What the gate bounds besides.
    ("gate:Gate.earlier", second, "earlier_answers"),
    ("gate:Gate._bounded", unbounded, "answer_chars"),
    ("gate:table_span", gives(range(0)), "question_lines"),
    ("context.render:_data_head", whole_table, "attached_tables"),
    ("context.render:_data_head", whole_table, "data_file_head"),
    ("marker:short", same, "line_chars"),
    ("context.result:Result.bounded", same, "result_chars"),
    # What a program printed, and where a script may look.
    ("context.output:_without_tables", same, "printed_tables"),
    ("context.output:_without_values", same, "printed_tables"),
    ("context.output:_dressed", gives(range(0)), "printed_tables"),
    ("context.output:_ends", all_at_once, "command_lines"),
    ("scripts.spool:Spool._count", counted_and_kept, "command_spill_lines"),
    ("walls.cage:open_parts", gives(None), "script_escapes"),
    ("tools.scripts:_INSTALLS", re.compile("(?!)"), "packages"),
    # A number of an answer is what was computed, and nothing but a number comes of a check.
    ("sources.claims:holds", gives(value=True), "claimed_numbers"),
    ("sources.claims:_is_number", gives(value=True), "claimed_numbers"),
    ("loops.finishing:_amiss", gives(""), "claims"),
    # What ends or bounds a loop and a dispatch.
    ("dispatch:Dispatcher._level", gives(0), "depth"),
    ("loop:Loop._too_long", gives(value=False), "reply_tokens"),
    ("loop:Loop.count_malformed", gives(None), "malformed"),
    ("context.context_window:_set_aside", lambda _loop, request, _full: request, "context_full"),
)
PROBES = sorted({key for *_, key in TAKEN_AWAY})


def probed(key: str) -> Any:  # noqa: ANN401 - a CheckResult
    (result,) = run_checks(only=[key], start_child=start_in_process)
    return result


@functools.cache
def holds_as_it_is(key: str) -> str:
    result = probed(key)
    return "" if result.ok else result.detail


@pytest.mark.parametrize("key", PROBES)
def test_with_every_check_in_place_the_probe_holds(key: str) -> None:
    assert holds_as_it_is(key) == ""


@pytest.mark.parametrize(
    ("names", "instead", "key"), TAKEN_AWAY, ids=[f"{row[2]} {row[0]}" for row in TAKEN_AWAY]
)
def test_without_the_check_its_probe_fails(
    monkeypatch: pytest.MonkeyPatch, names: str, instead: object, key: str
) -> None:
    for name in names.split():
        module, _, attribute = name.partition(":")
        target: Any = importlib.import_module(f"workbench.{module}")
        *above, last = attribute.split(".")
        for part in above:
            target = getattr(target, part)
        assert hasattr(target, last), f"{name} is no more: name what took its place"
        monkeypatch.setattr(target, last, instead)
    result = probed(key)
    assert not result.ok, f"it held without its check, seen {result.seen}: {result.detail}"
    assert not result.detail.startswith("the probe broke"), result.detail
