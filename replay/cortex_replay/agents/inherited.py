"""Which variables of the person's environment an agent of a trial gets."""

import os
from collections.abc import Mapping
from pathlib import Path

SYSTEM = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SHELL", "SYSTEMROOT", "COMSPEC")
NETWORK = (
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy",
    "all_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA",
    "NODE_USE_ENV_PROXY",
)  # fmt: skip
"""Without them an agent behind a proxy reaches no provider."""
_VERSION_MANAGERS = {
    "ASDF_DATA_DIR": ".asdf",
    "ASDF_CONFIG_FILE": ".asdfrc",
    "FNM_DIR": ".local/share/fnm",
    "MISE_CONFIG_DIR": ".config/mise",
    "MISE_DATA_DIR": ".local/share/mise",
    "NODENV_ROOT": ".nodenv",
    "NVM_DIR": ".nvm",
    "VOLTA_HOME": ".volta",
}
"""Variable -> where it points when it is not set: an agent may be a shim that looks there."""
_NAMED_FILES = (
    "AWS_CA_BUNDLE", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE",
    "AWS_WEB_IDENTITY_TOKEN_FILE", "CLAUDE_CODE_CLIENT_CERT", "CLAUDE_CODE_CLIENT_KEY",
    "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "GOOGLE_APPLICATION_CREDENTIALS", "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR", "SSL_CERT_FILE",
)  # fmt: skip
"""Variables that name files of certificates and credentials."""


def named_files(env: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the files, and folders of certificates, that the environment of an agent names."""
    places = (
        Path(place)
        for name in _NAMED_FILES
        for place in env.get(name, "").split(os.pathsep)
        if place
    )
    return tuple(dict.fromkeys(place for place in places if place.is_absolute() and place.exists()))


def managed_by(program: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the folders of the version manager that `program` is a shim or an installation of."""
    own = {
        name.partition("_")[0]
        for name in _VERSION_MANAGERS
        if name in env and program.is_relative_to(env[name])
    }
    return tuple(
        Path(env[name])
        for name in _VERSION_MANAGERS
        if name in env and name.partition("_")[0] in own
    )


def inherited(outer: Mapping[str, str]) -> dict[str, str]:
    """Return what every agent gets of the environment `outer`: no key, no token, no home folder."""
    env = {name: outer[name] for name in (*SYSTEM, *NETWORK) if name in outer}
    for name, default in _VERSION_MANAGERS.items():
        place = outer.get(name) or str(Path(outer.get("HOME", "/nonexistent")) / default)
        if os.path.exists(place):  # noqa: PTH110 - a text that came from the environment
            env[name] = place
    return env
