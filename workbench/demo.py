"""The quickstart from end to end, headless: a copy of notebook and data, run by a real kernel.

The copy lies in a folder of its own, so that a checkout stays as it was and a second run begins
where the first one did; JupyterLab opens a copy too.
"""

from __future__ import annotations

import html
import logging
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.errors import Failed, Refused

QUICKSTART = Path("notebooks", "01_quickstart.ipynb")
# The copy that JupyterLab opens, beside the original so that ../data is the same folder.
OWN = Path("notebooks", "my_quickstart.ipynb")
# Where a wheel keeps the same two folders.
PACKAGED = Path(__file__).resolve().parent / "quickstart"
# One cell holds a whole run; ten times what the slowest took on two cores.
CELL_SECONDS = 120
_NO_WORDS = "No description has been provided for this image"
_NEEDS = "install it with pip install 'workbench[lab]'"


@dataclass(frozen=True)
class Shown:
    """A cell that said something: its source and the plain text it printed."""

    source: str
    text: str


def run_demo(target: Path, say: Callable[[str], None]) -> Path:
    """Run the quickstart in a folder, say what its cells said, and where everything lies.

    Parameters
    ----------
    target : Path
        Folder for the copy; made if it does not exist, kept afterwards.
    say : callable
        Takes each piece of text for the person.

    Returns
    -------
    Path
        The executed notebook.

    Raises
    ------
    Refused
        If there is no quickstart, or what runs notebooks is not installed.
    Failed
        If a cell fails; what ran before it is saved.
    """
    notebook = copy(project(), target)
    for cell in execute(notebook):
        say(f"In: {cell.source}\n\n{cell.text}\n")
    page = to_html(notebook)
    say(f"ran to its end: {os.path.relpath(notebook)}")
    say(f"as a page that needs no network: {os.path.relpath(page)}")
    return notebook


def project() -> Path:
    """Return the folder that holds the quickstart: the checkout, the wheel, or the present folder.

    Raises
    ------
    Refused
        If there is none.
    """
    for place in (Path(__file__).resolve().parent.parent, PACKAGED, Path.cwd()):
        if (place / QUICKSTART).is_file():
            return place
    raise Refused(
        f"'{QUICKSTART}': not beside the package and not here; run it in a checkout of the project"
    )


def copy(source: Path, target: Path) -> Path:
    """Copy notebook and data; return the copied notebook."""
    notebook = target / QUICKSTART
    notebook.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source / QUICKSTART, notebook)
    (target / "data").mkdir(exist_ok=True)
    for file in (source / "data").iterdir():
        if file.is_file() and file.suffix != ".py":
            shutil.copyfile(file, target / "data" / file.name)
    return notebook


def own_copy(root: Path) -> Path | None:
    """Return the quickstart to work in: the analyst's copy, made once and then left alone.

    Parameters
    ----------
    root : Path
        The project. Working in its own notebook would change a file that is kept under version
        control with every save.

    Returns
    -------
    Path or None
        Relative to `root`; the original where no copy can be written, None where there is none.
    """
    if not (root / QUICKSTART).is_file():
        return None
    try:
        with (root / OWN).open("xb") as file:
            file.write((root / QUICKSTART).read_bytes())
    except FileExistsError:
        pass
    except OSError:
        return QUICKSTART
    return OWN


def execute(notebook: Path) -> list[Shown]:
    """Run a notebook in a kernel of this Python and save it with its outputs.

    Returns
    -------
    list of Shown
        The cells that said something.

    Raises
    ------
    Refused
        If what runs notebooks is not installed.
    Failed
        If a cell fails; what ran before it is saved.
    """
    try:
        import nbformat
        from nbclient import NotebookClient
    except ImportError as error:
        raise Refused(f"demo: {error}; {_NEEDS}") from None
    book = nbformat.read(notebook, as_version=4)
    client = NotebookClient(
        book,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        # A live card is gone once its cell has ended; its state would only swell the file.
        store_widget_state=False,
        resources={"metadata": {"path": str(notebook.parent)}},
    )
    client.create_kernel_manager().transport_encryption = encryption()
    try:
        client.execute()
    except Exception as error:  # noqa: BLE001 - a failing cell makes the client fail again in its clean-up
        raise Failed(f"demo: '{notebook}': {_reason(book, error)}; open it to see where") from None
    finally:
        nbformat.write(book, notebook)
    return list(_shown(book.cells))


def encryption() -> str:
    """Return how a kernel we start is talked to: encrypted wherever its transport can be."""
    import zmq

    return "auto" if zmq.has("curve") else "disabled"


def _reason(book: Any, error: Exception) -> str:  # noqa: ANN401 - a notebook, by its own format
    """Return why a notebook stopped: the error of its cell, else that of what ran it."""
    for cell in book.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                return f"a cell failed: {output.evalue}"
    return f"it did not run to its end: {' '.join(str(error).split()) or type(error).__name__}"


def to_html(notebook: Path) -> Path:
    """Write an executed notebook as one page that asks for nothing outside itself.

    Raises
    ------
    Refused
        If what converts notebooks is not installed.
    """
    try:
        import nbformat
        from nbconvert import HTMLExporter
    except ImportError as error:
        raise Refused(f"demo: {error}; {_NEEDS}") from None
    addresses = (
        *("require_js_url", "jquery_url", "mathjax_url", "mermaid_js_url"),
        *("mermaid_layout_elk_js_url", "jupyter_widgets_base_url", "widget_renderer_url"),
    )
    exporter = HTMLExporter(**dict.fromkeys(addresses, ""))
    # It warns of drawings without words, which they get below.
    exporter.log = logging.getLogger(__name__)
    exporter.log.setLevel(logging.ERROR)
    book = nbformat.read(notebook, as_version=4)
    body, _ = exporter.from_notebook_node(book)
    # The exporter knows no words for a drawing; its text twin has them.
    for words in _drawings(book.cells):
        body = body.replace(_NO_WORDS, html.escape(words), 1)
    page = notebook.with_suffix(".html")
    page.write_text(body, encoding="utf-8")
    return page


def _drawings(cells: list[Any]) -> Iterator[str]:
    """Yield the text twin of every output that is a drawing, in order."""
    for cell in cells:
        for output in cell.get("outputs", ()):
            if "image/svg+xml" in output.get("data", {}):
                yield _plain(output)


def _shown(cells: list[Any]) -> Iterator[Shown]:
    for cell in cells:
        if cell.cell_type == "code":
            text = "\n".join(_plain(output) for output in cell.outputs).strip()
            if text:
                yield Shown(cell.source, text)


def _plain(output: Any) -> str:  # noqa: ANN401 - a notebook's output, by its own format
    if output.output_type == "stream":
        return str(output.text)
    return str(output.get("data", {}).get("text/plain", ""))
