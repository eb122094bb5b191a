"""The scripted agent as a process: real files, real load conditions, real transcripts."""

import json
from pathlib import Path
from typing import Any

import pytest

from cortex.errors import MachineError, UsageError
from cortex.model.sessions import ActionKind, Loaded, Speaker
from cortex.transcripts import claude_code
from cortex.transcripts.turns import assemble
from cortex_replay.agents.base import AgentJob
from cortex_replay.agents.scripted import ScriptedAgent, play

RULE = '---\npaths: ["src/**/*.py"]\n---\nWrite clock.now().\n'
OPEN_RULE = "Write clock.now().\n"
SKILL = "---\nname: stamp\ndescription: How to stamp a module with the time\n---\nclock.now()\n"
SCOPED_SKILL = (
    '---\nname: stamp\ndescription: How to stamp a module\npaths: ["src/**"]\n---\nclock.now()\n'
)


class Sandbox:
    """A workspace without git, and a folder for sessions."""

    def __init__(self, folder: Path, playbook: Path) -> None:
        self.workspace = folder / "work"
        self.state = folder / "state"
        self.playbook = playbook
        (self.workspace / "src").mkdir(parents=True)
        self.state.mkdir()
        self.write("src/a.py", "x = 1\n")

    def write(self, path: str, text: str) -> None:
        target = self.workspace / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")

    def text(self, path: str = "src/a.py") -> str:
        return (self.workspace / path).read_text("utf-8")

    def play(self, prompt: str, **fields: Any) -> Path:
        request = {
            "prompt": prompt,
            "workspace": str(self.workspace),
            "state": str(self.state),
            "session_id": "11111111-1111-4111-8111-111111111111",
            "seed": 1,
            "playbook": str(self.playbook),
            "started_at": "2026-01-05T09:00:00+00:00",
            **fields,
        }
        return play(request, self.state)


@pytest.fixture
def sandbox(tmp_path: Path, playbook: Path) -> Sandbox:
    return Sandbox(tmp_path, playbook)


def test_it_works_on_real_files_and_does_not_know_the_convention(sandbox: Sandbox) -> None:
    sandbox.play("Stamp src/a.py please")
    assert sandbox.text() == "x = 1\nstamp = datetime.now()\n"


@pytest.mark.parametrize(
    ("path", "text", "prompt", "loads"),
    [
        (".claude/rules/r.md", RULE, "Stamp src/a.py", True),
        (".claude/rules/r.md", RULE, "Create src/new.py", False),
        (".claude/rules/r.md", RULE.replace("src", "web"), "Stamp src/a.py", False),
        (".claude/rules/r.md", OPEN_RULE, "Create src/new.py", True),
        (".claude/rules/r.md", "---\n: : [\n---\nclock.now()\n", "Create src/new.py", True),
        ("CLAUDE.md", OPEN_RULE, "Create src/new.py", True),
        ("AGENTS.md", OPEN_RULE, "Create src/new.py", False),
        (".claude/skills/stamp/SKILL.md", SKILL, "Stamp src/a.py", True),
        (".claude/skills/stamp/SKILL.md", SKILL, "Create src/new.py", False),
        (".claude/skills/stamp/SKILL.md", SCOPED_SKILL, "Stamp src/a.py", True),
    ],
)
def test_harness_text_loads_under_the_real_conditions(
    sandbox: Sandbox, path: str, text: str, prompt: str, loads: bool
) -> None:
    sandbox.write(path, text)
    sandbox.play(prompt)
    written = sandbox.text("src/new.py" if "new" in prompt else "src/a.py")
    assert ("clock.now()" in written) is loads


def test_its_transcript_parses_like_a_real_transcript(sandbox: Sandbox) -> None:
    sandbox.write(".claude/rules/r.md", RULE)
    chunk = claude_code.read(sandbox.play("Stamp src/a.py", interactive=True))
    (turn,) = assemble(event for _, event in chunk.events)
    assert chunk.skipped == 0
    assert turn.prompt.speaker is Speaker.HUMAN
    assert [action.call.kind for action in turn.actions] == [ActionKind.READ, ActionKind.WRITE]
    written = turn.actions[1].result
    assert written is not None
    assert (written.before, written.after) == ("x = 1\n", "x = 1\nstamp = clock.now()\n")
    assert [Path(load.path).name for load in turn.loaded if isinstance(load, Loaded)] == ["r.md"]


