"""Records the developer's sessions with the scripted agent as transcripts."""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from cortex import timestamps
from cortex.demo.story import BAD, RecordedSession
from cortex.demo.world import HARNESS, HELPFUL, DemoPaths, commit, write
from cortex.digests import digest_text
from cortex_replay.agents.scripted import play

START = timestamps.parse("2026-01-05T09:00:00.000Z")


class Recorder:
    """Plays sessions of a developer; every session ends with a commit."""

    def __init__(self, world: DemoPaths, seed: int) -> None:
        self._world = world
        self._seed = seed
        self._clock = START

    def now(self) -> str:
        """Advance the simulated clock by ten minutes and return its time."""
        self._clock += timedelta(minutes=10)
        return timestamps.timestamp(self._clock)

    def write_rule(self) -> None:
        """Write the rule about errors, as the developer would by hand."""
        write(self._world.repository / HELPFUL, HARNESS[HELPFUL])
        commit(self._world, self.now(), "Tell the agent about errors")

    def record(self, sessions: tuple[RecordedSession, ...], on_session: Callable[[], None]) -> None:
        """Play all sessions in order."""
        for session in sessions:
            self._play(session)
            commit(self._world, self.now(), f"Work on {session.file}")
            on_session()

    def _play(self, session: RecordedSession) -> None:
        session_id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self._seed} {session.prompt}"))
        request: dict[str, Any] = {
            "workspace": str(self._world.repository),
            "state": str(self._world.sessions),
            "session_id": session_id,
            "seed": int(digest_text(f"{self._seed} {session.prompt}")[:8], 16),
            "playbook": str(self._world.playbook),
            "interactive": True,
        }
        reactions = []
        if session.channel in ("reject", "interrupt"):
            reactions = [
                {
                    "pattern": BAD[session.habit],
                    "feedback": session.correction,
                    "kind": session.channel,
                }
            ]
        before = self._text(session)
        self._prompt(request, session.prompt, reactions)
        stopped = session.channel == "interrupt" and self._text(session) == before
        if stopped or (session.channel == "follow-up" and self._is_bad(session, before)):
            self._prompt(request, session.correction)
        elif session.channel == "hand" and self._is_bad(session, before):
            self._edit_by_hand(session)
            self._prompt(request, f"Have a look at {session.file}, is it complete?")

    def _prompt(
        self, request: dict[str, Any], prompt: str, reactions: list[dict[str, str]] | None = None
    ) -> None:
        prompted = {
            **request,
            "prompt": prompt,
            "started_at": self.now(),
            "reactions": reactions or [],
        }
        play(prompted, self._world.folder)

    def _text(self, session: RecordedSession) -> str:
        path = self._world.repository / session.file
        return path.read_text("utf-8") if path.exists() else ""

    def _is_bad(self, session: RecordedSession, before: str) -> bool:
        """Whether the added text breaks the convention."""
        added = self._text(session).removeprefix(before)
        pattern = BAD.get(session.habit, r"# Returns|eight to six")
        return re.search(pattern, added) is not None

    def _edit_by_hand(self, session: RecordedSession) -> None:
        path = self._world.repository / session.file
        path.write_text(self._text(session).replace("datetime.now()", "clock.now()"), "utf-8")
