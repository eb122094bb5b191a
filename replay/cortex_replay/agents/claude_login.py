"""The person's login for a run of Claude Code: lent without what renews it.

The CLI renews a login that has expired and the provider then revokes the old one: a trial that
renewed its copy would log the person out. So a copy has no refresh token.
"""

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cortex.errors import MachineError

CREDENTIALS = ".credentials.json"
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
"""Variables that log the CLI in by themselves."""
_LOGIN = "claudeAiOauth"
_LENT = ("accessToken", "expiresAt", "scopes", "subscriptionType", "rateLimitTier")
"""Never `refreshToken`, never what belongs to other servers."""


def lent_login(outer: Mapping[str, str], timeout_s: float) -> dict[str, Any] | None:
    """Return the content of a credentials file for a run of `timeout_s` seconds.

    None when the environment has a key, or when there is no such file: then the CLI decides.
    Raises MachineError when the login expires before the run is over.
    """
    if any(outer.get(name) for name in KEYS):
        return None
    folder = outer.get("CLAUDE_CONFIG_DIR") or str(
        Path(outer.get("HOME") or Path.home(), ".claude")
    )
    login = _stored(Path(folder, CREDENTIALS))
    if not login.get("accessToken"):
        return None
    left_s = _seconds_left(login)
    if left_s < timeout_s:
        state = "has expired" if left_s <= 0 else f"expires in {left_s / 60:.0f} minutes"
        raise MachineError(
            f"the login of Claude Code {state}, and a trial must not renew it: start `claude` "
            "once, or set CLAUDE_CODE_OAUTH_TOKEN to the output of `claude setup-token`"
        )
    return {_LOGIN: {name: login[name] for name in _LENT if name in login}}


@contextmanager
def logged_in(config: Path, outer: Mapping[str, str], timeout_s: float) -> Iterator[None]:
    """Lend the login to the configuration folder `config` within the block."""
    content = lent_login(outer, timeout_s)
    # By the folder itself: an agent may put a link to the person's own folder in its place.
    folder = os.open(config, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if content is not None:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            handle = os.open(CREDENTIALS, flags, 0o600, dir_fd=folder)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(content, file)
        yield
    finally:
        with suppress(FileNotFoundError):
            os.unlink(CREDENTIALS, dir_fd=folder)
        os.close(folder)


def _stored(file: Path) -> dict[str, Any]:
    try:
        login = json.loads(file.read_bytes())[_LOGIN]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}
    return login if isinstance(login, dict) else {}


def _seconds_left(login: Mapping[str, Any]) -> float:
    """Return how long the login is valid; for ever when it does not say."""
    expires = login.get("expiresAt")
    if isinstance(expires, bool) or not isinstance(expires, int | float):
        return float("inf")
    return expires / 1000 - time.time()
