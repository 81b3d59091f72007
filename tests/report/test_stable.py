"""A notebook that is played again differs only where the run does."""

from __future__ import annotations

import json
from pathlib import Path

from reporting import CLUSTER, MAP, scripted

from workbench.models.scripted import Say, call, finish
from workbench.notebook import static
from workbench.runs import replaying


def test_two_replays_leave_the_same_output_but_for_the_id_of_the_run(field: Path) -> None:
    both = Say(
        calls=(
            ("dispatch", {"agent": "analytics", "objective": "Group."}),
            ("dispatch", {"agent": "geoviz", "objective": "Map."}),
        )
    )
    scripts = {
        "orchestrator": [both, call("finish", status="success", results=["done"])],
        "d01": [CLUSTER, finish("three groups")],
        "d02": [MAP, finish("a map")],
    }
    folder = scripted(field, scripts).ask("Group and map.", agent="orchestrator").folder
    shown = []
    for _ in range(2):
        played = replaying.prepared(folder.parent, folder.name)
        answer = played.session.ask(played.question, **played.options)
        assert answer.status == "answered"
        text = json.dumps(static.bundle(answer.view, "replay", answer.folder))
        shown.append(json.loads(text.replace(answer.run, "RUN")))
    first, second = (one[static.MIME]["view"] for one in shown)
    assert {key for key in first if first[key] != second[key]} == set()
    assert shown[0] == shown[1]
