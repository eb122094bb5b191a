"""What a repository may name as programs, planted as traps that leave a mark when they run."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

HOOKS = ("pre-commit", "post-commit", "post-index-change", "post-checkout", "reference-transaction",
         "fsmonitor-watchman", "pre-auto-gc", "post-rewrite", "prepare-commit-msg")  # fmt: skip
KEYS = (
    "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass",
    "core.alternateRefsCommand", "core.gitProxy", "credential.helper", "sequence.editor",
    "gpg.program", "gpg.ssh.program", "gpg.x509.program", "pager.log", "pager.ls-files",
    "diff.external", "diff.x.textconv", "diff.x.command", "filter.x.clean", "filter.x.smudge",
    "filter.x.process", "merge.x.driver", "interactive.diffFilter", "uploadpack.packObjectsHook",
    "trailer.x.command", "remote.origin.uploadpack",
)  # fmt: skip
COMMANDS = ("rev-parse", "rev-list", "ls-files", "log", "config", "pack-objects", "check-attr")
SETTINGS = {
    "commit.gpgSign": "true", "log.showSignature": "true", "protocol.ext.allow": "always",
    "protocol.allow": "always", "remote.origin.promisor": "true",
    "extensions.partialClone": "origin",
    "core.repositoryFormatVersion": "1", "fetch.recurseSubmodules": "true",
}  # fmt: skip
ENVIRONMENT = ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS",
               "GIT_EDITOR", "GIT_PROXY_COMMAND", "GIT_SEQUENCE_EDITOR")  # fmt: skip


class Traps:
    """Programs that leave a mark with their name, and behave otherwise like `cat`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.marks = folder / "traps", folder / "marks"
        self.folder.mkdir(parents=True)
        self.marks.mkdir()

    def program(self, name: str) -> str:
        path = self.folder / name
        path.write_text(f'#!/bin/sh\necho "$@" >> "{self.marks / name}"\ntimeout 1 cat\nexit 0\n')
        path.chmod(0o755)
        return str(path)

    def ran(self) -> list[str]:
        return sorted(path.name for path in self.marks.iterdir())


def config(root: Path, key: str, value: str) -> None:
    file = root / ".git" / "config"
    subprocess.run(["git", "config", "--file", str(file), key, value], check=True)


def plant_keys(root: Path, traps: Traps) -> None:
    for key in KEYS:
        config(root, key, traps.program(key))


def plant_settings(root: Path, traps: Traps) -> None:
    plant_keys(root, traps)
    for key, value in SETTINGS.items():
        config(root, key, value)
    config(root, "remote.origin.url", f"ext::{traps.program('ext')} %S")


def plant_hooks(root: Path, traps: Traps) -> None:
    for name in HOOKS:
        hook = root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.unlink(missing_ok=True)
        hook.symlink_to(traps.program(name))
    config(root, "core.hooksPath", str(root / ".git" / "hooks"))


def plant_attributes(root: Path, traps: Traps) -> None:
    plant_keys(root, traps)
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text("* filter=x diff=x merge=x\n")
    (root / ".gitattributes").write_text("* filter=x diff=x merge=x\n")
    for path in (root / ".claude").rglob("*.md"):
        os.utime(path, (time.time(), time.time()))


def plant_include(root: Path, traps: Traps) -> None:
    other = traps.folder / "included"
    lines = "".join(
        f'[{section}]\n{name} = "{traps.program(f"{section}.{name}")}"\n'
        for section, _, name in (key.partition(".") for key in KEYS if key.count(".") == 1)
    )
    other.write_text(lines)
    config(root, "include.path", str(other))


def plant_aliases(root: Path, traps: Traps) -> None:
    for command in COMMANDS:
        config(root, f"alias.{command}", f"!{traps.program(command)}")


def plant_submodule(root: Path, traps: Traps) -> None:
    inner = root / ".claude" / "rules" / "inner"
    inner.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q"], cwd=inner, check=True)
    (inner / "a.md").write_text("Text.\n")
    plant_settings(inner, traps)
    plant_hooks(inner, traps)
    plant_attributes(inner, traps)
    (root / ".gitmodules").write_text(
        '[submodule "x"]\npath = .claude/rules/inner\nurl = .\n'
        f"update = !{traps.program('update')}\n"
    )


PLANTS: tuple[Callable[[Path, Traps], None], ...] = (
    plant_keys, plant_settings, plant_hooks, plant_attributes, plant_include, plant_aliases,
    plant_submodule,
)  # fmt: skip
