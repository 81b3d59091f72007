"""A fork server whose children misbehave: ``python -I child_stand_ins.py NAME SOCKET KERNEL``.

Each stand-in is one function. All begin as a child does (first line in, ready out) and then do to
their parent what a broken or hostile child could.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from workbench.process.forkserver import ForkServer

READY = {"ready": {"pid": 0, "confinement": {}, "versions": {}}}


def say(*messages: object) -> None:
    """Write messages as lines, in one breath."""
    write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))


def write(data: bytes) -> None:
    """Write bytes as they are."""
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def line() -> dict[str, dict[str, object]]:
    """Read one line."""
    got = b""
    while not got.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            os._exit(0)
        got += byte
    found: dict[str, dict[str, object]] = json.loads(got)
    return found


def call() -> str:
    """Read a call and return its id."""
    return str(line()["call"]["id"])


def yes(key: str, value: int = 1) -> dict[str, object]:
    """Return a good answer."""
    return {"answer": {"id": key, "ok": True, "reply": {"value": value}}}


def silent() -> None:
    """Take a call and say nothing."""
    call()
    time.sleep(60)


def mute_from_the_start() -> None:
    """Never say anything at all; the ready line has been said for it."""
    time.sleep(60)


def chatter() -> None:
    """Send well-formed messages that nobody asked for."""
    call()
    while True:
        say({"news": "none"}, {"progress": {"id": "d99c9", "text": "x", "done": 1, "total": 2}})


def progress_for_ever() -> None:
    """Send a gigabyte of progress of the very call that was asked."""
    key = call()
    text = "x" * 900
    lines = [{"progress": {"id": key, "text": text, "done": 1, "total": 2}}] * 1000
    while True:
        say(*lines)


def long_line() -> None:
    """Send a line of 100 MB."""
    call()
    for _ in range(1600):
        write(b"x" * 65_536)
    write(b"\n")


def no_messages() -> None:
    """Send lines that are no JSON objects."""
    key = call()
    write(b"Traceback (most recent call last):\n[1, 2]\n\xff\xfe\n")
    say(yes(key))


def two_bad_lines() -> None:
    """Send two bad lines, then do as it should: a library that printed something."""
    key = call()
    write(b"warning: something\n\n")
    say(yes(key))
    time.sleep(60)


def leaves_with_status_0() -> None:
    """End without an answer."""
    call()
    os._exit(0)


def crashes() -> None:
    """End as a reader does that a file has broken."""
    call()
    os.kill(os.getpid(), signal.SIGSEGV)


def two_answers() -> None:
    """Answer each call twice, differently."""
    while True:
        key = call()
        say(yes(key, 1), yes(key, 2))


def answers_another() -> None:
    """Answer calls that were not made, then the one that was."""
    while True:
        key = call()
        say(yes("d01c0", 666), yes(key + "0", 666), yes(key, 1))


def answers_ahead() -> None:
    """Answer the next call before it is made."""
    key = call()
    say(yes(key, 1))
    time.sleep(0.05)
    say(yes("d01c2", 666))
    say(yes(call(), 2))
    time.sleep(60)


def misshapen() -> None:
    """Send answers in shapes that mean nothing, then a good one."""
    key = call()
    say({"answer": {"id": key, "ok": True, "reply": "rows"}})
    say({"answer": {"id": key, "ok": "yes", "error": 3}})
    say({**yes(key), "rows": [[1, 2]]})
    time.sleep(60)


def ignores_terminate() -> None:
    """Refuse to go."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    key = call()
    say(yes(key))
    while True:
        time.sleep(60)


def slips_away() -> None:
    """Leave a grandchild in a session of its own, and go."""
    key = call()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.closerange(0, 64)
            time.sleep(60)
        os._exit(0)
    os.wait()
    say(yes(key))
    os._exit(0)


def multiplies() -> None:
    """Keep making processes that leave the session, faster than one can look."""
    key = call()
    say(yes(key))
    for _ in range(40):
        if os.fork() == 0:
            os.setsid()
            while True:
                if os.fork() == 0:
                    os.setsid()
                    time.sleep(0.02)
                    os._exit(0)
                time.sleep(0.01)
                with contextlib.suppress(ChildProcessError):  # all of them have ended already
                    while os.waitpid(-1, os.WNOHANG) != (0, 0):
                        pass
    time.sleep(60)


def closes_its_output() -> None:
    """Close the way back but live on."""
    call()
    os.close(1)
    time.sleep(60)


def listens_no_more() -> None:
    """Take the call and never read again, so that the next large call finds a full pipe."""
    say(yes(call()))
    time.sleep(60)


STAND_INS = {
    function.__name__: function
    for function in (
        *(silent, mute_from_the_start, chatter, progress_for_ever, long_line, no_messages),
        *(two_bad_lines, leaves_with_status_0, crashes, two_answers, answers_another),
        *(answers_ahead, misshapen, ignores_terminate, slips_away, multiplies),
        *(closes_its_output, listens_no_more),
    )
}


def stand_in(lifeline: int | None) -> int:
    """Be the child that the command line names."""
    line()
    if sys.argv[1] != "mute_from_the_start":
        say(READY)
    STAND_INS[sys.argv[1]]()
    return 0


if __name__ == "__main__":
    control, kernel = int(sys.argv[-2]), int(sys.argv[-1])
    server = ForkServer(
        socket.socket(fileno=control), kernel if kernel >= 0 else None, stand_in, later=()
    )
    server.serve()
