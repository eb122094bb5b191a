"""Wrong use gives one clear line and an exit code, and loses nothing."""

import os
from pathlib import Path

import pytest
from tests.integration.commands.conftest import Shell, init


def test_outside_of_a_git_repository(tmp_path: Path) -> None:
    shell = Shell(tmp_path, tmp_path / "home")
    for command in (("evolve",), ("prune",), ("restore",), ("propose",)):
        assert shell.refuses(*command).startswith("2 cortex: not a git repository")


def test_an_unknown_command_or_option(empty: Shell) -> None:
    assert "2 cortex: No such command 'evovle'" in empty.refuses("evovle")
    assert "2 cortex: No such option" in empty.refuses("status", "--jsno")


def test_without_a_command_the_help_is_shown(empty: Shell) -> None:
    done = empty.run()
    assert done.returncode == 2
    assert "Usage: cortex" in done.stdout
    assert "prune " in done.stdout


def test_a_transcript_that_cannot_be_read(empty: Shell, tmp_path: Path) -> None:
    assert "none.jsonl" in empty.refuses("ingest", str(tmp_path / "none.jsonl"))


def test_no_transcripts_at_all(empty: Shell) -> None:
    (empty.home).mkdir()
    (empty.home / "config.toml").write_text('transcripts = ["/nowhere/at/all"]\n', "utf-8")
    assert "/nowhere/at/all" in empty.refuses("ingest")


def test_a_corrupt_database_is_named_and_kept(empty: Shell) -> None:
    empty.home.mkdir()
    database = empty.home / "cortex.db"
    database.write_bytes(b"this is no database" * 300)
    message = empty.refuses("status")
    assert message.startswith("3 cortex: ")
    assert "damaged" in message
    assert database.read_bytes() == b"this is no database" * 300


@pytest.mark.parametrize(
    "arguments",
    [
        ("gate", "cand-none"),
        ("accept", "cand-none"),
        ("restore", "none-12345678"),
        ("verdicts", "show", "verdict-none"),
        ("tasks", "show", "task-none"),
        ("tasks", "check", "task-none"),
        ("tasks", "dismiss", "task-none"),
        ("propose", "--theme", "theme-none"),
        ("prune", "no-such-rule"),
    ],
)
def test_unknown_ids(empty: Shell, arguments: tuple[str, ...]) -> None:
    message = empty.refuses(*arguments)
    assert message.startswith("2 cortex: ")
    assert arguments[-1] in message


def test_a_broken_configuration(empty: Shell) -> None:
    empty.home.mkdir()
    config = empty.home / "config.toml"
    config.write_text("[gate]\nalpha = 2\n", "utf-8")
    assert "gate.alpha" in empty.refuses("status")
    config.write_text("[gate\n", "utf-8")
    assert "config.toml" in empty.refuses("status")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ("[budget]\nper_day_usd = 9\n", "[budget]"),
        ('[agent]\ncommand = "x"\n', "[agent]"),
        ('[writer]\nname = "anthropic"\n', "[writer]"),
        ("[gate]\nalpha = 0.49\n", "[gate]"),
        ("[trials]\nconcurrency = 64\n", "[trials]"),
        ("[daemon]\npoll = true\n", "[daemon]"),
        ('transcripts = ["/"]\n', "transcripts"),
        ("[unheard-of]\n", "[unheard-of]"),
        ("agent.command = 'x'\n", "[agent]"),
    ],
)
def test_a_repository_must_not_decide_what_is_read_run_and_spent(
    empty: Shell, settings: str, named: str
) -> None:
    (empty.cwd / ".cortex").mkdir()
    (empty.cwd / ".cortex" / "config.toml").write_text(settings, "utf-8")
    for command in ("status", "ingest", "propose"):
        assert f"{named} may only be set in your own" in empty.refuses(command)


def test_a_repository_may_set_what_its_hook_does(empty: Shell) -> None:
    (empty.cwd / ".cortex").mkdir()
    (empty.cwd / ".cortex" / "config.toml").write_text('[hook]\nunused = "ignore"\n', "utf-8")
    assert "repository" in empty.run("status").stdout


def test_a_configuration_that_is_too_deep(empty: Shell) -> None:
    (empty.cwd / ".cortex").mkdir()
    (empty.cwd / ".cortex" / "config.toml").write_text("x = " + "[" * 5000, "utf-8")
    assert "cannot be read as TOML" in empty.refuses("status")


def test_a_configuration_that_is_no_file(empty: Shell) -> None:
    (empty.cwd / ".cortex").mkdir()
    config = empty.cwd / ".cortex" / "config.toml"
    os.mkfifo(config)
    assert "is not a configuration file" in empty.refuses("status")
    config.unlink()
    config.symlink_to("/dev/zero")
    assert "is not a configuration file" in empty.refuses("status")


def test_an_error_steers_no_terminal(tmp_path: Path) -> None:
    shell = Shell(init(tmp_path / "a\x1b[2J\u202eb"), tmp_path / "home")
    (shell.cwd / ".cortex").mkdir()
    (shell.cwd / ".cortex" / "config.toml").write_text("x = [", "utf-8")
    message = shell.refuses("status")
    assert not {"\x1b", "\u202e"} & set(message)
    assert "\\x1b[2J\\u202e" in message
    assert "\x1b" not in shell.refuses("bury", "\x1b[2J")


def test_the_agent_is_missing(shop: Shell, proposed: str) -> None:
    (shop.home / "config.toml").write_text('[agent]\ncommand = "no-such-claude"\n', "utf-8")
    message = shop.refuses("gate", proposed, "--budget", "5")
    assert message.startswith("3 cortex: Claude Code CLI not found (no-such-claude)")


@pytest.mark.parametrize("amount", ["0", "-1", "nan"])
def test_a_budget_that_buys_nothing(shop: Shell, amount: str) -> None:
    assert "must be greater than 0" in shop.refuses("evolve", "--budget", amount)


def test_a_paid_agent_without_a_budget(shop: Shell, proposed: str, tmp_path: Path) -> None:
    fake = tmp_path / "claude"
    fake.write_text("#!/bin/sh\necho '2.1.197 (Claude Code)'\n", "utf-8")
    fake.chmod(0o755)
    (shop.home / "config.toml").write_text(f'[agent]\ncommand = "{fake}"\n', "utf-8")
    assert "cost money: say how much this call may spend with --budget" in shop.refuses(
        "gate", proposed
    )


def test_a_harness_that_cannot_be_written_changes_nothing(shop: Shell) -> None:
    rules = shop.cwd / ".claude" / "rules"
    moved = shop.cwd / "moved"
    rules.rename(moved)
    rules.write_text("in the way\n", "utf-8")
    message = shop.refuses("evolve")
    assert str(rules) in message
    assert rules.read_text("utf-8") == "in the way\n"
    assert sorted(path.name for path in moved.iterdir()) == [
        "api-errors.md",
        "naming.md",
        "storefront.md",
    ]


def test_a_demo_does_not_write_into_a_used_folder(empty: Shell) -> None:
    assert "is not empty" in empty.refuses("demo", "--keep", str(empty.cwd))
