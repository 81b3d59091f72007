"""The formats in a confined child, as every question reads them: no sockets, no other files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from lasbench import las

from workbench import cli

LAS = las(("DEPT.M : Глубина по стволу", "GR.GAPI : Гамма-каротаж"), "1 2\n2 3\n")
PLACE = {"type": "Point", "coordinates": [1, 2]}
POINT = json.dumps({"type": "Feature", "properties": {"a": 1}, "geometry": PLACE})
FILES = {
    "utf16.las": LAS.encode("utf-16"),
    "cyrillic.las": LAS.encode("cp1251"),
    "points.geojson": POINT.encode(),
    "packed.las.gz": gzip.compress(LAS.encode()),
}


@pytest.mark.parametrize("name", FILES)
def test_a_confined_child_reads_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    assert cli.main(["describe", str(tmp_path / name), "--json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert table["rows"] in {1, 2}


def test_a_refusal_of_a_confined_child_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "deep.geojson").write_text(
        '{"type": "Feature", "geometry": ' + "[" * 100_000, encoding="utf-8"
    )
    assert cli.main(["describe", str(tmp_path / "deep.geojson")]) == 1
    said = capsys.readouterr().err
    assert "nested too deeply" in said
    assert said.count("\n") == 1
