from pathlib import Path

import pytest

from cortex_replay.agents.inherited import inherited, named_files
from cortex_replay.agents.program_files import program_files


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "person"


def make(path: Path, link_to: Path | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if link_to is None:
        path.write_text("#!/bin/sh\n")
    else:
        path.symlink_to(link_to)
    return path


def test_a_package_of_npm_below_a_version_manager(home: Path) -> None:
    prefix = home / ".nvm" / "versions" / "node" / "v20"
    real = make(prefix / "lib" / "node_modules" / "@anthropic-ai" / "claude-code" / "cli.js")
    program = make(prefix / "bin" / "claude", real)
    files = program_files(str(program), {})
    assert {program, real, prefix / "lib" / "node_modules", prefix} <= set(files)
    assert home not in files


def test_a_native_installation_is_a_file(home: Path) -> None:
    real = make(home / ".local" / "share" / "claude" / "versions" / "2.1.3")
    middle = make(home / ".local" / "share" / "claude" / "current", real)
    program = make(home / ".local" / "bin" / "claude", middle)
    files = program_files(str(program), {})
    assert {program, middle, real} <= set(files)
    assert not {home, home / ".local", home / ".local" / "share"} & set(files)


def test_a_shim_gets_the_folders_of_its_manager(home: Path) -> None:
    program = make(home / ".asdf" / "shims" / "claude")
    make(home / ".asdfrc")
    (home / ".nvm").mkdir()
    env = inherited({"HOME": str(home)})
    files = program_files(str(program), env)
    assert {home / ".asdf", home / ".asdfrc"} <= set(files)
    assert home / ".nvm" not in files


def test_files_that_the_environment_names(home: Path) -> None:
    own = make(home / "own.pem")
    more = make(home / "certs" / "a.pem").parent
    env = {
        "NODE_EXTRA_CA_CERTS": str(own),
        "SSL_CERT_FILE": str(home / "missing.pem"),
        "SSL_CERT_DIR": f"{more}:relative",
        "OTHER": str(home),
    }
    assert named_files(env) == (own, more)
