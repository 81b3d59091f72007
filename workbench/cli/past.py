"""``runs``, ``show``, ``open`` and ``clean``: what past runs left."""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

from workbench.cli.terminal import err, out, out_json, size, table
from workbench.cli.usage import Usage, add_data, add_json
from workbench.errors import Refused
from workbench.runs import past
from workbench.sources import backing

_NEWEST = 20
_QUESTION = 70
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
# Kept as they were sent, on one line; printed so that a person can read them.
_RECORDS = ("requests", "responses")
_TEXTS = re.compile(r"text/|application/(?:.*\+)?json$|image/svg")


def add_runs(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``runs``."""
    add_data(parser, required=False)
    parser.add_argument("--all", action="store_true", help="all of them")
    add_json(parser)


def run_runs(arguments: argparse.Namespace) -> int:
    """List past runs."""
    found = past.runs(past.results_of(arguments.data, arguments.results))
    if arguments.json:
        out_json([item.to_json() for item in found])
        return 0
    if not found:
        asking = f"--data {arguments.data or 'DIR'}"
        if arguments.results:
            asking += f" --results {arguments.results}"
        out(f'no runs yet; ask a question: workbench ask "…" {asking}')
        return 0
    shown = found if arguments.all else found[:_NEWEST]
    rows = [
        (
            *(item.run, item.status, f"{item.started:%Y-%m-%d %H:%M}"),
            " ".join(item.question.split()),
        )
        for item in shown
    ]
    out(table(("run", "status", "started (UTC)", "question"), rows, _QUESTION))
    if len(found) > len(shown):
        out(f"and {len(found) - len(shown):,} older; see them with --all")
    return 0


def add_show(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``show``."""
    parser.add_argument("run", metavar="RUN", help="id of a run, or a part of it")
    add_data(parser, required=False)
    add_json(parser)


def run_show(arguments: argparse.Namespace) -> int:
    """Show one run."""
    folder = past.find(past.results_of(arguments.data, arguments.results), arguments.run)
    found = past.view(folder)
    if arguments.json:
        out_json(found)
    else:
        out(_shown(found))
    return 0


def _shown(found: dict[str, Any]) -> str:
    reason = f": {found['reason']}" if found["reason"] else ""
    model = found["model"]
    parts = [
        f"run {found['run']}: {found['status']}{reason}",
        f"model: {model.get('provider', '')} {model.get('name', '')}",
        f"question: {found['question']}",
    ]
    if found["changed_limits"]:
        parts.append(f"limits changed: {', '.join(found['changed_limits'])}")
    settings = found.get("overrides") or {}
    parts += [
        f"set by hand: {file}:{path} = {value}"
        for file, told in settings.items()
        for path, value in told.items()
    ]
    parts += ["", found["answer"]] if found["answer"] else []
    backed = backing.summary(found)
    parts += ["", backed, *_claims(found)] if backed else []
    parts += ["", _loops(found["loops"])] if found["loops"] else []
    parts += ["", _results(found["artefacts"])] if found["artefacts"] else []
    return "\n".join([*parts, "", _cost(found)])


def _claims(found: dict[str, Any]) -> list[str]:
    """Return the numbers that do not simply hold, each with what was said of it."""
    return [
        f"  {number.text}: {number.source or 'no source'}"
        for number in backing.numbers(found)
        if number.state in {"failed", "unchecked"}
    ]


def _cost(found: dict[str, Any]) -> str:
    usage = found["usage"]
    estimated = " (estimated)" if usage["estimated"] else ""
    level = found["confinement"].get("level", "no child was needed")
    box = found.get("sandbox") or {}
    scripts = f"; scripts in {box['engine']}: {box['level']}" if box else ""
    asked = [f"{one['name']} ({one['id']}, {one['status']})" for one in found["approvals"]]
    wanted = f"; packages asked for: {', '.join(asked)}" if asked else ""
    cached = usage.get("cache_read_tokens", 0)
    fresh = f"{usage['input_tokens'] + usage.get('cache_write_tokens', 0):,} tokens in"
    kept = f" and {cached:,} from the cache" if cached else ""
    usd = f", {usage['usd']:.4f} US dollars" if "usd" in usage else ""
    return (
        f"{usage['requests']} requests, {fresh}{kept}, "
        f"{usage['output_tokens']:,} out{estimated}{usd}; confinement: {level}"
        f"{scripts}{wanted}"
    )


def _loops(loops: list[dict[str, Any]]) -> str:
    rows = []
    for loop in loops:
        context = loop["context"]
        share = 100 * context["peak_tokens"] / context["usable"] if context["usable"] else 0.0
        met = ", ".join(f"{row['key']} {row['hits']}×" for row in loop["limits"] if row["hits"])
        row = (
            loop["id"],
            loop["agent"],
            loop["status"],
            loop["seconds"] and round(loop["seconds"], 1),
        )
        kept_out = context["raw_data_tokens"]
        rows.append((*row, context["peak_tokens"], f"{share:.0f} %", kept_out, met))
    columns = ("loop", "agent", "status", "s", "peak tokens", "of usable", "kept out", "limits met")
    shown = table(columns, rows, _QUESTION)
    kinds = [_kinds(loop) for loop in loops if loop["context"].get("requests")]
    return "\n".join([shown, *(["", "tokens of the last request", *kinds] if kinds else [])])


def _kinds(loop: dict[str, Any]) -> str:
    """Return what filled a loop's last request, in tokens; the parts are the whole."""
    parts = {kind: count for kind, count in loop["context"]["by_category"].items() if count}
    words = ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in parts.items())
    return f"{loop['id']}: {sum(parts.values()):,} = {words}{_against(loop['context'])}"


