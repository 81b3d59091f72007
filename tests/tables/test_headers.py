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
        ("Fluid", None), ("Grid", None), ("Acid", None), ("Lithology", None),
        ("Azimuth_deg", "azimuth"), ("AZ", "azimuth"), ("DIP", "dip"), ("Method", "method"),
        ("Elevation_UOM", None), ("Weath", None), ("gwt-depth", None),
    ],
)  # fmt: skip
def test_the_role_is_told_by_whole_words(header: str, role: str | None) -> None:
    assert (read_header(header).role or role_of(header)) == role


@pytest.mark.parametrize("header", ["Mg#", "K/Al", "Cu / Zn", "Cu/Zn", "La/Yb_N", "(La/Yb)N"])
def test_ratios_of_elements_are_ratios(header: str) -> None:
    assert read_header(header).role == "ratio"


@pytest.mark.parametrize("header", ["d13C", "δ34S", "d18O (permil)", "87Sr/86Sr", "eNd", "εHf(t)"])
def test_ratios_of_isotopes_are_isotopes(header: str) -> None:
    assert read_header(header).role == "isotope"


@pytest.mark.parametrize("header", ["Au1_ppm", "Au_2_ppm", "Au_rpt_ppm", "Au ppm repeat"])
def test_an_element_determined_again_is_that_element(header: str) -> None:
    assert read_header(header).element == "Au"


@pytest.mark.parametrize("header", ["AuEq_gpt", "CuEq_pct", "Sum_pct", "LaN"])
def test_what_is_made_of_elements_is_none(header: str) -> None:
    assert read_header(header).element is None


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


def letters(headers: list[str], sizes: list[float]) -> list[str | None]:
    cells = [HeaderCell(header) for header in headers]
    return [one.element or one.role for one in read_headers(cells, [True] * len(cells), sizes)]


def test_y_is_yttrium_where_the_table_has_other_coordinates() -> None:
    metres = [500_000.0, 7_000_000.0]
    plane = letters(["Easting", "Northing", "X", "La", "Ce", "Y"], [*metres, 9, 40, 90, 30])
    assert plane == ["easting", "northing", None, "La", "Ce", "Y"]
    degrees = letters(["Long", "Lat", "La", "Ce", "Nd", "Y"], [120, 30, 40, 90, 30, 30])
    assert degrees[-1] == "Y"


def test_x_and_y_of_the_size_of_a_grid_are_places_beside_other_coordinates() -> None:
    found = letters(["Lon", "Lat", "X", "Y", "La", "Ce"], [120, 30, 5e5, 7e6, 40, 90])
    assert found[2:4] == ["easting", "northing"]


def test_a_second_y_is_yttrium() -> None:
    found = letters(["X", "Y", "La", "Ce", "Nd", "Y"], [5e5, 7e6, 40, 90, 30, 30])
    assert (found[1], found[5]) == ("northing", "Y")


def test_what_is_no_element_is_none() -> None:
    for word in ("At", "No", "Fr", "cu", "Cool", "Sample", "COO2", ""):
        assert symbol(word) is None
        assert oxide(word) is None
