"""The language server as a process over stdio: what an editor sees and may do."""

import asyncio
import sqlite3
import statistics
import time
from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException
from tests.integration.lsp.conftest import Editor, edit
from tests.integration.tui.conftest import RULES, Desk

from cortex.artifacts import graveyard, harness, ledger
from cortex.commands import changes as changes
from cortex.commands.context import open_context

NAMING, ERRORS, PLAIN = (f".claude/rules/{name}.md" for name in ("naming", "errors", "plain"))


def test_a_lens_says_the_verdict_in_a_few_words(desk: Desk) -> None:
    async def script(editor: Editor) -> None:
        for path in (NAMING, ERRORS, PLAIN):
            editor.open(path)
        assert await editor.lenses(NAMING) == ["Cortex: prunable · +0.00 over 28 pairs"]
        assert await editor.lenses(ERRORS) == ["Cortex: retain · +1.00 over 4 pairs"]
        (never,) = await editor.lenses(PLAIN)
        assert never.startswith("Cortex: never measured · ~")

    edit(desk, script)


def test_a_hover_shows_the_tasks_behind_it(desk: Desk) -> None:
    async def script(editor: Editor) -> None:
        editor.open(ERRORS)
        said = await editor.hover(ERRORS)
        assert "| task-aa | other | 1 | 0/1 | 1/1 |" in said
        assert "**retain** — It helps" in said
        editor.open(PLAIN)
        assert "Nobody has measured it" in await editor.hover(PLAIN)

    edit(desk, script)


def test_sections_have_a_lens_each(desk: Desk) -> None:
    text = "Intro.\n\n## Style\n\nBe kind.\n\n## Tests\n\nWrite them.\n"
    (desk.root / "CLAUDE.md").write_text(text)
    (style,) = [one for one in harness.parse({"CLAUDE.md": text}) if one.heading == "Style"]
    entry = ledger.LedgerEntry(
        "CLAUDE.md", style.digest, "keep", heading="Style", pairs=4, lift=0.5
    )
    ledger.record(desk.root, entry)

    async def script(editor: Editor) -> None:
        editor.open("CLAUDE.md")
        lenses = await editor.lenses("CLAUDE.md")
        assert lenses[1] == "Cortex: keep · +0.50 over 4 pairs"
        assert len(lenses) == 3
        assert "Style" in await editor.hover("CLAUDE.md", 4)
        assert "Tests" in await editor.hover("CLAUDE.md", 6)

    edit(desk, script)


def test_diagnostics_and_typing(desk: Desk) -> None:
    desk.rule("dead").write_text("---\npaths: nowhere/**/*.zig\n---\nWords.\n")

    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        await editor.until(lambda: editor.codes(NAMING) == ["prunable"])
        editor.type(NAMING, RULES["naming"] + "More.\n")
        await editor.until(lambda: editor.codes(NAMING) == ["stale"])
        assert "the text has changed since" in (await editor.lenses(NAMING))[0]
        editor.type(NAMING, RULES["naming"], 3)
        await editor.until(lambda: editor.codes(NAMING) == ["prunable"])
        editor.open(".claude/rules/dead.md")
        await editor.until(lambda: editor.codes(".claude/rules/dead.md") == ["dead-glob"])
        (found,) = editor.client.diagnostics[editor.uri(".claude/rules/dead.md")]
        assert found.range.start.line == 1

    edit(desk, script)


def test_nothing_is_said_about_other_files(desk: Desk) -> None:
    (desk.root / "README.md").write_text("# Shop\n")

    async def script(editor: Editor) -> None:
        editor.open("README.md")
        assert await editor.lenses("README.md") == []
        assert await editor.hover("README.md") == ""
        assert await editor.actions("README.md") == {}
        await asyncio.sleep(0.3)
        assert editor.codes("README.md") == []

    edit(desk, script)


