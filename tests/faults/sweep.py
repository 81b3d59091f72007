"""The fault tests thrice in random order, each sweep whole, and their figures: ``make faults``.

Exit status 1 if any fault was not survived.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

from figures import KEPT

from workbench.walls import engines

TESTS = Path(__file__).resolve().parent.parent
PLACES = ("faults", "abuse", "fuzz", "test_sandbox.py")


def once(seed: str, figures: Path, result: Path) -> Counter[str]:
    """Run the fault tests once; return how many passed, failed and were left out."""
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--reruns=0",
            "-p",
            "no:cacheprovider",
            f"--junit-xml={result}",
        ]
        + [str(TESTS / place) for place in PLACES],
        check=False,
        env={**os.environ, "WORKBENCH_FAULTS": "1", "WORKBENCH_FUZZ": "10"}
        | {"WORKBENCH_FAULT_SEED": seed}
        | {KEPT: str(figures)},
    )
    if not result.is_file():
        sys.exit("the tests did not begin: see above")
    cases = list(ET.parse(result).getroot().iter("testcase"))  # noqa: S314 - written by pytest
    return Counter(
        next((kind for kind in ("failure", "error", "skipped") if case.find(kind) is not None), "")
        or "survived"
        for case in cases
    )


def main() -> int:
    """Run the sweeps and print what they saw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3)
    times = parser.parse_args().times
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures.jsonl"
        for _ in range(times):
            seed = secrets.token_hex(4)
            sys.stdout.write(f"order {seed}\n")
            sys.stdout.flush()
            total += once(seed, figures, Path(folder) / "result.xml")
        seen = [json.loads(line) for line in figures.read_text(encoding="utf-8").splitlines()]
    say = sys.stdout.write
    lost = total["failure"] + total["error"]
    say(f"\nfaults injected  {total['survived'] + lost:,} in {times} rounds\n")
    say(f"survived         {total['survived']:,}, not survived {lost:,}, ")
    say(f"left out {total['skipped']:,} (see above why)\n")
    for name in sorted({row["name"] for row in seen if "seconds" in row}):
        spent = [row["seconds"] for row in seen if row["name"] == name]
        say(f"{name:<20} worst {max(spent):.2f} s of {len(spent)}\n")
    for engine in engines.ENGINES:
        why = engines.missing(engine)
        told = [row for row in seen if row["name"] == engine.name]
        tried, refused = (sum(row[key] for row in told) for key in ("tried", "refused"))
        words = f"not here: {why}" if why else f"{tried} ways out tried, {refused} refused"
        say(f"engine {engine.name:<13} {words}\n")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
