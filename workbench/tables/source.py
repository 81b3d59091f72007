"""Where the tables of a snapshot came from: a file or the files of a set, and how it was read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    """One file of a set.

    Attributes
    ----------
    path : str
        Relative to the workspace.
    sha256 : str
        Hash of its bytes.
    rows : int
        Rows it gave to the tables of the set.
    differs : str
        Why it gave none; empty if it did.
    """

    path: str
    sha256: str
    rows: int
    differs: str = ""


@dataclass(frozen=True)
class Source:
    """The file a table came from, and how it was read.

    Attributes
    ----------
    path : str
        Relative to the workspace.
    sha256 : str
        Hash of the bytes that were read.
    format : str
        Name of the format.
    encoding, delimiter, decimal, line_end : str or None
        For text; None for the others.
    header_rows, skipped_lines : int
        Rows that make up the header, lines before it.
    files : tuple of Member
        The files of a set that is read as one table; empty for a single file.
    """

    path: str
    sha256: str
    format: str
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    line_end: str | None = None
    header_rows: int = 1
    skipped_lines: int = 0
    files: tuple[Member, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the source in the shape of ``describe --json``; of a set with its files."""
        values = {key: value for key, value in vars(self).items() if key != "files"}
        return {**values, "files": [vars(one) for one in self.files]} if self.files else values
