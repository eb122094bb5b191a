"""Writes the lines of a session in Claude Code's transcript format."""

import json
import random
import re
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cortex.timestamps import parse, timestamp
from cortex_replay.scripted.request import Request

VERSION = "2.1.197"
REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it "
    "was a file edit, the new_string was NOT written to the file). "
)
STEP = timedelta(milliseconds=1500)


class Transcript:
    """Appends to `<state>/projects/<slug>/<session>.jsonl`."""

    def __init__(self, request: Request, branch: str, *, live: bool = False) -> None:
        """`live`: each line has the time at which it was added."""
        self._request = request
        self._live = live
        self._random = random.Random(f"{request.seed}:{request.session_id}:{request.prompt}")
        slug = re.sub(r"[^A-Za-z0-9]", "-", str(request.workspace))[:200]
        folder = request.state / "projects" / slug
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{request.session_id}.jsonl"
        self._parent = _last_uuid(self.path)
        self._clock = parse(request.started_at) if request.started_at else datetime.now(UTC)
        self._branch = branch
        self._prompt_id = self._uuid()
        self._lines: list[str] = []
        self._message = ""
        self._calls = 0

    def prompt(self, text: str) -> None:
        """Add the prompt as the developer typed it, or as a script sent it."""
        extra: dict[str, Any] = {"permissionMode": "default", "promptSource": "sdk"}
        if self._request.interactive:
            extra |= {"promptSource": "typed", "origin": {"kind": "human"}}
        self._user(text, promptId=self._prompt_id, **extra)

    def say(self, text: str) -> None:
        """Add the agent's closing message."""
        self._assistant({"type": "text", "text": text}, "end_turn")

    def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Add a tool call and return its id."""
        call_id = f"toolu_{self._random.getrandbits(80):020x}"
        self._calls += 1
        block = {"type": "tool_use", "id": call_id, "name": tool, "input": arguments}
        self._assistant(block, "tool_use")
        return call_id

    def result(self, call_id: str, content: str, result: object, *, error: bool = False) -> None:
        """Add a tool's result."""
        block: dict[str, Any] = {
            "type": "tool_result",
            "content": content,
            "tool_use_id": call_id,
        }
        if error:
            block["is_error"] = True
        self._user(
            [block],
            promptId=self._prompt_id,
            toolUseResult=result,
            sourceToolAssistantUUID=self._parent,
        )

    def reject(self, call_id: str, feedback: str | None) -> None:
        """Add a rejection by the developer with feedback, or (None) an interruption."""
        if feedback is not None:
            content = f"{REJECTED}To tell you how to proceed, the user said:\n{feedback}"
            self.result(call_id, content, f"Error: {content}", error=True)
            return
        content = (
            f"{REJECTED}STOP what you are doing and wait for the user to tell you how to proceed."
        )
        self.result(call_id, content, "User rejected tool use", error=True)
        block = {"type": "text", "text": "[Request interrupted by user for tool use]"}
        self._user([block], promptId=self._prompt_id, interruptedMessageId=self._message)

    def skill_body(self, call_id: str, text: str) -> None:
        """Add the text of an opened skill."""
        block = {"type": "text", "text": text}
        self._user([block], isMeta=True, sourceToolUseID=call_id)

    def attachment(self, value: dict[str, Any]) -> None:
        """Add text that the harness put into the context."""
        self._line({"attachment": value, "type": "attachment"})

    def save(self) -> None:
        """Write the lines that were added since the last time."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in self._lines))
        self._lines.clear()

    def _user(self, content: object, **extra: object) -> None:
        message = {"role": "user", "content": content}
        self._line({"type": "user", "message": message, **extra})

    def _assistant(self, block: dict[str, Any], stop_reason: str) -> None:
        self._message = f"msg_{self._random.getrandbits(80):020x}"
        usage = {
            "input_tokens": 900 + 60 * len(self._lines),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": max(1, len(json.dumps(block)) // 4),
        }
        message = {
            "id": self._message,
            "type": "message",
            "role": "assistant",
            "model": self._request.model,
            "content": [block],
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "usage": usage,
        }
        self._line({"message": message, "requestId": f"req_{self._calls}", "type": "assistant"})

    def _line(self, fields: dict[str, Any]) -> None:
        self._clock = datetime.now(UTC) if self._live else self._clock + STEP
        line_uuid = self._uuid()
        line = {
            "parentUuid": self._parent,
            "isSidechain": False,
            **fields,
            "uuid": line_uuid,
            "timestamp": timestamp(self._clock),
            "userType": "external",
            "entrypoint": "cli" if self._request.interactive else "sdk-cli",
            "cwd": str(self._request.workspace),
            "sessionId": self._request.session_id,
            "version": VERSION,
            "gitBranch": self._branch,
        }
        self._lines.append(json.dumps(line, ensure_ascii=False))
        self._parent = line_uuid

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self._random.getrandbits(128), version=4))


def _last_uuid(path: Path) -> str | None:
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return None
    return next((json.loads(line)["uuid"] for line in reversed(lines) if '"uuid"' in line), None)
