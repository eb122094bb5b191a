"""What was seen in a real VS Code: a run of the driver, shared by all tests of this folder."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.editor.world import World, build

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".tools" / "editor"
VSIX = ROOT / "vscode-extension" / "dist" / "cortex-harness.vsix"
PICTURES = ROOT / "docs" / "images"
"""Where the pictures of the docs lie; written only when CORTEX_PICTURES is set."""


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return build(tmp_path_factory.mktemp("editor") / "world")


@pytest.fixture(scope="session")
def seen(world: World, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Play all scenes; a scene that cannot be played fails every test with its reason."""
    assert VSIX.exists(), "run `make editor`, which packages the extension"
    scratch = tmp_path_factory.mktemp("scratch")
    pictures = PICTURES if os.environ.get("CORTEX_PICTURES") else tmp_path_factory.mktemp("seen")
    plan = {
        "node": shutil.which("node"),
        "codeServer": str(TOOLS / "node_modules/code-server/out/node/entry.js"),
        "tools": f"{TOOLS}/",
        "chromium": shutil.which("chromium"),
        "vsix": str(VSIX),
        "repository": str(world.shop),
        "scratch": str(scratch),
        "pictures": str(pictures),
        "failures": str(scratch),
        "port": _free_port(),
        "env": _surroundings(world, scratch),
    }
    code, output, log = _play(plan)
    assert code == 0, f"{log[-4000:]}\nA picture of what it looked like lies in {scratch}."
    observed: dict[str, Any] = json.loads(output)
    return observed


def _play(plan: dict[str, Any]) -> tuple[int, str, str]:
    """Run the driver; kill it with its children when it hangs."""
    driver = Path(__file__).parent / "driver" / "main.mjs"
    command = [str(plan["node"]), str(driver)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            output, log = process.communicate(json.dumps(plan), timeout=300)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)  # It stops code-server and the browser itself.
            output, log = process.communicate(timeout=30)
    return process.returncode, output, log


def _surroundings(world: World, scratch: Path) -> dict[str, str]:
    """Of the editor: an empty home, and nothing of the developer's own."""
    programs = Path(sys.executable).parent
    path = f"{world.shop}/.venv/bin:{programs}:{os.environ['PATH']}"
    # The editor's server takes PATH from a login shell.
    for name in (".profile", ".bash_profile"):
        (scratch / name).write_text(f"export PATH='{path}'\n", "utf-8")
    return {"PATH": path, "HOME": str(scratch), "CORTEX_HOME": str(world.home), "LANG": "C.UTF-8"}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
