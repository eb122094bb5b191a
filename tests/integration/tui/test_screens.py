"""How it looks: the same picture for the same rows."""

import shutil
import subprocess
import sys
import time
from typing import Any

import pytest
from tests.integration.tui.conftest import RULES, SampleRepository

from cortex_tui.app import CortexApp

SIZES = [(80, 24), (140, 40)]


class Settled(CortexApp):
    """Without the head line's folder, which differs from run to run."""

    def poll(self) -> None:
        """Read once, so that the picture does not depend on time."""
        if self.snapshot is None:
            super().poll()


async def ready(pilot: Any, *keys: str) -> None:
    app = pilot.app
    for _ in range(200):
        await pilot.pause(0.05)
        if app.snapshot is not None and app.shown is not None:
            break
    for key in keys:
        await pilot.press(key)
    await pilot.pause(0.3)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", ["change", "evidence", "plot"])
def test_views(
    sample: SampleRepository, snap_compare: Any, size: tuple[int, int], view: str
) -> None:
    presses = ("change", "evidence", "plot").index(view)

    async def before(pilot: Any) -> None:
        await ready(pilot, *["down", *["d"] * presses])

    assert snap_compare(Settled(sample.root), terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SIZES)
def test_empty(empty: SampleRepository, snap_compare: Any, size: tuple[int, int]) -> None:
    async def before(pilot: Any) -> None:
        for _ in range(200):
            await pilot.pause(0.05)
            if pilot.app.empty.display:
                return

    assert snap_compare(Settled(empty.root), terminal_size=size, run_before=before)


def test_accepting_in_a_real_terminal(sample: SampleRepository) -> None:
    """`cortex tui` in tmux: the proposal is on the screen, `a` writes the rule."""
    tmux = shutil.which("tmux")
    assert tmux, "install tmux"
    socket = f"cortex-{sample.root.parent.name}"

    def call(*arguments: str) -> str:
        done = subprocess.run(
            [tmux, "-L", socket, *arguments], capture_output=True, text=True, check=False
        )
        return done.stdout

    command = (
        f"cd {sample.root} && CORTEX_HOME={sample.home} {sys.executable} -m cortex.cli.main tui"
    )
    call("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", command)
    try:
        screen = wait_for(lambda: call("capture-pane", "-p"), "use-clock")
        assert "Inbox" in screen
        for key in ("/", "use-clock", "Enter"):
            call("send-keys", key)
            time.sleep(0.2)
        wait_for(lambda: call("capture-pane", "-p"), "use-clock.md")
        call("send-keys", "a")
        wait_for(lambda: call("capture-pane", "-p"), "added .claude/rules/use-clock.md")
        assert sample.rule("use-clock").read_text() == RULES["use-clock"]
        call("send-keys", "q")
        wait_for(lambda: "gone" if not call("list-sessions") else "", "gone")
    finally:
        call("kill-server")


def wait_for(look: Any, words: str, seconds: float = 20.0) -> str:
    end, seen = time.monotonic() + seconds, ""
    while time.monotonic() < end:
        seen = look()
        if words in seen:
            return str(seen)
        time.sleep(0.1)
    raise AssertionError(f"{words!r} did not come:\n{seen}")


def test_without_a_terminal_it_says_so(sample: SampleRepository) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cortex.cli.main", "tui", "-C", str(sample.root)],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert "cortex inbox" in done.stderr