def test_prune_and_restore_by_code_action(desk: Desk) -> None:
    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        prune = (await editor.actions(NAMING))["Prune naming"]
        await editor.execute(prune)
        assert not desk.rule("naming").exists()
        (grave,) = graveyard.entries(desk.root)
        await editor.until(lambda: any("removed naming" in one for one in editor.told()))
        said = await editor.ask("cortex/act", action="restore", id=grave.id)
        assert said == {"said": f"restored {NAMING}"}
        assert desk.rule("naming").read_text() == RULES["naming"]
        assert "Prune naming" not in await editor.actions(NAMING)

    edit(desk, script)


def test_measure_now_queues_and_refuses_without_a_budget(desk: Desk) -> None:
    async def script(editor: Editor) -> None:
        editor.open(PLAIN)
        measure = (await editor.actions(PLAIN))["Measure plain now"]
        await editor.execute(measure)
        state = await editor.ask("cortex/state")
        assert [one["name"] for one in state["jobs"]] == ["plain"]
        (desk.home / "config.toml").write_text("")
        editor.open(ERRORS)
        await editor.execute((await editor.actions(ERRORS))["Measure errors now"])
        await editor.until(lambda: any("cost money" in one for one in editor.told()))

    edit(desk, script)


def test_the_sidebar_has_everything_and_follows(desk: Desk) -> None:
    async def script(editor: Editor) -> None:
        state = await editor.ask("cortex/state")
        assert [(one["name"], one["ruling"]) for one in state["inbox"]] == [
            ("fresh", None),
            ("naming", "prune"),
            ("use-clock", "keep"),
        ]
        assert {one["name"]: one["ruling"] for one in state["harness"]} == {
            "errors": "retain",
            "naming": "prune",
            "plain": None,
        }
        assert state["summary"] == "3 waiting · 3 texts · 1 prunable"
        assert state["error"] is None
        entry = await editor.ask("cortex/entry", id="cand-use-clock")
        assert (entry["before"], entry["after"]) == (None, RULES["use-clock"])
        assert "What would change it" in entry["markdown"]
        before, refreshed = editor.changes, editor.refreshed
        with open_context(desk.root) as context:
            changes.bury(context, "cand-fresh")
        await editor.until(lambda: editor.changes > before and editor.refreshed > refreshed)
        done = await editor.ask("cortex/act", action="accept", id="cand-use-clock")
        assert done == {"said": "added .claude/rules/use-clock.md"}
        assert desk.rule("use-clock").read_text() == RULES["use-clock"]
        state = await editor.ask("cortex/state")
        assert [one["name"] for one in state["inbox"]] == ["naming"]

    edit(desk, script)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"action": "explode", "id": "x"}, "needs an action"),
        ({}, "needs an action"),
        ({"action": "accept", "id": "cand-none"}, "no such candidate"),
        ({"action": "restore", "id": "nothing"}, "not in the graveyard"),
        ({"action": "prune", "id": PLAIN}, "no prune verdict"),
    ],
)
def test_what_cannot_be_done_is_one_line(desk: Desk, params: dict[str, str], words: str) -> None:
    async def script(editor: Editor) -> None:
        with pytest.raises(JsonRpcException, match=words):
            await editor.ask("cortex/act", **params)

    edit(desk, script)


def test_an_edit_while_a_request_is_in_flight(desk: Desk) -> None:
    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        asked = [asyncio.ensure_future(editor.lenses(NAMING)) for _ in range(5)]
        for version in range(2, 30):
            editor.type(NAMING, RULES["naming"] + "x" * version, version)
        await asyncio.gather(*asked)
        await editor.until(lambda: editor.codes(NAMING) == ["stale"])

    edit(desk, script)


def test_a_file_that_vanishes(desk: Desk) -> None:
    async def script(editor: Editor) -> None:
        editor.open(PLAIN)
        desk.rule("plain").unlink()
        desk.rule("other").write_text("x\n")
        assert len(await editor.lenses(PLAIN)) == 1
        state = await editor.ask("cortex/state")
        assert "plain" not in [one["name"] for one in state["harness"]]
        assert await editor.lenses(".claude/rules/never-there.md") == []

    edit(desk, script)


