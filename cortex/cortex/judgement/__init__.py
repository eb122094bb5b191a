"""The gate: from pairs of trials to a verdict, as pure functions.

`judge` returns the verdict on the pairs so far, `next_batch` the pairs to run next. Both depend on
the past only and are valid at any stopping time; `docs/gate.md` states every guarantee.
"""

from cortex.judgement.policy import Direction
from cortex.judgement.scheduling import next_batch
from cortex.judgement.verdict import Judgement, judge
from cortex.model.experiments import Policy, TaskSpec

__all__ = ["Direction", "Judgement", "Policy", "TaskSpec", "judge", "next_batch"]