def _against(context: dict[str, Any]) -> str:
    """Return the estimate of a loop's last request and the provider's figure, in words."""
    expected, said = context.get("estimate"), context.get("provider")
    words = ""
    if expected:
        words = f"; estimate {expected['tokens']:,} ({expected['low']:,} to {expected['high']:,})"
    if said and not said["estimated"]:
        words += f"; provider {said['tokens']:,}, {said['cached']:,} of it cached"
    return words


def _results(items: list[dict[str, Any]]) -> str:
    rows = [
        (item["id"], item["path"], item["media_type"], size(item["bytes"]), item["rows"])
        for item in items
    ]
    return table(("id", "file", "type", "size", "rows"), rows, _QUESTION)


def add_open(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``open``."""
    parser.add_argument(
        *("id",),
        metavar="ID",
        help="of a result (d01a2), a kept text, a request (guide-r01), a call (d01c3) or an agent",
    )
    parser.add_argument(
        *("--seen",), action="store_true", help="what models saw of it, and what was left out"
    )
    parser.add_argument("--run", metavar="RUN", help="which run (default: the newest that has it)")
    parser.add_argument(
        *("--path",), action="store_true", help="print where it is: there it lies byte for byte"
    )
    add_data(parser, required=False)


def run_open(arguments: argparse.Namespace) -> int:
    """Print a file of a past run in full, a request indented; of what is not text, its path."""
    from workbench.cli import seen
    from workbench.runs.located import locate

    results = past.results_of(arguments.data, arguments.results)
    try:
        found = locate(results, arguments.id, arguments.run)
    except Refused:
        # What stands in requests alone has no file of its own.
        if arguments.path or not seen.is_talk(results, arguments.id, arguments.run):
            raise
        arguments.seen = True
    if arguments.seen:
        _write(seen.words(results, arguments.id, arguments.run) + "\n")
        return 0
    if not found.sound:
        err(f"open {found.id}: its bytes have changed since run {found.run} made it")
    if arguments.path or not _TEXTS.match(found.media_type):
        print(found.path)
        return 0
    if found.path.parent.name in _RECORDS:
        _write(_indented(found.path.read_text(encoding="utf-8", errors="replace")))
        return 0
    with found.path.open(encoding="utf-8", errors="replace", newline="") as file:
        for line in file:
            _write(line)
    return 0


def _write(text: str) -> None:
    """Write text as it is to a program; a terminal must not be steered by it."""
    sys.stdout.write(_safe(text) if sys.stdout.isatty() else text)


def _indented(text: str) -> str:
    """Return JSON as a person reads it; what is none is left as it is."""
    with contextlib.suppress(ValueError, RecursionError):
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"
    return text


def _safe(line: str) -> str:
    from workbench.visible import visible

    return visible(line, keep="\r\n\t")


def add_clean(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``clean``."""
    parser.add_argument(
        "--older-than", metavar="AGE", required=True, help="30d (days), 12h (hours), 2w (weeks)"
    )
    add_data(parser, required=False)
    parser.epilog = "example: workbench clean --older-than 30d --data data"


def run_clean(arguments: argparse.Namespace) -> int:
    """Remove what old runs can do without."""
    from workbench.runs.pruning import clean

    age = _age(arguments.older_than)
    results = past.results_of(arguments.data, arguments.results)
    done = clean(results, age, datetime.now(UTC))
    told = f", and {done.reports:,} reports ({size(done.report_bytes)}) that tell what models saw"
    kept = told if done.reports else ""
    out(
        f"removed requests and kept texts of {done.runs:,} runs, {done.snapshots:,} snapshots, "
        f"{size(done.bytes)}; ledgers and results stay{kept}"
    )
    return 0


def _age(text: str) -> timedelta:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([mhdw])", text)
    if found is None:
        raise Usage(f"clean: age '{text}': write it like 30d, 12h or 2w")
    return timedelta(**{_UNITS[found[2]]: float(found[1])})
