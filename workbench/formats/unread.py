"""Formats that are known by name and not read: refused plainly, never turned into one column."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from workbench.errors import Refused
from workbench.formats.counting import text_head
from workbench.formats.encoding import decode, guess
from workbench.formats.format import Glimpse, Head, RawTable
from workbench.formats.reading import Reading
from workbench.limits import Limits
from workbench.workspace import OpenFile, shown

Test = Callable[[Glimpse], bool]


@dataclass(frozen=True)
class Unread:
    """A kind of file that is refused by its name.

    Attributes
    ----------
    name : str
        In the plural, as the refusal says it.
    extensions : tuple of str
        In lower case.
    test : callable
        Tells the kind by content.
    is_data : bool
        True if the read guard counts it as data.
    advice : str
        What to do instead.
    rank : int
        When it is asked.
    by_extension : bool
        True if a text of this extension is of this kind whatever it looks like.
    told : callable or None
        What the refusal adds about the file at hand.
    """

    name: str
    extensions: tuple[str, ...]
    test: Test
    is_data: bool = False
    advice: str = "export the table as CSV, XLSX or Parquet"
    rank: int = 20
    by_extension: bool = True
    told: Callable[[Glimpse], str] | None = None

    def recognises(self, glimpse: Glimpse) -> bool:
        """Tell by content whether a file is of this kind."""
        return self.test(glimpse)

    def read(self, file: OpenFile, into: Reading) -> Sequence[RawTable]:
        """Refuse by name."""
        del into
        self.refuse(file)

    def head(self, file: OpenFile, n: int, limits: Limits) -> Head:
        """Return the first lines of text; a binary kind is refused."""
        if guess(Glimpse.of(file).head) is None:
            self.refuse(file)
        return text_head(file, n, limits)

    def refuse(self, file: OpenFile) -> NoReturn:
        """Say what the file is and what to do instead."""
        told = f" ({self.told(Glimpse.of(file))})" if self.told else ""
        raise Refused(f"'{shown(file.name)}': {self.name} are not read yet{told}; {self.advice}")


def _starts(*signatures: bytes) -> Test:
    return lambda glimpse: glimpse.head.startswith(signatures)


def _text(pattern: str) -> Test:
    """Test the first lines of a text against a pattern."""
    wanted = re.compile(pattern, re.IGNORECASE)

    def test(glimpse: Glimpse) -> bool:
        encoding = guess(glimpse.head)
        if encoding is None:
            return False
        return bool(wanted.match(decode(glimpse.head[:4096], encoding)))

    return test


def _parts(*names: bytes) -> Test:
    """Test the names of the parts of a packed file."""

    def test(glimpse: Glimpse) -> bool:
        ends = glimpse.head, glimpse.tail
        # A document begins with the list of its parts; an archive of files may hold any names.
        listed = glimpse.head[30:96].startswith((b"[Content_Types].xml", b"mimetype", b"_rels/"))
        own = listed or glimpse.extension == "kmz"
        packed = glimpse.head.startswith(b"PK") and own
        return packed and any(name in end for name in names for end in ends)

    return test


def _is_dbase(glimpse: Glimpse) -> bool:
    """Tell a dBASE table by its date of change and its field names that end the header."""
    head = glimpse.head
    if glimpse.extension != "dbf" or len(head) < _DBASE_BYTES:
        return False
    return 1 <= head[2] <= 12 and 1 <= head[3] <= 31  # noqa: PLR2004 - month and day


def _is_segy(glimpse: Glimpse) -> bool:
    """Tell seismic data by its extension and the card image it begins with."""
    return glimpse.extension in {"sgy", "segy"} and glimpse.head.startswith((b"C", b"\xc3"))


def _is_dlis(glimpse: Glimpse) -> bool:
    return glimpse.head[4:7] == b"V1." or glimpse.head[84:87] == b"V1."


def _never(glimpse: Glimpse) -> bool:
    del glimpse
    return False


_DBASE_BYTES = 32
_TOPOJSON = r'\s*\{(?=.{0,2000}?"type"\s*:\s*"Topology")'

FORMATS = (
    Unread("LAS point clouds", ("laz",), _starts(b"LASF")),
    Unread("TopoJSON files", ("topojson",), _text("(?s)" + _TOPOJSON), is_data=True),
    Unread("fixed-width .dat files", ("dat",), _never, is_data=True, rank=95),
    Unread(
        "log files without a table",
        ("log",),
        _never,
        is_data=True,
        rank=95,
        advice="read them with search_text or read_range",
    ),
    Unread("HTML pages", ("html", "htm"), _text(r"\s*<(?:!doctype html|html|head|body|table)\b")),
    Unread("XML files", ("xml", "kml", "gml", "xsd"), _text(r"\s*<\?xml|\s*<kml")),
    Unread(
        "word documents and presentations",
        ("docx", "pptx", "odt", "odp"),
        _parts(b"word/", b"ppt/", b"opendocument.text", b"opendocument.presentation"),
        rank=15,
        by_extension=False,
        advice="copy the table into a workbook or a CSV file",
    ),
    Unread("RTF documents", ("rtf",), _text(r"\s*\{\\rtf")),
    Unread("Google Earth files", ("kmz",), _parts(b".kml"), rank=15, by_extension=False),
    Unread(
        "dBASE tables",
        ("dbf",),
        _is_dbase,
        is_data=True,
        advice="open it in a spreadsheet or GIS program and export it as CSV or XLSX",
    ),
    Unread("seismic SEG-Y files", ("sgy", "segy"), _is_segy, advice="they hold no table"),
    Unread("DLIS and LIS logs", ("dlis", "lis"), _is_dlis, advice="export the curves as LAS"),
    Unread(
        "grids of cells",
        ("asc", "grd"),
        _text(r"\s*(?:ncols\s+\d+\s+nrows|DSAA\b)"),
        advice="sample the grid at your points in a GIS program",
    ),
    Unread("drawings", ("dxf", "dwg"), _text(r"\s*0\s+SECTION\s")),
    Unread(
        "arrays and objects of a program",
        ("npy", "npz", "mat", "pkl", "pickle", "rds", "rdata", "omf"),
        _starts(
            b"\x93NUMPY", b"MATLAB 5.0", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"\x84\x83\x82\x81"
        ),
    ),
    Unread("PDF documents", ("pdf",), _starts(b"%PDF")),
    Unread(
        "pictures",
        ("png", "jpg", "jpeg", "gif", "tif", "tiff", "bmp", "webp"),
        _starts(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*", b"BM\x00"),
    ),
    Unread(
        "packed files",
        ("bz2", "xz", "zst", "7z", "rar", "tar"),
        _starts(
            b"PK\x03\x04",
            b"PK\x05\x06",
            b"\x1f\x8b",
            b"BZh",
            b"\xfd7zXZ",
            b"\x28\xb5\x2f\xfd",
            b"7z\xbc\xaf",
            b"Rar!",
        ),
        advice="unpack them first",
        rank=60,
    ),
    Unread(
        "databases and GeoPackages",
        ("sqlite", "db", "gpkg", "mdb", "accdb", "duckdb"),
        _starts(b"SQLite format 3\0", b"\0\x01\0\0Standard", b"\x00\x01\x00\x00Standard ACE DB"),
    ),
    Unread("HDF5 and NetCDF files", ("h5", "hdf5", "nc", "geoh5"), _starts(b"\x89HDF", b"CDF")),
    Unread("Arrow and Feather files", ("arrow", "feather"), _starts(b"ARROW1", b"FEA1")),
    Unread("ORC and Avro files", ("orc", "avro"), _starts(b"ORC", b"Obj\x01")),
    Unread("shapefiles", ("shp", "shx"), _starts(b"\0\0\x27\x0a")),
    Unread("programs", ("exe", "dll", "so"), _starts(b"\x7fELF", b"MZ\x90")),
    Unread(
        "old Office documents without sheets",
        ("doc", "msg", "ppt"),
        _starts(b"\xd0\xcf\x11\xe0"),
        rank=60,
    ),
)
