"""Drafts from the Claude Code CLI that the developer already pays for."""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Any

from cortex.errors import MachineError
from cortex.proposing.answers import Answer, ask_twice, find_object
from cortex.proposing.briefs import Brief
from cortex.proposing.draft import Draft, Usage, schema
from cortex.proposing.prompting import prompts

OWN_FOLDER = "cortex-trials-writer-"
"""Prefix of the working folder: mining knows by it that the session is Cortex's own."""
QUIET = {
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_BUNDLED_SKILLS": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "DISABLE_AUTOUPDATER": "1",
}
"""Nothing but the prompt may reach the model: no memory, no skills, no instructions files."""
CHILD_MARKS = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID")
"""Variables by which the CLI knows that it was started by another one."""


class ClaudeCodeWriter:
    """Runs `claude -p` in an empty folder, without tools, settings, skills or session file."""

    name = "claude-code"

    def __init__(
        self,
        model: str | None = None,
        *,
        command: Sequence[str] = ("claude",),
        timeout_s: float = 180.0,
    ) -> None:
        """`command` is the program with leading arguments."""
        self._model = model
        self._command = tuple(command)
        self._timeout_s = timeout_s

    def write(self, brief: Brief) -> Draft:
        """Return the CLI's draft.

        Raises MachineError when the CLI is missing, times out or reports an error, UsageError
        when it gave nothing usable twice.
        """
        system, user = prompts(brief)
        form = json.dumps(schema(), ensure_ascii=False)

        def ask(complaint: str) -> Answer:
            complaint = complaint.replace("@", "(at)")
            again = f"\n\nYour last answer could not be used: {complaint}" if complaint else ""
            order = f"\n\nAnswer with one JSON object of this schema and nothing else:\n{form}"
            return _answer(self._run(system, user + order + again))

        return ask_twice(self.name, ask)

    def _run(self, system: str, prompt: str) -> str:
        program = self._command[0]
        try:
            done = self._call(system, prompt)
        except FileNotFoundError:
            raise MachineError(
                f"{program} is not installed or not on PATH; install Claude Code or use "
                "`--writer template`"
            ) from None
        except subprocess.TimeoutExpired:
            raise MachineError(f"{program} gave no draft in {self._timeout_s:g} s") from None
        except OSError as error:
            raise MachineError(f"{program} cannot be run: {error.strerror}") from None
        if not done.stdout.strip():
            complaint = done.stderr.decode("utf-8", "replace").strip().split("\n", 1)[0]
            raise MachineError(
                f"{program} ended with {done.returncode} and no answer: {complaint[:200]}"
            )
        return done.stdout.decode("utf-8", "replace")

    def _call(self, system: str, prompt: str) -> "subprocess.CompletedProcess[bytes]":
        argv = [*self._command, *_arguments(system)]
        if self._model:
            argv += ["--model", self._model]
        environment = {key: value for key, value in os.environ.items() if key not in CHILD_MARKS}
        with tempfile.TemporaryDirectory(prefix=OWN_FOLDER) as folder:
            return subprocess.run(
                argv,
                input=prompt.encode("utf-8", "replace"),
                capture_output=True,
                cwd=folder,
                env={**environment, **QUIET},
                timeout=self._timeout_s,
                check=False,
            )


def _arguments(system: str) -> list[str]:
    return [
        "-p",
        "--output-format",
        "json",
        "--tools",
        "",
        "--setting-sources",
        "",
        "--strict-mcp-config",
        "--disable-slash-commands",
        "--no-session-persistence",
        "--system-prompt",
        system,
    ]


def _answer(output: str) -> Answer:
    """Read the CLI's result line; `is_error` decides, its subtype says success even then."""
    result = find_object(output)
    if result is None or "result" not in result:
        raise MachineError(f"the CLI answered with something unknown: {output.strip()[:200]}")
    text = str(result.get("result") or "")
    if result.get("is_error"):
        raise MachineError(f"the CLI could not answer: {text.strip()[:200]}")
    return Answer(find_object(text), _usage(result))


def _usage(result: dict[str, Any]) -> Usage:
    spent = result.get("usage")
    counts: dict[str, Any] = spent if isinstance(spent, dict) else {}
    read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    cost = result.get("total_cost_usd")
    return Usage(
        requests=1,
        input_tokens=sum(_count(counts.get(key)) for key in read),
        output_tokens=_count(counts.get("output_tokens")),
        cost_usd=float(cost) if isinstance(cost, int | float) else None,
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0
