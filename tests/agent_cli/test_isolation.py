"""With and without, the real CLI sends the same requests but for the artifact's text."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.servers.messages import Reply, call, say, serve
from tests.servers.requests import Difference, Request, difference, normalised

from cortex.artifacts import harness
from cortex.model.artifacts import Artifact
from cortex.model.tasks import Task
from cortex.model.trials import Arm, Outcome, Trial
from cortex_replay.agents.claude_code import ClaudeCode
from cortex_replay.trial import TrialSpec, run_trial
from cortex_replay.workspace import Workspaces

pytestmark = pytest.mark.agent_cli

MARK = "Give every request a deadline of five seconds."
FIRST = "# Shop\n\n## Style\n\nKeep it short.\n"
SCOPED = harness.from_text(".claude/rules/r.md", f'---\npaths: ["src/**/*.py"]\n---\n{MARK}\n')
OPEN = harness.from_text(".claude/rules/r.md", f"{MARK}\n")
SKILL = harness.from_text(
    ".claude/skills/deadlines/SKILL.md",
    f"---\nname: deadlines\ndescription: {MARK}\n---\nDo it.\n",
)
OTHER = {".claude/skills/notes/SKILL.md": "---\nname: notes\ndescription: Notes\n---\nWrite.\n"}
"""The first skill of all also brings the CLI's own words about skills."""
AGENTS = {"AGENTS.md": "# Agents\n\n## Tests\n\nWrite tests first.\n"}
LAST = next(iter(harness.parse({"CLAUDE.md": f"## Deadlines\n\n{MARK}\n"})))
"""The only section of the only `CLAUDE.md`."""
AGENTS_SECTION = next(
    section
    for section in harness.parse({"AGENTS.md": f"{FIRST}\n## Deadlines\n\n{MARK}\n"})
    if section.heading == "Deadlines"
)
SECTION = next(
    section
    for section in harness.parse({"CLAUDE.md": f"{FIRST}\n## Deadlines\n\n{MARK}\n"})
    if section.heading == "Deadlines"
)


def script(request: Request) -> Reply:
    root = request.working_directory
    file = f"{root}/src/client.py"
    if request.step == 0:
        return call("Read", file_path=file)
    if request.step == 1:
        old, new = "requests.get(url)", "requests.get(url, timeout=5)"
        return call("Edit", file_path=file, old_string=old, new_string=new)
    return say("Added.")


def run(
    arm: Arm,
    files: Mapping[str, str],
    artifact: Artifact,
    task: Task,
    workspaces: Workspaces,
    agent: ClaudeCode,
    model: Callable[[str], None],
    reads_agents_file: bool = False,
) -> tuple[Trial, list[dict[str, Any]]]:
    order = TrialSpec(
        "exp-1", task, 0, arm, files, artifact, seed=1, timeout_s=60.0,
        reads_agents_file=reads_agents_file,
    )  # fmt: skip
    with serve(script) as server:
        model(server.url)
        trial = run_trial(order, workspaces, agent, 0)
        assert server.failures == []
        assert set(server.unexpected) <= {"HEAD /"}
        return trial, [
            normalised(sent, {str(workspaces.folder): "RUN"}) for sent in server.requests
        ]


@pytest.mark.parametrize(
    ("artifact", "without", "with_", "loads"),
    [
        pytest.param(SCOPED, {}, {SCOPED.path: SCOPED.text}, True, id="rule-with-paths"),
        pytest.param(OPEN, {}, {OPEN.path: OPEN.text}, True, id="rule-for-every-turn"),
        pytest.param(SKILL, OTHER, {**OTHER, SKILL.path: SKILL.text}, False, id="skill"),
        pytest.param(
            SECTION,
            {"CLAUDE.md": FIRST},
            {"CLAUDE.md": f"{FIRST}\n{SECTION.text}"},
            True,
            id="section",
        ),
        pytest.param(LAST, AGENTS, {**AGENTS, "CLAUDE.md": LAST.text}, True, id="last-claude-md"),
    ],
)
def test_arms_differ_in_the_artifact_alone(
    artifact: Artifact,
    without: dict[str, str],
    with_: dict[str, str],
    loads: bool,
    task: Task,
    workspaces: Workspaces,
    agent: ClaudeCode,
    model: Callable[[str], None],
) -> None:
    surroundings = (artifact, task, workspaces, agent, model)
    base, plain = run(Arm.WITHOUT, without, *surroundings)
    first, loaded = run(Arm.WITH, with_, *surroundings)
    _, repeated = run(Arm.WITH, with_, *surroundings)
    assert (base.outcome, first.outcome) == (Outcome.PASS, Outcome.PASS), (base, first)
    assert (base.loaded, first.loaded) == (False, loads)
    assert loaded == repeated
    assert len(plain) == len(loaded) == 3
    lines = difference(plain, loaded)
    assert any(MARK in line for line in lines.with_)
    artifact_lines = {*artifact.text.split("\n"), MARK}
    unexpected = [
        line
        for line in (*lines.without, *lines.with_)
        if not _belongs_to_artifact(line, artifact_lines)
    ]
    assert unexpected == []


