"""The headers of a LAS log: version, well, parameters, and what each column of its data is.

Lines are taken apart by lasio; every value stays the text it is. The order of value and description
follows the version, and is turned round where a header does not keep to its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.formats.las_text import Section

# Lines of one header that are looked at for columns; more columns than this make no table.
CURVES = 20_000
_FORM = re.compile(r"\{([^{}]*)\}")
_DELIMITERS = {"COMMA": ",", "TAB": "\t", "SPACE": " ", ",": ",", ";": ";"}
# Written in the place of a value by those who take LAS 2 for LAS 1.2.
_LABELS = {
    "WELL": ("well", "well name"),
    "COMP": ("company", "company name"),
    "FLD": ("field", "field name"),
    "LOC": ("location",),
    "UWI": ("unique well id", "uwi"),
    "API": ("api number",),
    "DATE": ("log date", "date"),
}
_LENGTHS = frozenset(
    [
        "M",
        "F",
        "FT",
        "FEET",
        "METRE",
        "METRES",
        "METER",
        "METERS",
        ".1IN",
        "0.1IN",
        "М",
        "МЕТР",
        "МЕТЕР",
    ]
)
_SHOWN = 300


@dataclass(frozen=True)
class Item:
    """One line of a header; all parts are text without blanks around."""

    mnemonic: str
    unit: str
    value: str
    description: str


@dataclass(frozen=True)
class Curve:
    """One column of a data section.

    Attributes
    ----------
    mnemonic, unit, description : str
        As the file has them; `description` without its form.
    form : str
        How LAS 3 says its values are written: ``F``, ``S``, ``DD/MM/YYYY``; may be empty.
    """

    mnemonic: str
    unit: str = ""
    description: str = ""
    form: str = ""

    @property
    def is_text(self) -> bool:
        """True if the file says that its values are text."""
        return self.form[:1] == "S" or "YY" in self.form.upper()

    @property
    def is_length(self) -> bool:
        """True if its unit is one of depth."""
        return self.unit.upper() in _LENGTHS


@dataclass(frozen=True)
class Header:
    """What the headers of a log say.

    Attributes
    ----------
    version : str
        ``1.2``, ``2.0``, ``3.0``; empty if it is not stated.
    wrapped : bool
        True if a depth step may run over several lines.
    delimiter : str
        Sign between columns of data; empty if it is not stated.
    well, parameters : mapping of str to Item
        By mnemonic in capitals.
    definitions : mapping of int to tuple of Curve
        Columns, by the line of the section that defines them.
    unread : tuple of int
        Header lines that could not be taken apart.
    """

    version: str
    wrapped: bool
    delimiter: str
    well: Mapping[str, Item] = field(default_factory=dict)
    parameters: Mapping[str, Item] = field(default_factory=dict)
    definitions: Mapping[int, tuple[Curve, ...]] = field(default_factory=dict)
    unread: tuple[int, ...] = ()

    def of_well(self, *mnemonics: str) -> str:
        """Return the first stated value among some lines of the well section; may be empty."""
        found = (self.well[name].value for name in mnemonics if name in self.well)
        return next((value for value in found if value), "")


def read_header(sections: Sequence[Section]) -> Header:
    """Read the headers of a log."""
    unread: list[int] = []
    version = _first(sections, "version", "2.0", unread)
    stated = version["VERS"].value if "VERS" in version else ""
    well = _first(sections, "well", stated, unread)
    parameters: dict[str, Item] = {}
    definitions: dict[int, tuple[Curve, ...]] = {}
    for section in sections:
        if section.part == "parameter":
            parameters |= _by_name(_items(section, stated, unread))
        elif section.part == "definition":
            items = _items(section, stated, unread)
            definitions[section.line] = tuple(map(_curve, items[:CURVES]))
    wrap = version["WRAP"].value.upper() if "WRAP" in version else ""
    delimiter = version["DLM"].value.upper() if "DLM" in version else ""
    return Header(
        stated,
        wrap.startswith("Y"),
        _DELIMITERS.get(delimiter, ""),
        well,
        parameters,
        definitions,
        tuple(unread),
    )


def _first(
    sections: Sequence[Section], part: str, version: str, unread: list[int]
) -> dict[str, Item]:
    found = next((section for section in sections if section.part == part), None)
    return _by_name(_items(found, version, unread)) if found else {}


def _by_name(items: Iterable[Item]) -> dict[str, Item]:
    """Return items by mnemonic; of several with one mnemonic the first counts."""
    found: dict[str, Item] = {}
    for item in items:
        found.setdefault(item.mnemonic.upper(), item)
    return found


def _items(section: Section, version: str, unread: list[int]) -> list[Item]:
    """Take the lines of a header apart."""
    from lasio.reader import read_header_line

    # lasio looks for special cases by its own names of sections.
    named = {"definition": "Curves", "parameter": "Parameter"}.get(section.part)
    found = []
    for number, line in section.lines:
        if not line or line.startswith("#"):
            continue
        # A form may hold colons, {hh:mm}, where lasio looks for the one before the description.
        form = " ".join(match[0] for match in _FORM.finditer(line))
        try:
            parts = read_header_line(_FORM.sub("", line), section_name=named)
        except AttributeError:  # no pattern fits: a rule of dashes, the names of columns
            unread.append(number)
            continue
        description = f"{parts['descr'].strip()} {form}".strip()
        item = Item(parts["name"], _bare(parts["unit"]), parts["value"].strip(), description)
        found.append(_ordered(item, version) if section.part == "well" else item)
    return found


def _bare(unit: str) -> str:
    """Take brackets off a unit."""
    unit = unit.strip()
    return unit[1:-1].strip() if unit[:1] + unit[-1:] in {"[]", "()"} else unit


def _ordered(item: Item, version: str) -> Item:
    """Put value and description in their places: LAS 1 has the value behind the colon."""
    from lasio.defaults import ORDER_DEFINITIONS

    name = item.mnemonic.upper()
    before = next(words for kind, words in ORDER_DEFINITIONS[1.2]["Well"][1:] if kind)
    behind = version.startswith("1") and name not in before
    label = item.value.casefold().rstrip(":").strip() in _LABELS.get(name, ())
    if label or (behind and item.description):
        return Item(item.mnemonic, item.unit, item.description, item.value)
    return item


def _curve(item: Item) -> Curve:
    form = _FORM.search(item.description)
    description = _FORM.sub("", item.description).strip()
    unit = item.unit
    if not unit and item.value.upper() in _LENGTHS:
        # "MD.  M : depth": a blank has slipped in before the unit.
        unit = item.value
    return Curve(item.mnemonic, unit, description, form[1].strip() if form else "")


def notes(header: Header) -> list[str]:
    """Return what a person wants to know of the well."""
    said = [
        f"{label} {value[:80]}"
        for label, value in (
            ("well", header.of_well("WELL")),
            ("UWI", header.of_well("UWI", "API", "APIN")),
            ("field", header.of_well("FLD", "FIELD")),
            ("company", header.of_well("COMP")),
            ("logged", header.of_well("DATE")),
        )
        if value
    ]
    version = header.version or "of no stated version"
    found = [f"LAS {version}: {', '.join(said) or 'no well named'}", _range(header)]
    every = [item for item in header.parameters.values() if item.value]
    if every:
        listed = ", ".join(f"{item.mnemonic} {item.value} {item.unit}".strip() for item in every)
        found.append(f"parameters: {_cut(listed)}")
    if header.unread:
        lines = ", ".join(map(str, header.unread[:5]))
        found.append(f"{len(header.unread)} header lines hold no item, passed over: {lines}")
    return found


def _range(header: Header) -> str:
    """Say what the header says of the index."""
    start, stop, step = (header.of_well(name) for name in ("STRT", "STOP", "STEP"))
    unit = header.well["STRT"].unit if "STRT" in header.well else ""
    null = header.of_well("NULL") or "not stated"
    along = f"{start} to {stop} {unit}".strip() + f" by {step or '?'}" if start else "no range"
    wrapped = ", rows wrapped over several lines" if header.wrapped else ""
    return f"the header says: {along}, null value {null}{wrapped}"


def described(curves: Sequence[Curve]) -> list[str]:
    """Return one note that says what the columns are."""
    said = [
        f"{curve.mnemonic} {curve.description[:80]}".strip()
        + (f" [{curve.unit}]" if curve.unit else "")
        for curve in curves
        if curve.description
    ]
    return [f"columns: {_cut('; '.join(said), 2 * _SHOWN)}"] if said else []


def _cut(text: str, most: int = _SHOWN) -> str:
    return text if len(text) <= most else f"{text[:most]}…[+{len(text) - most:,}]"
