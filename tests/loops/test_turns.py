"""Calls side by side take their numbers in the order they were made."""

from __future__ import annotations

import threading
import time

from workbench.loops.turns import Turns


def test_a_later_call_waits_for_the_numbers_of_the_earlier_ones() -> None:
    turns, taken = Turns(), []
    turns.expect(["a", "b", "c"])

    def take(name: str, late: float) -> None:
        time.sleep(late)
        turns.wait(name)
        taken.append(name)
        turns.taken(name)

    threads = [
        threading.Thread(target=take, args=pair) for pair in (("a", 0.1), ("b", 0.05), ("c", 0.0))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert taken == ["a", "b", "c"]


def test_a_call_that_ends_without_a_number_holds_nobody_up() -> None:
    turns = Turns()
    turns.expect(["a", "b"])
    turns.taken("a")
    turns.wait("b")
    turns.wait("never expected")
