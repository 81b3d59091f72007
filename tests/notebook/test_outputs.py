"""What a cell shows of a run is kept beside it, for a notebook that was left in mid-run."""

from __future__ import annotations

import json
from pathlib import Path

from cells import Shell
from sampleview import QUESTION, answered

from workbench.files.recordnames import RECORDS
from workbench.notebook import outputs, static


def test_what_the_cell_shows_is_kept_beside_the_run(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "soils.csv").write_text("Sample,Au_ppb\nS1,4\nS2,9\n")
    shown = shell.run(f"%agent use {tmp_path / 'data'} -m offline") and shell.run(
        "%%agent -q\nHow many rows has soils.csv?"
    )
    folder = shell.magics.desk.answers[-1].folder
    whole = json.loads((folder / outputs.PLACE).read_text(encoding="utf-8"))
    assert shown
    assert whole["outputs"][0][static.MIME]["run"] == folder.name
    assert "How many rows" in whole["outputs"][0]["text/html"]
    assert Path(outputs.PLACE).parts[0] in RECORDS


def test_a_disk_that_refuses_costs_only_the_second_copy(tmp_path: Path) -> None:
    (tmp_path / "full").write_text("a file where a folder should be")
    outputs.keep({}, answered(), tmp_path)
    assert (tmp_path / "full").is_file()


def test_what_is_kept_is_the_card_and_a_line_for_a_figure_that_is_gone(tmp_path: Path) -> None:
    view = answered()
    figure = {"id": "d01a9", "path": "gone.json", "media_type": "application/vnd.plotly.v1+json"}
    more = {"bytes": 9, "rows": None, "sha256": "0" * 64}
    view["artefacts"] = [*view["artefacts"], {**figure, **more}]
    first, *rest = outputs.of_run(view, "1 s", tmp_path)
    assert QUESTION in first["text/html"]
    assert "gone.json" in rest[-1]["text/plain"]
