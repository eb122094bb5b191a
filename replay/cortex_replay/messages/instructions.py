"""Harness text for the model, under the conditions of Claude Code; every load is noted."""

import json
from collections.abc import Iterator
from pathlib import PurePosixPath

from cortex.artifacts import frontmatter
from cortex.artifacts.readers import CLAUDE_FILES
from cortex.model.artifacts import Artifact
from cortex_replay import files
from cortex_replay.agents.load_detection import HOOK_FILE
from cortex_replay.messages.record import Record
from cortex_replay.messages.request import Request
from cortex_replay.scripted.harness_loader import HarnessLoader

_OFF = "disable-model-invocation"


class Instructions:
    """The harness of the workspace, and what of it has reached the model."""

    def __init__(self, request: Request, record: Record) -> None:
        self._request, self._record = request, record
        self._harness = HarnessLoader(request.workspace, request.reads_agents_file)
        self._skills: dict[str, Artifact] = {}
        self._nested: set[str] = set()

    def at_start(self) -> str:
        """Return the text that is there from the start, "" for none."""
        shown = []
        with (self._request.state / HOOK_FILE).open("a", encoding="utf-8") as file:
            for path, text in self._harness.load_at_start():
                self._record.loaded(path)
                place = str(self._request.workspace / path)
                file.write(json.dumps({"file_path": place}) + "\n")
                shown.append(_contents(path, text))
        return _reminder("\n\n".join(shown))

    def on_read(self, path: str) -> str:
        """Return what a successful read of `path` (relative) loads, "" for nothing."""
        shown = [*self._nested_files(path)]
        for rule in self._harness.load_on_read(path):
            body = frontmatter.split(rule.text)[1]
            self._note(rule.path, body, rule.paths)
            shown.append(_contents(rule.path, body))
        return _reminder("\n\n".join(shown))

    def skills(self, touched: str | None = None) -> str:
        """Return the listing of skills that are newly offered, "" for none."""
        new = [
            skill
            for skill in self._harness.list_skills(touched)
            if frontmatter.split(skill.text)[0].get(_OFF) is not True
        ]
        if not new:
            return ""
        self._skills.update({skill.name: skill for skill in new})
        self._record.offered(skill.path for skill in new)
        listing = "\n".join(f"- {skill.name}: {skill.description}" for skill in new)
        names = [skill.name for skill in new]
        self._record.transcript.attachment(
            {"type": "skill_listing", "content": listing, "names": names}
        )
        return _reminder(f"These skills are available with the Skill tool:\n\n{listing}")

    def open(self, name: str) -> str | None:
        """Return the text of a skill that was offered; None for any other name."""
        skill = self._skills.get(name)
        if skill is None:
            return None
        self._record.loaded(skill.path)
        folder = PurePosixPath(skill.path).parent
        body = frontmatter.split(skill.text)[1]
        return f"Base directory for this skill: {folder}\n\n{body}"

    def _nested_files(self, path: str) -> Iterator[str]:
        """Yield the instruction files of the folders on the way to a file, the outermost first."""
        for folder in reversed(PurePosixPath(path).parents[:-1]):
            for name in CLAUDE_FILES:
                nested = f"{folder}/{name}"
                if nested in self._nested or not _is_file(self._request, nested):
                    continue
                text = files.read_text(self._request.workspace, nested)
                if text is not None:
                    self._nested.add(nested)
                    self._note(nested, text, ())
                    yield _contents(nested, text)

    def _note(self, path: str, body: str, patterns: tuple[str, ...]) -> None:
        self._record.loaded(path)
        place = str(self._request.workspace / path)
        content = {"path": place, "type": "Project", "content": body, "globs": list(patterns)}
        self._record.transcript.attachment(
            {"type": "nested_memory", "path": place, "content": content, "displayPath": path}
        )


def _is_file(request: Request, path: str) -> bool:
    return files.is_plain(request.workspace / path, request.workspace)


def _contents(path: str, text: str) -> str:
    return f"Contents of {path} (project instructions, checked into the codebase):\n\n{text}"


def _reminder(text: str) -> str:
    return f"<system-reminder>\n{text.rstrip()}\n</system-reminder>" if text else ""
