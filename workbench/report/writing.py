"""Reports written as files: which form is wanted, and where it goes."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.errors import Failed, Refused
from workbench.files.recordnames import REPORT
from workbench.report import book

NEEDS = "install it with pip install 'workbench[report]'"


def places(folder: Path, out: Sequence[str] | None) -> list[Path]:
    """Return where the report of a run goes; left out: notebook and page, beside its results."""
    if out:
        return [place(one) for one in out]
    return [folder / REPORT / f"report{form}" for form in (".ipynb", ".html")]


def place(out: str) -> Path:
    """Return where a report goes: the file that was asked for, or one in the folder.

    Raises
    ------
    Refused
        If its name ends in no form that is written.
    """
    target = Path(out).expanduser()
    if target.is_dir():
        return target / "report.ipynb"
    known = forms()
    if target.suffix.casefold() not in known:
        raise Refused(
            f"report '{out}': a report ends in {', '.join(known)}; name the file so, or a folder"
        )
    return target


def forms() -> dict[str, Callable[[Mapping[str, Any], Path], None]]:
    """Return what writes a notebook in each form, by the ending of the file."""
    return {".ipynb": _notebook, ".html": _page, ".pdf": _pdf, ".md": _text}


def write(folder: Path, targets: Sequence[Path]) -> list[Path]:
    """Write the report of a run in the forms that the names of the targets say.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    Refused
        If a form needs what is not installed.
    Failed
        If the disk refuses.
    """
    written = []
    for target in targets:
        written += convert(book.build(folder, target), [target])
    return written


def convert(found: Mapping[str, Any], targets: Sequence[Path]) -> list[Path]:
    """Write a notebook in the forms that the names of the targets say; see `write`."""
    for target in targets:
        target.parent.mkdir(parents=True, exist_ok=True)
        forms()[target.suffix.casefold()](found, target)
    return list(targets)


def read_book(path: Path) -> dict[str, Any]:
    """Read a report's notebook, for example one that was run on other data.

    Raises
    ------
    Refused
        If it is no notebook.
    """
    try:
        import nbformat
    except ImportError as error:
        raise Refused(f"report: {error}; {NEEDS}") from None
    try:
        return dict(nbformat.read(path, as_version=4))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a file, it is no notebook
        reason = " ".join(str(error).split())[:200]
        raise Refused(f"notebook '{path}': it cannot be read: {reason}") from None


def _notebook(found: Mapping[str, Any], target: Path) -> None:
    put(target, notebook_text(found))


def notebook_text(found: Mapping[str, Any]) -> str:
    """Return a notebook as its file holds it.

    Raises
    ------
    Refused
        If the library of the format is not installed.
    """
    try:
        import nbformat
    except ImportError as error:
        raise Refused(f"report: {error}; {NEEDS}") from None
    whole = nbformat.from_dict(found)
    nbformat.validate(whole)
    return str(nbformat.writes(whole)) + "\n"


def _page(found: Mapping[str, Any], target: Path) -> None:
    from workbench.report import page

    put(target, page.render(found))


def _pdf(found: Mapping[str, Any], target: Path) -> None:
    from workbench.report import page, printed

    printed.to_pdf(page.render(found), target)


def _text(found: Mapping[str, Any], target: Path) -> None:
    from workbench.report import text

    words, drawings = text.render(found, f"{target.stem}_files")
    for name, data in drawings.items():
        place = target.with_name(f"{target.stem}_files") / name
        place.parent.mkdir(exist_ok=True)
        put(place, data)
    put(target, words)


def put(target: Path, content: str | bytes) -> None:
    """Write a file, whole or not at all.

    Raises
    ------
    Failed
        If the disk refuses.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    try:
        part.write_bytes(data)
        os.replace(part, target)  # noqa: PTH105 - names its purpose
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Failed(f"report '{target}': {error.strerror}; give another place with -o") from None
