"""Right answers that take several columns or tables, by pandas and numpy alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.score.registry import Value, work

if TYPE_CHECKING:
    import pandas as pd

    from workbench.score.rawfiles import Raw


@work
def spearman(raw: Raw, file: str, one: str, other: str) -> list[Value]:
    """Return rank correlation over the rows where both are plain numbers."""
    return [float(_pairs(raw, file, one, other).corr(method="spearman").iloc[0, 1])]


@work
def strongest(raw: Raw, file: str, target: str, among: list[str]) -> list[Value]:
    """Return the column with the strongest rank correlation with another."""
    found = {
        name: abs(_pairs(raw, file, target, name).corr(method="spearman").iloc[0, 1])
        for name in among
    }
    return [max(found, key=lambda name: found[name]).split("_")[0]]


@work
def mad_threshold(raw: Raw, file: str, column: str) -> list[Value]:
    """Return median + 2 scaled MAD of the logs; what is below detection at half its limit."""
    import numpy as np

    logs = np.log10(_with_half(raw, file, column))
    middle = np.median(logs)
    spread = 1.4826 * np.median(np.abs(logs - middle))
    return [float(10 ** (middle + 2 * spread))]


def _with_half(raw: Raw, file: str, column: str) -> Any:  # noqa: ANN401 - an array of numpy
    cells, values = raw.table(file)[column], raw.numbers(file, column)
    limits = cells.str.extract(r"^<\s*([\d.]+)$")[0].astype(float) / 2
    over = cells.str.extract(r"^>\s*([\d.]+)$")[0].astype(float)
    return values.fillna(limits).fillna(over).dropna().to_numpy()


@work
def first_component(raw: Raw, file: str, parts: list[str]) -> list[Value]:
    """Return per cent of the variance of centred log-ratios along their first component."""
    import numpy as np

    logs = np.log(_pairs(raw, file, *parts).to_numpy())
    ratios = logs - logs.mean(axis=1, keepdims=True)
    spread = np.linalg.svd(ratios - ratios.mean(axis=0), compute_uv=False) ** 2
    return [float(100 * spread[0] / spread.sum())]


@work
def weighted_mean(
    raw: Raw, file: str, column: str, start: str, end: str, hole: str, name: str
) -> list[Value]:
    """Return length-weighted mean of one hole; values below detection at half their limit."""
    table = raw.table(file)
    length = raw.numbers(file, end) - raw.numbers(file, start)
    limits = table[column].str.extract(r"^<\s*([\d.]+)$")[0].astype(float) / 2
    values = raw.numbers(file, column).fillna(limits)
    chosen = (table[hole] == name) & values.notna()
    return [float((values * length)[chosen].sum() / length[chosen].sum())]


@work
def without(raw: Raw, file: str, other: str, hole: str) -> list[Value]:
    """Return how many holes of one table are not in another."""
    return [float(len(set(raw.table(file)[hole]) - set(raw.table(other)[hole])))]


@work
def neighbour_distance(raw: Raw, file: str, east: str, north: str) -> list[Value]:
    """Return median distance from each sample to the nearest other one."""
    import numpy as np

    places = _pairs(raw, file, east, north).to_numpy()
    gaps = np.hypot(*(places[:, None, :] - places[None, :, :]).transpose(2, 0, 1))
    np.fill_diagonal(gaps, np.inf)
    return [float(np.median(gaps.min(axis=1)))]


@work
def total_iron(raw: Raw, file: str, ferrous: str, ferric: str) -> list[Value]:
    """Return median of FeO + 0.8998 Fe2O3 (molar masses 71.844 and 159.687 g/mol)."""
    factor = 2 * 71.844 / 159.687
    return [float((raw.numbers(file, ferrous) + factor * raw.numbers(file, ferric)).median())]


@work
def standards_failed(raw: Raw, file: str) -> list[Value]:
    """Return which standard and element are beyond three standard deviations, and at what."""
    sheet, qc = raw.table(file, "Certificate"), raw.table(file, "Methods and QC")
    failed: list[Value] = []
    for _, row in qc.iterrows():
        name, element = row["Standard"], row["Analyte"]
        if not str(name).startswith("CRM-") or element not in sheet:
            continue
        found = sheet.loc[sheet["Sample"] == name, element]
        certified, spread = float(row["Certified value"]), float(row["Standard deviation"])
        given = [float(cell) for cell in found if cell[:1].isdigit()]
        off = [value for value in given if abs(value - certified) > 3 * spread]
        failed += [str(name), str(element), *off] if off else []
    return failed


@work
def blanks_failed(raw: Raw, file: str, among: list[str]) -> list[Value]:
    """Return which elements are above five times their limit in a blank, and at what."""
    sheet = raw.table(file, "Certificate")
    limits = sheet[sheet["Sample"] == "Detection limit"].iloc[0]
    blanks = sheet[sheet["Type"] == "BLK"]
    failed: list[Value] = []
    for element in among:
        found = [float(cell) for cell in blanks[element] if cell[:1].isdigit()]
        # The rule of the certificate's second sheet.
        over = [value for value in found if value > 5 * float(limits[element])]
        failed += [element, *over] if over else []
    return failed


@work
def duplicate_variation(raw: Raw, file: str, element: str) -> list[Value]:
    """Return the root mean square coefficient of variation of duplicates, in per cent."""
    import numpy as np

    sheet = raw.table(file, "Certificate")
    values = dict(zip(sheet["Sample"], sheet[element], strict=True))
    pairs = [
        (values[name.removesuffix(" DUP")], cell)
        for name, cell in values.items()
        if name.endswith(" DUP")
    ]
    found = np.array(
        [(float(a), float(b)) for a, b in pairs if a[:1].isdigit() and b[:1].isdigit()]
    )
    spread = np.abs(found[:, 0] - found[:, 1]) / np.sqrt(2) / found.mean(axis=1)
    return [float(100 * np.sqrt((spread**2).mean()))]


@work
def types(raw: Raw, file: str) -> list[Value]:
    """Return how many samples, standards, blanks and duplicates a certificate has."""
    kinds = raw.table(file, "Certificate")["Type"]
    return [float(count) for count in kinds[kinds != ""].value_counts()]


def _pairs(raw: Raw, file: str, *columns: str) -> pd.DataFrame:
    import pandas as pd

    return pd.concat([raw.numbers(file, name) for name in columns], axis=1).dropna()
