"""Every key does what it says, and can be taken back."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.integration.tui.conftest import RULES, SampleRepository
from textual import events
from textual.pilot import Pilot

from cortex.artifacts import graveyard
from cortex.commands.changes import bury
from cortex.commands.context import open_context
from cortex.errors import UsageError
from cortex.model.artifacts import ChangeKind
from cortex_store import Store
from cortex_tui.app import CortexApp
from cortex_tui.dialogs import BudgetDialog, HelpDialog

Script = Callable[["AppDriver"], Awaitable[None]]


class AppDriver:
    """A person at the keyboard."""

    def __init__(self, pilot: Pilot[Any], app: CortexApp) -> None:
        self.pilot, self.app = pilot, app

    async def until(self, what: Callable[[], bool], seconds: float = 10.0) -> None:
        for _ in range(int(seconds / 0.05)):
            await self.pilot.pause(0.05)
            if what():
                return
        raise AssertionError(f"not within {seconds} s: {[note.message for note in self.notes()]}")

    async def choose(self, key: str) -> None:
        items = self.app.listing
        await self.until(lambda: key in [option.id for option in items.options])
        items.highlighted = items.get_option_index(key)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def notified(self, words: str) -> None:
        await self.until(lambda: any(words in str(note.message) for note in self.notes()))

    def notes(self) -> list[Any]:
        return list(self.app._notifications)

    def listed(self) -> list[str]:
        return [option.id for option in self.app.listing.options if option.id]


def play(sample: SampleRepository, script: Script, size: tuple[int, int] = (100, 30)) -> None:
    async def run() -> None:
        app = CortexApp(sample.root)
        async with app.run_test(size=size) as pilot:
            await script(AppDriver(pilot, app))

    asyncio.run(run())


def test_accept_and_undo(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.choose("inbox:cand-use-clock")
        await driver.press("a")
        await driver.until(sample.rule("use-clock").exists)
        assert sample.rule("use-clock").read_text() == RULES["use-clock"]
        await driver.until(lambda: "inbox:cand-use-clock" not in driver.listed())
        await driver.press("u")
        await driver.until(lambda: not sample.rule("use-clock").exists())
        await driver.until(lambda: "inbox:cand-use-clock" in driver.listed())

    play(sample, script)


def test_bury_and_undo(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.choose("inbox:cand-fresh")
        await driver.press("b")
        await driver.until(lambda: len(graveyard.entries(sample.root)) == 1)
        await driver.until(lambda: "inbox:cand-fresh" not in driver.listed())
        await driver.press("u")
        await driver.until(lambda: "inbox:cand-fresh" in driver.listed())

    play(sample, script)


def test_prune_asks_first_and_can_be_taken_back(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.choose("text:.claude/rules/naming.md")
        await driver.press("p", "n")
        await driver.pilot.pause(0.2)
        assert sample.rule("naming").exists()
        await driver.press("p", "y")
        await driver.until(lambda: not sample.rule("naming").exists())
        await driver.press("u")
        await driver.until(sample.rule("naming").exists)
        assert sample.rule("naming").read_text() == RULES["naming"]

    play(sample, script)


def test_restore_from_the_graveyard(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.choose("inbox:cand-naming")
        await driver.press("a", "y")
        await driver.until(lambda: not sample.rule("naming").exists())
        await driver.press("r")
        await driver.pilot.pause(0.2)
        await driver.press("enter")
        await driver.until(sample.rule("naming").exists)
        await driver.until(lambda: "text:.claude/rules/naming.md" in driver.listed())

    play(sample, script)


def test_test_queues_for_the_daemon(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.choose("text:.claude/rules/plain.md")
        await driver.press("t")
        await driver.notified("queued plain")
        await driver.until(lambda: any(key.startswith("job:") for key in driver.listed()))

    play(sample, script)
    with Store.open(sample.database) as store:
        (job,) = store.jobs.all()
    assert (job.budget_usd, str(job.status)) == (None, "queued")


def test_an_agent_that_costs_money_needs_a_budget(sample: SampleRepository) -> None:
    (sample.home / "config.toml").write_text("")

    async def script(driver: AppDriver) -> None:
        await driver.choose("text:.claude/rules/plain.md")
        await driver.press("t")
        await driver.until(lambda: isinstance(driver.app.screen, BudgetDialog))
        await driver.press("escape")
        await driver.press("t")
        await driver.until(lambda: isinstance(driver.app.screen, BudgetDialog))
        await driver.press("1", ".", "5", "enter")
        await driver.notified("queued plain")

    play(sample, script)
    with Store.open(sample.database) as store:
        assert [job.budget_usd for job in store.jobs.all()] == [1.5]


def test_filter_help_and_views(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.choose("inbox:cand-use-clock")
        await driver.press("slash", *"nam", "enter")
        await driver.until(lambda: set(driver.listed()) == {
            "inbox:cand-naming", "text:.claude/rules/naming.md"})  # fmt: skip
        await driver.press("question_mark")
        assert isinstance(driver.app.screen, HelpDialog)
        await driver.press("escape")
        for view in ("evidence", "plot", "change"):
            await driver.press("d")
            assert driver.app.views.tabs.active == view

    play(sample, script)


def test_a_filter_typed_fast_is_never_a_deed(sample: SampleRepository) -> None:
    """Keys that are all there at once, as over a slow line: every letter of them is a key."""

    async def script(driver: AppDriver) -> None:
        await driver.choose("inbox:cand-naming")
        for key, character in (
            ("slash", "/"),
            *((letter, letter) for letter in "aburpt"),
            ("slash", "/"),
        ):
            driver.app.post_message(events.Key(key, character))
        await driver.until(lambda: driver.app.filter_field.value == "aburpt/")
        await driver.until(lambda: not driver.listed())  # Drawn after the field has its letters.
        assert not driver.app.undoable
        assert len(driver.app.screen_stack) == 1
        await driver.press("escape")
        await driver.until(lambda: len(driver.listed()) > 2)
        assert driver.app.focused is driver.app.listing

    play(sample, script)


def test_a_running_experiment_is_followed(sample: SampleRepository) -> None:
    fresh = sample.candidate("fresh", ChangeKind.ADD)
    sample.running(fresh, [(False, True)])
    with Store.open(sample.database) as store:
        store.jobs.add(str(sample.root), fresh.id, None, "2026-01-02")
        store.jobs.claim("daemon", "2026-01-02")

    def points(driver: AppDriver) -> int:
        shown = driver.app.shown
        if shown is None or shown.chart is None or not shown.key.startswith("job:"):
            return 0
        return len(shown.chart.points)

    async def script(driver: AppDriver) -> None:
        await driver.choose("job:1")
        await driver.until(lambda: points(driver) == 1)
        sample.running(fresh, [(False, True), (False, False)], after=1)
        await driver.until(lambda: points(driver) == 3)

    play(sample, script)


def test_what_others_change_shows_within_half_a_second(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.choose("inbox:cand-fresh")
        with open_context(sample.root) as context:
            bury(context, "cand-fresh")
        await driver.until(lambda: "inbox:cand-fresh" not in driver.listed(), 5.0)
        sample.rule("plain").unlink()
        await driver.until(lambda: "text:.claude/rules/plain.md" not in driver.listed(), 5.0)

    play(sample, script)


@pytest.mark.parametrize(
    ("chosen", "key", "words"),
    [
        ("inbox:cand-fresh", "a", "Not measured yet"),
        ("text:.claude/rules/errors.md", "a", "Only inbox entries"),
        ("text:.claude/rules/errors.md", "b", "Only inbox entries"),
        ("inbox:cand-fresh", "p", "Choose a text"),
        ("inbox:cand-fresh", "u", "Nothing to undo"),
    ],
)
def test_keys_that_do_not_apply_say_so(
    sample: SampleRepository, chosen: str, key: str, words: str
) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.choose(chosen)
        await driver.press(key)
        await driver.notified(words)

    play(sample, script)


def test_a_file_that_was_edited_meanwhile_is_one_line(sample: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.choose("inbox:cand-use-clock")
        sample.rule("use-clock").write_text("Mine.\n")
        await driver.press("a")
        await driver.notified("already exists with other text")
        assert sample.rule("use-clock").read_text() == "Mine.\n"

    play(sample, script)


def test_an_empty_database_says_what_to_type(empty: SampleRepository) -> None:
    async def script(driver: AppDriver) -> None:
        await driver.until(lambda: driver.app.empty.display)
        empty.candidate("fresh", ChangeKind.ADD)
        await driver.until(lambda: "inbox:cand-fresh" in driver.listed())
        assert not driver.app.empty.display

    play(empty, script)


def test_outside_of_a_repository_it_says_so(empty: SampleRepository) -> None:
    with pytest.raises(UsageError, match="not a git repository"):
        CortexApp(empty.root.parent)


def test_ten_thousand_rows(sample: SampleRepository) -> None:
    import time

    made = sample.candidate("many", ChangeKind.ADD)
    with Store.open(sample.database) as store, store.transaction():
        from dataclasses import replace

        for number in range(10_000):
            store.candidates.put(str(sample.root), replace(made, id=f"cand-many-{number}"))
    clock = time.perf_counter()

    async def script(driver: AppDriver) -> None:
        await driver.until(lambda: len(driver.listed()) >= 300)

    play(sample, script)
    assert time.perf_counter() - clock < 10
