"""The environment of a child: an allow-list, so that no key can be inherited by any name.

What is not listed here does not exist in a child, whatever it is called.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

ALLOWED = (
    *("PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TZDIR", "TMPDIR", "LD_LIBRARY_PATH"),
    *("LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"),
    *("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"),
    # Windows does not start a program without the first three.
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "PATHEXT", "TEMP", "TMP", "USERPROFILE"),
)
FIXED = {
    # One thread: a process with threads cannot be forked safely, and sums keep their order.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Counting cores otherwise starts a command, which a child may not.
    "LOKY_MAX_CPU_COUNT": "1",
    # What scikit-learn sets when it is first loaded; a child sees it either way.
    "KMP_DUPLICATE_LIB_OK": "True",
    "KMP_INIT_AT_FORK": "FALSE",
    # What an allocator keeps for later counts against what a child may hold: Arrow's own claims
    # 1 GiB at its first buffer, the engine's keeps all that the reading of a large file took.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "DUCKDB_JE_MALLOC_CONF": "retain:false",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}


def child_environment(source: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment that children and their server start with.

    Parameters
    ----------
    source : mapping of str to str, optional
        Where allowed values come from; this process's environment if left out.
    """
    given = os.environ if source is None else source
    return {name: given[name] for name in ALLOWED if name in given} | FIXED


def outsiders(names: Mapping[str, str]) -> list[str]:
    """Return the names of an environment that the allow-list does not know, sorted."""
    # An interpreter that coerces its locale sets LC_CTYPE, which is on the list.
    return sorted(set(names) - set(ALLOWED) - set(FIXED))
