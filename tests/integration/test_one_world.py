"""One world on every surface: the same titles, texts, numbers and thresholds."""

import asyncio
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest
from rich.console import Console, RenderableType
from tests.integration.commands.conftest import Shell
from tests.integration.lsp.conftest import Editor, edit
from tests.integration.tui.conftest import SampleRepository, empty, sample

from cortex.commands.artifact_status import artifact_statuses
from cortex.commands.context import open_context
from cortex.commands.inbox import inbox
from cortex.model.artifacts import ChangeKind
from cortex.model.experiments import Level
from cortex.presenting import titles
from cortex_store import Store
from cortex_tui.app import CortexApp

__all__ = ["empty", "sample"]

NEEDED = 41.0
"""E⁺ that the keep needed: not 1/alpha, because another candidate was tested before."""


@pytest.fixture
def world(sample: SampleRepository) -> SampleRepository:
    """The sample with a keep at a stricter level, a stale text, and markup in a heading."""
    candidate = sample.candidate("strict", ChangeKind.ADD)
    verdict = sample.measured(candidate, [(False, True)] * 8)
    assert verdict.lock is not None
    with Store.open(sample.database) as store:
        level = Level(number=2, kept=0, bound=0.2, alpha=1 / NEEDED)
        lock = replace(verdict.lock, level=level)
        later = replace(verdict, id="verdict-later", lock=lock, created_at="2026-01-03T00:00:00Z")
        store.verdicts.add(str(sample.root), later)
    sample.rule("plain").write_text("Use [b]short[/b] names.\n", "utf-8")
    (sample.root / "CLAUDE.md").write_text("# G\n\n## Routes [/api]\n\nUse `x`.\n", "utf-8")
    return sample


@dataclass(frozen=True)
class Screens:
    """What the terminal UI shows of each item, by its key."""

    states: dict[str, str]
    summaries: dict[str, str]
    evidence: dict[str, str]


def command_line(world: SampleRepository, *arguments: str) -> str:
    process = Shell(world.root, world.home).run(*arguments)
    assert process.returncode == 0, process.stderr
    return process.stdout


def drawn(renderable: RenderableType) -> str:
    console = Console(width=400, color_system=None)
    with console.capture() as capture:
        console.print(renderable, soft_wrap=True)
    return capture.get()


def terminal(world: SampleRepository) -> Screens:
    async def run() -> Screens:
        app = CortexApp(world.root)
        screens = Screens({}, {}, {})
        async with app.run_test(size=(160, 50)) as pilot:
            while app.snapshot is None:
                await pilot.pause(0.05)
            for item in app.snapshot.items:
                screens.states[item.key] = item.state
                app.listing.highlighted = app.listing.get_option_index(item.key)
                while app.shown is None or app.shown.key != item.key:
                    await pilot.pause(0.02)
                screens.summaries[item.key] = drawn(app.shown.summary)
                screens.evidence[item.key] = drawn(app.shown.evidence)
        return screens

    return asyncio.run(run())


@dataclass
class EditorView:
    """What an editor shows: the sidebar, lenses and hovers by key, entries by id."""

    state: dict[str, Any]
    lenses: dict[str, str]
    hovers: dict[str, str]
    entries: dict[str, dict[str, str]]


def editor_view(world: SampleRepository) -> EditorView:
    view = EditorView({}, {}, {}, {})

    async def script(editor: Editor) -> None:
        state = await editor.ask("cortex/state")
        view.state.update(state)
        for row in state["harness"]:
            editor.open(row["path"])
            lenses = await editor.lenses(row["path"])
            rows = [other for other in state["harness"] if other["path"] == row["path"]]
            view.lenses[row["key"]] = lenses[rows.index(row)]
            view.hovers[row["key"]] = unescaped(await editor.hover(row["path"], row["line"]))
        for row in state["inbox"]:
            view.entries[row["id"]] = await editor.ask("cortex/entry", id=row["id"])

    edit(world, script)
    return view


def unescaped(markdown: str) -> str:
    return re.sub(r"\\([\\`*_{}\[\]()#+!<>|~&$])", r"\1", markdown)


def test_every_surface_shows_the_same(world: SampleRepository) -> None:
    screens, editor = terminal(world), editor_view(world)
    inbox_output = command_line(world, "inbox")
    harness = {row["key"]: row for row in editor.state["harness"]}
    entries = {row["id"]: row for row in editor.state["inbox"]}
    with open_context(world.root, read_only=True) as context:
        statuses, pending = artifact_statuses(context), inbox(context)
    assert len(statuses) == len(harness) == len(editor.lenses)
    for status in statuses:
        key, title = status.artifact.key, titles.status_title(status)
        assert harness[key]["title"] == title
        assert harness[key]["state"] == screens.states[f"text:{key}"] == titles.state(status)
        assert harness[key]["detail"] == titles.status_detail(status)
        assert editor.lenses[key] == f"Cortex: {title}"
        assert title in screens.summaries[f"text:{key}"]
        assert status.artifact.name in screens.summaries[f"text:{key}"]
    for entry in pending:
        title = titles.entry_title(entry)
        assert entries[entry.id]["title"] == editor.entries[entry.id]["title"] == title
        assert title in inbox_output
        assert entries[entry.id]["detail"] == titles.entry_detail(entry)
        assert titles.entry_detail(entry) in screens.summaries[f"inbox:{entry.id}"]
        assert screens.states[f"inbox:{entry.id}"] == titles.entry_state(entry)
    assert {titles.state(status) for status in statuses} == {"retain", "prunable", "not measured"}


def test_every_surface_has_the_same_numbers_and_thresholds(world: SampleRepository) -> None:
    screens, editor = terminal(world), editor_view(world)
    for candidate, keys in (
        ("cand-strict", ("inbox:cand-strict",)),
        ("cand-use-clock", ("inbox:cand-use-clock",)),
        ("cand-naming", ("text:.claude/rules/naming.md", "inbox:cand-naming")),
    ):
        output = command_line(world, "verdicts", "show", candidate)
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        texts = [line for line in lines if line.endswith(".")]
        assert len(texts) >= 5
        details = unescaped(editor.entries[candidate]["markdown"])
        for text in texts:
            assert text in details, text
            for key in keys:
                shown = screens.summaries[key] + screens.evidence[key]
                assert text in shown, text
        assert "interval" not in output + details
    strict = command_line(world, "verdicts", "show", "cand-strict")
    assert "threshold 41 " in strict
    assert "threshold 20 reached" in command_line(world, "verdicts", "show", "cand-use-clock")
    assert "threshold 20 " in editor.hovers[".claude/rules/naming.md"]


def test_text_of_others_is_text_on_every_surface(world: SampleRepository) -> None:
    screens, editor = terminal(world), editor_view(world)
    key = "CLAUDE.md#Routes [/api]"
    assert "CLAUDE.md § Routes [/api]" in screens.summaries[f"text:{key}"]
    assert "CLAUDE.md § Routes [/api]" in editor.hovers[key]
