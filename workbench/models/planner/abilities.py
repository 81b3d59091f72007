"""The kinds of question that the planner understands, with their words and examples.

First match first: the order is the priority.
"""

from __future__ import annotations

from workbench.models.planner.ability import Ability, ability
from workbench.models.planner.range_made import MADE
from workbench.models.planner.range_tables import FORM, TABLES

__all__ = ["RANGE", "Ability"]


_STATISTIC = r"statistics?|stats|means?|averages?|medians?|summary"
_HIDDEN = r"\b(?:non-?detects?|below (?:the )?(?:limits? of )?detection|censored)\b"
_ROW_NAMES = "numbers?|ids?|names?|labels?|rows?|records?"
# "the mean, and how many are below detection" asks for a count.
_NO_COUNT = r"(?![^.;]*\b(?:how many|share|percentage|proportion|number of)\b)"

_LENGTH = r"(?:metres?|meters?|metrage|feet|footage|drilling)"

# The order is the priority: "samples below detection" asks for limits, not for a filter.
RANGE: tuple[Ability, ...] = (
    ability(
        "sql",
        "dataops",
        "a query of your own",
        ["SELECT Lithology, count(*) FROM meridian_ridge_geochem GROUP BY Lithology"],
        r"\A\s*(?:run|sql)?[:\s]*(?:select\b[\s\S]+?\bfrom\b|with\b[\s\S]+?\bas\s*\(\s*select\b)",
    ),
    *MADE,
    *TABLES,
    ability(
        "pca",
        "pca",
        "principal components",
        ["Principal components of As, Sb, Cu and Zn.", "Make a PCA."],
        r"\bprincipal[ -]components?\b|\bPCA\b|\bshare of (?:the )?variance\b",
    ),
    ability(
        "logratio",
        "transform",
        "log-ratios",
        [
            "Make centred log-ratios of As, Cu and Sb with half the limit.",
            "Make ilr coordinates of Cu, Zn and Ni.",
        ],
        r"\b(?:clr|ilr|alr|log[ -]?ratios?)\b",
    ),
    ability(
        "ratio",
        "derive",
        "ratios, also of moles",
        ["Make the ratio of Cu to Zn."],
        r"\bratios?\b|\b(?:compute|calculate|make|derive) (?:the )?"
        r"(?!min|max|mean|median|average)[a-z]\w*\s?/\s?[a-z]\w*\b",
    ),
    ability(
        "smooth",
        "derive",
        "columns smoothed down each hole",
        ["Smooth Au over 5 m down the holes."],
        r"\bsmooth\w*\b|\b(?:running|moving) (?:means?|medians?|averages?)\b",
    ),
    ability(
        "aggregate",
        "derive",
        "one row a group or a grid cell",
        ["Aggregate Cu on a 200 m grid.", "Aggregate the mean of Cu and Zn by lithology."],
        r"\baggregat\w*\b|\b(?:m|km|metres?|meters?) (?:grid|cells?)\b|\bper (?:grid )?cell\b",
    ),
    ability(
        "profile",
        "profile_groups",
        "what each group is (with a grouping)",
        [],
        r"\bwhat (?:is |are )?(?:each|the|these|those) (?:of the )?(?:groups?|clusters?)\b"
        r"|\bwhat (?:each(?: one)?|they|these|those)(?: of them)? (?:is|are|means?)\b"
        r"|\b(?:describe|characteri[sz]e|explain|interpret|profile) (?:each|the|these|those)"
        r" (?:groups?|clusters?)\b|\beach (?:group|cluster) (?:is|means|holds|contains)\b",
    ),
    ability(
        "histogram",
        "geoviz",
        "a histogram",
        ["Draw a histogram of Au by lithology."],
        r"\bhistograms?\b|\bdistributions? of\b",
    ),
    ability(
        "map",
        "geoviz",
        "a map",
        ["Map gold.", "Plot a map of As."],
        r"\bmap(?:s|ped|ping)?\b|\bwhere (?:are|do|is|does) (?:they|it|these|those|the)\b"
        r"|\bwhere\b[^.;,]*\b(?:is|are|lies?|occurs?)\s*[?.!]*$",
    ),
    ability(
        "scatter",
        "geoviz",
        "a scatter plot",
        ["Plot As against Au coloured by lithology."],
        r"\bscatter|\bcross[ -]?plots?\b|\bplot\b.*?\b(?:against|vs\.?|versus)\b",
    ),
    ability(
        "cluster",
        "cluster",
        "groups of samples",
        ["Group the samples by Au, As, Cu and Sb into three clusters, tell me what each group is."],
        r"\bcluster|\bk-?means\b|\bh?dbscan\b|\bdendrogram\b|\bmixture of (?:normal|gaussian)"
        r"|\bhow many (?:natural )?groups\b|\bnatural groups\b|\bgroups of samples\b"
        r"|\b(?:group|divide|split|sort) (?:\w+ ){0,3}"
        r"(?:samples?|rows?|data|assays?|intervals?|soils?|analyses)\b|\binto (?:\w+ )?groups\b",
    ),
    ability(
        "families",
        "element_groups",
        "elements that go together",
        ["Which elements go together?", "Show element groups of As, Sb, Cu, Pb and Zn."],
        r"\b(?:which|what) elements (?:go|belong) together\b"
        r"|\belement (?:groups?|famil(?:y|ies)|associations?)\b|\bvariation matrix\b"
        r"|\b(?:groups?|associations?) (?:of )?(?:the )?elements\b",
    ),
    ability(
        "outlying",
        "outliers",
        "samples unusual in several elements together",
        ["Are there multivariate outliers in As, Sb and Cu?"],
        r"\b(?:outliers?|anomal\w+|unusual)\b[^.;]*\b(?:all|several|many) (?:the )?elements\b"
        r"|\boutliers?\b[^.;]*\btogether\b"
        r"|\bmulti-?variate (?:outliers?|anomal\w+)|\bmahalanobis\b|\bisolation forest\b",
    ),
    ability(
        "censored",
        "censored_stats",
        "statistics where values are below detection",
        ["Give proper statistics of Au and Sb.", "What is the Kaplan-Meier mean of Au?"],
        r"\bmedians?\b[^.;]*\b(?:same as|equals?|equal to|at|below)\b[^.;]*"
        r"\b(?:limits?|detection)\b|\bkaplan\b|\bregression on order\b"
        r"|\bproper(?:ly)? (?:\w+ ){0,2}"
        rf"(?:{_STATISTIC})\b|\b(?:{_STATISTIC})\b{_NO_COUNT}[^.;]*"
        rf"\b(?:with|where|despite|treat\w*|handl\w*|allow\w*)\b{_NO_COUNT}[^.;]*{_HIDDEN}"
        rf"|{_HIDDEN}[^.;]*\bproperly\b|\bproperly\b[^.;]*{_HIDDEN}",
    ),
    ability(
        "anomaly",
        "anomaly",
        "anomalies and thresholds",
        ["Which samples are anomalous in arsenic?", "What is the threshold for Au by lithology?"],
        r"(?<!which )(?<!what )(?<!the )\blevel(?:led|ling)? (?!of |in |is )(?:\w+ ){1,3}by\b"
        r"|\banomal|\boutliers?\b|\bthresholds?\b"
        r"|\bunusual",
    ),
    ability(
        "correlate",
        "correlate",
        "correlation",
        ["What correlates with gold?", "Correlate As and Sb."],
        r"\bcorrelat|\bassociat|\brelated\b|\brelat(?:es?|ion) to\b"
        r"|\bgo(?:es)? (?:together )?with\b|\bgo together\b"
        r"|\brelationships? between\b",
    ),
    ability(
        "limits",
        "dataops",
        "detection limits",
        ["What share of each element is below detection?"],
        r"\bdetection\b|\bcensor|\bbdl\b|\bover[ -]?range\b|\bnon-?detects?\b"
        r"|\breporting limits?\b",
    ),
    ability(
        "missing",
        "dataops",
        "missing values",
        ["Which columns have missing values?"],
        r"\bmissing\b|\b(?:have|has|had|with) no (?!log)"
        r"|\b(?:without|lack(?:s|ing)?) (?:an? |any )?"
        r"(?:\w+ ){0,2}(?:assays?|results?|analys[ie]s|values?|measurements?)\b"
        r"|\bnot (?:analysed|analyzed|assayed|received)\b|\bincomplete\b|\bblanks?\b|\bempty\b",
    ),
    ability(
        "repeats",
        "transform",
        "repeated sample numbers",
        ["Are there repeated sample numbers?"],
        rf"\b(?:repeated|duplicated?) (?:sample |hole )?(?:{_ROW_NAMES})\b"
        rf"|\b(?:{_ROW_NAMES}|samples?|holes?) (?:\w+ ){{0,3}}"
        r"(?:repeated|duplicated|twice|more than once)\b",
    ),
    ability(
        "check",
        "dataops",
        "what is odd: repeats, drillholes, coordinates, negatives, quality control",
        ["Check my collars, surveys and assays.", "What repeats are there?"],
        r"\bmetres or degrees\b|\bdegrees or metres\b|\bcoordinates\b|\bdatum\b|\bwhat grid\b"
        r"|\brepeat(?:s|ed)?\b|\bduplicat\w+\b|\bprojection\b|\bwhich columns are coordinates\b"
        r"|\bcoordinate system\b|\bnegative (?:values?|numbers?|results?)\b|\bqa ?/? ?qc\b"
        r"|\bquality control\b|\bcheck (?:my |the |all |these |our )?(?:\w+ )?"
        r"(?:collars?|surveys?|drill\w*|holes?|intervals?|coordinates?|assays|samples?|data)\b",
    ),
    ability(
        "top",
        "analytics",
        "highest samples",
        ["What are the ten highest samples in gold?"],
        r"\btop\b|\bhighest\b|\blargest\b|\brichest\b|\brank\b",
    ),
    ability(
        "summary",
        "analytics",
        "summary statistics",
        ["Give the median and percentiles of Au and As.", "Summarise gold by lithology."],
        r"\bmedians?\b|\bmeans?\b|\baverages?\b|\bpercentiles?\b|\bquantiles?\b|\bquartiles?\b"
        r"|\bbox[ -]?plots?\b|\bvar(?:y|ies)\b|\bsummar"
        r"|\bstatistics?\b|\bstats\b|\bminim(?:um|a)\b|\bmaxim(?:um|a)\b|\bmin\b|\bmax\b",
    ),
    ability(
        "filter",
        "transform",
        "samples that meet a condition",
        ["Which samples have Au above 100 ppb?", "Keep the samples where lithology is basalt."],
        r"\b(?:above|over|below|under|exceed\w*|greater than|more than|less than|higher than|"
        r"lower than|at least|at most|between)\b[^.;]{0,40}?\d|[<>]=?\s*\d|≥|≤"
        r"|\b(?:where|whose|with)\b[^.;]{0,60}?(?:\bis\b|\bare\b|\bequals?\b|==?)",
    ),
    ability(
        "drilled",
        "dataops",
        "how much was drilled",
        ["How many metres were drilled?"],
        rf"\bhow (?:many|much) {_LENGTH}\b|\b{_LENGTH} (?:(?:were|was|ha(?:ve|s) been) )?drilled\b"
        rf"|\btotal {_LENGTH}\b|\b{_LENGTH} of (?:core|drilling)\b",
    ),
    ability(
        "count",
        "dataops",
        "how many rows",
        ["How many samples are there?"],
        r"\bhow many\b|\bnumber of\b|\bcount\b",
    ),
    ability(
        "inventory",
        "dataops",
        "what is in the folder",
        ["What is in this folder?"],
        r"\b(?:folder|directory)\b|\b(?:what|which|list)(?: \w+){0,3} (?:files?|tables?)\b"
        r"|\bwhat (?:data )?(?:have|do) (?:i|we) (?:got|have)\b|\bwhat(?:'s| is) (?:in )?(?:here|"
        r"the data|this data|my data)\b|\binventory\b",
    ),
    ability(
        "describe",
        "dataops",
        "columns of a table",
        ["Describe meridian_ridge_geochem.csv."],
        rf"\bsheets?\b|{FORM}|\bdescribe\b"
        r"|\bcolumns\b|\bwhich elements\b|\bwhat elements\b|\bunits\b|\bschema\b"
        r"|\bwhat(?:'s| is) in\b",
    ),
)
