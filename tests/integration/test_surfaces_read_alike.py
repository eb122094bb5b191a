"""Command line, terminal UI, language server and sidebar show the same text about the same rows."""

import asyncio
import io
import re
import subprocess
import sys
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import pytest
from rich.console import Console, RenderableType
from tests.integration.lsp.conftest import Editor, edit
from tests.integration.tui.conftest import DAY, SampleRepository, empty, sample

from cortex.model.artifacts import ChangeKind
from cortex.model.experiments import Level
from cortex.model.verdicts import Ruling
from cortex_store import Store
from cortex_tui.app import CortexApp

__all__ = ["empty", "sample"]

WIDE = 300
THRESHOLD = "threshold 41 "
"""Of the verdicts whose stored level is stricter than alpha."""


@dataclass
class Surfaces:
    """What each surface shows; keys are names of artifacts, or ids of candidates."""

    inbox: str = ""
    shown: dict[str, str] = field(default_factory=dict)
    """`cortex verdicts show`, by candidate."""
    terminal: dict[str, str] = field(default_factory=dict)
    """List line, summary and evidence of the terminal UI, by key of the item."""
    lenses: dict[str, str] = field(default_factory=dict)
    hovers: dict[str, str] = field(default_factory=dict)
    diagnostics: dict[str, list[str]] = field(default_factory=dict)
    entries: dict[str, Any] = field(default_factory=dict)
    """Answers to `cortex/entry`, by candidate."""
    sidebar: Any = None


@pytest.fixture
def surfaces(sample: SampleRepository) -> Surfaces:
    """Every surface over one repository, two of whose verdicts have a stored level."""
    _raise_threshold(sample, "use-clock")
    sample.measured(sample.candidate("kept", ChangeKind.ADD), [(False, True)] * 6)
    sample.rule("kept").write_text("Rule kept.\n")
    _raise_threshold(sample, "kept")
    result = Surfaces(inbox=_command(sample, "inbox"))
    _read_terminal(sample, result)
    _read_editor(sample, result)
    for name in ("use-clock", "naming", "errors", "kept"):
        result.shown[name] = _command(sample, "verdicts", "show", f"cand-{name}")
    return result


def _raise_threshold(sample: SampleRepository, name: str) -> None:
    """Store a newer verdict that had to reach E+ 41."""
    with Store.open(sample.database) as store:
        verdict = store.verdicts.latest(f"cand-{name}")
        assert verdict is not None
        assert verdict.lock is not None
        assert verdict.ruling is Ruling.KEEP
        lock = replace(verdict.lock, level=Level(2, 0, 0.2, 1 / 41))
        later = replace(
            verdict, id=f"{verdict.id}-later", lock=lock, created_at=DAY.replace("03:04", "03:05")
        )
        store.verdicts.add(str(sample.root), later)


