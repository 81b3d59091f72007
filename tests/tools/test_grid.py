"""The grid's rows: pages of a choice as the file has them, worked out on the whole file."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from typing import Any

import pytest
from sampleview import HOSTILE

from workbench.errors import Refused
from workbench.limits import Limits
from workbench.tools.context import Context
from workbench.tools.run import run_call
from workbench.workspace import Workspace

COUNT = 3_000
Ask = Callable[..., dict[str, Any]]


def written() -> list[dict[str, str]]:
    """Return rows as texts: gold with values below and above limits, and gaps."""
    pick = random.Random(5)
    rows = []
    for n in range(COUNT):
        gold = f"{pick.uniform(0.01, 90):.3f}"
        gold = "<0.01" if n % 9 == 0 else ">100" if n % 50 == 7 else "" if n % 31 == 4 else gold
        rock = pick.choice(["Basalt", "Dacite", "Sulphidic schist"])
        rows.append({"Sample": f"S{n:05d}", "Rock": rock, "Au_ppm": gold, "Note": f"n{n % 7}"})
    rows[1]["Note"] = HOSTILE
    return rows


ROWS = written()


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Return what calls a tool of the grid on one table, all in one child."""
    import csv

    root = tmp_path_factory.mktemp("grid")
    data, run = root / "data", root / "run"
    data.mkdir()
    with (data / "a.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(ROWS)
    for folder in (run, run / "_snapshots", data / "results"):
        folder.mkdir()
    context = Context(Workspace(data, data / "results"), run, Limits(), work=run)

    def call(tool: str, **arguments: object) -> dict[str, Any]:
        return dict(run_call(f"grid_{tool}", {"path": "a.csv", **arguments}, context)["facts"])

    return call


def names(page: dict[str, Any]) -> list[str]:
    return [row[0] for row in page["rows"]]


def is_number(cell: str) -> bool:
    return cell[:1] not in {"", "<", ">"}


def test_a_page_is_the_rows_of_the_file_as_they_are_written(ask: Ask) -> None:
    page = ask("page", offset=2_900, limit=50)
    want = ROWS[2_900:2_950]
    assert names(page) == [row["Sample"] for row in want]
    shown = [row[2] or "" for row in page["rows"]]
    assert [float(a) if is_number(a) else a for a in shown] == [
        float(row["Au_ppm"]) if is_number(row["Au_ppm"]) else row["Au_ppm"] for row in want
    ]
    assert page["numbers"][0] == 2_900
    assert page["total"] == page["matched"] == COUNT
    censored = [n for n, row in enumerate(want) if row["Au_ppm"][:1] in {"<", ">"}]
    marks = page["marks"]["Au_ppm"]
    assert [n for n in range(50) if marks.get(str(n)) in {"<", ">"}] == censored


def test_rows_are_sorted_on_the_whole_file_and_ties_keep_its_order(ask: Ask) -> None:
    order = {"column": "Rock", "descending": True}
    got: list[str] = []
    for offset in range(0, COUNT, 200):
        got += names(ask("page", order=order, offset=offset, limit=200))
    want = sorted(range(COUNT), key=lambda n: ROWS[n]["Rock"])
    want = sorted(want, key=lambda n: ROWS[n]["Rock"], reverse=True)
    assert got == [ROWS[n]["Sample"] for n in want]


@pytest.mark.parametrize(
    ("condition", "value", "meets"),
    [
        ("min", 50, lambda t: t == ">100" or (is_number(t) and float(t) >= 50)),
        ("max", "0.02", lambda t: t == "<0.01" or (is_number(t) and float(t) <= 0.02)),
        ("max", 0.005, lambda _: False),
        ("censored", None, lambda t: t[:1] in {"<", ">"}),
        ("missing", None, lambda t: not t),
        ("present", None, bool),
    ],
)
def test_a_condition_on_numbers_is_met_where_it_is_certain(
    ask: Ask, condition: str, value: object, meets: Callable[[str], bool]
) -> None:
    filters = [{"column": "Au_ppm", "condition": condition, "value": value}]
    page = ask("page", filters=filters, limit=200)
    want = [row["Sample"] for row in ROWS if meets(row["Au_ppm"])]
    assert page["matched"] == len(want)
    assert names(page) == want[:200]


def test_conditions_are_met_together_and_words_are_words(ask: Ask) -> None:
    filters = [
        {"column": "Rock", "condition": "contains", "value": "SCHIST"},
        {"column": "Note", "condition": "is", "value": "n3"},
    ]
    page = ask("page", filters=filters, limit=5)
    want = [row for row in ROWS if row["Rock"] == "Sulphidic schist" and row["Note"] == "n3"]
    assert page["matched"] == len(want)
    quoted = [{"column": "Note", "condition": "contains", "value": "' OR true --"}]
    assert ask("page", filters=quoted)["matched"] == 0


def test_what_looks_like_markup_comes_as_it_is(ask: Ask) -> None:
    assert ask("page", offset=1, limit=1)["rows"][0][3] == HOSTILE


def test_bins_hold_every_plain_number_of_the_choice(ask: Ask) -> None:
    plain = [row for row in ROWS if is_number(row["Au_ppm"])]
    shape = ask("column", column="Au_ppm")
    assert shape["log"]
    assert sum(shape["bins"]) == len(plain)
    filters = [{"column": "Rock", "condition": "is", "value": "Basalt"}]
    some = ask("column", column="Au_ppm", filters=filters)
    assert sum(some["bins"]) == sum(row["Rock"] == "Basalt" for row in plain)
    basalt = [row["Au_ppm"][:1] for row in ROWS if row["Rock"] == "Basalt"]
    assert some["below"] == basalt.count("<")
    rocks = ask("column", column="Rock")
    assert rocks["kinds"] == 3
    assert sum(count for _, count in rocks["top"]) == COUNT


def test_the_choice_as_sql_gives_the_same_rows(ask: Ask) -> None:
    view = {
        "filters": [
            {"column": "Au_ppm", "condition": "min", "value": 20},
            {"column": "Note", "condition": "contains", "value": "n'"},
        ],
        "order": {"column": "Au_ppm", "descending": True},
    }
    sql = ask("sql", **view)["sql"]
    assert sql.startswith('SELECT * FROM "a" WHERE ')
    assert "'n'''" in sql
    view["filters"].pop()
    context = ask.__closure__[0].cell_contents  # type: ignore[attr-defined]
    told = run_call("sql", {"query": ask("sql", **view)["sql"], "paths": ["a.csv"]}, context)
    assert told["facts"]["rows_out"] == ask("page", **view)["matched"]


def test_the_first_rows_of_a_result_come_before_it_is_read(ask: Ask) -> None:
    head = ask("head", limit=3)
    assert head["columns"] == list(ROWS[0])
    assert head["rows"][0][2] == ROWS[0]["Au_ppm"]
    assert len(head["rows"]) == 3


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"offset": -1}, "a page has 1 to"),
        ({"limit": 100_000}, "a page has 1 to"),
        ({"filters": [{"column": "Rock", "condition": "like", "value": "x"}]}, "use min, max"),
        ({"filters": [{"column": "Rock", "condition": "min", "value": 1}]}, "column of numbers"),
        ({"filters": [{"column": "Au_ppm", "condition": "min", "value": "x"}]}, "no number"),
        ({"filters": [{"column": "a; DROP", "condition": "missing"}]}, "not in 'a'"),
    ],
)
def test_what_is_no_choice_is_refused(ask: Ask, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused, match=said):
        ask("page", **arguments)


