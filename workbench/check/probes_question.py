"""Probes of what a person hands in: the question, pasted rows, attached files."""

from __future__ import annotations

from workbench import tokens
from workbench.check import planted
from workbench.check.bench import Bench, published
from workbench.check.outcome import Seen
from workbench.check.registry import probe
from workbench.check.trace import Trace
from workbench.check.verdict import held, require
from workbench.models.scripted import Say, ScriptedModel

_NOTED = {"guide": [Say("noted")]}


def _question(trace: Trace) -> str:
    texts = trace.texts("guide")
    return texts[0] if texts else ""


def _attached(trace: Trace) -> list[str]:
    return [text for text in trace.texts("guide") if text.startswith("attached file")]


@probe("question_chars")
def question_chars(bench: Bench) -> Seen:
    """Ask with a report of three times the length in the question."""
    trace = bench.ask(planted.prose(published("question_chars") * 3), _NOTED)
    text = _question(trace)
    detail = "of a report in the question; the whole is kept"
    return held("question_chars", len(text), trace, detail, told=text, least=1)


@probe("question_lines")
def question_lines(bench: Bench) -> Seen:
    """Paste a table of just so many lines, one of a line more, and one between words."""
    most = published("question_lines")
    fits = bench.ask(f"What is this?\n{planted.table(most - 2)}", _NOTED)
    longer = bench.ask(f"What is this?\n{planted.table(most)}", _NOTED)
    words = planted.prose(1_500).splitlines()
    between = "\n".join([*words, planted.table(most * 2), *words])
    hidden = bench.ask(between, _NOTED)
    session = bench.session(ScriptedModel(_NOTED))
    bench.put(session, f"What is this?\n{planted.table(most * 2)}")
    again = bench.put(session, "And now?")
    require(len(planted.canaries(again.everything())) < most, "rows came back with the next one")
    shown = [len(planted.canaries(_question(trace))) + 2 for trace in (fits, longer, hidden)]
    detail = f"{most} lines pass whole; of {most + 2} lines {shown[1]}, between words {shown[2]}"
    text = _question(longer)
    require("pasted" in text, "the pasted table is no file")
    return held("question_lines", max(shown), longer, detail, told=text, least=3)


@probe("attachment_tokens")
def attachment_tokens(bench: Bench) -> Seen:
    """Attach a report of four times the size."""
    name = bench.plant("report.txt", planted.prose(published("attachment_tokens") * 12))
    trace = bench.ask("read it", _NOTED, attach=[name], window=400_000)
    text = "\n".join(_attached(trace))
    measured = max(tokens.count(text), -(-len(text) // 3))
    detail = f"of a report of {published('attachment_tokens') * 12:,} characters"
    return held("attachment_tokens", measured, trace, detail, told=text, least=1)


@probe("attachments_tokens")
def attachments_tokens(bench: Bench) -> Seen:
    """Attach three reports that are legal alone and too much together."""
    size = published("attachment_tokens") * 3 * 4 // 5
    names = [bench.plant(f"report-{n}.txt", planted.prose(size + n)) for n in range(3)]
    trace = bench.ask("read them", _NOTED, attach=names, window=400_000)
    texts = _attached(trace)
    measured = sum(max(tokens.count(text), -(-len(text) // 3)) for text in texts)
    detail = f"of three reports of {size:,} characters"
    told = texts[-1] if texts else trace.reason
    return held("attachments_tokens", measured, trace, detail, told=told, least=1)


@probe("inserted_value_chars")
def inserted_value_chars(bench: Bench) -> Seen:
    """Insert a long text and a data frame by name, as a notebook cell does."""
    import pandas as pd

    from workbench.notebook.inserting import insert

    frame = pd.DataFrame({"SampleID": [planted.canary(row) for row in range(500)]})
    names = {"notes": planted.prose(40_000), "frame": frame}
    asked = insert("{{notes}}", names, bench.limits)
    session = bench.session(ScriptedModel(_NOTED))
    trace = bench.put(session, asked.text, hits=asked.hits)
    schema = insert("See {{frame}}", names, bench.limits)
    shown = bench.put(bench.session(ScriptedModel(_NOTED)), schema.text, hits=schema.hits)
    require("SampleID" in _question(shown), "the data frame is not told by its schema")
    require(not planted.canaries(shown.everything()), "values of a data frame were inserted")
    text = _question(trace)
    detail = "of a text of 40,000; a data frame came as its schema"
    return held("inserted_value_chars", len(text), trace, detail, told=text, least=1)


@probe("attached_tables")
def attached_tables(bench: Bench) -> Seen:
    """Attach tables under honest and dishonest names."""
    rows = planted.table(300)
    names = [bench.plant(name, rows) for name in ("assays.csv", "notes.txt", "report.md")]
    trace = bench.ask("read them", _NOTED, attach=names)
    texts = _attached(trace)
    require(len(texts) == len(names), f"{len(texts)} of {len(names)} files were attached")
    most = max(len(planted.canaries(text)) for text in texts)
    require(most <= published("data_file_head"), f"{most} rows of a table were attached")
    require(all("301" in text for text in texts), "the length of the table is not told")
    return Seen(f"{most}", f"rows seen of each of {len(names)} attached tables of 300")
