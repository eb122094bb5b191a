"""A trial is lent the person's login without what could renew it."""

import json
import time
from pathlib import Path

import pytest

from cortex.errors import MachineError
from cortex_replay.agents.claude_login import CREDENTIALS, KEYS, lent_login, logged_in

HOUR_MS = 3_600_000


def stored(home: Path, **login: object) -> dict[str, str]:
    """Write a login as the CLI does; return the environment of the person."""
    folder = home / ".claude"
    folder.mkdir(exist_ok=True)
    values = {"accessToken": "a", "refreshToken": "r", "scopes": ["user:inference"], **login}
    content = {"claudeAiOauth": values, "mcpOAuth": {"server": {"accessToken": "m"}}}
    (folder / CREDENTIALS).write_text(json.dumps(content))
    return {"HOME": str(home)}


def in_ms(hours: float) -> int:
    return int(time.time() * 1000 + hours * HOUR_MS)


def test_what_renews_it_and_logins_of_others_stay(tmp_path: Path) -> None:
    expires = in_ms(2)
    lent = lent_login(stored(tmp_path, expiresAt=expires), 600.0)
    assert lent == {
        "claudeAiOauth": {"accessToken": "a", "expiresAt": expires, "scopes": ["user:inference"]}
    }


@pytest.mark.parametrize(("hours", "state"), [(-1.0, "has expired"), (0.1, "expires in 6 minutes")])
def test_a_login_that_expires_during_the_run_is_not_lent(
    tmp_path: Path, hours: float, state: str
) -> None:
    with pytest.raises(MachineError, match=f"{state}.*start `claude` once"):
        lent_login(stored(tmp_path, expiresAt=in_ms(hours)), 600.0)


def test_a_key_in_the_environment_needs_no_file(tmp_path: Path) -> None:
    outer = stored(tmp_path, expiresAt=in_ms(-1))
    for name in KEYS:
        assert lent_login(outer | {name: "k"}, 600.0) is None


@pytest.mark.parametrize("content", ["", "[", "{}", '{"claudeAiOauth": 3}', "[" * 100_000])
def test_a_file_that_says_nothing_is_left_to_the_agent(tmp_path: Path, content: str) -> None:
    outer = stored(tmp_path)
    (tmp_path / ".claude" / CREDENTIALS).write_text(content)
    assert lent_login(outer, 600.0) is None


def test_it_is_private_and_gone_afterwards(tmp_path: Path) -> None:
    outer = stored(tmp_path) | {"CLAUDE_CONFIG_DIR": str(tmp_path / ".claude")}
    before = (tmp_path / ".claude" / CREDENTIALS).read_bytes()
    config = tmp_path / "config"
    config.mkdir()
    with logged_in(config, outer, 600.0):
        assert (config / CREDENTIALS).stat().st_mode & 0o777 == 0o600
    assert list(config.iterdir()) == []
    assert (tmp_path / ".claude" / CREDENTIALS).read_bytes() == before