def test_a_follow_up_corrects_the_last_job(sandbox: Sandbox) -> None:
    sandbox.play("Stamp src/a.py", interactive=True)
    sandbox.play("no, use clock.now() instead", interactive=True)
    assert sandbox.text() == "x = 1\nstamp = clock.now()\n"


@pytest.mark.parametrize(("kind", "prompts"), [("reject", 1), ("interrupt", 2)])
def test_a_developer_can_reject_a_write(sandbox: Sandbox, kind: str, prompts: int) -> None:
    feedback = "no, use clock.now() instead"
    reaction = {"pattern": "datetime", "feedback": feedback, "kind": kind}
    path = sandbox.play("Stamp src/a.py", interactive=True, reactions=[reaction])
    if prompts == 2:
        assert sandbox.text() == "x = 1\n"
        sandbox.play(feedback, interactive=True)
    assert sandbox.text() == "x = 1\nstamp = clock.now()\n"
    turns = assemble(event for _, event in claude_code.read(path).events)
    rejected = [a.result for t in turns for a in t.actions if a.result and a.result.rejected]
    assert [result.words for result in rejected] == ([feedback] if kind == "reject" else [None])
    assert turns[0].interrupted is (kind == "interrupt")


def test_the_same_seed_writes_the_same_transcript(sandbox: Sandbox) -> None:
    first = sandbox.play("Stamp src/a.py").read_bytes()
    sandbox.write("src/a.py", "x = 1\n")
    next(sandbox.state.glob("projects/*/*.jsonl")).unlink()
    assert sandbox.play("Stamp src/a.py").read_bytes() == first


def test_an_unknown_prompt_changes_nothing(sandbox: Sandbox) -> None:
    sandbox.play("Make me a sandwich")
    assert sandbox.text() == "x = 1\n"


def test_an_invalid_playbook_is_a_single_error_line(tmp_path: Path, sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="needs `playbook`"):
        ScriptedAgent(None).check()
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({"jobs": [{"match": 1}]}), "utf-8")
    with pytest.raises(UsageError, match=r"broken\.json: jobs\.0\.match"):
        ScriptedAgent(str(broken)).check()
    with pytest.raises(MachineError, match="scripted agent failed"):
        sandbox.play("x", playbook=str(tmp_path / "none.json"))


SHADOWS = ("json.py", "random.py", "cortex/__init__.py", "cortex_replay/__init__.py", "runpy.py")


def test_no_module_of_the_workspace_is_imported(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in SHADOWS:
        sandbox.write(name, "raise SystemExit('imported from the workspace')\n")
        sandbox.write(f"elsewhere/{name}", "raise SystemExit('imported from PYTHONPATH')\n")
    monkeypatch.setenv("PYTHONPATH", str(sandbox.workspace / "elsewhere"))
    sandbox.play("Stamp src/a.py please")
    assert sandbox.text() == "x = 1\nstamp = datetime.now()\n"


def test_a_run_without_a_result_is_missing(tmp_path: Path) -> None:
    """Standard output holds the result; an agent that was killed writes none."""
    killed = tmp_path / "killed.json"
    steps = [{"run": ["sh", "-c", "kill -9 $PPID"]}]
    killed.write_text(json.dumps({"jobs": [{"match": ".", "steps": steps}]}), "utf-8")
    workspace, state = tmp_path / "work", tmp_path / "state"
    workspace.mkdir()
    state.mkdir()
    job = AgentJob(
        workspace=workspace,
        state=state,
        home=tmp_path,
        prompt="Go",
        session_id="11111111-1111-4111-8111-111111111111",
        model=None,
        timeout_s=20.0,
        budget_usd=None,
        seed=1,
    )
    run = ScriptedAgent(str(killed)).run(job)
    assert (run.status, run.detail) == ("infra", "exit code -9, no result")