def test_a_newer_store_is_one_message_and_no_crash(desk: Desk) -> None:
    with sqlite3.connect(desk.database) as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('cortex', 'from_the_future', '2030')"
        )

    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        state = await editor.ask("cortex/state")
        assert "newer Cortex" in state["error"]
        await editor.until(lambda: any("newer Cortex" in one for one in editor.told()))
        await asyncio.sleep(0.6)
        assert sum("newer Cortex" in one for one in editor.told()) == 1
        with sqlite3.connect(desk.database) as db:
            db.execute("DELETE FROM _sqlite_migrations WHERE name = 'from_the_future'")
        await editor.until(lambda: editor.codes(NAMING) == ["prunable"])

    edit(desk, script)


def test_a_writer_that_takes_long_is_one_line(desk: Desk) -> None:
    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        await editor.until(lambda: editor.codes(NAMING) == ["prunable"])
        with sqlite3.connect(desk.database) as db:
            db.execute("BEGIN EXCLUSIVE")
            assert (await editor.lenses(NAMING))[0].startswith("Cortex: ")
            with pytest.raises(JsonRpcException, match="another Cortex is writing"):
                await editor.ask("cortex/act", action="bury", id="cand-fresh")
        said = await editor.ask("cortex/act", action="bury", id="cand-fresh")
        assert "fresh" in said["said"]

    edit(desk, script)


def test_a_store_that_is_locked_is_one_message(desk: Desk) -> None:
    """Shut out by somebody who was there first, as a repair is; then let in."""

    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        state = await editor.ask("cortex/state")
        assert "another Cortex is writing" in state["error"]
        await editor.until(lambda: any("is writing" in one for one in editor.told()))
        clock = time.perf_counter()
        editor.type(NAMING, RULES["naming"], 2)
        await editor.lenses(NAMING)
        assert time.perf_counter() - clock < 2
        assert sum("is writing" in one for one in editor.told()) == 1
        holder.close()
        await editor.until(lambda: editor.codes(NAMING) == ["prunable"])

    holder = sqlite3.connect(desk.database, isolation_level=None)
    try:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        edit(desk, script)
    finally:
        holder.close()


def test_no_database_yet(empty: Desk) -> None:
    empty.rule("x").parent.mkdir(parents=True)
    empty.rule("plain").write_text("Words.\n")

    async def script(editor: Editor) -> None:
        editor.open(PLAIN)
        assert (await editor.lenses(PLAIN))[0].startswith("Cortex: never measured")
        assert (await editor.ask("cortex/state"))["inbox"] == []

    edit(empty, script)


def test_no_repository(empty: Desk, tmp_path: Path) -> None:
    async def script(editor: Editor) -> None:
        state = await editor.ask("cortex/state")
        assert (state["repository"], state["inbox"]) == (None, [])
        with pytest.raises(JsonRpcException, match="no repository"):
            await editor.ask("cortex/act", action="accept", id="x")

    edit(empty, script, root=tmp_path)


def test_two_hundred_artifacts_are_fast(desk: Desk) -> None:
    for number in range(200):
        desk.rule(f"rule-{number}").write_text(
            f"---\npaths: src/{number}/**\n---\nRule {number}.\n"
        )
    path = ".claude/rules/rule-7.md"

    async def script(editor: Editor) -> None:
        editor.open(path)
        await editor.until(lambda: editor.codes(path) != [])
        times = []
        for version in range(2, 22):
            dead = version % 2
            glob = "src/7/**" if dead else ".claude/**"
            text = f"---\npaths: {glob}\n---\nRule {version}.\n"
            clock = time.perf_counter()
            editor.type(path, text, version)
            while ("dead-glob" in editor.codes(path)) != bool(dead):
                await asyncio.sleep(0.001)
                assert time.perf_counter() - clock < 5
            times.append(time.perf_counter() - clock)
        assert statistics.median(times) < 0.4

    edit(desk, script)
