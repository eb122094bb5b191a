"""The environment of commands taken from a transcript: no credentials, a private home folder."""

import os
from collections.abc import Mapping
from pathlib import Path

_INHERITED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT", "JAVA_HOME")
_TOOL_HOMES = {
    "CARGO_HOME": ".cargo",
    "RUSTUP_HOME": ".rustup",
    "GOMODCACHE": "go/pkg/mod",
    "npm_config_cache": ".npm",
}


def clean_environment(home: Path, outer: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a check or setup command with `home` as its home folder.

    The person's toolchains and download caches stay available; keys, tokens and settings do not.
    """
    inherited = os.environ if outer is None else outer
    env = {name: inherited[name] for name in _INHERITED if name in inherited}
    for name, default in _TOOL_HOMES.items():
        folder = inherited.get(name) or str(Path(inherited.get("HOME", "/nonexistent")) / default)
        if Path(folder).is_dir():
            env[name] = folder
    return env | {
        "HOME": str(home),
        "CI": "1",
        "NO_COLOR": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
