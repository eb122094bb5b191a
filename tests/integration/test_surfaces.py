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
from tests.integration.tui.conftest import SampleRepository

from cortex_tui.app import CortexApp

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

Verdicts = dict[str, str]
"""Name of a text -> the word of its verdict."""
RULINGS = {"prunable": "prune"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleRepository]:
    """The world that a newcomer has after the first command, and one of its prunes undone."""
    folder = tmp_path_factory.mktemp("demo") / "kept"
    done = call(Path.cwd(), None, "demo", "--seed", "3", "--keep", str(folder), "--json")
    assert done.returncode == 0, done.stderr
    home = folder / "cortex-home"
    before = os.environ.get("CORTEX_HOME")
    os.environ["CORTEX_HOME"] = str(home)
    yield SampleRepository(folder / "shop", home)
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


def by_command(sample: SampleRepository) -> Verdicts:
    """Newest verdict of each text of the harness."""
    output = call(sample.root, sample.home, "verdicts", "--json").stdout
    rules = {path.stem for path in (sample.root / ".claude" / "rules").glob("*.md")}
    newest = {
        row["candidate"]["artifact"]["path"]: row["verdict"]["ruling"]
        for row in json.loads(output)["verdicts"]
    }
    return {Path(path).stem: ruling for path, ruling in newest.items() if Path(path).stem in rules}


def by_terminal(sample: SampleRepository) -> Verdicts:
    async def run() -> Verdicts:
        app = CortexApp(sample.root)
        async with app.run_test(size=(120, 40)) as pilot:
            while app.snapshot is None:
                await pilot.pause(0.05)
            states = {item.name: item.state for item in app.snapshot.harness}
            return {name: RULINGS.get(state, state) for name, state in states.items()
                    if state not in ("not measured", "stale")}  # fmt: skip

    return asyncio.run(run())


def by_server(sample: SampleRepository) -> tuple[Verdicts, Verdicts]:
    """The verdicts in the sidebar and in the lenses."""
    sidebar: Verdicts = {}
    lenses: Verdicts = {}

    async def script(editor: Editor) -> None:
        state = await editor.ask("cortex/state")
        for row in state["harness"]:
            if row["ruling"]:
                sidebar[row["name"]] = row["ruling"]
            editor.open(row["path"])
            (title,) = await editor.lenses(row["path"])
            lenses[row["name"]] = title.removeprefix("Cortex: ").split(" ")[0]

    edit(sample, script)
    return sidebar, {name: RULINGS.get(word, word) for name, word in lenses.items()}


def test_surfaces_agree(demo: SampleRepository) -> None:
    expected = by_command(demo)
    assert {"keep", "retain", "unused"} <= set(expected.values())
    sidebar, lenses = by_server(demo)
    assert by_terminal(demo) == expected
    assert sidebar == expected
    assert lenses == expected


def test_an_undone_prune_is_prunable_everywhere_and_the_hook_takes_it(
    demo: SampleRepository,
) -> None:
    from cortex.artifacts import graveyard
    from cortex.commands import changes
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
    expected = by_command(demo)
    assert expected[name] == "prune"
    sidebar, lenses = by_server(demo)
    assert by_terminal(demo) == sidebar == lenses == expected
    repository = Repository(demo.root, demo.home)
    repository.git("add", "-A")
    assert call(demo.root, demo.home, "hook", "install").returncode == 0
    output = repository.commit("--allow-empty", CORTEX_HOME=str(demo.home))
    assert f"removed {name} (prune)" in output
    assert name not in by_command(demo)
    assert name not in by_terminal(demo)
    assert name not in by_server(demo)[0]
