"""The quickstart from end to end, headless: a copy of notebook and data, run by a real kernel.

The copy lies in a folder of its own, so that a checkout stays as it was and a second run begins
where the first one did.
"""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.errors import Failed, Refused

QUICKSTART = Path("notebooks", "quickstart.ipynb")
# One cell holds a whole run; ten times what the slowest took on two cores.
CELL_SECONDS = 120


@dataclass(frozen=True)
class Shown:
    """A cell that said something: its source and the plain text it printed."""

    source: str
    text: str


def project() -> Path:
    """Return the folder that holds the quickstart: the checkout, or the present folder.

    Raises
    ------
    Refused
        If there is none.
    """
    for place in (Path(__file__).resolve().parent.parent, Path.cwd()):
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
        from nbclient.exceptions import CellExecutionError, CellTimeoutError
    except ImportError as error:
        raise Refused(f"demo: {error}; install it with pip install 'workbench[lab]'") from None
    book = nbformat.read(notebook, as_version=4)
    client = NotebookClient(
        book,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(notebook.parent)}},
    )
    try:
        with warnings.catch_warnings():
            # The kernel listens on this machine alone.
            warnings.filterwarnings("ignore", message=".*without encryption.*")
            client.execute()
    except (CellExecutionError, CellTimeoutError) as error:
        last = str(error).strip().splitlines()[-1]
        raise Failed(f"demo: a cell of '{notebook}' failed: {last}; open it to see where") from None
    finally:
        nbformat.write(book, notebook)
    return list(_shown(book.cells))


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
