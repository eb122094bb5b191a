"""One free trial of an agent against a model server of ours: can Cortex still read what it writes?

Agents change weekly. The canary says before anything is paid for which part of an agent's output
is missing or has another form.
"""

from cortex_replay.canary.running import CanaryReport, run_canary
from cortex_replay.canary.steps import TESTED

__all__ = ["TESTED", "CanaryReport", "run_canary"]
