"""Headers in every dress: element, unit, method and role; words are not taken for elements."""

from __future__ import annotations

import pytest

from workbench.formats.format import HeaderCell
from workbench.tables.elements import oxide, symbol
from workbench.tables.headers import read_header, read_headers
from workbench.tables.roles import role_of


@pytest.mark.parametrize(
    ("header", "element", "unit", "method"),
    [
        ("Au_ppm", "Au", "ppm", None),
        ("Au (ppb)", "Au", "ppb", None),
        ("AU PPB", "Au", "ppb", None),
        ("Cu_pct", "Cu", "pct", None),
        ("Cu %", "Cu", "pct", None),
        ("Cu%", "Cu", "pct", None),
        ("SiO2(wt%)", "SiO2", "pct", None),
        ("Na2O_%", "Na2O", "pct", None),
        ("As_mgkg", "As", "mg/kg", None),
        ("Au_ugkg", "Au", "ug/kg", None),
        ("Au g/t", "Au", "g/t", None),
        ("Ag oz/t", "Ag", "oz/t", None),
        ("U3O8_lb/t", "U3O8", "lb/t", None),
        ("238U_ppm_mean", "U", "ppm", None),
        ("Au-AA23 ppm", "Au", "ppm", "AA23"),
        ("FA50_Au", "Au", None, "FA50"),
        ("ME-MS61 Cu", "Cu", None, "ME-MS61"),
        ("Au_ppm_FA50", "Au", "ppm", "FA50"),
        ("S_total_pct", "S", "pct", None),
        ("Fe2O3T_pct", "Fe2O3T", "pct", None),
        ("LOI(wt%)", "LOI", "pct", None),
        ("In_ppm", "In", "ppm", None),
        ("Total(wt%)", None, "pct", None),
        ("Depth_m", None, "m", None),
        ("Azimuth_deg", None, "deg", None),
        ("LABnegNR_N", None, None, None),
        ("Zone_M", None, None, None),
    ],
)
def test_a_header_says_what_it_says(
    header: str, element: str | None, unit: str | None, method: str | None
) -> None:
    found = read_header(header)
    assert (found.element, found.unit, found.method) == (element, unit, method)


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("BHID", "hole"), ("HoleID", "hole"), ("Hole_Id", "hole"), ("CompanyHoleId", "hole"),
        ("SampleID", "id"), ("SAMPLE_NO", "id"), ("WAMEX_A_NO", "id"), ("COMPSAMPID", "id"),
        ("Anumber", "id"), ("MRTFileId", "id"), ("Sample", "id"), ("From_m", "from"),
        ("FromDepth", "from"), ("TO", "to"), ("AT", "depth"), ("Depth_m", "depth"),
        ("XCOLLAR", "easting"), ("Northing", "northing"), ("Long", "longitude"),
        ("lat", "latitude"),
        ("RL_m", "elevation"), ("Elevation", "elevation"), ("ModifiedDate", "date"),
        ("Fluid", None), ("Grid", None), ("Acid", None), ("Lithology", None), ("Azimuth_deg", None),
        ("Elevation_UOM", None), ("Weath", None), ("gwt-depth", None),
    ],
)  # fmt: skip
def test_the_role_is_told_by_whole_words(header: str, role: str | None) -> None:
    assert (read_header(header).role or role_of(header)) == role


@pytest.mark.parametrize("header", ["Mg#", "d13C", "δ34S", "87Sr/86Sr", "K/Al", "Cu / Zn"])
def test_ratios_and_isotopes_are_ratios(header: str) -> None:
    assert read_header(header).role == "ratio"


def elements(headers: list[str], *, numeric: bool = True) -> list[str | None]:
    cells = [HeaderCell(header) for header in headers]
    return [one.element for one in read_headers(cells, [numeric] * len(cells))]


def test_words_that_are_symbols_too_need_company() -> None:
    assert elements(["In", "W", "note"]) == [None, None, None]
    assert elements(["In", "W", "I", "Co"]) == ["In", "W", "I", "Co"]
    assert elements(["Cu", "Zn", "In"]) == ["Cu", "Zn", "In"]


def test_symbols_that_are_no_words_need_none() -> None:
    assert elements(["Hole", "Au"]) == [None, "Au"]


def test_capitals_alone_need_company() -> None:
    assert elements(["CU", "NI", "S", "FE"]) == ["Cu", "Ni", "S", "Fe"]
    assert elements(["AS", "note"]) == [None, None]


def test_no_text_column_is_an_element() -> None:
    assert elements(["Au_ppm", "Cu_ppm", "In"], numeric=False) == [None, None, None]


def test_x_and_y_together_are_places_among_any_elements() -> None:
    assert elements(["X", "Y", "Cu", "Zn", "Pb"])[:2] == [None, None]
    assert elements(["Cu", "Zn", "Pb", "Y"])[3] == "Y"


def test_what_is_no_element_is_none() -> None:
    for word in ("At", "No", "Fr", "cu", "Cool", "Sample", "COO2", ""):
        assert symbol(word) is None
        assert oxide(word) is None
