from pathlib import Path

import pytest

from cortex.model.sessions import Loaded, Prompted, Speaker
from cortex.transcripts.claude_code import read
from cortex.transcripts.locate import find
from cortex.transcripts.turns import assemble
from cortex.transcripts.usage import total


def _one(samples: Path, pattern: str) -> Path:
    [path] = samples.glob(pattern)
    return path


def test_interactive_session_shows_rejection_interruption_and_prompts(samples: Path) -> None:
    chunk = read(_one(samples, "g-*"))
    turns = assemble(event for _, event in chunk.events)

    assert chunk.session is not None
    assert (chunk.session.headless, chunk.session.subagent, chunk.session.own) == (False,) * 3
    assert [turn.prompt.text for turn in turns] == [
        "Fix add in src/calc.py",
        "Now run the slow thing",
        "stop, use httpx instead of requests",
    ]
    assert {turn.prompt.speaker for turn in turns} == {Speaker.HUMAN}
    _, rejected, edited = turns[0].actions
    assert rejected.result is not None
    assert (rejected.result.rejected, rejected.result.ok) == (True, False)
    assert rejected.result.words == "no, use the plus operator instead"
    assert rejected.call.proposed == "sum([a, b])"
    assert edited.result is not None
    assert edited.result.before == "def add(a, b):\n    return a - b\n"
    assert edited.result.after == "def add(a, b):\n    return a + b\n"
    [slow] = turns[1].actions
    assert turns[1].interrupted
    assert slow.result is not None
    assert slow.result.rejected
    assert slow.result.words is None


def test_headless_session_and_created_then_rewritten_file(samples: Path) -> None:
    chunk = read(_one(samples, "b-*"))
    turns = assemble(event for _, event in chunk.events)

    assert chunk.session is not None
    assert chunk.session.headless
    assert {turn.prompt.speaker for turn in turns} == {Speaker.HEADLESS}
    [created] = turns[0].actions
    read_back, rewritten = turns[1].actions
    assert created.result is not None
    assert created.result.before == ""
    assert read_back.result is not None
    assert read_back.result.after == created.result.after
    assert rewritten.result is not None
    assert rewritten.result.before == created.result.after
    assert [each.path for each in turns[1].loaded if each.kind == "rule"] == [
        "/home/dev/shop/.claude/rules/http.md"
    ]


def test_denied_calls_are_not_rejected_by_a_person(samples: Path) -> None:
    [turn] = assemble(event for _, event in read(_one(samples, "c-*")).events)
    results = [action.result for action in turn.actions]
    assert [(each.ok, each.rejected) for each in results if each] == [(False, False)] * 2


def test_sub_agent_has_its_own_session_and_no_human(samples: Path) -> None:
    parent, child = read(_one(samples, "d-*.transcript.jsonl")), read(_one(samples, "d-*.agent-*"))
    assert parent.session is not None
    assert child.session is not None
    assert child.session.subagent
    assert not parent.session.subagent
    assert child.session.id != parent.session.id
    speakers = {e.speaker for _, e in child.events if isinstance(e, Prompted)}
    assert speakers == {Speaker.INJECTED}


def test_opened_skill_is_loaded_once_and_listed_skills_are_offered(samples: Path) -> None:
    [turn] = assemble(event for _, event in read(_one(samples, "e-*")).events)
    opened = [each.path for each in turn.loaded if each.kind == "skill"]
    offered = {each.path for each in turn.loaded if each.kind == "offered"}
    assert opened == ["changelog"]
    assert "changelog" in offered


def test_compaction_and_local_commands_start_no_turn(samples: Path) -> None:
    chunk = read(_one(samples, "h-*"))
    turns = assemble(event for _, event in chunk.events)
    assert [turn.prompt.text for turn in turns] == ["Do the task", "Continue please"]
    rules = [e for _, e in chunk.events if isinstance(e, Loaded) and e.kind == "rule"]
    assert [rule.text for rule in rules] == ["MARK_RULE_B scoped rule for python in src.\n"] * 2


@pytest.mark.parametrize("kind", ["a", "mention", "patch"])
def test_another_agents_file_gives_an_empty_chunk(samples: Path, kind: str) -> None:
    path = samples / f"codex-{kind}.rollout.jsonl"
    chunk = read(path)
    assert (chunk.session, chunk.events) == (None, ())
    assert chunk.offset == path.stat().st_size


def test_usage_counts_each_message_once(samples: Path) -> None:
    usage = total(event for _, event in read(_one(samples, "g-*")).events)
    assert usage.messages == 6
    assert usage.output_tokens == 6 * 25
    assert usage.input_tokens > 6 * 20_000


def test_files_are_found_once_below_folders(samples: Path, tmp_path: Path) -> None:
    inner = tmp_path / "a" / "subagents"
    inner.mkdir(parents=True)
    for name in ("x.jsonl", "y.txt"):
        (inner / name).write_text("")
    plain = tmp_path / "session.log"
    plain.write_text("")
    assert find([tmp_path / "a", inner / "x.jsonl", plain, tmp_path / "none"]) == (
        inner / "x.jsonl",
        plain,
    )
