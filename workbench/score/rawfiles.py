"""The raw files as pandas reads them: never by the readers and tools that are scored.

How each file has to be read stands in ``questions.toml``, worked out by hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

_PLAIN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


class Raw:
    """The files of one data folder.

    Parameters
    ----------
    folder : Path
        The folder.
    how : mapping
        File name → what `pandas.read_csv` or `read_excel` needs, and ``gap``: numbers that stand
        for a missing value.
    """

    def __init__(self, folder: Path, how: Mapping[str, Mapping[str, Any]]) -> None:
        self.folder = folder
        self._how = how
        self._read: dict[tuple[str, str], pd.DataFrame] = {}

    def names(self) -> list[str]:
        """Return the files of the folder, scripts and notes left out."""
        kinds = {".csv", ".tsv", ".xlsx", ".las", ".dat"}
        return sorted(p.name for p in self.folder.iterdir() if p.suffix.lower() in kinds)

    def table(self, file: str, sheet: str = "") -> pd.DataFrame:
        """Return a table as text, cell by cell.

        Parameters
        ----------
        file : str
            File name.
        sheet : str, optional
            Sheet of a workbook.
        """
        import pandas as pd

        key = (file, sheet)
        if key not in self._read:
            how = {k: v for k, v in self._how.get(file, {}).items() if k != "gap"}
            path = self.folder / file
            if path.suffix == ".xlsx":
                how = {**how, **(how.pop(sheet, None) or {})}
                kept = {k: v for k, v in how.items() if not isinstance(v, dict)}
                found = pd.read_excel(path, sheet_name=sheet, dtype=str, engine="openpyxl", **kept)
            else:
                found = pd.read_csv(path, dtype=str, keep_default_na=False, **how)
            self._read[key] = found.fillna("").map(lambda cell: str(cell).strip())
        return self._read[key]

    def numbers(self, file: str, column: str, sheet: str = "") -> pd.Series[float]:
        """Return a column's plain numbers; what is censored, a gap or no number is NaN."""
        import numpy as np

        how = self._how.get(file, {})
        gaps = {float(gap) for gap in how.get("gap", ())}
        comma = how.get("decimal") == ","

        def read(cell: str) -> float:
            text = cell.replace(".", "").replace(",", ".") if comma else cell
            if not _PLAIN.fullmatch(text) or float(text) in gaps:
                return float("nan")
            return float(text)

        return self.table(file, sheet)[column].map(read).astype(np.float64)
