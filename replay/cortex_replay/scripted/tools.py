"""The agent's tools, at work on real files and programs."""

import difflib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortex_replay.scripted.transcript import Transcript

COMMAND_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Change:
    """A write that the agent wants to make."""

    path: Path
    before: str | None
    after: str
    old: str | None = None
    """For an edit: the text that is replaced by `new`."""
    new: str = ""


def read(transcript: Transcript, path: Path) -> bool:
    """Read a file; whether it is there."""
    call = transcript.call("Read", {"file_path": str(path)})
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        said = "File does not exist."
        transcript.result(call, said, f"Error: {said}", error=True)
        return False
    lines = text.splitlines()
    shown = "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, 1))
    file = {
        "filePath": str(path),
        "content": text,
        "numLines": len(lines),
        "startLine": 1,
        "totalLines": len(lines),
    }
    transcript.result(call, shown, {"type": "text", "file": file})
    return True


def propose(transcript: Transcript, change: Change) -> str:
    """Ask for a write or an edit; return the id of the call."""
    if change.old is None:
        arguments: dict[str, Any] = {"file_path": str(change.path), "content": change.after}
        return transcript.call("Write", arguments)
    arguments = {
        "replace_all": False,
        "file_path": str(change.path),
        "old_string": change.old,
        "new_string": change.new,
    }
    return transcript.call("Edit", arguments)


def carry_out(transcript: Transcript, call: str, change: Change) -> None:
    """Write the file and answer the call."""
    change.path.parent.mkdir(parents=True, exist_ok=True)
    change.path.write_text(change.after, "utf-8")
    patch = _patch(change.before or "", change.after)
    if change.old is not None:
        result: dict[str, Any] = {
            "filePath": str(change.path),
            "oldString": change.old,
            "newString": change.new,
            "originalFile": change.before,
            "structuredPatch": patch,
            "userModified": False,
            "replaceAll": False,
        }
    else:
        result = {
            "type": "create" if change.before is None else "update",
            "filePath": str(change.path),
            "content": change.after,
            "structuredPatch": [] if change.before is None else patch,
            "originalFile": change.before,
            "userModified": False,
        }
    verb = "created" if change.before is None else "updated"
    transcript.result(call, f"The file {change.path} has been {verb} successfully.", result)


def command(transcript: Transcript, argv: list[str], workspace: Path) -> None:
    """Run a program and answer with its output and exit code."""
    call = transcript.call("Bash", {"command": " ".join(argv), "description": "run"})
    try:
        ended = subprocess.run(
            argv,
            cwd=workspace,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT_S,
            env=dict(os.environ),
            check=False,
        )
        code, out = ended.returncode, (ended.stdout + ended.stderr).strip()
    except (OSError, subprocess.TimeoutExpired) as error:
        code, out = 127, str(error)
    if code:
        said = f"Exit code {code}\n{out}"
        transcript.result(call, said, f"Error: {said}", error=True)
        return
    result = {"stdout": out, "stderr": "", "interrupted": False, "isImage": False}
    transcript.result(call, out or "(no output)", result)


def _patch(before: str, after: str) -> list[dict[str, Any]]:
    matcher = difflib.SequenceMatcher(None, old := before.splitlines(), new := after.splitlines())
    hunks = []
    for group in matcher.get_grouped_opcodes(3):
        lines: list[str] = []
        for tag, a1, a2, b1, b2 in group:
            if tag == "equal":
                lines += [f" {line}" for line in old[a1:a2]]
                continue
            lines += [f"-{line}" for line in old[a1:a2]]
            lines += [f"+{line}" for line in new[b1:b2]]
        first, last = group[0], group[-1]
        hunks.append(
            {
                "oldStart": first[1] + 1,
                "oldLines": last[2] - first[1],
                "newStart": first[3] + 1,
                "newLines": last[4] - first[3],
                "lines": lines,
            }
        )
    return hunks
