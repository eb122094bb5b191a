"""The text of service files: a systemd user unit, a launchd agent.

The first lines name Cortex and hold a digest of what follows, so that a file that a person wrote
or edited is recognised.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence

from cortex.errors import UsageError

NAME = "cortex"
LABEL = "cortex-harness.daemon"
RESTART_S = 10
STOP_S = 20
NOTE = "Written by `cortex daemon install`; `cortex daemon uninstall` removes it."
_UNIT_HEAD = "# {note}\n# sha256: {digest}\n"
_PLIST_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- {note} -->\n<!-- sha256: {digest} -->\n'
_NOT_IN_PROGRAM = frozenset("\\\"'")
"""systemd refuses a program with these in its path; an argument may have them."""
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_DIGEST = re.compile(r"sha256: ([0-9a-f]{64})")
_UNIT = """\
[Unit]
Description=Cortex: reads agent sessions, runs queued experiments
StartLimitIntervalSec=600
StartLimitBurst=5

[Service]
Type=exec
ExecStart={command}
{environment}WorkingDirectory=/
Restart=on-failure
RestartSec={restart}
RestartPreventExitStatus=2
KillMode=mixed
TimeoutStopSec={stop}
UMask=0077
LimitCORE=0
# Checks run in bubblewrap, which needs user namespaces (and, where it is setuid, privileges):
# no directive that restricts namespaces, system calls or new privileges is set here.

[Install]
WantedBy=default.target
"""


def systemd(command: Sequence[str], environment: Mapping[str, str]) -> bytes:
    """Return a user unit that runs `command`, an absolute program with its arguments.

    Raises UsageError for text that a unit cannot hold.
    """
    if set(command[0]) & _NOT_IN_PROGRAM:
        command = ("/bin/sh", "-c", 'exec "$0" "$@"', *command)
    program, *arguments = command
    words = [_quoted(program), *(_quoted(word).replace("$", "$$") for word in arguments)]
    lines = (f"Environment={_quoted(f'{name}={value}')}\n" for name, value in environment.items())
    body = _UNIT.format(
        command=" ".join(words), environment="".join(lines), restart=RESTART_S, stop=STOP_S
    )
    return _with_head(_UNIT_HEAD, body)


def launchd(command: Sequence[str], environment: Mapping[str, str]) -> bytes:
    """Return the property list of an agent that runs `command`.

    Raises UsageError for text that a property list cannot hold.
    """
    import plistlib

    for text in (*command, *environment.values()):
        _check_text(text)
    agent = {
        "Label": LABEL,
        "ProgramArguments": list(command),
        "EnvironmentVariables": dict(environment),
        "WorkingDirectory": "/",
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": RESTART_S,
        "ExitTimeOut": STOP_S,
        "ProcessType": "Background",
        "Umask": 0o077,
        "HardResourceLimits": {"Core": 0},
    }
    body = plistlib.dumps(agent, sort_keys=False).decode().partition("\n")[2]
    return _with_head(_PLIST_HEAD, body)


def is_unchanged(content: bytes) -> bool:
    """Whether Cortex wrote the file, and nobody edited it since."""
    text = content.decode("utf-8", "replace")
    digest = _DIGEST.search(text)
    if digest is None:
        return False
    return any(
        content == _with_head(head, text.partition(head.format(note=NOTE, digest=digest[1]))[2])
        for head in (_UNIT_HEAD, _PLIST_HEAD)
    )


def _with_head(head: str, body: str) -> bytes:
    digest = hashlib.sha256(body.encode()).hexdigest()
    return (head.format(note=NOTE, digest=digest) + body).encode()


def _quoted(text: str) -> str:
    """Return a word of a unit: quoted, specifiers (`%h`) taken literally."""
    _check_text(text)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'


def _check_text(text: str) -> None:
    """Raise UsageError for control characters, and bytes that are not UTF-8."""
    if _UNFIT.search(text):
        raise UsageError(
            f"{text!r}: has control characters or is not UTF-8, which a service file cannot hold; "
            "use another path"
        )
