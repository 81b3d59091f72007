"""The laboratory certificate of one batch of surface samples, as a workbook.

Sheet 1: preamble, five header rows, then samples with standards, blanks and duplicates in between.
Sheet 2: methods, certified values, abbreviations. Invariant: a sample's cells are those of the
survey file, and equal seed gives equal bytes (times and versions fixed, entries stored).
"""

import datetime as dt
import io
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from generate_lab import ACID, FIRE, FUSION, INFRARED, SURFACE, Reported, report
from generate_surface import Survey
from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

BATCH = slice(80, 180)
JOB = "MR26-0142"
RECEIVED, REPORTED = dt.date(2026, 3, 11), dt.date(2026, 3, 27)
STAMP = "2026-03-27T09:00:00Z"
# What the workbook library writes of the clock and of its own release.
SETTLED = (
    (r"(<dcterms:(?:created|modified)[^>]*>)[^<]*", STAMP),
    (r"(<Application>)[^<]*", "Microsoft Excel"),
    (r"(<AppVersion>)[^<]*", "16.0300"),
)
SHEETS = ("Certificate", "Methods and QC")

# Certified value and standard deviation, in the unit of the column.
STANDARDS = {
    "CRM-A": {
        "Au": (84.0, 3.6),
        "As": (46.5, 1.9),
        "Cu": (118.0, 3.9),
        "Sb": (1.42, 0.09),
        "Zn": (104.0, 3.8),
        "Ni": (61.0, 2.2),
    },
    "CRM-B": {
        "Au": (1520.0, 46.0),
        "As": (2840.0, 82.0),
        "Cu": (386.0, 10.5),
        "Sb": (18.6, 0.8),
        "Zn": (212.0, 6.4),
        "Ni": (34.2, 1.3),
    },
}
FAILED = ("CRM-B", "As", 3.9)
CARRY_OVER = ("Au", 9.0)
DUPLICATE_SCATTER = {"Au": 0.16}

METHODS = (
    (FIRE, "Lead-collection fire assay, 30 g charge, mass spectrometry finish"),
    (ACID, "Four-acid digestion, mass spectrometry finish"),
    (INFRARED, "Total sulphur by combustion and infrared detection"),
    (FUSION, "Lithium borate fusion, X-ray fluorescence"),
)
ABBREVIATIONS = (
    ("LNR", "Listed, not received"),
    ("NSS", "Not sufficient sample"),
    ("I/S", "Insufficient sample for this method"),
    ("(empty)", "Not asked for"),
)


@dataclass(frozen=True)
class Line:
    """One row of the certificate: sample name, type (SMP, STD, BLK, DUP), cells as printed."""

    name: str
    kind: str
    cells: tuple[float | str | None, ...]


