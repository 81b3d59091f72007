"""The gate: what enters a context is cut, counted and recorded here, whatever a child says."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from workbench import ledger, marker
from workbench.artefacts import Artefacts
from workbench.context.admission import Bounds
from workbench.errors import LimitReached, Refused
from workbench.gate import Gate
from workbench.ledger import Ledger
from workbench.limits import Limits
from workbench.reply import Made, Preview, Reply, Text
from workbench.workspace import Workspace

SPECIALIST = ("query_data", "read_range", "search_text", "store_text")
ROWS = Preview("rows", ("id", "Au_ppb"), tuple((f"s{n}", n) for n in range(1_000)), 5_000, "x.csv")


class House:
    """A gate with its run folder."""

    def __init__(self, root: Path, tools: tuple[str, ...] = SPECIALIST, **limits: int) -> None:
        (root / "data").mkdir(exist_ok=True)
        self.folder = root / "data" / "results" / "run-1"
        (self.folder / "full").mkdir(parents=True, exist_ok=True)
        table = Limits().changed(limits)
        self.book = Ledger(self.folder / "events.jsonl", "run-1", table)
        place = Workspace.at(root / "data")
        self.artefacts = Artefacts(place, self.folder, self.book)
        self.gate = Gate("d01", tools, table, self.book, self.artefacts, 200_000)

    def hits(self) -> list[str]:
        events = ledger.read(self.book.path).events
        return [event.data["key"] for event in events if event.kind == "limit_hit"]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_a_preview_shows_twenty_rows_and_one_event_names_the_limit(house: House) -> None:
    admitted = house.gate.reply("d01c1", Bounds(), Reply(previews=(ROWS,)))
    assert sum(line.startswith("s") for line in admitted.text.splitlines()) == 20
    assert admitted.cut == ("preview_rows",)
    assert house.hits() == ["preview_rows"]


def test_the_previews_of_one_dispatch_show_two_hundred_rows_together(house: House) -> None:
    shown = 0
    for number in range(15):
        admitted = house.gate.reply(f"d01c{number}", Bounds(), Reply(previews=(ROWS,)))
        shown += sum(line.startswith("s") for line in admitted.text.splitlines())
    assert shown == 200
    assert house.hits().count("preview_rows_total") == 5


def test_many_previews_in_one_reply_do_not_slip_past_the_total(house: House) -> None:
    admitted = house.gate.reply("d01c1", Bounds(), Reply(previews=(ROWS,) * 30))
    assert sum(line.startswith("s") for line in admitted.text.splitlines()) <= 200


def test_the_previews_of_one_reply_share_their_characters(house: House) -> None:
    wide = Preview("rows", ("a", "b"), (("x" * 190, "y" * 190),) * 20, 20, "x.csv")
    admitted = house.gate.reply("d01c1", Bounds(), Reply(previews=(wide,) * 10))
    assert len(admitted.text) <= 8_000 + 9 * 400 + 10
    assert "preview_chars" in admitted.cut


def test_long_facts_are_cut_head_and_tail_and_kept_whole(house: House) -> None:
    facts = {f"fact_{number}": "word " * 40 for number in range(200)}
    admitted = house.gate.reply("d01c1", Bounds(), Reply(facts=facts))
    (mark,) = marker.parse(admitted.text)
    assert len(admitted.text) <= 4_000
    assert admitted.text.startswith("fact_0: ")
    assert admitted.text.rstrip().endswith("word")
    kept = (house.folder / "full" / f"{mark.full}.txt").read_text()
    assert kept.count("fact_") == 200
    assert f'read_range(id="{mark.full}"' in mark.next
    assert house.hits() == ["answer_chars"]


def test_an_error_of_a_megabyte_is_four_thousand_characters(house: House) -> None:
    admitted = house.gate.refusal("d01c1", "column '" + "x" * 1_000_000 + "' not found")
    assert len(admitted.text) <= 4_000
    assert house.hits() == ["answer_chars"]


def test_invisible_signs_of_an_error_are_made_visible(house: House) -> None:
    admitted = house.gate.refusal("d01c1", "column 'a\u202eb\x1b[31m' not found")
    assert admitted.text == r"error: column 'a\u202eb\u001b[31m' not found"


def test_a_claimed_file_that_is_not_there_gets_no_id_and_is_told(house: House) -> None:
    claim = Made("ghost.csv", 10, "0" * 64, "text/csv", rows=3)
    admitted = house.gate.reply("d01c1", Bounds(), Reply(made=(claim,)))
    assert admitted.artefacts == ()
    assert "was not registered" in admitted.text
    assert house.artefacts.all() == []


def test_a_claimed_file_with_another_hash_gets_no_id(house: House) -> None:
    (house.folder / "real.csv").write_text("x\n1\n")
    claim = Made("real.csv", 4, "0" * 64, "text/csv")
    admitted = house.gate.reply("d01c1", Bounds(), Reply(made=(claim,)))
    assert "size or hash differs" in admitted.text


@pytest.mark.parametrize(
    "path", ["../../x.csv", "/etc/passwd", "events.jsonl", "requests/guide-r01.json"]
)
def test_a_claimed_file_elsewhere_gets_no_id(house: House, tmp_path: Path, path: str) -> None:
    (tmp_path / "data" / "x.csv").write_text("x\n")
    claim = Made(path, 2, hashlib.sha256(b"x\n").hexdigest(), "text/csv")
    assert house.gate.reply("d01c1", Bounds(), Reply(made=(claim,))).artefacts == ()


def test_a_true_claim_gets_an_id_and_the_run_id_stays_out_of_the_text(house: House) -> None:
    (house.folder / "real.csv").write_text("x\n1\n")
    sha256 = hashlib.sha256(b"x\n1\n").hexdigest()
    claim = Made("real.csv", 4, sha256, "text/csv", rows=1, columns=1)
    admitted = house.gate.reply("d01c1", Bounds(), Reply(made=(claim,)))
    assert admitted.text == "artefact: d01a1 results/…/real.csv (text/csv, 1 rows, 1 columns)"


def test_a_listing_has_its_own_row_of_the_table(house: House) -> None:
    rows = tuple((f"file{n:04}.csv", n) for n in range(501))
    for name, _ in rows:
        (house.folder.parents[1] / name).touch()
    listing = Preview("files", ("name", "bytes"), rows, 501, "")
    bounds = Bounds(answer="read_share", rows="list_entries")
    admitted = house.gate.reply("d01c1", bounds, Reply(previews=(listing,)))
    (mark,) = marker.parse(admitted.text)
    assert sum(line.startswith("file0") for line in admitted.text.splitlines()) == 500
    assert (mark.left, mark.total, mark.unit) == (1, 501, "entries")
    assert house.hits() == ["list_entries"]


def test_a_listing_names_only_files_that_are_there(house: House) -> None:
    (house.folder.parents[1] / "real.csv").touch()
    ghosts = tuple((f"s{n},{n}.5,3", n) for n in range(300))
    listing = Preview("s1,2.5,3 " * 20, ("name", "bytes"), (("real.csv", 0), *ghosts), 301, "")
    bounds = Bounds(answer="read_share", rows="list_entries")
    admitted = house.gate.reply("d01c1", bounds, Reply(previews=(listing,)))
    assert "real.csv" in admitted.text
    assert "s1,2.5" not in admitted.text
    (mark,) = marker.parse(admitted.text)
    assert (mark.left, mark.total) == (300, 301)


def test_the_next_step_names_a_tool_this_agent_has(tmp_path: Path) -> None:
    guide = House(tmp_path, ("list_files", "ask_orchestrator")).gate
    admitted = guide.reply("gc1", Bounds(), Reply(previews=(ROWS,)))
    (mark,) = marker.parse(admitted.text)
    assert mark.next.startswith("ask_orchestrator(")


def test_a_pasted_table_becomes_a_file_and_five_lines(house: House) -> None:
    kept: list[str] = []

    def paste(text: str) -> str:
        kept.append(text)
        return "results/…/pasted.csv"

    rows = "\n".join(f"s{n},{n}.5,{n * 2}" for n in range(300))
    admitted = house.gate.question(f"What is odd here?\n{rows}\nTell me.", paste=paste)
    (mark,) = marker.parse(admitted.text)
    assert kept == [f"{rows}\n"]
    assert admitted.text.startswith("What is odd here?\ns0,0.5,0\n")
    assert admitted.text.endswith("\nTell me.")
    assert (mark.left, mark.total, mark.full) == (295, 300, "results/…/pasted.csv")
    assert house.hits() == ["question_lines"]


def test_a_long_question_is_cut_with_a_marker(house: House) -> None:
    admitted = house.gate.question("Why is that so? " * 5_000, paste=lambda _: "x")
    assert len(admitted.text) <= 20_000
    assert house.hits() == ["question_chars"]


def test_an_empty_question_is_refused(house: House) -> None:
    with pytest.raises(Refused, match="empty"):
        house.gate.question("  \n", paste=lambda _: "x")


def test_an_attachment_enters_by_the_data_file_rule_first(house: House) -> None:
    body = "\n".join(f"s{n},{n}.5" for n in range(200))
    admitted = house.gate.attachment(Text(body, "x.csv", "data", len(body), 200), 0)
    assert len(admitted.text.splitlines()) == 7
    assert admitted.cut == ("data_file_lines", "data_file_head")


def test_attachments_share_one_bound(house: House) -> None:
    prose = "The gold lies in quartz veins, and the veins follow the shear zone down.\n" * 2_000
    item = Text(prose, "a.md", "prose", len(prose), 2_000)
    first = house.gate.attachment(item, 0)
    assert first.cut == ("attachment_tokens",)
    second = house.gate.attachment(item, 30_000)
    assert second.cut == ("attachments_tokens",)
    assert len(second.text) < 31_000
    with pytest.raises(LimitReached, match="attach fewer files"):
        house.gate.attachment(item, 40_000)


def test_a_long_objective_is_refused_since_a_cut_task_is_another_task(house: House) -> None:
    with pytest.raises(LimitReached) as error:
        house.gate.objective("x" * 4_001)
    assert error.value.key == "objective_chars"
    assert house.gate.objective("map gold") == "map gold"
