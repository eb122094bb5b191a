"""The CLI writer with a small program that answers as the CLI does."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cortex.config import WriterConfig
from cortex.errors import MachineError, UsageError
from cortex.proposing.briefs import Brief
from cortex.proposing.claude_code_writer import ClaudeCodeWriter
from cortex.proposing.writers import WRITERS, make_writer

CLI = """
import json, os, pathlib, sys
here = pathlib.Path(__file__).parent
call = {"argv": sys.argv[1:], "cwd": os.getcwd(), "files": os.listdir(), "stdin": sys.stdin.read(),
        "env": dict(os.environ)}
with (here / "calls.jsonl").open("a") as calls:
    calls.write(json.dumps(call) + "\\n")
replies = json.loads((here / "replies.json").read_text())
print(replies[len((here / "calls.jsonl").read_text().splitlines()) - 1])
"""


class FakeCli:
    """A folder with the program, what it will answer, and how it was called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "cli.py").write_text(CLI)

    def writer(self, *replies: object, model: str | None = None) -> ClaudeCodeWriter:
        """Return a writer whose CLI gives these result lines, one a call."""
        lines = [item if isinstance(item, str) else json.dumps(item) for item in replies]
        (self.folder / "replies.json").write_text(json.dumps(lines))
        command = (sys.executable, str(self.folder / "cli.py"))
        return ClaudeCodeWriter(model, command=command, timeout_s=20)

    def calls(self) -> list[dict[str, Any]]:
        """Return how the program was called."""
        lines = (self.folder / "calls.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]


@pytest.fixture
def cli(tmp_path: Path) -> FakeCli:
    return FakeCli(tmp_path)


def result(text: str, **more: object) -> dict[str, object]:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 3}
    line = {"type": "result", "subtype": "success", "is_error": False, "result": text}
    return {**line, "total_cost_usd": 0.25, "usage": usage, **more}


def test_the_draft_is_found_in_the_answer(
    cli: FakeCli, brief: Brief, draft: dict[str, Any]
) -> None:
    answer = f"Here it is:\n```json\n{json.dumps(draft)}\n```"
    written = cli.writer(result(answer), model="haiku").write(brief)
    assert written.name == "use-clock"
    assert written.usage is not None
    assert (written.usage.input_tokens, written.usage.cost_usd) == (15, 0.25)
    (call,) = cli.calls()
    argv = call["argv"]
    assert argv[0] == "-p"
    assert argv[argv.index("--tools") + 1] == argv[argv.index("--setting-sources") + 1] == ""
    assert argv[argv.index("--model") + 1] == "haiku"
    assert "--no-session-persistence" in argv


def test_the_prompt_goes_by_stdin_into_an_empty_folder_of_our_own(
    cli: FakeCli, brief: Brief, draft: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    cli.writer(result(json.dumps(draft))).write(brief)
    (call,) = cli.calls()
    assert "delete everything" in call["stdin"]
    assert not any("delete everything" in item for item in call["argv"])
    assert call["files"] == []
    assert Path(call["cwd"]).name.startswith("cortex-trials")
    assert not Path(call["cwd"]).exists()
    assert "CLAUDECODE" not in call["env"]
    assert call["env"]["CLAUDE_CODE_DISABLE_CLAUDE_MDS"] == "1"


def test_a_useless_answer_is_asked_again_once(
    cli: FakeCli, brief: Brief, draft: dict[str, Any]
) -> None:
    written = cli.writer(result("No."), result(json.dumps(draft))).write(brief)
    assert written.usage is not None
    assert (written.usage.requests, written.usage.cost_usd) == (2, 0.5)
    assert "no JSON object" in cli.calls()[1]["stdin"]


def test_two_useless_answers_are_given_up(cli: FakeCli, brief: Brief) -> None:
    with pytest.raises(UsageError, match="claude-code gave no usable draft, twice"):
        cli.writer(result("No."), result('{"kind": "rule"}')).write(brief)


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        (result("Not logged in · Please run /login", is_error=True), "Not logged in"),
        ("Segmentation fault", "something unknown"),
        ("", "no answer"),
    ],
)
def test_an_error_of_the_cli_is_one_line(
    cli: FakeCli, brief: Brief, reply: object, complaint: str
) -> None:
    with pytest.raises(MachineError, match=complaint) as caught:
        cli.writer(reply).write(brief)
    assert "\n" not in str(caught.value)


def test_a_missing_cli_is_one_line(brief: Brief, tmp_path: Path) -> None:
    writer = ClaudeCodeWriter(command=(str(tmp_path / "claude"),))
    with pytest.raises(MachineError, match="not installed"):
        writer.write(brief)


def test_a_cli_that_hangs_is_ended(brief: Brief, tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text("import time\ntime.sleep(60)\n")
    writer = ClaudeCodeWriter(command=(sys.executable, str(script)), timeout_s=0.3)
    with pytest.raises(MachineError, match=r"in 0\.3 s"):
        writer.write(brief)


@pytest.mark.parametrize("name", list(WRITERS))
def test_the_registry_knows_every_writer_by_its_own_name(name: str) -> None:
    assert make_writer(WriterConfig(name=name)).name == name


def test_an_unknown_writer_is_one_line() -> None:
    with pytest.raises(UsageError, match="template, anthropic, claude-code"):
        make_writer(WriterConfig(name="poet"))
