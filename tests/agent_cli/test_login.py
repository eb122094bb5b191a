"""A login that a trial was lent is never renewed by it: that would log the person out."""

import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tests.servers.messages import say, serve

from cortex_replay.agents.claude_login import CREDENTIALS, lent_login

pytestmark = pytest.mark.agent_cli

RENEWAL = "platform.claude.com"
"""The host that the CLI asks for a new login."""


@contextmanager
def proxy() -> Iterator[tuple[str, list[str]]]:
    """Refuse every connection; yield the proxy's URL and the hosts that were asked for."""
    hosts: list[str] = []

    def refuse(listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                connection.settimeout(5)
                line = connection.recv(65536).split(b"\r\n")[0].decode("latin-1")
                hosts.append(line.split()[1].partition(":")[0])
                connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=refuse, args=(listener,), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", hosts


def hosts_asked(cli: str, folder: Path, content: object) -> tuple[list[str], list[str]]:
    """Run the CLI with a credentials file; return the hosts that it asked for, and its tokens."""
    config = folder / "config"
    config.mkdir(parents=True)
    (config / CREDENTIALS).write_text(json.dumps(content))
    with proxy() as (url, hosts), serve(lambda _: say("Done.")) as server:
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "CLAUDE_CONFIG_DIR": str(config),
            "ANTHROPIC_BASE_URL": server.url,
            "HTTPS_PROXY": url,
            "NO_PROXY": "127.0.0.1",
            "IS_SANDBOX": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        argv = [cli, "--print", "--tools", "Read", "--setting-sources", "project"]
        subprocess.run(argv, input="Hello", cwd=folder, env=env, text=True, timeout=90,
                       capture_output=True, check=False)  # fmt: skip
        tokens = [request.headers.get("authorization", "") for request in server.requests]
    return hosts, tokens


def test_a_lent_login_is_used_and_never_renewed(cli: str, tmp_path: Path) -> None:
    person = tmp_path / "person"
    (person / ".claude").mkdir(parents=True)
    login = {"accessToken": "lent", "refreshToken": "renews", "scopes": ["user:inference"]}
    file = person / ".claude" / CREDENTIALS
    file.write_text(json.dumps({"claudeAiOauth": login}))
    lent = lent_login({"HOME": str(person)}, 60.0)
    assert lent is not None
    # What a trial must survive: the login expires while it runs.
    expired = int(time.time() * 1000) - 1000
    lent["claudeAiOauth"]["expiresAt"] = expired
    hosts, tokens = hosts_asked(cli, tmp_path / "lent", lent)
    assert RENEWAL not in hosts
    assert set(tokens) == {"Bearer lent"}
    hosts, _ = hosts_asked(
        cli, tmp_path / "whole", {"claudeAiOauth": login | {"expiresAt": expired}}
    )
    assert RENEWAL in hosts, "the whole file is renewed: what the test above excludes"
