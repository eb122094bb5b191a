"""The environment of commands that a transcript named: no credentials, a home of their own."""

import os
from collections.abc import Mapping
from pathlib import Path

_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SYSTEMROOT", "JAVA_HOME")
_TOOL_HOMES = {
    "CARGO_HOME": ".cargo",
    "RUSTUP_HOME": ".rustup",
    "GOMODCACHE": "go/pkg/mod",
    "npm_config_cache": ".npm",
}


def clean_environment(home: Path, outer: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a check or setup command with `home` as its home folder.

    Toolchains and download caches of the person are found; keys, tokens and settings are not.
    """
    given = os.environ if outer is None else outer
    env = {name: given[name] for name in _KEPT if name in given}
    for name, place in _TOOL_HOMES.items():
        folder = given.get(name) or str(Path(given.get("HOME", "/nonexistent")) / place)
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