def certificate_lines(survey: Survey, rng: np.random.Generator) -> tuple[Line, ...]:
    """List the batch in laboratory order; every tenth place is followed by quality control."""
    richest = int(np.nanargmax(np.where(survey.anomaly, survey.column("Au").value, np.nan)))
    lines: list[Line] = []
    for place, row in enumerate(range(BATCH.start, BATCH.stop), start=1):
        lines.append(Line(survey.ids[row], "SMP", _sample(survey.columns, row)))
        if row == richest:
            lines.append(_blank(rng, carried=CARRY_OVER))
        if place % 20 == 10:
            lines.append(_standard(("CRM-A", "CRM-B")[place // 20 % 2], place, rng))
        if place % 20 == 15:
            lines.append(_duplicate(survey, row, rng))
        if place % 30 == 0:
            lines.append(_blank(rng, carried=None))
    return tuple(lines)


def _sample(columns: tuple[Reported, ...], row: int) -> tuple[float | str | None, ...]:
    return tuple(
        float(column.value[row]) if np.isfinite(column.value[row]) else column.text[row] or None
        for column in columns
    )


def _printed(true: dict[str, float]) -> tuple[float | str | None, ...]:
    """Report numbers by symbol; symbols that are not given stay empty."""
    columns = tuple(
        report(
            np.array([true.get(analyte.symbol, np.nan)]),
            analyte,
            ["" if analyte.symbol in true else "blank"],
        )
        for analyte in SURFACE
    )
    return _sample(columns, 0)


def _standard(name: str, place: int, rng: np.random.Generator) -> Line:
    scores = np.clip(rng.standard_normal(len(STANDARDS[name])), -1.9, 1.9).tolist()
    true = {
        symbol: value + score * spread
        for (symbol, (value, spread)), score in zip(STANDARDS[name].items(), scores, strict=True)
    }
    if name == FAILED[0] and place > 60:
        value, spread = STANDARDS[name][FAILED[1]]
        true[FAILED[1]] = value + FAILED[2] * spread
    return Line(name, "STD", _printed(true))


def _blank(rng: np.random.Generator, carried: tuple[str, float] | None) -> Line:
    """Barren quartz: everything below the limit but a little silica-borne iron and alumina."""
    true = {analyte.symbol: analyte.lower / 3.0 for analyte in SURFACE}
    true |= {"SiO2": 98.6 + 0.2 * rng.standard_normal(), "Al2O3": 0.31, "Fe": 0.24, "K2O": 0.06}
    true |= {"Cu": 1.0 + 0.2 * rng.random(), "Cr": 6.0 + 2.0 * rng.random()}
    if carried is not None:
        true[carried[0]] = carried[1]
    return Line("BLANK", "BLK", _printed(true))


def _duplicate(survey: Survey, row: int, rng: np.random.Generator) -> Line:
    true = {}
    for column in survey.columns:
        symbol = column.analyte.symbol
        spread = DUPLICATE_SCATTER.get(symbol, 0.03 if column.analyte.unit != "pct" else 0.01)
        score = rng.standard_normal()
        if not column.missing[row]:
            true[symbol] = float(column.true[row]) * (1.0 + spread * score)
    return Line(f"{survey.ids[row]} DUP", "DUP", _printed(true))


def write_certificate(path: Path, lines: tuple[Line, ...]) -> None:
    """Write both sheets to `path`."""
    book = Workbook()
    book.properties.creator = "Synthetic sample data"
    sheet = book.active
    sheet.title = SHEETS[0]
    _first_sheet(sheet, lines)
    _second_sheet(book.create_sheet(SHEETS[1]))
    stream = io.BytesIO()
    book.save(stream)
    path.write_bytes(_settled(stream.getvalue()))


def preamble() -> tuple[tuple[object, ...], ...]:
    """Rows above the header, the empty one included."""
    return (
        ("CERTIFICATE OF ANALYSIS",),
        ("Job number", JOB),
        ("Project", "Meridian Ridge (synthetic)"),
        ("Date received", RECEIVED),
        ("Date reported", REPORTED),
        ("Number of samples", BATCH.stop - BATCH.start),
        ("Sample type", "Auger chips, bottom of hole"),
        ("Status", "Final"),
        (None,),
    )


def header() -> tuple[tuple[object, ...], ...]:
    """Five header rows: analyte, method, unit, lower limit, upper limit."""
    return (
        ("Sample", "Type", *(a.symbol for a in SURFACE)),
        ("Method", None, *(a.method for a in SURFACE)),
        ("Unit", None, *("%" if a.unit == "pct" else a.unit for a in SURFACE)),
        ("Detection limit", None, *(a.lower for a in SURFACE)),
        ("Upper limit", None, *(a.upper for a in SURFACE)),
    )


def _first_sheet(sheet: Worksheet, lines: tuple[Line, ...]) -> None:
    for row in (*preamble(), *header()):
        sheet.append(row)
    for line in lines:
        sheet.append((line.name, line.kind, *line.cells))
    sheet.merge_cells("A1:F1")
    sheet["A1"].font = Font(bold=True)
    for cell in sheet[len(preamble()) + 1]:
        cell.font = Font(bold=True)
    sheet.column_dimensions["A"].width = 20
    sheet.freeze_panes = sheet.cell(row=len(preamble()) + len(header()) + 1, column=3)


def _second_sheet(sheet: Worksheet) -> None:
    sheet.append(("Method", "Description"))
    for method in METHODS:
        sheet.append(method)
    sheet.append((None,))
    sheet.append(("Standard", "Analyte", "Unit", "Certified value", "Standard deviation"))
    units = {analyte.symbol: analyte.unit for analyte in SURFACE}
    for name, values in STANDARDS.items():
        for symbol, (value, spread) in values.items():
            sheet.append((name, symbol, units[symbol], value, spread))
    sheet.append((None,))
    sheet.append(("Abbreviation", "Meaning"))
    for abbreviation in ABBREVIATIONS:
        sheet.append(abbreviation)
    sheet.append((None,))
    sheet.append(("Standards pass within three standard deviations of the certified value.",))
    sheet.append(("Blanks pass below five times the detection limit.",))
    sheet.append(("A duplicate (DUP) is a second charge of the pulp named before it.",))
    sheet.column_dimensions["A"].width = 20
    sheet.column_dimensions["B"].width = 60


def _settled(content: bytes) -> bytes:
    """Rewrite a workbook so that equal cells give equal bytes with any zip or XML library."""
    settled = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as source,
        zipfile.ZipFile(settled, "w", zipfile.ZIP_STORED) as target,
    ):
        # The content types go first: some readers know a workbook by its first entry.
        for name in sorted(source.namelist(), key=lambda name: (name[0] != "[", name)):
            text = source.read(name).decode()
            for pattern, constant in SETTLED:
                text = re.sub(pattern, rf"\g<1>{constant}", text)
            entry = zipfile.ZipInfo(name, date_time=(2026, 3, 27, 9, 0, 0))
            entry.create_system = 0
            target.writestr(
                entry, '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.canonicalize(text)
            )
    return settled.getvalue()
