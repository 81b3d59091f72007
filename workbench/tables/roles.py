"""What the words of a header say a column is for: hole, interval, place, date, identifier.

Words propose; the values decide. Whole words are compared, never parts of words, so that ``Fluid``
is no identifier and ``Latite`` no latitude.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORDS: dict[str, str] = {
    "hole": "hole holeid holename holeno holenumber bhid dhid ddh ddhid dh bh drillhole "
    "drillholeid drillholename drillholeno borehole boreholeid well wellid wellname uwi "
    "companyholeid siteholeid parenthole",
    "from": "from depthfrom fromdepth mfrom dfrom intervalfrom topdepth depthtop startdepth",
    "to": "to depthto todepth mto dto intervalto basedepth depthbase bottomdepth enddepth",
    "depth": "depth md at maxdepth totaldepth eoh eohdepth td tvd dept measureddepth holedepth "
    "sampledepth surveydepth surveyeddepth depthmd",
    "longitude": "lon long lng longitude longitudedd longwgs84 lonwgs84 longdd",
    "latitude": "lat latitude latitudedd latwgs84 latdd",
    "easting": "e east easting eastings x xcoord xcoordinate xcollar xcoo utme utmx utmeast "
    "utmeasting mgae mgaeast mgaeasting xutm xmga eastmga collarx nateast",
    "northing": "n north northing northings y ycoord ycoordinate ycollar ycoo utmn utmy utmnorth "
    "utmnorthing mgan mganorth mganorthing yutm ymga northmga collary natnorth",
    "elevation": "elevation elev rl z zcollar altitude height zcoord zcoordinate natrl collarrl "
    "collarz",
    "azimuth": "azimuth az azi azm azim azimuthdeg azdeg bearing brg truaz magaz azimag azigrid "
    "azitrue azimuthtrue azimuthmagnetic azimuthgrid surveyazimuth",
    "dip": "dip dipdeg surveydip",
    "method": "method methodcode labmethod analyticalmethod analysismethod analmethod assaymethod "
    "digestion digest",
    "id": "id sample samples samp sampleid sampno sampid sampleno samplenumber barcode key ticket "
    "batch batchno job jobno jobnumber certificate dispatch objectid fid gid oid uuid guid label",
}
_BY_WORD = {word: role for role, words in _WORDS.items() for word in words.split()}
_ID_ENDS = frozenset({"id", "ids", "no", "nr", "num", "number"})
# Run together with what they number: SAMPLEID, Anumber, COMPSAMPID.
_ID_TAIL = re.compile(r"^(?:.{2,}id|.+number)$")
_NOT_IDS = _words(
    "fluid acid solid void grid liquid mid arid humid rapid hybrid orchid said paid avoid valid "
    "laid relaid overlaid granitoid feldspathoid foid spheroid rhomboid pyramid rigid turbid "
    "sulfid sulphid chlorid fluorid bromid iodid jodid carbid hydrid nitrid "
    "invalid amygdaloid ellipsoid geoid lipid oxid colloid tabloid steroid asteroid"
)


# Names of grids and datums beside a word for a coordinate, as in "Easting (MGA94)".
_DATUMS = frozenset(
    "mga mga94 mga2020 gda gda94 gda2020 amg amg66 amg84 agd agd66 agd84 wgs wgs84 utm nad27 nad83 "  # noqa: SIM905 - as the lists above
    "nztm nztm2000 nzmg etrs89 local grid datum m metres meters".split()
)
_PLACED = frozenset({"easting", "northing", "elevation", "latitude", "longitude"})
# Words that mean the course of a hole where both stand in one table.
_COURSE = {"direction": "azimuth", "inclination": "dip"}


def role_of_pair(header: str) -> str | None:
    """Return ``azimuth`` for a direction and ``dip`` for an inclination; None for other words.

    Examples
    --------
    >>> role_of_pair("DIRECTION (deg)"), role_of_pair("Directions")
    ('azimuth', None)
    """
    return next((role for word, role in _COURSE.items() if word in words_of(header)), None)


def words_of(header: str) -> list[str]:
    """Split a header into words in small letters, at signs and at changes of case.

    Examples
    --------
    >>> words_of("CompanyHoleId"), words_of("MGA_East (m)")
    (['company', 'hole', 'id'], ['mga', 'east', 'm'])
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", header)
    return [word for word in re.split(r"[^a-z0-9]+", spaced.casefold()) if word]


def role_of(header: str) -> str | None:
    """Return the role that the words of a header suggest; None for a plain word.

    Parameters
    ----------
    header : str
        Header without its unit.

    Examples
    --------
    >>> role_of("BHID"), role_of("Sample_No"), role_of("XCOLLAR"), role_of("Fluid")
    ('hole', 'id', 'easting', None)
    """
    words = words_of(header)
    joined = "".join(words)
    if not words or joined in _NOT_IDS or words[-1] in _NOT_IDS:
        return None
    bare = "".join(word for word in words if word not in _DATUMS)
    placed = _BY_WORD.get(bare) if _BY_WORD.get(bare) in _PLACED else None
    if joined in _BY_WORD or placed:
        return _BY_WORD.get(joined, placed)
    if words[-2:] in (["hole", "id"], ["hole", "name"], ["hole", "no"], ["hole", "number"]):
        return "hole"
    if "date" in words or joined.endswith("date"):
        return "date"
    if (words[-1] in _ID_ENDS and len(words) > 1) or _ID_TAIL.match(words[-1]):
        return "id"
    return None
