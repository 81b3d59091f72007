"""A report's notebook as one page: reads offline on screen, phone and paper, asks for nothing.

Scripts are named to the browser by their hashes, so that nothing else in the page could run,
whatever a notebook holds.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.errors import Failed
from workbench.report import carried, parts
from workbench.report.markup import Markdown, escape

_HERE = Path(__file__).parent
# Words for the line of a folded cell that is no call.
_TITLES = {
    "parameters": "Parameters",
    "open": "The data is opened",
    "earlier-open": "Calls of earlier questions",
    "verification": "Recorded hashes, and the comparison",
}


@dataclass
class _Section:
    """A part of the page under one heading."""

    key: str
    title: str
    level: int
    body: list[str] = field(default_factory=list)


def render(notebook: Mapping[str, Any]) -> str:
    """Return the page of a notebook.

    Parameters
    ----------
    notebook : mapping
        In version 4 of the notebook format; made by `workbench report`, run again or not.

    Raises
    ------
    Refused
        If what reads Markdown is not installed.
    """
    sections = list(_sections(notebook))
    told = notebook["metadata"].get("workbench")
    told = told if isinstance(told, dict) else {}
    title = str(told.get("question") or (sections[0].title if sections else "Report"))
    first = sections[0] if sections and sections[0].level == 1 else None
    rest = [one for one in sections if one is not first]
    body = "".join(map(_section, rest))
    head = "".join(first.body) if first else ""
    heading = first.title if first else title
    main = (
        f'<header class="mast"><p class="kind">Workbench report</p><h1>{escape(heading)}</h1>'
        f"{head}{_departed(notebook)}</header>{body}{_foot(told)}"
    )
    scripts = _scripts(main)
    shape = (_HERE / "page.css").read_text(encoding="utf-8")
    run = "".join(f"<script>{script}</script>" for script in scripts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(' '.join(title.split()))}</title>\n<style>{shape}</style>\n</head>\n"
        '<body>\n<a class="skip" href="#main">To the report</a>\n<div class="layout">\n'
        f'{_contents(rest)}\n<main id="main">\n{main}\n</main>\n</div>\n{run}\n'
        f"{carried.comment(told)}\n</body>\n</html>\n"
    )


def _departed(notebook: Mapping[str, Any]) -> str:
    """Say at the head where cells were run on other data: answer and claims are of the record."""
    cells = [cell for cell in notebook["cells"] if str(cell.get("id", "")) == "verification"]
    for words in (text.strip() for cell in cells for text in _texts(cell)):
        if words and not words.startswith("verified"):
            told = (
                "The answer and its claims are those of the record, not of these data; tables and "
                "figures are what the cells gave now."
            )
            return parts.text(f"{words}\n{told}", "verdict departs")
    return ""


def _sections(notebook: Mapping[str, Any]) -> Iterator[_Section]:
    """Yield the notebook's cells by heading."""
    markdown = Markdown()
    section = _Section("start", "", 0)
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "markdown":
            level, words, made = markdown.headed(parts.joined(cell.get("source")))
            if level in {1, 2}:
                if section.title or section.body:
                    yield section
                key = str(cell.get("id") or f"part-{number}")
                section = _Section(key, words, level)
            elif level:
                made = f"<h{level}>{escape(words)}</h{level}>{made}"
            section.body.append(f'<div class="prose">{made}</div>' if made.strip() else "")
        elif cell["cell_type"] == "code":
            section.body.append(_code(cell))
    yield section


def _code(cell: Mapping[str, Any]) -> str:
    """Return a cell of code: calls as lines, tables and figures open, anything else folded."""
    told = parts.told_of(cell)
    key = str(cell.get("id", ""))
    if told.get("call"):
        return parts.call(cell, "\n".join(_texts(cell)))
    made = "".join(_outputs(cell))
    if told.get("kind") in {"table", "figure"}:
        return made
    if key == "verification":
        return "".join(_verdicts(cell)) + parts.folded(_TITLES[key], cell)
    if key.endswith("-open") and key not in _TITLES:
        return made
    return parts.folded(_TITLES.get(key, "Code"), cell) + made


def _outputs(cell: Mapping[str, Any]) -> Iterator[str]:
    for one in cell.get("outputs") or ():
        if "data" in one:
            yield parts.output(cell, one["data"])
        elif one.get("output_type") == "stream":
            yield parts.text(parts.joined(one.get("text")))
        elif one.get("output_type") == "error":
            yield parts.text("\n".join(map(str, one.get("traceback") or ())), "error")


def _texts(cell: Mapping[str, Any]) -> Iterator[str]:
    for one in cell.get("outputs") or ():
        data = one.get("data") or {}
        yield parts.joined(data.get("text/plain") or one.get("text") or one.get("evalue"))


def _verdicts(cell: Mapping[str, Any]) -> Iterator[str]:
    for words in _texts(cell):
        yield parts.text(words, f"verdict {'holds' if words.startswith('verified') else 'departs'}")


def _section(section: _Section) -> str:
    title = f"<h2>{escape(section.title)}</h2>" if section.title else ""
    return f'<section id="{escape(section.key)}">{title}{"".join(section.body)}</section>'


def _contents(sections: list[_Section]) -> str:
    rows = "".join(
        f'<li><a href="#{escape(one.key)}">{escape(one.title)}</a></li>'
        for one in sections
        if one.title
    )
    return (
        '<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary>'
        f"<ol>{rows}</ol></details></nav>"
    )


def _foot(told: Mapping[str, Any]) -> str:
    versions = told.get("versions")
    version = str(versions.get("workbench", "")) if isinstance(versions, dict) else ""
    run = str(told.get("run", ""))
    words = f"Made from the record of run {run} by workbench {version}; no model was asked for it."
    return f"<footer>{escape(words)}</footer>" if run else ""


def _scripts(main: str) -> list[str]:
    """Return the scripts of the page; without a figure to be drawn there is none to fetch it."""
    drawing = (_HERE / "page.js").read_text(encoding="utf-8")
    return [_plotly(), drawing] if '<div class="plot">' in main else [drawing]


def _plotly() -> str:
    """Return the drawing library that the plotly package ships."""
    spec = importlib.util.find_spec("plotly")
    if spec is None or not spec.submodule_search_locations:
        raise Failed("figures need the package plotly, and it is not installed; install it again")
    place = Path(spec.submodule_search_locations[0]) / "package_data" / "plotly.min.js"
    return place.read_text(encoding="utf-8").replace("</script", "<\\/script")


def _policy(scripts: list[str]) -> str:
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'"
        for one in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes} 'unsafe-eval'; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; worker-src blob:; base-uri 'none'; "
        "form-action 'none'"
    )
