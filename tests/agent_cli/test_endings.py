"""Odd endings of the real CLI, each in its class: the machine's faults are not the agent's."""

import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.servers.messages import Answer, Failure, Reply, Script, Stall, call, say, serve
from tests.servers.requests import Request

from cortex.artifacts import harness
from cortex.model.tasks import Task
from cortex.model.trials import Arm, Outcome
from cortex_replay.agents.claude_code import ClaudeCode
from cortex_replay.trial import TrialSpec, run_trial
from cortex_replay.workspace import Workspaces

pytestmark = pytest.mark.agent_cli

RULE = harness.from_text(".claude/rules/r.md", "Be brief.\n")
SHORT_S = 7.0
"""For endings that the CLI would retry for minutes."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A script of the model, or a program around the CLI, and what the trial must say."""

    outcome: Outcome
    script: Script = lambda _: say("Done.")
    detail: str = ""
    timeout_s: float = 60.0
    budget_usd: float | None = None
    around: str = ""
    """Shell lines of a wrapper; `$CLI` is the program, `"$@"` its arguments."""


def fails(status: int, kind: str, message: str = "no") -> Script:
    return lambda _: Failure(status, kind, message)


def once(first: Reply, then: Reply) -> Callable[[Request], Reply]:
    """Return a script whose first answer of each run is another one."""
    given: list[Reply] = []

    def script(_: Request) -> Reply:
        given.append(first)
        return first if len(given) == 1 else then

    return script


def step(*replies: Answer) -> Script:
    return lambda request: replies[min(request.step, len(replies) - 1)]


def edit(request: Request) -> Reply:
    file = f"{request.working_directory}/src/client.py"
    if request.step == 0:
        return call("Read", file_path=file)
    if request.step == 1:
        old, new = "requests.get(url)", "requests.get(url, timeout=5)"
        return call("Edit", file_path=file, old_string=old, new_string=new)
    return say("Done.")


INFRA, FAIL, PASS, TIMEOUT, BUDGET = (
    Outcome.INFRA, Outcome.FAIL, Outcome.PASS, Outcome.TIMEOUT, Outcome.BUDGET,
)  # fmt: skip
ENDINGS = {
    "refused key": Ending(INFRA, fails(401, "authentication_error"), "401", SHORT_S),
    "no permission": Ending(INFRA, fails(403, "permission_error"), "403", SHORT_S),
    "invalid request": Ending(INFRA, fails(400, "invalid_request_error", "odd"), "odd"),
    "unknown model": Ending(INFRA, fails(404, "not_found_error", "model: x"), timeout_s=SHORT_S),
    "too large": Ending(INFRA, fails(413, "request_too_large"), timeout_s=SHORT_S),
    "prompt too long": Ending(
        INFRA, fails(400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum")
    ),
    "no credit": Ending(
        INFRA, fails(400, "invalid_request_error", "Your credit balance is too low"), "redit"
    ),
    "rate limit": Ending(INFRA, fails(429, "rate_limit_error"), timeout_s=SHORT_S),
    "server error": Ending(INFRA, fails(500, "api_error"), timeout_s=SHORT_S),
    "overloaded": Ending(INFRA, fails(529, "overloaded_error"), timeout_s=SHORT_S),
    "overloaded once": Ending(FAIL, once(Failure(529, "overloaded_error", "x"), say("Done."))),
    "no answer": Ending(INFRA, lambda _: Stall(), "did not answer", SHORT_S),
    "tool that hangs": Ending(
        TIMEOUT, step(call("Bash", command="tail -f /dev/null"), say("Done.")), "timed out", SHORT_S
    ),
    "budget": Ending(
        BUDGET, step(*[replace(call("Bash", command="true"), input_tokens=400_000)] * 3, say("D")),
        budget_usd=0.5,
    ),
    "nothing done": Ending(FAIL),
    "no words": Ending(FAIL, step(say(""))),
    "unknown tool": Ending(FAIL, step(call("Frobnicate", x="y"), say("Done."))),
    "command that fails": Ending(FAIL, step(call("Bash", command="exit 3"), say("Done."))),
    "work done": Ending(PASS, edit),
    "folder emptied": Ending(FAIL, step(call("Bash", command="rm -rf ./* ./.git"), say("Done."))),
    "link in its place": Ending(
        FAIL,  # The sandbox does not let it: the folder is a mount.
        step(call("Bash", command='d="$PWD"; cd ..; mv "$d" x; ln -s /etc "$d"'), say("Done.")),
    ),
    "killed": Ending(
        INFRA, detail="exit code", around='"$CLI" "$@" & sleep 0.3; kill -9 $!; wait $!'
    ),
    "crash": Ending(INFRA, around='cat > /dev/null; echo "boom" >&2; exit 134', detail="boom"),
    "no output": Ending(INFRA, around="cat > /dev/null; exit 0", detail="no output"),
    "noise after the result": Ending(
        PASS, edit, around='"$CLI" "$@"; echo; echo "{bye"; echo null'
    ),
    "noise before the result": Ending(
        PASS, edit, around='head -c 20000000 /dev/zero | tr "\\0" "x"; echo; "$CLI" "$@"'
    ),
    "keys in another order": Ending(
        PASS,
        edit,
        around='"$CLI" "$@" | "$PYTHON" -Ic "import json, sys\n'
        "for line in sys.stdin:\n"
        '    print(json.dumps(dict(sorted(json.loads(line).items()))))"',
    ),
    "exit code without reason": Ending(PASS, edit, around='"$CLI" "$@"; exit 5'),
}  # fmt: skip


def wrapper(cli: str, lines: str, folder: Path, version: str = "") -> str:
    """Write a program that is called like the CLI, with its version or another one."""
    file = folder / "claude"
    answer = f"echo '{version} (Claude Code)'; exit" if version else 'exec "$CLI" --version'
    known = f'case "$1" in --version) {answer} ;; esac'
    file.write_text(f"#!/bin/bash\nCLI='{cli}'\nPYTHON='{sys.executable}'\n{known}\n{lines}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


@pytest.mark.parametrize("name", ENDINGS)
def test_an_ending_is_in_its_class(
    name: str,
    cli: str,
    task: Task,
    workspaces: Workspaces,
    model: Callable[[str], None],
    place: Path,
    on_path: None,
) -> None:
    ending = ENDINGS[name]
    tools = place / "tools"
    tools.mkdir(parents=True, mode=0o700)
    agent = ClaudeCode(wrapper(cli, ending.around, tools) if ending.around else cli)
    order = TrialSpec(
        "exp-1", task, 0, Arm.WITH, {}, RULE, 1, ending.timeout_s, budget_usd=ending.budget_usd
    )
    with serve(ending.script) as server:
        model(server.url)
        trial = run_trial(order, workspaces, agent, 0)
    assert trial.outcome is ending.outcome, trial.detail
    assert ending.detail in trial.detail
    assert list(workspaces.folder.glob("slot-*/*")) == []
