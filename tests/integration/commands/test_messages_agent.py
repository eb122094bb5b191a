"""What `cortex doctor` and `cortex privacy report` say of the messages agent."""

import json

import pytest
from tests.integration.commands.conftest import Shell
from tests.servers.messages import say, serve

from cortex.commands.context import Context
from cortex.commands.privacy import report
from cortex.config import AgentConfig, Config, TokenPrices
from cortex_store import Store

PAID = '[agent]\nname = "messages"\nmodel = "m"\nusd_per_million = { input = 3, output = 15 }\n'


def login(shell: Shell, settings: str) -> str:
    (shell.home / "config.toml").write_text(settings, "utf-8")
    done = shell.run("doctor", "--json")
    details = {check["name"]: check for check in json.loads(done.stdout)["checks"]}
    return str(details["login" if "login" in details else "agent"]["detail"])


def test_doctor_says_how_it_logs_in(shop: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "of another agent")
    with serve(lambda _: say("Done.")) as server:
        assert login(shop, f'{PAID}base_url = "{server.url}"\n') == "not needed"
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        assert login(shop, PAID) == "none; a server on this machine needs none"
        monkeypatch.delenv("ANTHROPIC_BASE_URL")
    assert "usd_per_million" in login(shop, '[agent]\nname = "messages"\nmodel = "m"\n')
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "a token")
    assert login(shop, PAID) == "ANTHROPIC_AUTH_TOKEN is set"


def test_what_leaves_the_machine(shop: Shell) -> None:
    with Store.memory() as store:

        def leaves(url: str | None) -> str:
            agent = AgentConfig(
                name="messages", model="m", base_url=url, usd_per_million=TokenPrices(1, 1)
            )
            return report(Context(store, Config(agent=agent), shop.home)).leaves[0]

        local = leaves("http://127.0.0.1:8080")
        assert "http://127.0.0.1:8080, a model server on this machine" in local
        assert "to the provider of `messages`" in leaves("https://models.example")
        assert "to the provider of `messages`" in leaves(None)
