"""Draw the terminal pictures of the README: the demo, the terminal UI, the git hook.

.venv/bin/python docs/picture.py
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

IMAGES = Path(__file__).parent / "images"
COLUMNS = 96


def main() -> None:
    """Run the demo and draw what each surface shows of it."""
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "world"
        output = cortex("demo", "--seed", "1", "--keep", str(world))
        save("demo", drawn("make demo", output.replace(str(world), "/tmp/cortex-demo")))
        os.environ["CORTEX_HOME"] = str(world / "cortex-home")
        os.chdir(world / "shop")
        undo_two_verdicts()
        save("tui", asyncio.run(terminal()))
        for command in (["add", "-A"], ["commit", "-q", "-m", "Rules"]):
            subprocess.run(["git", *IDENTITY, *command], check=True, capture_output=True)
        cortex("hook", "install")
        commit = subprocess.run(
            ["git", *IDENTITY, "commit", "--allow-empty", "-m", "Add a discount"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        message = commit.stderr.replace(", CORTEX_SKIP", ",\n  CORTEX_SKIP").strip()
        save("hook", drawn("git commit -m 'Add a discount'", f"{message}\n{commit.stdout.strip()}"))


IDENTITY = ("-c", "user.name=Sam", "-c", "user.email=sam@shop.example")


def cortex(*arguments: str) -> str:
    """Return what a command prints, in colour."""
    env = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS)}
    command = [sys.executable, "-P", "-m", "cortex.cli.main", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    return result.stdout.rstrip()


def undo_two_verdicts() -> None:
    """Undo a keep and a prune of the demo, so that the inbox is not empty."""
    from cortex.artifacts import graveyard
    from cortex.commands import changes
    from cortex.commands.context import open_context
    from cortex.model.artifacts import CandidateStatus

    with open_context(Path.cwd()) as context:
        candidates, root = context.store.candidates, str(context.root)
        kept = candidates.all(root, CandidateStatus.KEPT)[-1]
        changes.undo(
            context, changes.AppliedChange("added", kept.id, kept.status, added=kept.artifact)
        )
        (pruned,) = candidates.all(root, CandidateStatus.PRUNED)
        graves = [grave for grave in graveyard.entries(context.root) if grave.name == "naming"]
        changes.undo(
            context,
            changes.AppliedChange("removed", pruned.id, pruned.status, grave=graves[0].id),
        )


async def terminal() -> str:
    """Return the terminal UI with the inbox and its evidence."""
    from cortex_tui.app import CortexApp

    app = CortexApp(Path.cwd())
    async with app.run_test(size=(110, 30)) as pilot:
        for _ in range(200):
            await pilot.pause(0.05)
            if app.shown is not None:
                break
        await pilot.press("d")
        await pilot.pause(0.5)
        return app.export_screenshot(title="cortex tui")


def drawn(command: str, output: str) -> str:
    """Return a terminal with a command and its output."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True)
        console.print(f"[bold]$ {command}[/bold]")
        console.print(Text.from_ansi(output))
        return console.export_svg(title=command)


def save(name: str, drawing: str) -> None:
    """Write a picture without web fonts, which a viewer would have to download."""
    IMAGES.mkdir(exist_ok=True)
    text = re.sub(r"@font-face \{.*?\}\s*", "", drawing, flags=re.DOTALL)
    (IMAGES / f"{name}.svg").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
