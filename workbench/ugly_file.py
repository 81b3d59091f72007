"""A page that says step by step what the reader did with one ugly file.

The file is made here and read as any other; every sentence about it comes from its description,
so that the page cannot say what the reader does not do.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from workbench.cli.described import described
from workbench.limits import Limits
from workbench.tables.snapshot import open_tables
from workbench.workspace import Workspace

NAME = "ugly.csv"
TEXT = """\
Certificate of analysis;BV26-0117;;;;
Client;Example Exploration;;;;
Sample;Easting;Au;As;Remark;
;m;ppb;ppm;;
MR-0001;352393,5;3,2;<0,5;µ-gold seen;
MR-0002;352401,0;<1;12,75;;
MR-0003;352410,5;LNR;-9999;not received;
MR-0004;352420,0;1250,4;8;"two
lines";
MR-0005;352430,5;7,9;9,1
MR-0006;352440,0;abc;10,3;;
MR-0007;352450,5;4,4;-9999;;
MR-0008;352460,0;5,1;7,7;;
"""


def page() -> str:
    """Return the page as Markdown; equal code gives an equal page."""
    with tempfile.TemporaryDirectory(prefix="workbench-") as name:
        folder = Path(name).resolve()
        (folder / NAME).write_bytes(TEXT.replace("\n", "\r\n").encode("cp1252"))
        workspace = Workspace(folder, folder / "results")
        with workspace.open(NAME) as file:
            opened = open_tables(file, folder / "snapshots", Limits())
        source, table = opened.source, opened.table()
        ragged = ", ".join(map(str, table.report.ragged_lines)) or "none"
        steps = [
            f"The bytes were taken as {source.encoding}, with line ends {source.line_end}.",
            f"Cells are parted by `{source.delimiter}`, decimals by `{source.decimal}`.",
            (
                f"{source.skipped_lines} lines stand above the header, which has "
                f"{source.header_rows} row(s)."
            ),
            (
                f"{table.report.short_rows} row(s) are shorter and {table.report.long_rows} longer "
                f"than the header (lines {ragged})."
            ),
            *(
                f"Line {cell.line}, column {cell.column}: `{cell.text}` is no number; it is "
                "listed, counted as rejected and left out."
                for cell in table.report.rejected
            ),
            *(f"{note[0].upper()}{note[1:]}." for note in (*opened.notes, *table.notes)),
        ]
        told = described(opened.to_json(), folder)
    numbered = "\n".join(f"{at}. {step}" for at, step in enumerate(steps, start=1))
    return (
        "# What the reader did with one ugly file\n\n"
        "Made by `python -m workbench.docs` from a real reading; `make check` fails if it is out "
        "of date.\n\nThe file (cp1252, CRLF):\n\n"
        f"```\n{TEXT}```\n\n## Step by step\n\n{numbered}\n\n"
        f"## What `workbench describe {NAME}` shows\n\n```\n{told}\n```\n\n"
        "Every cell of a column falls into exactly one of: plain number, below a limit, above a "
        "limit, missing with its reason, rejected. Their counts add up to the rows.\n"
    )