def _belongs_to_artifact(line: str, artifact_lines: set[str]) -> bool:
    """Whether a line is part of the artifact or of the CLI's introduction of it."""
    text = line.strip()
    introduces = (
        "Contents of RUN",
        "- deadlines: ",
        "The following skills are available",
        "# claudeMd",
        "Codebase and user instructions are shown below",
        "<system-reminder>",
        "</system-reminder>",
        "As you answer the user's questions",
        "IMPORTANT: ",
    )
    shape = text in ("", "-", "role:", "content:", '"system"', "system", "text:", "type:", "text")
    return shape or text in artifact_lines or text.startswith(introduces)


@pytest.mark.parametrize("without", [{"AGENTS.md": FIRST}, {}], ids=["section", "last-section"])
def test_a_section_of_agents_md_where_it_is_read(
    without: dict[str, str],
    cli: str,
    task: Task,
    workspaces: Workspaces,
    agent: ClaudeCode,
    model: Callable[[str], None],
) -> None:
    """Newer versions read `AGENTS.md` where there is no `CLAUDE.md`; what loaded is then known."""
    with_ = {"AGENTS.md": f"{without.get('AGENTS.md', '')}\n{AGENTS_SECTION.text}"}
    surroundings = (AGENTS_SECTION, task, workspaces, agent, model, True)
    base, plain = run(Arm.WITHOUT, without, *surroundings)
    trial, loaded = run(Arm.WITH, with_, *surroundings)
    assert (base.outcome, trial.outcome) == (Outcome.PASS, Outcome.PASS), (base, trial)
    lines = difference(plain, loaded)
    if "2.1.197" in cli:
        assert lines == Difference((), ())
        assert trial.loaded is None
        return
    assert trial.loaded is True
    assert any(MARK in line for line in lines.with_)
    artifact_lines = {*AGENTS_SECTION.text.split("\n"), MARK}
    changed = (*lines.without, *lines.with_)
    assert [line for line in changed if not _belongs_to_artifact(line, artifact_lines)] == []


def test_nothing_of_the_person_is_in_a_request(
    task: Task,
    workspaces: Workspaces,
    agent: ClaudeCode,
    model: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person = tmp_path / "person"
    texts = {
        ".claude/CLAUDE.md": "PLANTED-memory",
        ".claude/rules/own.md": "PLANTED-rule",
        ".claude/skills/own/SKILL.md": "---\nname: own\ndescription: PLANTED-skill\n---\nx\n",
        ".claude/agents/own.md": "---\nname: own\ndescription: PLANTED-agent\n---\nx\n",
        ".claude/settings.json": '{"env": {"PLANTED": "PLANTED-settings"}}',
        ".claude/projects/-x/memory/MEMORY.md": "PLANTED-auto-memory",
        ".claude/output-styles/own.md": "PLANTED-style",
        ".claude.json": '{"mcpServers": {"PLANTED-server": {"command": "false"}}}',
        "CLAUDE.md": "PLANTED-home",
        "AGENTS.md": "PLANTED-agents",
        ".mcp.json": '{"mcpServers": {"PLANTED-mcp": {"command": "false"}}}',
    }
    for path, text in texts.items():
        (person / path).parent.mkdir(parents=True, exist_ok=True)
        (person / path).write_text(text)
    repository = Path(task.base.repository)
    (repository / "CLAUDE.local.md").write_text("PLANTED-local")
    (repository.parent / "CLAUDE.md").write_text("PLANTED-parent")
    monkeypatch.setenv("HOME", str(person))
    monkeypatch.setenv("PLANTED", "PLANTED-environment")
    for reads_agents_file in (False, True):
        surroundings = (OPEN, task, workspaces, agent, model, reads_agents_file)
        trial, requests = run(Arm.WITH, {OPEN.path: OPEN.text}, *surroundings)
        assert trial.outcome is Outcome.PASS, trial
        assert "PLANTED" not in json.dumps(requests)
        assert MARK in json.dumps(requests)
