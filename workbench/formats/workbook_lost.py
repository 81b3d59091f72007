"""Cells that the reader of sheets leaves empty: error values, formulas without a value.

Their texts go into the cells, so that a gap has its reason. Every kind of workbook keeps them in
its own way; the parts are only looked at, nothing in them is computed or followed.
"""

from __future__ import annotations

import zipfile

from workbench.formats.workbook_binary import lost_in_xls, lost_in_xlsb
from workbench.formats.workbook_ods import lost_in_ods
from workbench.formats.workbook_xml import lost_in_xlsx
from workbench.workspace import OpenFile

Lost = dict[str, dict[tuple[int, int], str]]


def lost_cells(file: OpenFile) -> Lost:
    """Return the cells whose value is an error or was never computed.

    Parameters
    ----------
    file : OpenFile
        A checked workbook of any kind.

    Returns
    -------
    dict of str to dict
        By sheet: row and column, counted from 0, and the text to put there.
    """
    with file.stream() as stream:
        if not zipfile.is_zipfile(stream):
            stream.seek(0)
            return lost_in_xls(stream)
        with zipfile.ZipFile(stream) as archive:
            names = set(archive.namelist())
            if "content.xml" in names:
                return lost_in_ods(archive)
            return lost_in_xlsb(archive) if "xl/workbook.bin" in names else lost_in_xlsx(archive)
