"""How far a run is from its limits, beside the values in force."""

from __future__ import annotations

from sampleview import Story


def test_the_most_used_of_what_is_counted_stands_beside_the_limits() -> None:
    story = Story()
    story.begin()
    story.loop("guide", "guide")
    story.request("guide", system=80_000)
    for name in ("d01", "d02"):
        story.loop(name, "analytics")
    for _ in range(3):
        story.request("d01", system=40_000)
    story.say("tool_done", {"ok": True}, "d01")
    story.end("d01")
    used = story.view()["used"]
    assert used["context_full"] == 50.0
    assert used["dispatches"] == 2
    assert used["model_calls"] == 3
    assert used["tool_calls"] == 1
    assert used["child_seconds"] == 2.34
    assert used["run_tokens"] == 80_000 + 3 * 40_000 + 4 * 100


def test_who_holds_each_limit_and_its_unit_stand_in_the_view() -> None:
    story = Story()
    story.begin()
    view = story.view()
    assert set(view["enforced"]) == set(view["units"]) == set(view["limits"])
    assert view["enforced"]["result_asked"] == "prompt"
    assert view["units"]["preview_rows"].startswith("row")