def _command(sample: SampleRepository, *arguments: str) -> str:
    process = subprocess.run(
        [sys.executable, "-m", "cortex.cli.main", *arguments],
        cwd=sample.root, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return process.stdout


def _read_terminal(sample: SampleRepository, result: Surfaces) -> None:
    async def run() -> None:
        app = CortexApp(sample.root)
        async with app.run_test(size=(140, 40)) as pilot:
            while app.snapshot is None:
                await pilot.pause(0.02)
            for item in app.snapshot.items:
                app.listing.highlighted = app.listing.get_option_index(item.key)
                while app.shown is None or app.shown.key != item.key:
                    await pilot.pause(0.02)
                line = app.listing.get_option(item.key).prompt
                result.terminal[item.key] = "\n".join(
                    map(_drawn, (str(line), app.shown.summary, app.shown.evidence))
                )

    asyncio.run(asyncio.wait_for(run(), 60))


def _drawn(renderable: RenderableType) -> str:
    console = Console(file=io.StringIO(), width=WIDE, force_terminal=False)
    console.print(renderable, markup=False, highlight=False)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _read_editor(sample: SampleRepository, result: Surfaces) -> None:
    async def script(editor: Editor) -> None:
        result.sidebar = await editor.ask("cortex/state")
        for row in result.sidebar["harness"]:
            uri = editor.open(row["path"])
            (result.lenses[row["name"]],) = await editor.lenses(row["path"])
            result.hovers[row["name"]] = _unescaped(await editor.hover(row["path"]))
            await editor.until(partial(editor.client.diagnostics.__contains__, uri))
            result.diagnostics[row["name"]] = [
                diagnostic.message for diagnostic in editor.client.diagnostics[uri]
            ]
        for row in result.sidebar["inbox"]:
            entry = await editor.ask("cortex/entry", id=row["id"])
            result.entries[row["id"]] = {**entry, "markdown": _unescaped(entry["markdown"])}

    edit(sample, script)


def _unescaped(markdown: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


def _sentences(shown: str) -> list[str]:
    """The lines of `verdicts show` that are no head and no row of the table."""
    lines = [line.strip() for line in shown.splitlines()[1:]]
    return [line for line in lines if line.endswith((".", ":"))]


def test_inbox_entries_have_one_title(surfaces: Surfaces) -> None:
    assert len(surfaces.sidebar["inbox"]) == 3
    for row in surfaces.sidebar["inbox"]:
        assert f"{row['id']}  {row['title']}  (" in surfaces.inbox
        assert surfaces.entries[row["id"]]["title"] == row["title"]
        terminal = surfaces.terminal[f"inbox:{row['id']}"]
        assert row["detail"] in terminal
        state = row["title"].removeprefix(f"{row['change']} {row['name']}: ")
        assert terminal.split()[:2] == [*state.split(), row["name"]][:2]


def test_artifacts_have_one_title_and_state(surfaces: Surfaces) -> None:
    states = {row["name"]: row["state"] for row in surfaces.sidebar["harness"]}
    assert states == {
        "errors": "retain", "kept": "keep", "naming": "prunable", "plain": "not measured",
    }  # fmt: skip
    for row in surfaces.sidebar["harness"]:
        terminal = surfaces.terminal[f"text:{row['key']}"]
        assert surfaces.lenses[row["name"]] == f"Cortex: {row['title']}"
        assert row["title"] in terminal
        assert row["title"].startswith(row["state"])
        assert row["detail"].startswith(row["state"])
        assert terminal.lstrip().startswith(row["state"])


def test_verdicts_read_the_same_everywhere(surfaces: Surfaces) -> None:
    terminal = {
        "use-clock": surfaces.terminal["inbox:cand-use-clock"],
        **{name: surfaces.terminal[f"text:.claude/rules/{name}.md"] for name in ("errors", "kept")},
    }
    for name, text in terminal.items():
        for sentence in _sentences(surfaces.shown[name]):
            assert sentence in text, (name, sentence)
    for name in ("use-clock", "naming"):
        markdown = surfaces.entries[f"cand-{name}"]["markdown"]
        for sentence in _sentences(surfaces.shown[name]):
            assert sentence in markdown, (name, sentence)
    for name in ("errors", "kept", "naming"):
        reason, numbers, counts = _sentences(surfaces.shown[name])[:3]
        for sentence in (reason, numbers, counts):
            assert sentence in surfaces.hovers[name], (name, sentence)
    reason = _sentences(surfaces.shown["naming"])[0]
    assert any(reason in message for message in surfaces.diagnostics["naming"])


def test_the_threshold_is_the_stored_one_everywhere(surfaces: Surfaces) -> None:
    assert THRESHOLD in surfaces.shown["use-clock"]
    assert THRESHOLD in surfaces.shown["kept"]
    assert THRESHOLD in surfaces.terminal["inbox:cand-use-clock"]
    assert THRESHOLD in surfaces.entries["cand-use-clock"]["markdown"]
    assert THRESHOLD in surfaces.hovers["kept"]
    assert THRESHOLD in surfaces.terminal["text:.claude/rules/kept.md"]
    for text in (surfaces.shown["errors"], surfaces.hovers["errors"]):
        assert "threshold 20 " in text


def test_no_surface_shows_the_interval(surfaces: Surfaces) -> None:
    texts = [*surfaces.shown.values(), *surfaces.terminal.values(), *surfaces.hovers.values()]
    texts += [entry["markdown"] for entry in surfaces.entries.values()]
    assert not [text for text in texts if "interval" in text]
