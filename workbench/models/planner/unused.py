"""Words of a clause that the planner made nothing of: told, so that nothing is passed over.

A rule-based reader that drops a word answers another question. What is neither element, column,
file, number nor a word of its vocabulary is listed after the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.models.planner.cards import Card
from workbench.models.planner.clauses import Clause
from workbench.models.planner.condition import Unread, read
from workbench.models.planner.range import BY_KIND
from workbench.models.planner.range_tables import IN_UNIT
from workbench.models.planner.said import columns, grouping, named_places, without_grouping
from workbench.models.planner.symbols import mentions

_PLAIN = """
about again all also analyse analyses analysis and any anything are ask available been both
briefly but calculate can chart color colored colour coloured column columns compute contain
contained containing contains could data dataset different displays does draw drawn each eight
element elements eleven entries every explain field fields fifteen figure figures file files find
first five folder for four from get give given good got graph group grouped groups had has have
having here how identify into its just keep kindly kinds know let lie lies like list located look
main make many mean means measured more most much need nine not now number off one only our out
over overview part per picture please plot plots present print produce quick rather report result
results row rows same sample samples say see select separate set seven share should show shown
single six size some something split such tell ten than thank thanks that the their them then
there these they this those three through together twelve twenty two type types under use used
using value values very want was well were what when where whether which who whole will with
within without would you your
"""
_FIELD = """
above additive aggregate aggregated alr anomalies anomalous anomaly area assay assayed assays
average averages axes axis background below bic cell cells centred cluster clusters combine compare
compared component components concentration concentrations content contents coordinate coordinates
correlate correlated correlates correlation correlations dendrogram density detected detection
distribution down drill drilled drilling drillhole drillholes element fence gap geochem geochemical
geochemistry
grade grades greater grid half heat hierarchical high higher highest hole holes ilr interval
intervals isometric length length-weighted lengths less level levels limit limits linear location
locations log log-ratio
log-ratios logged lognormal logs low lower lowest map mapped maps max maximum median medians meter
meters method methods metre metres min minimum mixture molar moles multiplicative natural
non-detects outlier outliers over pct pearson percent percentile percentiles pivot population
populations ppb ppm proper properly quantiles quartiles range ratio ratios reported rock rocks rule
rules run samples sediment sediments silhouette smooth smoothed soil soils space spatial spearman
standardised statistics stats stream streams sum summary surface survey symbol symbols table tables
threshold thresholds top total treated treating tree tukey unit units unusual unusually variance
bring cent combined convert
converted epsg excel export faults geojson geopackage gpkg grid index issues
iqr jointly mad problems quality save spreadsheet turn workbook wrong xlsx zip
"""
_KNOWN = frozenset((_PLAIN + _FIELD).split())
_WORD = re.compile(r"(?<!\w)[A-Za-z][A-Za-z'-]{2,}(?!\w)")
# Quoted text is a value: it is looked up or refused.
_VALUES = re.compile(r"[\"“`][^\"”`]*[\"”`]|(?<!\w)'[^']*'(?!\w)")


# Kinds whose answer is by group, or by key, where that is asked for.
_GROUPED = frozenset(
    {
        "aggregate",
        "anomaly",
        "censored",
        "cluster",
        "correlate",
        "count",
        "histogram",
        "merge",
        "scatter",
        "summary",
        "thresholds",
    }
)


def _dropped_group(clause: Clause, card: Card | None) -> list[str]:
    """Return the grouping that a clause asks for and its kind of answer does not make."""
    by = grouping(clause.text)
    if not by or clause.kind in _GROUPED:
        return []
    # A map without a measured column is coloured by the group.
    measured = card is not None and any(f.measured for f in columns(clause.text, card).fields)
    return [f"by {by}"] if clause.kind != "map" or measured else []


# What else a clause may ask for beside a kind of answer that does not give it.
_TASKS = ("anomaly", "cluster", "correlate", "summary")
_ONE_TASK = frozenset({"map", "scatter", "histogram", "limits", "missing", "inventory", "describe"})


def _dropped_tasks(clause: Clause) -> list[str]:
    """Return the words of a clause that ask for a second answer, which was not given."""
    if clause.kind not in _ONE_TASK:
        return []
    text = clause.text
    hits = (hit for kind in _TASKS for hit in BY_KIND[kind].trigger.finditer(text))
    return [text[hit.start() : _word_end(text, hit.end())] for hit in hits]


# Kinds whose answer is of all rows of a table, whichever are asked for.
ALL_ROWS = frozenset({"check", "fill", "issues", "limits", "merge", "missing", "repeats", "space"})


def _dropped_condition(clause: Clause, card: Card | None) -> list[str]:
    """Return the condition that a clause sets and its kind of answer passes over."""
    if clause.kind not in ALL_ROWS or card is None:
        return []
    try:
        found = read(clause.text, card, lambda _, value: value)
    except Unread:
        led = re.search(r"\b(?:where|whose)\b[^,;?!]*", clause.text, re.IGNORECASE)
        return [led[0].strip(" .")] if led else []
    return [found.words] if found else []


# Kinds whose numbers come in the unit of the file, whichever is asked for.
_OWN_UNIT = frozenset({"aggregate", "anomaly", "censored", "smooth", "thresholds", "top"})


def _dropped_unit(clause: Clause) -> list[str]:
    """Return the unit that an answer is wanted in and does not come in."""
    if clause.kind not in _OWN_UNIT:
        return []
    return [hit[0] for hit in re.finditer(IN_UNIT, clause.text, re.IGNORECASE)]


def unused(clause: Clause, card: Card | None, beside: Sequence[Card] = ()) -> list[str]:
    """Return the words of a clause that had no part in its answer, in order, each once.

    Parameters
    ----------
    clause : Clause
        An answered clause.
    card : Card or None
        The table that was used.
    beside : sequence of Card, optional
        Further tables that were.
    """
    if clause.kind in {None, "sql"}:
        return []
    text = list(without_grouping(clause.text))
    spans = [(mention.start, mention.end) for mention in mentions(clause.text)]
    spans += [hit.span() for hit in _VALUES.finditer(clause.text)]
    spans += [
        (hit.start(), _word_end(clause.text, hit.end()))
        for hit in BY_KIND[clause.kind or ""].trigger.finditer(clause.text)
    ]
    spans += [hit.span() for hit in re.finditer(r"\S+\.\w{2,8}\b", clause.text)]
    spans += [(a, b) for a, b, _ in named_places(clause.text, card)] if card else []
    for start, end in spans:
        text[start:end] = " " * (end - start)
    own = _own_words(card).union(*map(_own_words, beside))
    found = [hit[0] for hit in _WORD.finditer("".join(text))]
    words = (word for word in found if not _is_known(word.casefold(), own))
    dropped = [*_dropped_group(clause, card), *_dropped_condition(clause, card)]
    dropped += [*_dropped_tasks(clause), *_dropped_unit(clause)]
    told = {"across", *" ".join(dropped).split()} if dropped else set()
    return list(dict.fromkeys([*dropped, *(word for word in words if word not in told)]))


def _word_end(text: str, place: int) -> int:
    """Return where the word at a place ends: a trigger may be the start of a word."""
    rest = re.match(r"\w*", text[place:])
    return place + (rest.end() if rest and place and text[place - 1].isalnum() else 0)


def _is_known(word: str, own: frozenset[str]) -> bool:
    return word in _KNOWN or word.rstrip("s") in _KNOWN or any(word.startswith(o) for o in own)


def _own_words(card: Card | None) -> frozenset[str]:
    """Return the words of a table's name and headers."""
    if card is None:
        return frozenset()
    texts = [card.title, *(item.name for item in card.fields)]
    return frozenset(word for text in texts for word in re.findall(r"[a-z]{4,}", text.casefold()))
