"""After `cortex demo --keep`, every surface says the same about the same text."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.hook.conftest import Repository
from tests.integration.lsp.conftest import Editor, edit
from tests.integration.tui.conftest import Desk

from cortex_tui.app import CortexApp

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

Verdicts = dict[str, str]
"""Name of a text -> the word of its verdict."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """The world that a newcomer has after the first command, and one of its prunes undone."""
    folder = tmp_path_factory.mktemp("demo") / "kept"
    done = call(Path.cwd(), None, "demo", "--seed", "3", "--keep", str(folder), "--json")
    assert done.returncode == 0, done.stderr
    home = folder / "cortex-home"
    before = os.environ.get("CORTEX_HOME")
    os.environ["CORTEX_HOME"] = str(home)
    yield Desk(folder / "shop", home)
    if before is None:
        del os.environ["CORTEX_HOME"]
    else:
        os.environ["CORTEX_HOME"] = before


def call(where: Path, home: Path | None, *arguments: str) -> "subprocess.CompletedProcess[str]":
    env = {**os.environ, **({"CORTEX_HOME": str(home)} if home else {})}
    return subprocess.run(
        [sys.executable, "-m", "cortex.cli.main", *arguments],
        cwd=where, env=env, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def by_command(desk: Desk) -> Verdicts:
    """Newest verdict of each text that lies in the harness."""
    said = json.loads(call(desk.root, desk.home, "verdicts", "--json").stdout)["verdicts"]
    here = {path.stem for path in (desk.root / ".claude" / "rules").glob("*.md")}
    newest = {one["candidate"]["artifact"]["path"]: one["verdict"]["ruling"] for one in said}
    return {Path(path).stem: ruling for path, ruling in newest.items() if Path(path).stem in here}


def by_terminal(desk: Desk) -> Verdicts:
    async def run() -> Verdicts:
        app = CortexApp(desk.root)
        async with app.run_test(size=(120, 40)) as pilot:
            while app.snapshot is None:
                await pilot.pause(0.05)
            return {one.name: one.ruling for one in app.snapshot.harness if one.ruling}

    return asyncio.run(run())


def by_server(desk: Desk) -> tuple[Verdicts, Verdicts]:
    """What the sidebar says, and what the lenses say."""
    sidebar: Verdicts = {}
    lenses: Verdicts = {}

    async def script(editor: Editor) -> None:
        state = await editor.ask("cortex/state")
        for one in state["harness"]:
            if one["ruling"]:
                sidebar[one["name"]] = one["ruling"]
            editor.open(one["path"])
            (title,) = await editor.lenses(one["path"])
            lenses[one["name"]] = title.removeprefix("Cortex: ").split(" ")[0]

    edit(desk, script)
    words = {"prunable": "prune"}
    return sidebar, {name: words.get(word, word) for name, word in lenses.items()}


def test_surfaces_agree(demo: Desk) -> None:
    told = by_command(demo)
    assert {"keep", "retain", "unused"} <= set(told.values())
    sidebar, lenses = by_server(demo)
    assert by_terminal(demo) == told
    assert sidebar == told
    assert lenses == told


def test_a_prune_that_is_taken_back_is_prunable_everywhere_and_the_hook_takes_it(
    demo: Desk,
) -> None:
    from cortex.artifacts import graveyard
    from cortex.commands import changes as changes
    from cortex.commands.context import open_context
    from cortex.model.artifacts import CandidateStatus

    with open_context(demo.root) as context:
        (pruned,) = context.store.candidates.all(str(demo.root), CandidateStatus.PRUNED)
        (grave,) = [
            entry for entry in graveyard.entries(demo.root) if entry.path == pruned.artifact.path
        ]
        changes.undo(
            context, changes.AppliedChange("removed", pruned.id, pruned.status, grave=grave.id)
        )
    name = pruned.artifact.name
    told = by_command(demo)
    assert told[name] == "prune"
    sidebar, lenses = by_server(demo)
    assert by_terminal(demo) == sidebar == lenses == told
    repository = Repository(demo.root, demo.home)
    repository.git("add", "-A")
    assert call(demo.root, demo.home, "hook", "install").returncode == 0
    said = repository.commit("--allow-empty")
    assert f"took out {name} (prune)" in said
    assert name not in by_command(demo)
    assert name not in by_terminal(demo)
    assert name not in by_server(demo)[0]
