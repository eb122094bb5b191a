"""The corrections of a session, from all signals."""

from collections.abc import Sequence
from dataclasses import replace

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
    later_session_id: str = "",
) -> tuple[Correction, ...]:
    """Return the corrections of a session in the order in which they show.

    `later` are the turns of the next session in the same folder, `later_session_id`: they may show
    that the agent's text was changed by hand after this session; nothing else is read from them.
    Cortex's own runs and sub-agents have no developer and are not mined.
    """
    if session.own or session.subagent:
        return ()
    speakers = SCRIPTS_TOO if include_headless else PEOPLE
    within = detected_corrections(turns, speakers)
    after = _shown_later(turns, later, speakers)
    everything = [*within, *after]
    return (
        *(_correction(session, turns, detected, everything) for detected in within),
        *(
            replace(
                _correction(session, turns, detected, everything),
                later_session_id=later_session_id,
            )
            for detected in after
        ),
    )


def detected_corrections(
    turns: Sequence[Turn], speakers: frozenset[Speaker]
) -> tuple[DetectedCorrection, ...]:
    """Return all corrections that a session shows, in order."""
    by_hand = (
        detected for detected in hand_edits(turns) if _person_works(turns[detected.work], speakers)
    )
    unordered = [*rejections(turns, speakers), *prompts(turns, speakers), *by_hand]
    return tuple(sorted(unordered, key=lambda detected: (detected.turn, detected.at)))


def _shown_later(
    turns: Sequence[Turn], later: Sequence[Turn], speakers: frozenset[Speaker]
) -> list[DetectedCorrection]:
    if not later:
        return []
    return [
        detected
        for detected in hand_edits([*turns, *later])
        if detected.work < len(turns) <= detected.turn
        and _person_works(turns[detected.work], speakers)
    ]


def _person_works(turn: Turn, speakers: frozenset[Speaker]) -> bool:
    return turn.prompt.speaker in speakers or turn.prompt.speaker is Speaker.INJECTED


def _correction(
    session: Session,
    turns: Sequence[Turn],
    detected: DetectedCorrection,
    everything: Sequence[DetectedCorrection],
) -> Correction:
    work = turns[detected.work].prompt
    cwd = work.cwd or session.cwd
    return Correction(
        id=short_id("corr", detected.uuid),
        session_id=session.id,
        signal=detected.signal,
        content=detected.content,
        prompt_uuid=turns[root(detected.work, everything)].prompt.uuid,
        uuid=detected.uuid,
        at=detected.at,
        cwd=cwd,
        paths=tuple(relative(path, cwd) for path in detected.paths),
        confidence=round(detected.confidence, 3),
        work_uuid=work.uuid,
    )
