"""Every key does what it says, and can be taken back."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.integration.tui.conftest import RULES, Desk
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

Script = Callable[["Hand"], Awaitable[None]]


class Hand:
    """A person at the keyboard."""

    def __init__(self, pilot: Pilot[Any], app: CortexApp) -> None:
        self.pilot, self.app = pilot, app

    async def until(self, what: Callable[[], bool], seconds: float = 10.0) -> None:
        for _ in range(int(seconds / 0.05)):
            await self.pilot.pause(0.05)
            if what():
                return
        raise AssertionError(f"not within {seconds} s: {[one.message for one in self.notes()]}")

    async def choose(self, key: str) -> None:
        items = self.app.listing
        await self.until(lambda: key in [one.id for one in items.options])
        items.highlighted = items.get_option_index(key)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def told(self, words: str) -> None:
        await self.until(lambda: any(words in str(one.message) for one in self.notes()))

    def notes(self) -> list[Any]:
        return list(self.app._notifications)

    def listed(self) -> list[str]:
        return [one.id for one in self.app.listing.options if one.id]


def play(desk: Desk, script: Script, size: tuple[int, int] = (100, 30)) -> None:
    async def run() -> None:
        app = CortexApp(desk.root)
        async with app.run_test(size=size) as pilot:
            await script(Hand(pilot, app))

    asyncio.run(run())


def test_accept_and_undo(desk: Desk) -> None:
    async def script(hand: Hand) -> None:
        await hand.choose("inbox:cand-use-clock")
        await hand.press("a")
        await hand.until(desk.rule("use-clock").exists)
        assert desk.rule("use-clock").read_text() == RULES["use-clock"]
        await hand.until(lambda: "inbox:cand-use-clock" not in hand.listed())
        await hand.press("u")
        await hand.until(lambda: not desk.rule("use-clock").exists())
        await hand.until(lambda: "inbox:cand-use-clock" in hand.listed())

    play(desk, script)


def test_bury_and_undo(desk: Desk) -> None:
    async def script(hand: Hand) -> None:
        await hand.choose("inbox:cand-fresh")
        await hand.press("b")
        await hand.until(lambda: len(graveyard.entries(desk.root)) == 1)
        await hand.until(lambda: "inbox:cand-fresh" not in hand.listed())
        await hand.press("u")
        await hand.until(lambda: "inbox:cand-fresh" in hand.listed())

    play(desk, script)


def test_prune_asks_first_and_can_be_taken_back(desk: Desk) -> None:
    async def script(hand: Hand) -> None:
        await hand.choose("text:.claude/rules/naming.md")
        await hand.press("p", "n")
        await hand.pilot.pause(0.2)
        assert desk.rule("naming").exists()
        await hand.press("p", "y")
        await hand.until(lambda: not desk.rule("naming").exists())
        await hand.press("u")
        await hand.until(desk.rule("naming").exists)
        assert desk.rule("naming").read_text() == RULES["naming"]

    play(desk, script)


def test_restore_from_the_graveyard(desk: Desk) -> None:
    async def script(hand: Hand) -> None:
        await hand.choose("inbox:cand-naming")
        await hand.press("a", "y")
        await hand.until(lambda: not desk.rule("naming").exists())
        await hand.press("r")
        await hand.pilot.pause(0.2)
        await hand.press("enter")
        await hand.until(desk.rule("naming").exists)
        await hand.until(lambda: "text:.claude/rules/naming.md" in hand.listed())

    play(desk, script)


def test_test_queues_for_the_daemon(desk: Desk) -> None:
    async def script(hand: Hand) -> None:
        await hand.choose("text:.claude/rules/plain.md")
        await hand.press("t")
        await hand.told("queued plain")
        await hand.until(lambda: any(one.startswith("job:") for one in hand.listed()))

    play(desk, script)
    with Store.open(desk.database) as store:
        (job,) = store.jobs.all()
    assert (job.budget_usd, str(job.status)) == (None, "queued")


def test_an_agent_that_costs_money_needs_a_budget(desk: Desk) -> None:
    (desk.home / "config.toml").write_text("")

    async def script(hand: Hand) -> None:
        await hand.choose("text:.claude/rules/plain.md")
        await hand.press("t")
        await hand.until(lambda: isinstance(hand.app.screen, BudgetDialog))
        await hand.press("escape")
        await hand.press("t")
        await hand.until(lambda: isinstance(hand.app.screen, BudgetDialog))
        await hand.press("1", ".", "5", "enter")
        await hand.told("queued plain")

    play(desk, script)
    with Store.open(desk.database) as store:
        assert [one.budget_usd for one in store.jobs.all()] == [1.5]


def test_filter_help_and_views(desk: Desk) -> None:
    async def script(hand: Hand) -> None:
        await hand.choose("inbox:cand-use-clock")
        await hand.press("slash", *"nam", "enter")
        await hand.until(lambda: set(hand.listed()) == {
            "inbox:cand-naming", "text:.claude/rules/naming.md"})  # fmt: skip
        await hand.press("question_mark")
        assert isinstance(hand.app.screen, HelpDialog)
        await hand.press("escape")
        for view in ("evidence", "plot", "change"):
            await hand.press("d")
            assert hand.app.views.tabs.active == view

    play(desk, script)


def test_a_filter_typed_fast_is_never_a_deed(desk: Desk) -> None:
    """Keys that are all there at once, as over a slow line: every letter of them is a key."""

    async def script(hand: Hand) -> None:
        await hand.choose("inbox:cand-naming")
        for key, character in (("slash", "/"), *((one, one) for one in "aburpt"), ("slash", "/")):
            hand.app.post_message(events.Key(key, character))
        await hand.until(lambda: hand.app.filter_field.value == "aburpt/")
        assert not hand.app.undoable
        assert len(hand.app.screen_stack) == 1
        assert not hand.listed()
        await hand.press("escape")
        await hand.until(lambda: len(hand.listed()) > 2)
        assert hand.app.focused is hand.app.listing

    play(desk, script)


def test_a_running_experiment_is_followed(desk: Desk) -> None:
    fresh = desk.candidate("fresh", ChangeKind.ADD)
    desk.running(fresh, [(False, True)])
    with Store.open(desk.database) as store:
        store.jobs.add(str(desk.root), fresh.id, None, "2026-01-02")
        store.jobs.claim("daemon", "2026-01-02")

    def points(hand: Hand) -> int:
        shown = hand.app.shown
        return len(shown.path) if shown is not None and shown.key.startswith("job:") else 0

    async def script(hand: Hand) -> None:
        await hand.choose("job:1")
        await hand.until(lambda: points(hand) == 1)
        desk.running(fresh, [(False, True), (False, False)], after=1)
        await hand.until(lambda: points(hand) == 3)

    play(desk, script)


def test_what_others_change_shows_within_half_a_second(desk: Desk) -> None:
    async def script(hand: Hand) -> None:
        await hand.choose("inbox:cand-fresh")
        with open_context(desk.root) as context:
            bury(context, "cand-fresh")
        await hand.until(lambda: "inbox:cand-fresh" not in hand.listed(), 5.0)
        desk.rule("plain").unlink()
        await hand.until(lambda: "text:.claude/rules/plain.md" not in hand.listed(), 5.0)

    play(desk, script)


@pytest.mark.parametrize(
    ("chosen", "key", "words"),
    [
        ("inbox:cand-fresh", "a", "Not measured yet"),
        ("text:.claude/rules/errors.md", "a", "Only what waits"),
        ("text:.claude/rules/errors.md", "b", "Only what waits"),
        ("inbox:cand-fresh", "p", "Choose a text"),
        ("inbox:cand-fresh", "u", "Nothing to undo"),
    ],
)
def test_keys_that_do_not_apply_say_so(desk: Desk, chosen: str, key: str, words: str) -> None:
    async def script(hand: Hand) -> None:
        await hand.choose(chosen)
        await hand.press(key)
        await hand.told(words)

    play(desk, script)


def test_a_file_that_was_edited_meanwhile_is_one_line(desk: Desk) -> None:
    async def script(hand: Hand) -> None:
        await hand.choose("inbox:cand-use-clock")
        desk.rule("use-clock").write_text("Mine.\n")
        await hand.press("a")
        await hand.told("already exists with other text")
        assert desk.rule("use-clock").read_text() == "Mine.\n"

    play(desk, script)


def test_an_empty_database_says_what_to_type(empty: Desk) -> None:
    async def script(hand: Hand) -> None:
        await hand.until(lambda: hand.app.empty.display)
        empty.candidate("fresh", ChangeKind.ADD)
        await hand.until(lambda: "inbox:cand-fresh" in hand.listed())
        assert not hand.app.empty.display

    play(empty, script)


def test_outside_of_a_repository_it_says_so(empty: Desk) -> None:
    with pytest.raises(UsageError, match="not a git repository"):
        CortexApp(empty.root.parent)


def test_ten_thousand_rows(desk: Desk) -> None:
    import time

    made = desk.candidate("many", ChangeKind.ADD)
    with Store.open(desk.database) as store, store.transaction():
        from dataclasses import replace

        for number in range(10_000):
            store.candidates.put(str(desk.root), replace(made, id=f"cand-many-{number}"))
    clock = time.perf_counter()

    async def script(hand: Hand) -> None:
        await hand.until(lambda: len(hand.listed()) >= 300)

    play(desk, script)
    assert time.perf_counter() - clock < 10
