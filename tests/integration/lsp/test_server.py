"""The language server as a process over stdio: what an editor sees and may do."""

import asyncio
import sqlite3
import statistics
import time
from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException
from tests.integration.lsp.conftest import Editor, edit
from tests.integration.tui.conftest import RULES, SampleRepository

from cortex.artifacts import graveyard, harness, ledger
from cortex.commands import changes as changes
from cortex.commands.context import open_context

NAMING, ERRORS, PLAIN = (f".claude/rules/{name}.md" for name in ("naming", "errors", "plain"))


def test_a_lens_says_the_verdict_in_a_few_words(sample: SampleRepository) -> None:
    async def script(editor: Editor) -> None:
        for path in (NAMING, ERRORS, PLAIN):
            editor.open(path)
        assert await editor.lenses(NAMING) == ["Cortex: prunable · +0.00 over 28 pairs"]
        assert await editor.lenses(ERRORS) == ["Cortex: retain · +1.00 over 4 pairs"]
        (never,) = await editor.lenses(PLAIN)
        assert never.startswith("Cortex: not measured · ~")

    edit(sample, script)


def test_a_hover_shows_the_tasks_behind_it(sample: SampleRepository) -> None:
    async def script(editor: Editor) -> None:
        editor.open(ERRORS)
        text = await editor.hover(ERRORS)
        assert "| task-aa | 1 | 0/1 | 1/1 |" in text
        assert "**retain · \\+1.00 over 4 pairs**" in text
        editor.open(PLAIN)
        assert "Not measured yet." in await editor.hover(PLAIN)

    edit(sample, script)


def test_sections_have_a_lens_each(sample: SampleRepository) -> None:
    text = "Intro.\n\n## Style\n\nBe kind.\n\n## Tests\n\nWrite them.\n"
    (sample.root / "CLAUDE.md").write_text(text)
    (style,) = [
        artifact for artifact in harness.parse({"CLAUDE.md": text}) if artifact.heading == "Style"
    ]
    entry = ledger.LedgerEntry(
        "CLAUDE.md", style.digest, "keep", heading="Style", pairs=4, lift=0.5
    )
    ledger.record(sample.root, entry)

    async def script(editor: Editor) -> None:
        editor.open("CLAUDE.md")
        lenses = await editor.lenses("CLAUDE.md")
        assert lenses[1] == "Cortex: keep · +0.50 over 4 pairs · a colleague's verdict"
        assert len(lenses) == 3
        assert "Style" in await editor.hover("CLAUDE.md", 4)
        assert "Tests" in await editor.hover("CLAUDE.md", 6)

    edit(sample, script)


def test_diagnostics_and_typing(sample: SampleRepository) -> None:
    sample.rule("dead").write_text("---\npaths: nowhere/**/*.zig\n---\nWords.\n")

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
        (response,) = editor.client.diagnostics[editor.uri(".claude/rules/dead.md")]
        assert response.range.start.line == 1

    edit(sample, script)


def test_nothing_is_said_about_other_files(sample: SampleRepository) -> None:
    (sample.root / "README.md").write_text("# Shop\n")

    async def script(editor: Editor) -> None:
        editor.open("README.md")
        assert await editor.lenses("README.md") == []
        assert await editor.hover("README.md") == ""
        assert await editor.actions("README.md") == {}
        await asyncio.sleep(0.3)
        assert editor.codes("README.md") == []

    edit(sample, script)


def test_prune_and_restore_by_code_action(sample: SampleRepository) -> None:
    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        prune = (await editor.actions(NAMING))["Prune naming"]
        await editor.execute(prune)
        assert not sample.rule("naming").exists()
        (grave,) = graveyard.entries(sample.root)
        await editor.until(
            lambda: any("removed naming" in message for message in editor.messages())
        )
        text = await editor.ask("cortex/act", action="restore", id=grave.id)
        assert text == {"message": f"restored {NAMING}"}
        assert sample.rule("naming").read_text() == RULES["naming"]
        assert "Prune naming" not in await editor.actions(NAMING)

    edit(sample, script)


def test_measure_now_queues_and_refuses_without_a_budget(sample: SampleRepository) -> None:
    async def script(editor: Editor) -> None:
        editor.open(PLAIN)
        measure = (await editor.actions(PLAIN))["Measure plain now"]
        await editor.execute(measure)
        state = await editor.ask("cortex/state")
        assert [row["name"] for row in state["jobs"]] == ["plain"]
        (sample.home / "config.toml").write_text("")
        editor.open(ERRORS)
        await editor.execute((await editor.actions(ERRORS))["Measure errors now"])
        await editor.until(lambda: any("cost money" in message for message in editor.messages()))

    edit(sample, script)


def test_the_sidebar_has_everything_and_follows(sample: SampleRepository) -> None:
    async def script(editor: Editor) -> None:
        state = await editor.ask("cortex/state")
        assert [(row["name"], row["ruling"]) for row in state["inbox"]] == [
            ("fresh", None),
            ("naming", "prune"),
            ("use-clock", "keep"),
        ]
        assert {row["name"]: row["ruling"] for row in state["harness"]} == {
            "errors": "retain",
            "naming": "prune",
            "plain": None,
        }
        assert state["summary"] == "3 in the inbox · 3 texts · 1 prunable"
        assert state["error"] is None
        entry = await editor.ask("cortex/entry", id="cand-use-clock")
        assert (entry["before"], entry["after"]) == (None, RULES["use-clock"])
        assert "What would change it" in entry["markdown"]
        before, refreshed = editor.changes, editor.refreshed
        with open_context(sample.root) as context:
            changes.bury(context, "cand-fresh")
        await editor.until(lambda: editor.changes > before and editor.refreshed > refreshed)
        done = await editor.ask("cortex/act", action="accept", id="cand-use-clock")
        assert done == {"message": "added .claude/rules/use-clock.md"}
        assert sample.rule("use-clock").read_text() == RULES["use-clock"]
        state = await editor.ask("cortex/state")
        assert [row["name"] for row in state["inbox"]] == ["naming"]

    edit(sample, script)


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
def test_what_cannot_be_done_is_one_line(
    sample: SampleRepository, params: dict[str, str], words: str
) -> None:
    async def script(editor: Editor) -> None:
        with pytest.raises(JsonRpcException, match=words):
            await editor.ask("cortex/act", **params)

    edit(sample, script)


