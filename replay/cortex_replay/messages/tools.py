"""The tools of the model, named and shaped as those of Claude Code."""

import os
from collections.abc import Mapping
from typing import Any

from cortex_replay.messages import edits
from cortex_replay.messages.edits import Answer, failure
from cortex_replay.messages.instructions import Instructions
from cortex_replay.messages.request import Request
from cortex_replay.processes import MARK, ProgramMissingError, run

COMMAND_TIMEOUT_S = 120.0
LONGEST_ANSWER = 40_000
"""Characters that the model gets of a file or of a command's output."""
_NOT_READ = "File has not been read yet. Read it first before writing to it."


def _schema(required: tuple[str, ...], **properties: str) -> dict[str, Any]:
    types = {name: {"type": kind} for name, kind in properties.items()}
    return {"type": "object", "properties": types, "required": list(required)}


READ = {
    "name": "Read",
    "description": "Read a text file of the working directory. Lines are numbered.",
    "input_schema": _schema(("file_path",), file_path="string", offset="integer", limit="integer"),
}
WRITE = {
    "name": "Write",
    "description": "Write a whole file. A file that exists must have been read before.",
    "input_schema": _schema(("file_path", "content"), file_path="string", content="string"),
}
EDIT = {
    "name": "Edit",
    "description": "Replace a text in a file that has been read. It must be there exactly once, "
    "unless replace_all is true.",
    "input_schema": _schema(
        ("file_path", "old_string", "new_string"),
        file_path="string",
        old_string="string",
        new_string="string",
        replace_all="boolean",
    ),
}
BASH = {
    "name": "Bash",
    "description": "Run a command with bash in the working directory.",
    "input_schema": _schema(("command",), command="string"),
}
SKILL = {
    "name": "Skill",
    "description": "Open a skill that is listed.",
    "input_schema": _schema(("skill",), skill="string"),
}
TOOLS = (READ, EDIT, WRITE, BASH, SKILL)


class InvalidInputError(Exception):
    """An argument of a tool is missing or of the wrong type; the message is for the model."""


class Toolbox:
    """Runs tools and adds what harness text they load."""

    def __init__(self, request: Request, instructions: Instructions) -> None:
        self._request, self._instructions = request, instructions
        self._read_paths: set[str] = set()

    def saw(self, path: str) -> None:
        """Note that a file reached the model with the prompt."""
        self._read_paths.add(path)

    def use(self, tool: str, arguments: Mapping[str, Any], left_s: float) -> tuple[Answer, str]:
        """Run a tool; return its answer, and harness text that comes with it."""
        try:
            return self._use(tool, arguments, left_s)
        except InvalidInputError as error:
            return failure(str(error)), ""

    def _use(self, tool: str, arguments: Mapping[str, Any], left_s: float) -> tuple[Answer, str]:
        if tool == "Bash":
            return self._command(_text(arguments, "command"), left_s), ""
        if tool == "Skill":
            return self._skill(_text(arguments, "skill"))
        if tool not in ("Read", "Edit", "Write"):
            return failure(f"No such tool: {tool}"), ""
        path = edits.relative_path(self._request.workspace, _text(arguments, "file_path"))
        if path is None:
            return failure(edits.OUTSIDE), ""
        if tool == "Read":
            return self._read(path, arguments)
        return self._change(tool, path, arguments)

    def _read(self, path: str, arguments: Mapping[str, Any]) -> tuple[Answer, str]:
        text = edits.text_of(self._request.workspace, path)
        if text is None:
            return failure("File does not exist, or is no text file."), self._touched(path)
        lines = text.splitlines()
        start = max(1, _number(arguments, "offset", 1))
        shown = lines[start - 1 :][: max(1, _number(arguments, "limit", len(lines) or 1))]
        numbered = "\n".join(f"{number}\t{line}" for number, line in enumerate(shown, start))
        file = {
            "filePath": str(self._request.workspace / path),
            "content": text if len(shown) == len(lines) else "\n".join(shown),
            "numLines": len(shown),
            "startLine": start,
            "totalLines": len(lines),
        }
        self._read_paths.add(path)
        answer = Answer(_cut(numbered) or "(empty file)", {"type": "text", "file": file})
        return answer, _joined(self._instructions.on_read(path), self._touched(path))

    def _change(self, tool: str, path: str, arguments: Mapping[str, Any]) -> tuple[Answer, str]:
        workspace = self._request.workspace
        if path not in self._read_paths and edits.text_of(workspace, path) is not None:
            return failure(_NOT_READ), ""
        if tool == "Write":
            answer = edits.write_file(workspace, path, _text(arguments, "content"))
        else:
            old, new = _text(arguments, "old_string"), _text(arguments, "new_string")
            every = arguments.get("replace_all") is True
            answer = edits.edit_file(workspace, path, old, new, every=every)
        if answer.failed:
            return answer, ""
        self._read_paths.add(path)
        return answer, self._touched(path)

    def _command(self, command: str, left_s: float) -> Answer:
        # The mark lets Cortex find what the command leaves running.
        env = {**os.environ, MARK: os.environ.get(MARK, "")}
        limit_s = max(0.1, min(COMMAND_TIMEOUT_S, left_s))
        if "\0" in command:
            return failure("A command cannot have a null character.")
        try:
            ended = run(("bash", "-c", command), self._request.workspace, env, limit_s)
        except ProgramMissingError as error:
            return failure(str(error))
        output = _cut((ended.stdout + ended.stderr).strip())
        if ended.timed_out:
            return failure(f"Command timed out after {limit_s:.0f} s\n{output}")
        if ended.returncode != 0:
            return failure(f"Exit code {ended.returncode}\n{output}")
        result = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        return Answer(output or "(no output)", result)

    def _skill(self, name: str) -> tuple[Answer, str]:
        body = self._instructions.open(name)
        if body is None:
            return failure(f"Unknown skill: {name}"), ""
        return Answer(f"Launching skill: {name}", {"success": True, "commandName": name}), body

    def _touched(self, path: str) -> str:
        return self._instructions.skills(path)


def _text(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str):
        raise InvalidInputError(f"{name} must be given, as a string.")
    return value


def _number(arguments: Mapping[str, Any], name: str, default: int) -> int:
    value = arguments.get(name, default)
    if type(value) is not int:
        raise InvalidInputError(f"{name} must be an integer.")
    return value


def _cut(text: str) -> str:
    if len(text) <= LONGEST_ANSWER:
        return text
    half = LONGEST_ANSWER // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters are left out …]\n{text[-half:]}"


def _joined(*texts: str) -> str:
    return "\n\n".join(filter(None, texts))
