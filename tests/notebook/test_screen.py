"""Where a run is shown: redraws are bounded, and the live card gives way to what stays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cells import Shell
from sampleview import Story, answered

from workbench.notebook import screen, static
from workbench.notebook.widget import RunCard

if TYPE_CHECKING:
    from workbench.ledger import Event


class Work:
    """A job that is at work, with a view that a test tells."""

    working = True
    elapsed = 1.0
    folder: Path | None = None

    def __init__(self) -> None:
        story = Story()
        story.begin()
        story.loop("guide", "guide")
        self.events: list[Event] = story.events
        self.view: dict[str, Any] = story.view()


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note every tree and time that is sent."""
    sent: list[str] = []
    monkeypatch.setattr(RunCard, "show", lambda _self, _tree, _said: sent.append("card"))
    return sent


def test_the_card_is_redrawn_at_most_four_times_a_second(shell: Shell, drawn: list[str]) -> None:
    clock, work = Clock(), Work()
    shown = screen.Widget(clock)
    for step in range(41):
        clock.now = step / 20
        shown.draw(work, work.events[:1])  # type: ignore[arg-type]
    assert len(drawn) <= 8


def test_nothing_is_redrawn_where_nothing_happened(shell: Shell, drawn: list[str]) -> None:
    clock, work = Clock(), Work()
    shown = screen.Widget(clock)
    for step in range(41):
        clock.now = step / 20
        shown.draw(work, [])  # type: ignore[arg-type]
    assert drawn == []


def test_what_happened_between_two_redraws_is_not_lost(shell: Shell, drawn: list[str]) -> None:
    clock, work = Clock(), Work()
    shown = screen.Widget(clock)
    shown.draw(work, work.events)  # type: ignore[arg-type]
    clock.now = 0.1
    shown.draw(work, work.events[:1])  # type: ignore[arg-type]
    clock.now = 0.3
    shown.draw(work, [])  # type: ignore[arg-type]
    assert drawn == ["card"]


def test_the_static_output_takes_the_place_of_the_card_and_its_widget_is_closed(
    shell: Shell,
) -> None:
    shown = screen.Widget()
    shown.draw(Work(), [])  # type: ignore[arg-type]
    card = shown._card
    assert card is not None
    shown.end(static.bundle(answered(), "1 s", None))
    first, last = shell.shell.display_pub.outputs
    assert "application/vnd.jupyter.widget-view+json" in first["data"]
    assert static.MIME in last["data"]
    assert last["update"]
    assert last["transient"] == first["transient"]
    assert card.comm is None


def test_a_card_of_a_run_that_never_began_is_taken_away(shell: Shell) -> None:
    shown = screen.Widget()
    shown.draw(Work(), [])  # type: ignore[arg-type]
    shown.end(None)
    assert shell.displayed[-1] == {"text/plain": ""}


def test_f11_a_widget_says_in_text_what_a_host_without_widgets_cannot_draw() -> None:
    data, _ = RunCard()._repr_mimebundle_()
    for form in ("text/plain", "text/html"):
        assert "was at work when this notebook was last saved" in data[form]
        assert "%agent results" in data[form]


def test_the_card_at_work_names_its_run_as_soon_as_it_has_one(shell: Shell, tmp_path: Path) -> None:
    clock, work = Clock(), Work()
    shown = screen.Widget(clock)
    shown.draw(work, work.events)  # type: ignore[arg-type]
    work.folder, clock.now = tmp_path / "20261130-141502-group-k3f", 1.0
    shown.draw(work, work.events)  # type: ignore[arg-type]
    first, last = (output["data"] for output in shell.shell.display_pub.outputs)
    assert static.MIME not in first
    assert last[static.MIME]["run"] == "20261130-141502-group-k3f"
    assert last[static.MIME]["live"] is True
    assert shell.shell.display_pub.outputs[1]["update"]
