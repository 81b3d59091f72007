"""A process that puts the question several times to one workspace: ``asking.py DATA TIMES``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from faults import question

for _ in range(int(sys.argv[2])):
    answer = question.ask(Path(sys.argv[1]))
    assert answer.status == "answered", answer.reason
