"""A process that stands for a kernel: asks one question and kills itself after the n-th event.

``python asking_kernel.py DATA N``; with N = 0 it lives, and prints how the question ended.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from faults.question import At, ask


def main() -> None:
    data, last = Path(sys.argv[1]), int(sys.argv[2])
    answer = ask(data, listener=At(last, lambda: os.kill(os.getpid(), signal.SIGKILL)))
    sys.stdout.write(f"{answer.status}\n")


if __name__ == "__main__":
    main()
