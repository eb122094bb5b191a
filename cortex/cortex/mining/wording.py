"""How sure the words are that they correct the agent."""

import re

from cortex.mining.situation import Situation
from cortex.transcripts.speakers import is_harness_text

CERTAIN_ENOUGH = 0.5


def confidence(words: str, situation: Situation) -> float:
    """Return 0 to 1: how sure it is that `words` correct the agent."""
    if is_harness_text(words):
        return 0.0
    return (
        0.9 if re.match(r"(?i)\s*(no|stop|don't|never|nope)\b", words) or situation.rewrote else 0.1
    )
