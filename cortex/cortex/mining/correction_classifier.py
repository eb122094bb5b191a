"""How sure a developer's words make it that they correct the agent.

A linear score over cues (`cues`) and the situation. What tells most is whether a message has any
mark of something else (a question, a log, praise, a new wish), how many different cues of a
correction it has, and what the agent had just done. The weights were fitted by ridge-penalised
logistic regression on labelled follow-ups in ten languages; the bias asks for more than an even
chance there, because in real sessions few follow-ups correct anything.
"""

import math
import re

from cortex.mining import cues
from cortex.mining.turn_context import Channel, TurnContext
from cortex.transcripts.speakers import is_harness_text

CERTAIN_ENOUGH = 0.5
"""From this confidence on words count as a correction."""

FOR = {
    "refuses": cues.REFUSAL,
    "forbids": cues.FORBIDS,
    "contrasts": cues.CONTRASTS,
    "limits": cues.LIMITS,
    "norm": cues.NORM,
    "wish": cues.WISH,
    "house": cues.HOUSE,
    "exists": cues.EXISTS,
    "takes back": cues.TAKES_BACK,
    "repeated": cues.REPEATED,
    "lasting": cues.LASTING,
    "accuses": cues.ACCUSES,
    "steers": cues.STEERS,
    "wrong": cues.WRONG,
    "order": cues.ORDER,
    "alike": cues.ALIKE,
    "shouts": cues.SHOUTS,
}
AGAINST = {
    "refuses nothing": cues.REFUSES_NOTHING,
    "praises": cues.PRAISES,
    "goes on": cues.GOES_ON,
    "next": cues.NEXT,
    "requests": cues.REQUESTS,
    "pasted": cues.PASTED,
    "reported": cues.REPORTED,
    "symptom": cues.SYMPTOM,
    "status": cues.STATUS,
    "own slip": cues.OWN_SLIP,
    "asks": cues.ASKS,
    "answers": cues.ANSWERS,
    "question": cues.QUESTION_END,
}
_TELLING_QUESTION = {"accuses", "steers", "forbids", "norm", "repeated", "wrong", "takes back"}

BIAS = -4.63
WEIGHTS = {
    "plain": 2.62,
    "names it": 2.5,
    "rewrote": 1.9,
    "interruption": 1.51,
    "steers": 1.42,
    "accuses": 1.21,
    "wrote": 1.17,
    "planned": 1.10,
    "one cue": 0.99,
    "plain rejection": 0.91,
    "house": 0.79,
    "wrong": 0.68,
    "rejection": 0.66,
    "alike": 0.62,
    "two cues": 0.60,
    "three cues": 0.59,
    "asks": -0.35,
    "left alone": -0.4,
    "status": -0.61,
    "next": -0.62,
    "goes on": -0.67,
    "reported": -0.73,
    "mere question": -0.98,
    "own slip": -1.03,
    "several lines": -1.07,
    "asked": -1.72,
}
"""Feature -> log odds; other features count only through how many there are.

Three cannot show in labelled messages and have weights by judgement. `rewrote` makes up for a
message that is not plain but has two cues, and never counts without a cue, because new wishes too
touch lines of the agent. `names it`: the message names something that the agent then replaced.
`left alone` lets a single cue no longer suffice.
"""

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LONGEST = 60
"""Words: long messages name what they correct at their beginning."""

_REST_OF_A_LOG = 12
"""Characters: less than that beside a log is no sentence."""


def confidence(words: str, context: TurnContext) -> float:
    """Return 0 to 1: how sure it is that `words` correct the agent.

    Text that no person typed has 0, whatever it says.
    """
    if is_harness_text(words) or not words.strip():
        return 0.0
    score = BIAS + sum(WEIGHTS.get(name, 0.0) for name in features(words, context))
    return 1.0 / (1.0 + math.exp(-score))


def features(words: str, context: TurnContext) -> frozenset[str]:
    """Return the names of the features of a message in its context."""
    own_text = own_words(words)
    speaks_for = {name for name, cue in FOR.items() if cue.search(own_text)}
    speaks_against = {name for name, cue in AGAINST.items() if cue.search(own_text)}
    if "refuses nothing" in speaks_against:
        speaks_for -= {"refuses", "forbids"}
    if len(own_text) < _REST_OF_A_LOG and own_text != words.strip():
        speaks_against.add("pasted")
    shape = _text_features(own_text, speaks_for, speaks_against)
    around = _context_features(context)
    if {"plain", "rejection"} <= shape | around:
        shape.add("plain rejection")
    if not speaks_for:
        around.discard("rewrote")
    if {name for name in context.replaced if len(name) > 2} & set(_NAME.findall(own_text)):
        around.add("names it")
    return frozenset(speaks_for | speaks_against | shape | around)


def own_words(words: str) -> str:
    """Return a message without code blocks and logs, cut to its first words."""
    text = _FENCED.sub("", words).strip()
    if "\n" in text:
        lines = text.split("\n")
        text = "\n".join(line for line in lines if not cues.LOG_LINE.match(line)).strip()
    ends = [match.end() for match in re.finditer(r"\S+", text)]
    return text[: ends[_LONGEST - 1]] if len(ends) > _LONGEST else text


def _text_features(own_text: str, speaks_for: set[str], speaks_against: set[str]) -> set[str]:
    shape = {
        "several lines": own_text.count("\n") >= 2,
        "plain": not speaks_against,
        "mere question": "question" in speaks_against and not speaks_for & _TELLING_QUESTION,
        "one cue": len(speaks_for) >= 1,
        "two cues": len(speaks_for) >= 2,
        "three cues": len(speaks_for) >= 3,
    }
    return {name for name, holds in shape.items() if holds}


def _context_features(context: TurnContext) -> set[str]:
    around = {
        "rejection": context.channel is Channel.REJECTION,
        "interruption": context.channel is Channel.INTERRUPTION,
        "wrote": context.wrote,
        "planned": context.planned,
        "asked": context.asked,
        "rewrote": context.rewrote is True,
        "left alone": context.rewrote is False,
    }
    return {name for name, holds in around.items() if holds}