def test_an_edit_while_a_request_is_in_flight(sample: SampleRepository) -> None:
    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        asked = [asyncio.ensure_future(editor.lenses(NAMING)) for _ in range(5)]
        for version in range(2, 30):
            editor.type(NAMING, RULES["naming"] + "x" * version, version)
        await asyncio.gather(*asked)
        await editor.until(lambda: editor.codes(NAMING) == ["stale"])

    edit(sample, script)


def test_a_file_that_vanishes(sample: SampleRepository) -> None:
    async def script(editor: Editor) -> None:
        editor.open(PLAIN)
        sample.rule("plain").unlink()
        sample.rule("other").write_text("x\n")
        assert len(await editor.lenses(PLAIN)) == 1
        state = await editor.ask("cortex/state")
        assert "plain" not in [row["name"] for row in state["harness"]]
        assert await editor.lenses(".claude/rules/never-there.md") == []

    edit(sample, script)


def test_a_newer_store_is_one_message_and_no_crash(sample: SampleRepository) -> None:
    with sqlite3.connect(sample.database) as db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('cortex', 'from_the_future', '2030')"
        )

    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        state = await editor.ask("cortex/state")
        assert "newer Cortex" in state["error"]
        await editor.until(lambda: any("newer Cortex" in message for message in editor.messages()))
        await asyncio.sleep(0.6)
        assert sum("newer Cortex" in message for message in editor.messages()) == 1
        with sqlite3.connect(sample.database) as db:
            db.execute("DELETE FROM _sqlite_migrations WHERE name = 'from_the_future'")
        await editor.until(lambda: editor.codes(NAMING) == ["prunable"])

    edit(sample, script)


def test_a_writer_that_takes_long_is_one_line(sample: SampleRepository) -> None:
    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        await editor.until(lambda: editor.codes(NAMING) == ["prunable"])
        with sqlite3.connect(sample.database) as db:
            db.execute("BEGIN EXCLUSIVE")
            assert (await editor.lenses(NAMING))[0].startswith("Cortex: ")
            with pytest.raises(JsonRpcException, match="database is locked"):
                await editor.ask("cortex/act", action="bury", id="cand-fresh")
        text = await editor.ask("cortex/act", action="bury", id="cand-fresh")
        assert "fresh" in text["message"]

    edit(sample, script)


def test_a_store_that_is_locked_is_one_message(sample: SampleRepository) -> None:
    """Shut out by somebody who was there first, as a repair is; then let in."""

    async def script(editor: Editor) -> None:
        editor.open(NAMING)
        state = await editor.ask("cortex/state")
        assert "database is locked" in state["error"]
        await editor.until(
            lambda: any("database is locked" in message for message in editor.messages())
        )
        clock = time.perf_counter()
        editor.type(NAMING, RULES["naming"], 2)
        await editor.lenses(NAMING)
        assert time.perf_counter() - clock < 2
        assert sum("database is locked" in message for message in editor.messages()) == 1
        holder.close()
        await editor.until(lambda: editor.codes(NAMING) == ["prunable"])

    holder = sqlite3.connect(sample.database, isolation_level=None)
    try:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        edit(sample, script)
    finally:
        holder.close()


def test_no_database_yet(empty: SampleRepository) -> None:
    empty.rule("x").parent.mkdir(parents=True)
    empty.rule("plain").write_text("Words.\n")

    async def script(editor: Editor) -> None:
        editor.open(PLAIN)
        assert (await editor.lenses(PLAIN))[0].startswith("Cortex: not measured")
        assert (await editor.ask("cortex/state"))["inbox"] == []

    edit(empty, script)


def test_no_repository(empty: SampleRepository, tmp_path: Path) -> None:
    async def script(editor: Editor) -> None:
        state = await editor.ask("cortex/state")
        assert (state["repository"], state["inbox"]) == (None, [])
        with pytest.raises(JsonRpcException, match="no repository"):
            await editor.ask("cortex/act", action="accept", id="x")

    edit(empty, script, root=tmp_path)


def test_two_hundred_artifacts_are_fast(sample: SampleRepository) -> None:
    for number in range(200):
        sample.rule(f"rule-{number}").write_text(
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

    edit(sample, script)


def test_an_alias_shows_the_verdicts_of_its_file(sample: SampleRepository) -> None:
    text = "## Style\n\nBe kind.\n"
    (sample.root / "CLAUDE.md").write_text(text)
    (sample.root / "AGENTS.md").symlink_to("CLAUDE.md")
    (style,) = harness.parse({"CLAUDE.md": text})
    entry = ledger.LedgerEntry(
        "CLAUDE.md", style.digest, "keep", heading="Style", pairs=4, lift=0.5
    )
    ledger.record(sample.root, entry)

    async def script(editor: Editor) -> None:
        editor.open("AGENTS.md")
        assert await editor.lenses("AGENTS.md") == [
            "Cortex: keep · +0.50 over 4 pairs · a colleague's verdict"
        ]

    edit(sample, script)
