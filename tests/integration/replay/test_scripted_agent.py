"""The scripted agent as a process: real files, real load conditions, real transcripts."""

import json
from pathlib import Path
from typing import Any

import pytest

from cortex.errors import MachineError, UsageError
from cortex.model.sessions import ActionKind, Loaded, Speaker
from cortex.transcripts import claude_code
from cortex.transcripts.turns import assemble
from cortex_replay.agents.scripted import Scripted, play

RULE = '---\npaths: ["src/**/*.py"]\n---\nWrite clock.now().\n'
OPEN_RULE = "Write clock.now().\n"
SKILL = "---\nname: stamp\ndescription: How to stamp a module with the time\n---\nclock.now()\n"
SCOPED_SKILL = (
    '---\nname: stamp\ndescription: How to stamp a module\npaths: ["src/**"]\n---\nclock.now()\n'
)


class Desk:
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

    def play(self, prompt: str, **more: Any) -> Path:
        request = {
            "prompt": prompt,
            "workspace": str(self.workspace),
            "state": str(self.state),
            "session_id": "11111111-1111-4111-8111-111111111111",
            "seed": 1,
            "playbook": str(self.playbook),
            "at": "2026-01-05T09:00:00+00:00",
            **more,
        }
        return play(request, self.state)


@pytest.fixture
def desk(tmp_path: Path, playbook: Path) -> Desk:
    return Desk(tmp_path, playbook)


def test_it_works_on_real_files_and_does_not_know_the_convention(desk: Desk) -> None:
    desk.play("Stamp src/a.py please")
    assert desk.text() == "x = 1\nstamp = datetime.now()\n"


@pytest.mark.parametrize(
    ("path", "text", "prompt", "reaches"),
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
def test_text_reaches_it_by_the_real_conditions(
    desk: Desk, path: str, text: str, prompt: str, reaches: bool
) -> None:
    desk.write(path, text)
    desk.play(prompt)
    written = desk.text("src/new.py" if "new" in prompt else "src/a.py")
    assert ("clock.now()" in written) is reaches


def test_its_transcript_reads_like_a_real_one(desk: Desk) -> None:
    desk.write(".claude/rules/r.md", RULE)
    chunk = claude_code.read(desk.play("Stamp src/a.py", interactive=True))
    (turn,) = assemble(event for _, event in chunk.events)
    assert chunk.skipped == 0
    assert turn.prompt.speaker is Speaker.HUMAN
    assert [action.call.kind for action in turn.actions] == [ActionKind.READ, ActionKind.WRITE]
    written = turn.actions[1].result
    assert written is not None
    assert (written.before, written.after) == ("x = 1\n", "x = 1\nstamp = clock.now()\n")
    assert [Path(one.path).name for one in turn.loaded if isinstance(one, Loaded)] == ["r.md"]


def test_a_follow_up_mends_the_last_work(desk: Desk) -> None:
    desk.play("Stamp src/a.py", interactive=True)
    desk.play("no, use clock.now() instead", interactive=True)
    assert desk.text() == "x = 1\nstamp = clock.now()\n"


@pytest.mark.parametrize(("how", "prompts"), [("reject", 1), ("interrupt", 2)])
def test_a_developer_can_refuse_a_write(desk: Desk, how: str, prompts: int) -> None:
    words = "no, use clock.now() instead"
    objection = {"pattern": "datetime", "words": words, "how": how}
    path = desk.play("Stamp src/a.py", interactive=True, objections=[objection])
    if prompts == 2:
        assert desk.text() == "x = 1\n"
        desk.play(words, interactive=True)
    assert desk.text() == "x = 1\nstamp = clock.now()\n"
    turns = assemble(event for _, event in claude_code.read(path).events)
    refused = [a.result for t in turns for a in t.actions if a.result and a.result.rejected]
    assert [one.words for one in refused] == ([words] if how == "reject" else [None])
    assert turns[0].interrupted is (how == "interrupt")


def test_the_same_seed_writes_the_same_transcript(desk: Desk) -> None:
    first = desk.play("Stamp src/a.py").read_bytes()
    desk.write("src/a.py", "x = 1\n")
    next(desk.state.glob("projects/*/*.jsonl")).unlink()
    assert desk.play("Stamp src/a.py").read_bytes() == first


def test_a_prompt_it_does_not_know_changes_nothing(desk: Desk) -> None:
    desk.play("Make me a sandwich")
    assert desk.text() == "x = 1\n"


def test_a_wrong_playbook_is_one_clear_line(tmp_path: Path, desk: Desk) -> None:
    with pytest.raises(UsageError, match="needs `playbook`"):
        Scripted(None).check()
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps({"jobs": [{"match": 1}]}), "utf-8")
    with pytest.raises(UsageError, match=r"broken\.json: jobs\.0\.match"):
        Scripted(str(broken)).check()
    with pytest.raises(MachineError, match="scripted agent failed"):
        desk.play("x", playbook=str(tmp_path / "none.json"))
