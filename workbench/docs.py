"""The generated parts of the documents: what the code itself knows, so that they cannot drift.

A part stands between ``<!-- generated: NAME -->`` and ``<!-- end: NAME -->``. ``python -m
workbench.docs`` writes them anew; with ``--check`` it only tells which are out of date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from workbench import docs_beside, docs_models, listing, tokens, ugly_file
from workbench.agents import registry as agent_registry
from workbench.cli.usage import COMMANDS
from workbench.errors import Refused
from workbench.formats.registry import formats
from workbench.formats.unread import Unread
from workbench.limits import LIMITS
from workbench.models.planner.range import RANGE
from workbench.notebook import subcommands as agent_line
from workbench.score import scores
from workbench.tables.overrides import KEYS
from workbench.tools import registry as tool_registry

PROJECT = Path(__file__).resolve().parent.parent
README = PROJECT / "README.md"
UGLY = PROJECT / "docs" / "ugly-file.md"
MODELS = PROJECT / "docs" / "models.md"
BESIDE = PROJECT / "docs" / "beside.md"
SAMPLE = PROJECT / "data" / "meridian_ridge_geochem.csv"
_PART = re.compile(
    r"(?P<head><!-- generated: (?P<name>\w+) -->\n).*?(?P<tail><!-- end: (?P=name) -->)", re.DOTALL
)


def commands() -> str:
    """Return the table of commands."""
    rows = [(f"`workbench {item.name}`", item.summary) for item in COMMANDS.values()]
    return _table(("command", "what it does"), rows)


def subcommands() -> str:
    """Return the table of what ``%agent`` takes."""
    rows = [
        (f"`%agent {item.name}{f' {item.usage}' if item.usage else ''}`", item.does)
        for item in agent_line.known().values()
    ]
    return _table(("in a cell", "what it does"), rows)


def limits() -> str:
    """Return the table of limits; a star marks the rows that were given from outside."""
    starred = {row.key for row in LIMITS if row.source}
    rows = [
        (
            f"{'★ ' if row['key'] in starred else ''}`{row['key']}`",
            _said(row["value"]),
            *(row["unit"], row["where"], row["enforced"], row["rule"]),
        )
        for row in listing.limits()
    ]
    return _table(("key", "value", "unit", "where", "enforced by", "rule"), rows)


def tools() -> str:
    """Return the table of tools."""
    known = tool_registry.tools()
    rows = [
        (
            f"`{row['name']}`",
            *(row["family"], row["effect"], _said(row["tokens"])),
            ", ".join(row["agents"]) or "–",
            _first_sentence(known[row["name"]].doc),
        )
        for row in listing.tools()
    ]
    return _table(("tool", "family", "effect", "tokens", "agents", "what it does"), rows)


def agents() -> str:
    """Return the table of agents."""
    known = agent_registry.agents()
    rows = [
        (
            f"`{row['name']}`",
            known[row["name"]].purpose,
            ", ".join(row["tools"]),
            _said(row["tokens"]),
        )
        for row in listing.agents()
    ]
    return _table(("agent", "for", "tools", "tokens of prompt and tools"), rows)


def readable() -> str:
    """Return the table of formats, and the names of those that are refused by name."""
    rows = [
        (
            item.name,
            " ".join(f"`.{name}`" for name in item.extensions),
            " ".join((sys.modules[type(item).__module__].__doc__ or "").split()),
        )
        for item in formats()
        if not isinstance(item, Unread)
    ]
    refused = ", ".join(item.name for item in formats() if isinstance(item, Unread))
    table = _table(("kind of file", "usual extensions", "what we do"), rows)
    return f"{table}\nKnown and refused by name, never misread as one wide column: {refused}.\n"


def planner() -> str:
    """Return the range of questions that the offline planner understands."""
    rows = [
        (item.what, "<br>".join(item.examples), f"`{item.agent}`")
        for item in RANGE
        if item.examples
    ]
    return _table(("question", "for example", "answered by"), rows)


def score() -> str:
    """Return the kept scores by group, a column a model."""
    heads, *rows = scores.table(scores.read())
    return _table(heads, rows)


def band() -> str:
    """Return how far the rule of thumb is off on the sample table, measured now."""
    text = SAMPLE.read_text(encoding="utf-8")
    rule, counted = round(len(text) / tokens.CHARS_PER_TOKEN), tokens.count(text)
    return (
        f"On `data/{SAMPLE.name}` ({len(text):,} characters) {tokens.CHARS_PER_TOKEN} characters a "
        f"token make {rule:,} tokens; the vocabulary counts {counted:,}, that is "
        f"{counted / rule:.2f} times as many ({len(text) / counted:.2f} characters a token). So "
        "both are used, and the stricter one wins.\n"
    )


def settings() -> str:
    """Return what can be set about a column, and what it overrules."""
    return _table(("key", "what it says"), [(f"`{key}`", what) for key, what in KEYS.items()])


PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "subcommands": subcommands,
    "limits": limits,
    "tools": tools,
    "agents": agents,
    "formats": readable,
    "planner": planner,
    "settings": settings,
    "band": band,
    "score": score,
}


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(_escaped, line))} |\n" for line in lines)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _said(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]


def generated(text: str, parts: Mapping[str, Callable[[], str]] = PARTS) -> str:
    """Return a document with its generated parts made anew.

    Parameters
    ----------
    text : str
        The document.
    parts : mapping, optional
        What makes each of its parts; those of the README if left out.

    Raises
    ------
    Refused
        If it has a part that nobody makes, or lacks one.
    """
    found = [part["name"] for part in _PART.finditer(text)]
    if sorted(found) != sorted(parts):
        wrong = sorted(set(found) ^ set(parts)) or sorted(found)
        raise Refused(f"document: generated parts {', '.join(wrong)}: each must be there once")
    return _PART.sub(lambda part: f"{part['head']}{parts[part['name']]()}{part['tail']}", text)


def stale(text: str, parts: Mapping[str, Callable[[], str]] = PARTS) -> list[str]:
    """Return the names of the parts that are out of date."""
    new = {part["name"]: part[0] for part in _PART.finditer(generated(text, parts))}
    return [part["name"] for part in _PART.finditer(text) if part[0] != new[part["name"]]]


def main(words: Sequence[str]) -> int:
    """Write the parts, or with ``--check`` tell which are out of date; return the exit status."""
    status = 0
    pages = ((README, PARTS), (MODELS, docs_models.PARTS), (BESIDE, docs_beside.PARTS))
    for page, parts in pages:
        text = page.read_text(encoding="utf-8")
        if "--check" not in words:
            page.write_text(generated(text, parts), encoding="utf-8")
        elif old := stale(text, parts):
            said = f"{page.name}: {', '.join(old)} out of date; make docs writes them anew\n"
            sys.stderr.write(said)
            status = 1
    return max(status, _whole_page(UGLY, ugly_file.page(), check="--check" in words))


def _whole_page(place: Path, text: str, *, check: bool) -> int:
    """Write a page that is generated as a whole, or tell that it is out of date."""
    if not check:
        place.write_text(text, encoding="utf-8")
    elif not place.is_file() or place.read_text(encoding="utf-8") != text:
        sys.stderr.write(f"{place.name}: out of date; make docs writes it anew\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
