"""All signals of a session, brought into corrections."""

from collections.abc import Sequence

from cortex.digests import short_id
from cortex.mining.chains import root
from cortex.mining.hand_edits import hand_edits
from cortex.mining.paths import relative
from cortex.mining.signals import DetectedCorrection, prompts, rejections
from cortex.model.corrections import Correction
from cortex.model.sessions import Session, Speaker, Turn

PEOPLE = frozenset({Speaker.HUMAN})
SCRIPTS_TOO = frozenset({Speaker.HUMAN, Speaker.HEADLESS})


def mine(
    session: Session,
    turns: Sequence[Turn],
    *,
    include_headless: bool = False,
    later: Sequence[Turn] = (),
) -> tuple[Correction, ...]:
    """Return the corrections of a session in the order in which they show.

    `later` are turns of following sessions in the same folder: they may show that the agent's
    text was changed by hand after this session, and give nothing else. Cortex's own runs and
    sub-agents have no developer: they give nothing.
    """
    if session.own or session.subagent:
        return ()
    speakers = SCRIPTS_TOO if include_headless else PEOPLE
    found = [*signs(turns, speakers), *_shown_later(turns, later, speakers)]
    return tuple(_correction(session, turns, sign, root(sign.work, found)) for sign in found)


def signs(turns: Sequence[Turn], speakers: frozenset[Speaker]) -> tuple[DetectedCorrection, ...]:
    """Return all signs of one session in order."""
    by_hand = (sign for sign in hand_edits(turns) if _person_works(turns[sign.work], speakers))
    found = [*rejections(turns, speakers), *prompts(turns, speakers), *by_hand]
    return tuple(sorted(found, key=lambda sign: (sign.turn, sign.at)))


def _shown_later(
    turns: Sequence[Turn], later: Sequence[Turn], speakers: frozenset[Speaker]
) -> list[DetectedCorrection]:
    if not later:
        return []
    return [
        sign
        for sign in hand_edits([*turns, *later])
        if sign.work < len(turns) <= sign.turn and _person_works(turns[sign.work], speakers)
    ]


def _person_works(turn: Turn, speakers: frozenset[Speaker]) -> bool:
    return turn.prompt.speaker in speakers or turn.prompt.speaker is Speaker.INJECTED


def _correction(
    session: Session, turns: Sequence[Turn], sign: DetectedCorrection, task: int
) -> Correction:
    cwd = turns[sign.work].prompt.cwd or session.cwd
    return Correction(
        id=short_id("corr", sign.uuid),
        session_id=session.id,
        signal=sign.signal,
        content=sign.content,
        prompt_uuid=turns[task].prompt.uuid,
        uuid=sign.uuid,
        at=sign.at,
        cwd=cwd,
        paths=tuple(relative(path, cwd) for path in sign.paths),
        confidence=round(sign.confidence, 3),
    )
