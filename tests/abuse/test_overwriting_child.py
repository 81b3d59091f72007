"""A child that tries to write over what others keep: each try, in the middle of a real run."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from workbench.asking.starting import start_child
from workbench.check import planted
from workbench.check.bench import Bench
from workbench.check.trace import Trace
from workbench.files.places import Places
from workbench.launch import first_line
from workbench.limits import Limits
from workbench.models.scripted import call, finish
from workbench.process.childlink import ChildLink
from workbench.process.launch_fork import ForkLauncher
from workbench.walls import landlock

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not landlock.abi(), reason="the kernel here has no such walls"
)
PROBE = Path(__file__).resolve().parents[1] / "probe_server.py"
HONEST = "transform"
RUN, SHARED = "places.run", "places.results + '/_snapshots'"


class Hostile:
    """A real, confined child that runs code of the test's and answers what came of it."""

    def __init__(self, link: ChildLink, code: str) -> None:
        self._link, self._code = link, code

    def ready(self) -> Mapping[str, Any]:
        return self._link.ready()

    def call(self, key: str, *_: object) -> Mapping[str, Any]:
        answer = self._link.call(key, "attempt", {"code": self._code})
        assert answer["ok"], answer
        said = answer["reply"]
        reply = said.get("out") or {"facts": {"raised": said.get("raised", "nothing")}}
        return {"ok": True, "reply": reply}

    def close(self) -> None:
        self._link.close()


@pytest.fixture(scope="module")
def server() -> Iterator[ForkLauncher]:
    launcher = ForkLauncher([sys.executable, "-I", str(PROBE)])
    yield launcher
    launcher.close()


Attack = Callable[..., tuple[Trace, dict[str, bytes]]]


@pytest.fixture
def attack(server: ForkLauncher, bench: Bench) -> Attack:
    """Let an honest child make a result, then a hostile one run code; return run and files."""

    def run(code: str, calls: int = 1) -> tuple[Trace, dict[str, bytes]]:
        name = bench.plant("assays.csv", planted.table(60))
        before: dict[str, bytes] = {}

        def start(
            job: Mapping[str, Any],
            places: Places,
            limits: Limits,
            stop: threading.Event,
            noise: Callable[[str], None],
        ) -> Any:  # noqa: ANN401 - a link
            if job["agent"] == HONEST:
                return start_child(job, places, limits, stop, noise)
            before.update(files(Path(places.results)))
            launched = server.start(first_line(job, places))
            return Hostile(ChildLink(launched, limits, stop, on_noise=noise), code)

        send = [call("dispatch", agent=agent, objective="work") for agent in (HONEST, "dataops")]
        scripts = {
            "orchestrator": [*send, finish("joined")],
            "d01": [call("filter_rows", path=name, expression="`V1_ppm` > 40"), finish("made")],
            "d02": [*[call("list_files")] * calls, finish("tried")],
        }
        trace = bench.ask("work", scripts, agent="orchestrator", start=start)
        assert trace.ok, trace.reason
        return trace, before

    return run


def files(results: Path) -> dict[str, bytes]:
    """Return every file below the results folder, work in hand left out."""
    return {
        str(path.relative_to(results)): path.read_bytes()
        for path in results.rglob("*")
        if path.is_file() and "work" not in path.relative_to(results).parts
    }


def kept(trace: Trace, before: dict[str, bytes]) -> bool:
    """Tell whether every file is what it was; ledger, view and index only grew."""
    after = files(trace.folder.parent)
    return all(
        after[name].startswith(data) if name.endswith(".jsonl") else after[name] == data
        for name, data in before.items()
        if not name.endswith("run.json")
    )


ARTEFACT = f"{RUN} + '/assays_filtered.csv'"
TARGETS = {
    "the ledger": f"{RUN} + '/events.jsonl'",
    "the view": f"{RUN} + '/run.json'",
    "a request": f"{RUN} + '/requests/orchestrator-r01.json'",
    "a response": f"{RUN} + '/responses/orchestrator-r01.json'",
    "a kept text": f"{RUN} + '/full/d01_result.txt'",
    "an artefact": ARTEFACT,
    "the index": "places.results + '/index.jsonl'",
    "a description": f"__import__('glob').glob({SHARED} + '/*.json')[0]",
    "a snapshot": f"__import__('glob').glob({SHARED} + '/*.parquet')[0]",
}
TRIES = {
    "rewrite": "open(path, 'w')",
    "append": "open(path, 'a')",
    "change": "open(path, 'r+b')",
    "truncate": "os.truncate(path, 0)",
    "remove": "os.unlink(path)",
    "move away": "os.rename(path, 'mine')",
    "move over": "open('mine', 'w').close(); os.rename('mine', path)",
    "link": "os.link(path, 'mine')",
    "make unreadable": "os.chmod(path, 0)",
}