def test_the_numbers_of_a_column_are_those_of_the_chosen_rows(ask: Ask) -> None:
    rock = [{"column": "Rock", "condition": "contains", "value": "Basalt"}]
    found = ask("column", column="Au_ppm", filters=rock)
    own = [row["Au_ppm"] for row in ROWS if row["Rock"] == "Basalt"]
    plain = [float(text) for text in own if is_number(text)]
    assert found["count"] == len(plain)
    assert found["below"] == sum(text[:1] == "<" for text in own)
    assert found["above"] == sum(text[:1] == ">" for text in own)
    assert found["missing"] == sum(text == "" for text in own)
    assert (found["min"], found["max"]) == (min(plain), max(plain))
    assert found["median"] == pytest.approx(statistics.median(plain))
    texts = ask("column", column="Note", filters=rock)
    assert (texts["count"], texts["missing"]) == (len(own), 0)


def test_the_rows_of_a_preview_are_known_again_by_their_cells(ask: Ask) -> None:
    shown = [[ROWS[n]["Sample"], "7.5", ROWS[n]["Au_ppm"]] for n in (40, 9, 2_999)]
    found = ask("seen", columns=["Sample", "score", "Au_ppm"], lines=[*shown, ["S9", "1", "2"]])
    assert found["part"] == [9, 40, 2_999]
    assert (found["whole"], found["lost"], found["of"]) == ([], 1, 4)
    assert (found["columns"], found["beside"]) == (["Sample", "Au_ppm"], ["score"])


def test_rows_that_look_alike_are_marked_as_often_as_they_were_shown(ask: Ask) -> None:
    found = ask("seen", columns=["Note"], lines=[["n0"], ["n0"]])
    assert found["part"] == [0, 7]


def test_a_value_by_the_policy_beside_its_flag_is_the_value_as_written(ask: Ask) -> None:
    names = ["Sample", "Rock", "Au_ppm", "Au_ppm__flag", "Au_ppm__limit", "Note"]
    row = ROWS[9]
    line = [row["Sample"], row["Rock"], "0.005", "<", "0.01", row["Note"]]
    assert ask("seen", columns=names, lines=[line])["whole"] == [9]
