"""Questions that join tables or make one column of several; and anomalies in space."""

from __future__ import annotations

from workbench.models.planner.ability import Ability, ability

_TABLE = (
    r"(?:files?|tables?|sheets?|assays?|collars?|surveys?|ledgers?|batch(?:es)?|certificates?|log(?:s|ging)?|"
    r"lithology|majors?|traces?|\S+\.\w{2,5})"
)
_HIDDEN = r"(?:non-?detects?|below|detection|censored|LODs?|limits?)"
_ANOMALIES = r"(?:anomal\w+|targets?)"
_NEAR = (
    r"(?:in space|spatial\w*|neighbou?r\w*|close together|contiguous|adjacent|"
    r"(?:more than one|several|two or more) samples?)"
)
# "C-A" with its hyphen: without it, it is calcium.
AREA = r"\bconcentration[ -]area\b|\bC-A\b"
_ROCK = r"\b(?:litholog\w*|rocks?|logg\w+|geolog(?:y|ical))\b"
_AGREES = r"\b(?:agrees?|consistent|fits?|match\w*|correspond\w*)\b"
_CHEMISTRY = r"\b(?:geo)?chemi\w+"

MADE: tuple[Ability, ...] = (
    ability(
        "merge",
        "transform",
        "two tables put together by a key",
        ["Merge meridian_ridge_assay.csv with meridian_ridge_collar.csv by HoleID."],
        rf"\b(?:merge|join)\b|\b(?:put|bring|combine|match)\b[^;]*\b{_TABLE}\b[^;]*"
        rf"(?:\btogether\b|\b(?:with|to|against)\b[^;]*\b{_TABLE}\b)",
    ),
    ability(
        "iron",
        "transform",
        "total iron out of FeO, Fe2O3 and Fe",
        ["Make total iron as FeO."],
        # A column of the name may be there: then it is made only where that is said.
        r"\btotal iron\b|\b(?:make|compute|calculate|derive|work out|recast|express)\b[^.;]*"
        r"\bFe(?:2O3|O)?[ _]?T(?:ot(?:al)?)?\b"
        r"|\b(?:recast|combine|sum(?! of))\b[^.;]*\b(?:iron|FeO|Fe2O3)\b",
    ),
    ability(
        "best",
        "transform",
        "one column out of several methods for an element",
        [],
        r"\bbest (?:\w+ )?values?\b|\bacross (?:the )?(?:methods|laborator\w+)\b|\bore[- ]grade\b"
        r"|\binto one column\b",
    ),
    ability(
        "fill",
        "transform",
        "numbers put in for values below detection",
        ["Replace the non-detects of Au and Ag by half the limit."],
        # "This data set" sets nothing.
        r"\b(?:replace|substitute|fill|impute|(?<!data )(?<!the )(?<!this )"
        rf"set(?=[^.;]*\b(?:to|at|as)\b))\b[^.;]*\b{_HIDDEN}\b"
        rf"|\b{_HIDDEN}\b[^.;]*\b(?:replaced|substituted|set to|filled)\b",
    ),
    ability(
        "space",
        "anomaly_groups",
        "anomalies that lie close together",
        ["Which gold and arsenic anomalies are supported by neighbouring samples within 100 m?"],
        rf"\b{_ANOMALIES}\b[^.;]*\b{_NEAR}|\b{_NEAR}[^.;]*\b{_ANOMALIES}\b"
        r"|\b(?:group|cluster)(?:s|ed|ing)? (?:of )?(?:the )?(?:\w+ )?anomal\w+"
        r"|\b(?:make|rank|list|give|which)\b[^.;]*\btargets?\b",
    ),
    ability(
        "agreement",
        "profile_groups",
        "the chemistry of each logged group",
        ["Does the logged lithology agree with the chemistry?"],
        rf"{_ROCK}[^.;]*{_AGREES}[^.;]*{_CHEMISTRY}|{_CHEMISTRY}[^.;]*{_AGREES}[^.;]*{_ROCK}",
    ),
    ability(
        "thresholds",
        "compare_thresholds",
        "thresholds by several rules, side by side",
        ["What threshold makes As anomalous?", "Compare thresholds for gold."],
        r"\bcompar\w+\b[^.;]*\bthresholds?\b|\bthresholds?\b[^.;]*\b(?:compared|side by side)\b"
        rf"|{AREA}|\bprobability[ -]plot\b"
        r"|\bhow many populations\b|\babove (?:what|which) (?:values?|levels?|grades?)\b"
        r"|\b(?:which|what) thresholds? (?:for|makes?|should|to use|is best|suits?)\b",
    ),
)