@pytest.mark.parametrize("target", TARGETS)
def test_b14_nothing_that_others_keep_is_written_over(attack: Attack, target: str) -> None:
    code = f"import os\npath = {TARGETS[target]}\nassert os.path.exists(path)\ntold = {{}}\n"
    for name, attempt in TRIES.items():
        code += (
            f"try:\n    {attempt}\n    told[{name!r}] = 'done'\n"
            f"except OSError as error:\n    told[{name!r}] = type(error).__name__\n"
        )
    trace, before = attack(code + "out = {'facts': told}")
    told = dict(line.split(": ") for line in trace.texts("d02")[1].splitlines())
    assert told.keys() == TRIES.keys()
    assert "done" not in told.values()
    assert kept(trace, before)


@pytest.mark.parametrize("name", ["new.csv", "requests/d09-r01.json", "full/new.txt", "new/x.csv"])
def test_nothing_new_is_put_beside_the_records(attack: Attack, name: str) -> None:
    folder = "os.makedirs(os.path.dirname(path), exist_ok=True); " * name.startswith("new/")
    code = f"import os; path = {RUN} + '/{name}'; {folder}open(path, 'w')"
    trace, _ = attack(code)
    assert "raised: PermissionError" in trace.texts("d02")[1]
    assert not (trace.folder / name).exists()


CLAIM = """
import hashlib, os
data = b"x\\n1\\n"
open("mine.csv", "wb").write(data)
def mapped(name):
    import mmap
    with open(name, "r+b") as file:
        return mmap.mmap(file.fileno(), 4)
KEEP
made = {"path": "mine.csv", "bytes": 4, "sha256": hashlib.sha256(data).hexdigest(),
        "media_type": "text/csv", "rows": 1, "columns": 1}
out = {"made": [made]}
"""


@pytest.mark.parametrize(
    "keep",
    [
        "__import__('builtins').held = open('mine.csv', 'r+b')",
        "os.link('mine.csv', 'other.csv')",
        "__import__('builtins').held = mapped('mine.csv')",
    ],
    ids=["an open file", "another name", "a mapping"],
)
def test_a_result_is_out_of_reach_once_it_is_registered(attack: Attack, keep: str) -> None:
    later = (
        "if os.path.exists(places.run + '/mine.csv'):\n"
        "    import builtins\n"
        "    held = getattr(builtins, 'held', None) or open('other.csv', 'r+b')\n"
        "    held.seek(0); held.write(b'9\\n9\\n'); held.flush()\n"
        "    out = {'facts': {'wrote': 1}}\n"
        "else:\n"
    )
    body = CLAIM.replace("KEEP", keep).strip().splitlines()
    code = f"import os\n{later}" + "\n".join(f"    {line}" for line in body)
    trace, _ = attack(code, calls=2)
    assert "wrote: 1" in trace.texts("d02")[-1]
    (mine,) = (data for data in trace.of("artefact") if data["path"] == "mine.csv")
    file = trace.folder / "mine.csv"
    assert file.read_bytes() == b"x\n1\n"
    assert mine["bytes"] == 4


def test_a_claim_on_a_name_that_is_taken_is_refused(attack: Attack) -> None:
    code = CLAIM.replace("KEEP", "").replace("mine.csv", "assays_filtered.csv")
    trace, before = attack(code)
    assert "was not registered" in trace.texts("d02")[1]
    assert kept(trace, before)


def test_what_was_not_claimed_is_gone_with_the_run(attack: Attack) -> None:
    trace, _ = attack("open('left.csv', 'w').write('x'); out = {'facts': {'wrote': 1}}")
    assert not (trace.folder / "work").exists()
    assert not (trace.folder / "left.csv").exists()


def test_a_forged_snapshot_takes_no_one_s_place(attack: Attack, bench: Bench) -> None:
    code = f"""
import glob, hashlib, os, shutil
os.makedirs("_snapshots", exist_ok=True)
(found,) = glob.glob({SHARED} + "/*.json")
text = open(found).read().replace('"rows": 60', '"rows": 61')
name = os.path.basename(found)
open("_snapshots/" + name, "w").write(text)
for part in glob.glob({SHARED} + "/*.parquet"):
    shutil.copyfile(part, "_snapshots/" + os.path.basename(part))
forged = hashlib.sha256(text.encode()).hexdigest()
out = {{"facts": {{"wrote": 1}}, "snapshots": {{"other.csv": forged}}}}
"""
    trace, before = attack(code)
    assert "wrote: 1" in trace.texts("d02")[1]
    assert kept(trace, before)
    assert "rows: 60" in bench.call("describe_table", path="assays.csv").text


def test_a_stored_text_is_kept_under_the_hash_of_its_words_alone(attack: Attack) -> None:
    key = "t0123456789ab"
    code = f"open('{key}.txt', 'w').write('forged'); out = {{'kept': ['{key}', '../x']}}"
    trace, _ = attack(code)
    assert not (trace.folder / "full" / f"{key}.txt").exists()
    assert json.loads(json.dumps(trace.texts("d02")[1])) == ""
