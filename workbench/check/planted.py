"""What probes plant: tables whose every row can be found again, and prose that is no table.

Everything is made without chance, so that a probe that fails fails again.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile

# Stands in every row of a planted table; nothing else in a request looks like it.
_MARK = "canaryrow"
_FOUND = re.compile(rf"{_MARK}(\d+)")
_WORDS = (
    *("the", "survey", "followed", "a", "ridge", "of", "weathered", "basalt", "north", "to"),
    *("where", "soil", "cover", "is", "thin", "and", "drainage", "turns", "east", "below"),
    *("an", "old", "working", "that", "nobody", "has", "described", "in", "any", "report"),
)


def canary(row: int) -> str:
    """Return the sign of one row."""
    return f"{_MARK}{row}"


def canaries(text: str) -> set[int]:
    """Return the rows whose signs stand in a text."""
    return {int(hit) for hit in _FOUND.findall(text)}


def table(rows: int, columns: int = 4, width: int = 0) -> str:
    """Return a CSV table: an id with the row's sign, then numbers; a header line before them.

    Parameters
    ----------
    rows : int
        Rows, from 1.
    columns : int, optional
        Columns, the id included.
    width : int, optional
        Characters of a last text column; none if 0.
    """
    names = ["SampleID", *(f"V{number}_ppm" for number in range(1, columns))]
    lines = [",".join([*names, "Note"] if width else names)]
    for row in range(1, rows + 1):
        cells = [canary(row), *(f"{(row * 7 + number) % 97}.5" for number in range(1, columns))]
        lines.append(",".join([*cells, _filled(row, width)] if width else cells))
    return "\n".join(lines) + "\n"


def _filled(row: int, width: int) -> str:
    word = f"{_WORDS[row % len(_WORDS)]} "
    return (word * (width // len(word) + 1))[:width].strip()


def prose(chars: int, word: str = "") -> str:
    """Return sentences in lines of uneven length.

    Parameters
    ----------
    chars : int
        Length of the text.
    word : str, optional
        Stands once in every third sentence.
    """
    parts: list[str] = []
    size, number = 0, 0
    while size < chars:
        number += 1
        length = 6 + number * 5 % 13
        words = [_WORDS[(number * 11 + place * 3) % len(_WORDS)] for place in range(length)]
        if word and number % 3 == 0:
            words.insert(2, word)
        sentence = " ".join(words).capitalize() + "." + ("\n" if number % 4 == 0 else " ")
        parts.append(sentence)
        size += len(sentence)
    return "".join(parts)[:chars]


def settings(size: int) -> str:
    """Return a JSON object of settings, one a line, of exactly so many bytes."""
    lines, used = ["{"], 2
    while used < size - 200:
        line = f'  "setting number {len(lines)} of the plan": "as agreed with the crew",'
        lines.append(line)
        used += len(line) + 1
    start = "\n".join(lines) + '\n  "note": "'
    return start + "x" * (size - len(start) - 3) + '"\n}'


def workbook(pad: bytes = b"") -> bytes:
    """Return a workbook of one small sheet, with a part beside it that no reader needs."""
    rows = "".join(
        f'<row r="{row}"><c r="A{row}" t="inlineStr"><is><t>{name}</t></is></c>'
        f'<c r="B{row}"{kind}</c></row>'
        for row, (name, kind) in enumerate(_SHEET, start=1)
    )
    parts = dict(_PARTS)
    parts["xl/worksheets/sheet1.xml"] = (
        f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>'
    )
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
        archive.writestr("xl/media/pad.bin", pad)
    return kept.getvalue()


def growth(data: bytes) -> float:
    """Return how many times a packed file grows when it is unpacked."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return sum(part.file_size for part in archive.infolist()) / len(data)


def noise(size: int) -> bytes:
    """Return bytes that no packer makes smaller; the same each time."""
    parts = (hashlib.sha256(str(number).encode()).digest() for number in range(size // 32 + 1))
    return b"".join(parts)[:size]


_SHEET = [
    ("SampleID", ' t="inlineStr"><is><t>Au_ppb</t></is>'),
    *((f"s{number}", f"><v>{number}.5</v>") for number in range(1, 9)),
]
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_TYPES}">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/>'
    "</Types>",
    "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}">'
    f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    "</Relationships>",
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_RELATIONS}">'
    f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    "</Relationships>",
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="assays" sheetId="1" r:id="r1"/></sheets></workbook>',
}
