"""The agent's tools, which work on real files and programs."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortex import linediff
from cortex_replay.scripted.transcript import Transcript

COMMAND_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class ProposedWrite:
    """A write or edit that the agent proposes."""

    path: Path
    before: str | None
    after: str
    old: str | None = None
    """Of an edit: the text that `new` replaces."""
    new: str = ""


def read(transcript: Transcript, path: Path) -> bool:
    """Read a file; return whether it exists and is text."""
    call = transcript.call("Read", {"file_path": str(path)})
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        message = "File does not exist."
        transcript.result(call, message, f"Error: {message}", error=True)
        return False
    lines = text.splitlines()
    numbered = "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, 1))
    file = {
        "filePath": str(path),
        "content": text,
        "numLines": len(lines),
        "startLine": 1,
        "totalLines": len(lines),
    }
    transcript.result(call, numbered, {"type": "text", "file": file})
    return True


def propose(transcript: Transcript, write: ProposedWrite) -> str:
    """Add the call of a write or an edit; return its id."""
    if write.old is None:
        arguments: dict[str, Any] = {"file_path": str(write.path), "content": write.after}
        return transcript.call("Write", arguments)
    arguments = {
        "replace_all": False,
        "file_path": str(write.path),
        "old_string": write.old,
        "new_string": write.new,
    }
    return transcript.call("Edit", arguments)


def execute(transcript: Transcript, call: str, write: ProposedWrite) -> None:
    """Write the file and add the result of the call."""
    write.path.parent.mkdir(parents=True, exist_ok=True)
    write.path.write_text(write.after, "utf-8")
    patch = _patch(write.before or "", write.after)
    if write.old is not None:
        result: dict[str, Any] = {
            "filePath": str(write.path),
            "oldString": write.old,
            "newString": write.new,
            "originalFile": write.before,
            "structuredPatch": patch,
            "userModified": False,
            "replaceAll": False,
        }
    else:
        result = {
            "type": "create" if write.before is None else "update",
            "filePath": str(write.path),
            "content": write.after,
            "structuredPatch": [] if write.before is None else patch,
            "originalFile": write.before,
            "userModified": False,
        }
    verb = "created" if write.before is None else "updated"
    transcript.result(call, f"The file {write.path} has been {verb} successfully.", result)


def command(transcript: Transcript, argv: list[str], workspace: Path) -> None:
    """Run a program and add its output and exit code."""
    call = transcript.call("Bash", {"command": " ".join(argv), "description": "run"})
    try:
        process = subprocess.run(
            argv,
            cwd=workspace,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=COMMAND_TIMEOUT_S,
            env=dict(os.environ),
            check=False,
        )
        code, output = process.returncode, (process.stdout + process.stderr).strip()
    except subprocess.TimeoutExpired:
        code, output = 124, f"timed out after {COMMAND_TIMEOUT_S} s"
    except OSError as error:
        code, output = 127, str(error)
    if code:
        message = f"Exit code {code}\n{output}"
        transcript.result(call, message, f"Error: {message}", error=True)
        return
    result = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    transcript.result(call, output or "(no output)", result)


def _patch(before: str, after: str) -> list[dict[str, Any]]:
    """Return the change as the agent's results have it."""
    old, new = before.splitlines(), after.splitlines()
    return [
        {
            "oldStart": section.old_start + 1,
            "oldLines": section.old_end - section.old_start,
            "newStart": section.new_start + 1,
            "newLines": section.new_end - section.new_start,
            "lines": list(section.lines),
        }
        for section in linediff.sections(old, new, linediff.hunks(old, new))
    ]
