"""The live check: every limit that code holds is attacked the real way, without a model.

Nothing here is trusted to be enforced because it is written down: each probe plants files, sets
a disobedient model to work and compares what reached it with the published table.
"""

from __future__ import annotations

from workbench.check.outcome import CheckResult
from workbench.check.running import keys, run_checks

__all__ = ["CheckResult", "keys", "run_checks"]
