"""Libraries that a call computed with: noted for that call alone, also of calls side by side."""

from __future__ import annotations

import builtins
import threading

from workbench.tools import libraries

ASKING = {"__name__": "workbench.tools.made_up"}


def test_calls_side_by_side_note_their_own_imports_and_leave_no_layer_behind() -> None:
    found: dict[str, set[str]] = {}
    both = threading.Barrier(2)

    def call(name: str) -> None:
        with libraries.used() as asked:
            both.wait()
            exec(f"import {name}", dict(ASKING))  # noqa: S102 - as code of the package imports
            both.wait()
            found[name] = asked

    with libraries.used():
        before = builtins.__import__
    for _ in range(3):
        pair = [threading.Thread(target=call, args=(name,)) for name in ("scipy", "sklearn")]
        for one in pair:
            one.start()
        for one in pair:
            one.join()
    assert found == {"scipy": {"scipy"}, "sklearn": {"scikit-learn"}}
    assert builtins.__import__ is before
