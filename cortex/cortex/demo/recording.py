"""Plays the developer's sessions with the scripted agent and leaves transcripts behind."""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from cortex import timestamps
from cortex.demo.story import BAD, Scene
from cortex.demo.world import HARNESS, HELPFUL, World, commit, write
from cortex.digests import digest_text
from cortex_replay.agents.scripted import play

START = timestamps.parse("2026-01-05T09:00:00.000Z")


class Recorder:
    """One developer at work; every session ends with a commit."""

    def __init__(self, world: World, seed: int) -> None:
        self._world = world
        self._seed = seed
        self._clock = START

    def now(self) -> str:
        """Return the time of the story, which goes on by ten minutes."""
        self._clock += timedelta(minutes=10)
        return timestamps.timestamp(self._clock)

    def write_rule(self) -> None:
        """Let the developer write the rule about errors by hand."""
        write(self._world.repository / HELPFUL, HARNESS[HELPFUL])
        commit(self._world, self.now(), "Tell the agent about errors")

    def record(self, scenes: tuple[Scene, ...], on_scene: Callable[[], None]) -> None:
        """Play all scenes in order."""
        for scene in scenes:
            self._play(scene)
            commit(self._world, self.now(), f"Work on {scene.file}")
            on_scene()

    def _play(self, scene: Scene) -> None:
        session = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self._seed} {scene.prompt}"))
        request: dict[str, Any] = {
            "workspace": str(self._world.repository),
            "state": str(self._world.sessions),
            "session_id": session,
            "seed": int(digest_text(f"{self._seed} {scene.prompt}")[:8], 16),
            "playbook": str(self._world.playbook),
            "interactive": True,
        }
        objections = []
        if scene.how in ("reject", "interrupt"):
            objections = [{"pattern": BAD[scene.habit], "words": scene.words, "how": scene.how}]
        before = self._text(scene)
        self._prompt(request, scene.prompt, objections)
        stopped = scene.how == "interrupt" and self._text(scene) == before
        if stopped or (scene.how == "follow-up" and self._is_bad(scene, before)):
            self._prompt(request, scene.words)
        elif scene.how == "hand" and self._is_bad(scene, before):
            self._mend_by_hand(scene)
            self._prompt(request, f"Have a look at {scene.file}, is it complete?")

    def _prompt(
        self, request: dict[str, Any], prompt: str, objections: list[dict[str, str]] | None = None
    ) -> None:
        asked = {**request, "prompt": prompt, "at": self.now(), "objections": objections or []}
        play(asked, self._world.folder)

    def _text(self, scene: Scene) -> str:
        path = self._world.repository / scene.file
        return path.read_text("utf-8") if path.exists() else ""

    def _is_bad(self, scene: Scene, before: str) -> bool:
        """Whether the developer sees the habit in what was added."""
        added = self._text(scene).removeprefix(before)
        pattern = BAD.get(scene.habit, r"# Returns|eight to six")
        return re.search(pattern, added) is not None

    def _mend_by_hand(self, scene: Scene) -> None:
        path = self._world.repository / scene.file
        path.write_text(self._text(scene).replace("datetime.now()", "clock.now()"), "utf-8")
