"""The whole loop with the real CLI: its transcripts, its trials, a model that a test scripts.

The model follows the convention (`httpx`, not `requests`) only when its text was loaded.
"""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.agent_cli.conftest import git
from tests.servers.messages import MessagesServer, Reply, call, say, serve
from tests.servers.requests import Request

pytestmark = [pytest.mark.agent_cli, pytest.mark.timeout(420)]

USELESS = '---\npaths: ["src/**/*.py"]\n---\nThink about edge cases before you start.\n'
NEVER = '---\npaths: ["README.md"]\n---\nKeep the readme in the present tense.\n'
CORRECTION = "no, use httpx instead of requests - we never use requests here"
MODULES = ("client", "orders", "stock", "users")


def script(request: Request) -> Reply:
    """Append a fetch function; with `httpx` only when some text asks for it."""
    name = next(module for module in MODULES if f"src/{module}.py" in request.prompts[0])
    file = f"{request.working_directory}/src/{name}.py"
    library = "httpx" if "httpx" in request.model_input else "requests"
    if request.step == 0:
        return call("Read", file_path=file)
    if request.step == 1:
        text = f"import {library}\n\n\ndef fetch(url):\n    return {library}.get(url)\n"
        return call("Write", file_path=file, content=text)
    return say("Done.")


class Developer:
    """A person who drives the real CLI from scripts, and Cortex beside it."""

    def __init__(self, cli: str, repository: Path, folder: Path, server: MessagesServer) -> None:
        self.cli, self.repository, self.server = cli, repository, server
        self.config = folder / "claude"
        self.home = folder / "cortex-home"
        self.home.mkdir()
        settings = f'[agent]\ncommand = "{cli}"\ntimeout_s = 60.0\n'
        (self.home / "config.toml").write_text(settings, "utf-8")

    def env(self) -> dict[str, str]:
        return {
            **os.environ,
            "CLAUDE_CONFIG_DIR": str(self.config),
            "CORTEX_HOME": str(self.home),
            "IS_SANDBOX": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
        }

    def prompt_agent(self, prompt: str, *options: str) -> None:
        subprocess.run(
            [self.cli, "-p", "--permission-mode", "bypassPermissions", *options, prompt],
            cwd=self.repository,
            env=self.env(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=60,
        )

    def work_on(self, name: str) -> None:
        session = str(uuid.uuid4())
        self.prompt_agent(f"Write fetch in src/{name}.py", "--session-id", session)
        self.prompt_agent(CORRECTION, "--resume", session)
        git(self.repository, "commit", "-qam", f"Work on {name}")

    def cortex(self, *arguments: str) -> Any:
        result = subprocess.run(
            [sys.executable, "-m", "cortex.cli.main", *arguments, "--json"],
            cwd=self.repository,
            env=self.env(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert result.returncode == 0, result.stderr or result.stdout
        return json.loads(result.stdout)


def test_the_loop_with_the_real_agent(
    cli: str, repository: Path, tmp_path: Path, model: Callable[[str], None]
) -> None:
    """Useful is kept, useless is buried, what never loads changes nothing."""
    with serve(script) as server:
        model(server.url)
        developer = Developer(cli, repository, tmp_path, server)
        for name in MODULES:
            developer.work_on(name)

        assert developer.cortex("ingest", str(developer.config))["corrections"] == []
        ingested = developer.cortex("ingest", "--include-headless", str(developer.config))
        assert [correction["content"] for correction in ingested["corrections"]] == [
            CORRECTION
        ] * len(MODULES)
        assert [task["status"] for task in ingested["tasks"]] == ["admitted"] * len(MODULES), (
            ingested
        )

        useless = _suggest(developer, tmp_path, "edges", USELESS)
        verdict = developer.cortex("gate", useless, "--budget", "50", "--apply")["verdict"]
        assert (verdict["ruling"], verdict["loaded"] > 0) == ("bury", True)

        useful = developer.cortex("propose")["candidate"]
        assert useful["artifact"]["kind"] == "rule"
        assert "httpx" in useful["artifact"]["text"]
        verdict = developer.cortex("gate", useful["id"], "--budget", "50", "--apply")["verdict"]
        assert (verdict["ruling"], verdict["lift"]) == ("keep", 1.0)
        assert verdict["loaded"] == verdict["pairs"]
        assert verdict["cost_usd"] > 0
        path = repository / useful["artifact"]["path"]
        assert path.read_text("utf-8") == useful["artifact"]["text"]

        _never_loads(developer, repository)
        assert developer.cortex("verify")["problems"] == []
        assert server.failures == []


def _suggest(developer: Developer, folder: Path, name: str, text: str) -> str:
    file = folder / f"{name}.md"
    file.write_text(text, "utf-8")
    return str(developer.cortex("propose", "--from", str(file))["candidate"]["id"])


def _never_loads(developer: Developer, repository: Path) -> None:
    """Existing text that no task can load: unused, and left as it is."""
    rule = repository / ".claude" / "rules" / "readme.md"
    rule.write_text(NEVER, "utf-8")
    before = len(developer.server.requests)
    (cycle,) = developer.cortex("prune", "--yes", "--budget", "50", "readme")["cycles"]
    assert (cycle["verdict"]["ruling"], cycle["verdict"]["pairs"]) == ("unused", 0)
    assert rule.read_text("utf-8") == NEVER
    assert len(developer.server.requests) == before
