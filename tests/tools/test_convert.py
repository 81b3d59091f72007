"""Units and oxides, against published factors and by hand."""

from __future__ import annotations

import pytest
from toolbench import Bench

from workbench.errors import Refused
from workbench.tables.weights import element_of, parts

# Conversion factors as printed in laboratory handbooks, element = oxide × factor.
PUBLISHED = {
    "Al2O3": 0.5293, "BaO": 0.8957, "CaO": 0.7147, "Cr2O3": 0.6842, "Fe2O3": 0.6994, "FeO": 0.7773,
    "K2O": 0.8302, "MgO": 0.6030, "MnO": 0.7745, "Na2O": 0.7419, "Nb2O5": 0.6990, "P2O5": 0.4364,
    "SiO2": 0.4674, "SrO": 0.8456, "TiO2": 0.5993, "U3O8": 0.8480, "V2O5": 0.5602, "WO3": 0.7930,
    "ZrO2": 0.7403, "ThO2": 0.8788, "Ta2O5": 0.8190, "SnO2": 0.7877, "Li2O": 0.4645, "Rb2O": 0.9144,
    "Sb2O3": 0.8353, "Sb2O5": 0.7527, "As2O3": 0.7574, "Bi2O3": 0.8970, "GeO2": 0.6941,
}  # fmt: skip


@pytest.mark.parametrize("oxide", sorted(PUBLISHED))
def test_the_share_of_an_element_is_the_published_one(oxide: str) -> None:
    assert float(element_of(oxide)[1]) == pytest.approx(PUBLISHED[oxide], abs=2e-4)


def test_what_is_no_oxide_of_one_element_is_refused() -> None:
    for word in ("H2", "CaCO3", "LOI", "Xx2O3"):
        with pytest.raises(Refused):
            element_of(word)
    assert parts("U3O8") == {"U": 3, "O": 8}


ROWS = "SampleID,Au_ppb,Cu_pct,Ag_g/t,Fe2O3_pct,Depth_m\nA1,<5,0.1,2,10,1\nA2,1500,2.5,<0.5,5,2\n"


def test_every_element_comes_to_one_unit_with_its_limits(bench: Bench) -> None:
    facts = bench.facts("convert_units", path=bench.write("u.csv", ROWS), to="ppm")
    table = bench.read(facts["output"])
    assert table["Au_ppm"].tolist() == [0.0025, 1.5]
    assert table["Au_ppm__limit"].tolist()[0] == 0.005
    assert table["Au_ppm__flag"].fillna("").tolist() == ["<", ""]
    assert table["Cu_ppm"].tolist() == [1000, 25000]
    assert table["Ag_ppm"].tolist() == [2, 0.25]
    assert table["Fe2O3_pct"].tolist() == [10, 5]
    assert table["Depth_m"].tolist() == [1, 2]
    assert facts["factors"]["Au_ppb"] == ["Au_ppm", 0.001]


def test_oxides_become_elements_where_asked(bench: Bench) -> None:
    facts = bench.facts(
        "convert_units", path=bench.write("u.csv", ROWS), to="pct", oxides="element"
    )
    table = bench.read(facts["output"])
    assert table["Fe_pct"].tolist() == pytest.approx([6.994, 3.497], abs=1e-3)
    assert "Cu_pct" in facts["left_as_they_are"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"to": "ppmm"}, "ppm"),
        ({"columns": ["Depth_m"], "to": "ppm"}, "length"),
        ({"columns": ["SampleID"]}, "numbers are needed"),
    ],
)
def test_unlike_units_are_refused(bench: Bench, arguments: dict[str, object], says: str) -> None:
    with pytest.raises(Refused, match=says):
        bench.call("convert_units", path=bench.write("u.csv", ROWS), **arguments)


def test_a_converted_column_keeps_its_method_in_its_name(bench: Bench) -> None:
    rows = "SampleID,Cu_ICP61_ppm,Cu_OG62_pct\nA1,>10000,1.5\nA2,30,0.003\n"
    facts = bench.facts("convert_units", path=bench.write("m.csv", rows), to="ppm")
    assert facts["factors"]["Cu_OG62_pct"] == ["Cu_OG62_ppm", 10_000]


def test_iron_is_put_in_one_form_and_says_where_from(bench: Bench) -> None:
    rows = "SampleID,FeOT_pct,FeO_pct,Fe2O3_pct\nA1,9,,\nA2,,4,5\nA3,,,\n"
    facts = bench.facts(
        "total_iron",
        path=bench.write("iron.csv", rows),
        columns=["FeOT_pct", "FeO_pct", "Fe2O3_pct"],
    )
    table = bench.read(facts["output"])
    # FeO = Fe2O3 × 0.8998.
    assert table[facts["column"]].tolist()[:2] == pytest.approx([9, 4 + 5 * 0.8998], abs=1e-3)
    assert table[f"{facts['column']}_from"].tolist()[:2] == ["FeOT_pct", "FeO_pct + Fe2O3_pct"]
    assert facts["from"]["(no iron value)"] == 1


def test_ferric_iron_is_not_all_iron_where_ferrous_stands_beside_it(bench: Bench) -> None:
    both = bench.write("both.csv", "SampleID,Fe2O3_pct,FeO_pct\nA1,5,4\nA2,6,3\n")
    with pytest.raises(Refused, match="name both"):
        bench.call("total_iron", path=both, columns=["Fe2O3_pct"])
    lone = bench.write("lone.csv", "SampleID,Fe2O3_pct\nA1,5\nA2,6\n")
    reply = bench.call("total_iron", path=lone, columns=["Fe2O3_pct"])
    assert reply.notes == ("Fe2O3_pct is taken for total iron: the file has no FeO",)


def test_what_is_no_iron_is_refused(bench: Bench) -> None:
    with pytest.raises(Refused, match="not iron"):
        bench.call("total_iron", path=bench.write("u.csv", ROWS), columns=["Cu_pct"])
