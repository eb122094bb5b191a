import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from cortex.mining import mine
from cortex.model.corrections import Correction
from cortex.model.sessions import Session, Turn
from cortex.transcripts.claude_code import read
from cortex.transcripts.turns import assemble

ROOT = "/home/dev/shop"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was "
    "a file edit, the new_string was NOT written to the file). "
)


class Log:
    """A Claude Code transcript that a test writes step by step, with files that follow it."""

    def __init__(self, path: Path, session: str = "s-1", **fields: Any) -> None:
        self.path = path
        self.files: dict[str, str] = {}
        self._common = {"sessionId": session, "cwd": ROOT, "version": "2.1.40", **fields}
        self._name = session
        self._count = 0

    def line(self, kind: str, **fields: Any) -> str:
        self._count += 1
        uuid = f"{self._name}-{self._count}"
        at = f"2026-01-01T00:{self._count // 60:02}:{self._count % 60:02}Z"
        entry = {"type": kind, "uuid": uuid, "timestamp": at, **self._common, **fields}
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        return uuid

    def prompt(self, text: str, **fields: Any) -> str:
        return self.line("user", message={"role": "user", "content": text}, **fields)

    def say(self, text: str) -> str:
        return self.line("assistant", message={"content": [{"type": "text", "text": text}]})

    def call(self, tool: str, **given: Any) -> str:
        call_id = f"call-{self._name}-{self._count}"
        block = {"type": "tool_use", "id": call_id, "name": tool, "input": given}
        self.line("assistant", message={"id": call_id, "content": [block]})
        return call_id

    def answer(
        self, call_id: str, content: str = "ok", result: Any = None, error: bool = False
    ) -> str:
        block = {
            "type": "tool_result",
            "tool_use_id": call_id,
            "content": content,
            "is_error": error,
        }
        return self.line("user", message={"content": [block]}, toolUseResult=result)

    def write(self, name: str, content: str) -> str:
        path = f"{ROOT}/{name}"
        before = self.files.get(name)
        kind = "create" if before is None else "update"
        result = {"type": kind, "filePath": path, "content": content, "originalFile": before}
        self.files[name] = content
        return self.answer(self.call("Write", file_path=path, content=content), result=result)

    def edit(self, name: str, old: str, new: str, replace_all: bool = False, **changed: str) -> str:
        """`newString` given apart: the developer changed the edit while approving it."""
        path, before = f"{ROOT}/{name}", self.files[name]
        actual = changed.get("newString", new)
        result = {
            "filePath": path, "oldString": old, "newString": actual, "originalFile": before,
            "replaceAll": replace_all,
        }  # fmt: skip
        self.files[name] = before.replace(old, actual, -1 if replace_all else 1)
        given = {
            "file_path": path,
            "old_string": old,
            "new_string": new,
            "replace_all": replace_all,
        }
        return self.answer(self.call("Edit", **given), result=result)

    def multi_edit(self, name: str, *edits: tuple[str, str]) -> str:
        path, before = f"{ROOT}/{name}", self.files[name]
        given = [{"old_string": old, "new_string": new, "replace_all": False} for old, new in edits]
        result = {"filePath": path, "originalFileContents": before, "edits": given}
        for old, new in edits:
            self.files[name] = self.files[name].replace(old, new, 1)
        return self.answer(self.call("MultiEdit", file_path=path, edits=given), result=result)

    def read(self, name: str) -> str:
        path, content = f"{ROOT}/{name}", self.files[name]
        lines = content.count("\n") + 1
        file = {
            "filePath": path, "content": content, "numLines": lines, "startLine": 1,
            "totalLines": lines,
        }  # fmt: skip
        result = {"type": "text", "file": file}
        return self.answer(self.call("Read", file_path=path), result=result)

    def run(self, command: str, output: str = "", code: int = 0) -> str:
        text = f"Exit code {code}\n{output}" if code else output
        return self.answer(self.call("Bash", command=command), text, error=bool(code))

    def reject(self, words: str | None, tool: str, **given: Any) -> str:
        if "file_path" in given:
            given["file_path"] = f"{ROOT}/{given['file_path']}"
        ending = "STOP what you are doing and wait for the user to tell you how to proceed."
        if words is not None:
            ending = f"To tell you how to proceed, the user said:\n{words}"
        return self.answer(self.call(tool, **given), REFUSED + ending, error=True)

    def interrupt(self) -> str:
        return self.prompt("[Request interrupted by user for tool use]")

    @property
    def session(self) -> Session:
        session = read(self.path).session
        assert session is not None
        return session

    @property
    def turns(self) -> tuple[Turn, ...]:
        return assemble(event for _, event in read(self.path).events)

    def mined(self, **options: Any) -> tuple[Correction, ...]:
        return mine(self.session, self.turns, **options)


@pytest.fixture
def new_log(tmp_path: Path) -> Callable[..., Log]:
    def make(session: str = "s-1", **fields: Any) -> Log:
        return Log(tmp_path / f"{session}.jsonl", session, **fields)

    return make


@pytest.fixture
def log(new_log: Callable[..., Log]) -> Log:
    """A session whose first task wrote `src/fetch.py` with the wrong library."""
    log = new_log()
    log.prompt("Write a fetch helper in src/fetch.py")
    log.write(
        "src/fetch.py", "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
    )
    log.say("Done.")
    return log


@pytest.fixture
def relative() -> Callable[[Mapping[str, str | None]], dict[str, str | None]]:
    """Contents with paths relative to the working folder."""
    return lambda contents: {p.removeprefix(f"{ROOT}/"): text for p, text in contents.items()}
