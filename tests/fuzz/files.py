"""Small good files of every format, and ways to spoil them."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from workbench.check import planted

_ROWS = [(f"S{n:02d}", n * 0.5, "<0.1" if n % 4 == 0 else str(n)) for n in range(1, 13)]
_CSV = "Sample,Au_ppm,As_ppm\n" + "".join(f"{a},{b},{c}\n" for a, b, c in _ROWS)
_LAS = (
    "~Version\n VERS. 2.0 : CWLS\n WRAP. NO : one line\n~Well\n STRT.M 1.0 :\n STOP.M 6.0 :\n"
    " STEP.M 1.0 :\n NULL. -999.25 :\n~Curve\n DEPT.M : depth\n GR.API : gamma\n~ASCII\n"
    + "".join(f" {n}.0 {n * 7}.5\n" for n in range(1, 7))
)
_POINTS = [
    {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [115.0 + n, -30.5]},
        "properties": {"id": f"S{n}", "Au": n, "note": None},
    }
    for n in range(8)
]
_GSLIB = "soils\n3\nx\ny\nAu\n" + "".join(f"{n}.0 {n * 2}.0 {n * 0.1:.2f}\n" for n in range(9))
_FIXED = "Sample    Au_ppm    Rock\n" + "".join(f"S{n:<9}{n * 1.5:<10.2f}tuff\n" for n in range(9))


def _parquet() -> bytes:
    kept = io.BytesIO()
    names, values, texts = zip(*_ROWS, strict=True)
    pq.write_table(pa.table({"Sample": names, "Au_ppm": values, "As_ppm": texts}), kept)
    return kept.getvalue()


def _zipped(name: str, data: bytes) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), data)
    return kept.getvalue()


_SHEET = planted.workbook()
GOOD: dict[str, bytes] = {
    "plain.csv": _CSV.encode(),
    "quoted.csv": _CSV.replace("S01", '"S,01"').replace("S02", '"S\n02"').encode(),
    "german.csv": _CSV.replace(",", ";").replace(".", ",").replace("\n", "\r\n").encode("cp1252"),
    "wide.tsv": _CSV.replace(",", "\t").encode("utf-16"),
    "headed.csv": f"Report 7\nLab: north\n\n{_CSV}\nTotal,3\nEnd of report\n".encode(),
    "blanks.txt": _CSV.replace(",", "   ").encode(),
    "fixed.prn": _FIXED.encode(),
    "log.las": _LAS.encode(),
    "points.geojson": json.dumps({"type": "FeatureCollection", "features": _POINTS}).encode(),
    "records.json": json.dumps([p["properties"] for p in _POINTS]).encode(),
    "lines.jsonl": "\n".join(json.dumps(p["properties"]) for p in _POINTS).encode(),
    "grid.gslib": _GSLIB.encode(),
    "table.parquet": _parquet(),
    "book.xlsx": _SHEET,
    "packed.csv.gz": gzip.compress(_CSV.encode(), mtime=0),
    "packed.zip": _zipped("plain.csv", _CSV.encode()),
}
# What readers trip over, put wherever it falls.
_ODD = (
    *(b"\0", b'"', b"\r", b"\n", b"\r\n", b"\n\n\n", b",", b";", b"\t", b"\xff", b"\xef\xbb\xbf"),
    *(b"\x1a", b"<0.5", b"-999.25", b"1e999", b"nan", b"{", b"}", b"[", b"]", b"~A\n", b"~", b":"),
    *(
        "µ".encode(),
        "\u2028".encode(),
        b"9" * 400,
        b'"' * 3,
        b"#",
        b"\\",
        b"=1+1",
        b"</row>",
        b"&x;",
    ),
)
Spoil = Callable[[bytes], bytes]


def _put(at: int, odd: bytes) -> Spoil:
    return lambda data: data[: at % (len(data) + 1)] + odd + data[at % (len(data) + 1) :]


def _drop(at: int, size: int) -> Spoil:
    return lambda data: data[: at % (len(data) + 1)] + data[at % (len(data) + 1) + size :]


def _double(at: int, size: int) -> Spoil:
    def spoil(data: bytes) -> bytes:
        begin = at % (len(data) + 1)
        return data[:begin] + data[begin : begin + size] * 2 + data[begin + size :]

    return spoil


def _change(at: int, byte: int) -> Spoil:
    def spoil(data: bytes) -> bytes:
        begin = at % (len(data) + 1)
        return data[:begin] + bytes([byte]) + data[begin + 1 :]

    return spoil


def _cut(at: int, _: int) -> Spoil:
    return lambda data: data[: at % (len(data) + 1)]


_places = st.integers(0, 5_000)
spoils = (
    st.builds(_put, _places, st.sampled_from(_ODD) | st.binary(max_size=4))
    | st.builds(_drop, _places, st.integers(1, 40))
    | st.builds(_double, _places, st.integers(1, 200))
    | st.builds(_change, _places, st.integers(0, 255))
    | st.builds(_cut, _places, st.just(0))
)


def _inside(data: bytes, spoil: Spoil, at: int) -> bytes:
    """Spoil one part of an archive that stays whole."""
    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(kept, "w") as new:
        for number, part in enumerate(old.infolist()):
            inner = old.read(part)
            new.writestr(part.filename, spoil(inner) if number == at % len(old.filelist) else inner)
    return kept.getvalue()


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[str, bytes]:
    """Return the name and the bytes of a file that was good before it was spoilt."""
    name = draw(st.sampled_from(sorted(GOOD)))
    data = GOOD[name]
    for spoil in draw(st.lists(spoils, min_size=1, max_size=4)):
        if name.endswith(".xlsx") and draw(st.booleans()):
            try:
                data = _inside(data, spoil, draw(st.integers(0, 9)))
            except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, EOFError):
                data = spoil(data)
        elif name.endswith(".gz") and draw(st.booleans()):
            data = gzip.compress(spoil(_CSV.encode()), mtime=0)
        else:
            data = spoil(data)
    return name, data


# Bytes of no format under the name of any, often with the sign that a format begins with.
_SIGNS = (b"", b"PAR1", b"PK\x03\x04", b"\x1f\x8b", b"~V", b"[{", b"\xff\xfe", b"\xd0\xcf\x11\xe0")
anything = st.tuples(
    st.sampled_from(sorted(GOOD)),
    st.builds(lambda sign, rest: sign + rest, st.sampled_from(_SIGNS), st.binary(max_size=300)),
)
