"""Colours of words, in the names that Rich and Textual share. Editors map rulings to icons."""

STYLES = {
    "keep": "bold green",
    "retain": "green",
    "bury": "red",
    "prune": "magenta",
    "prunable": "magenta",
    "unused": "dim",
    "undecided": "yellow",
    "stale": "yellow",
    "not measured": "dim",
    "running": "cyan",
    "queued": "dim",
    "admitted": "green",
    "quarantined": "yellow",
    "skipped": "yellow",
    "dismissed": "dim",
    "proposed": "cyan",
    "kept": "green",
    "buried": "red",
    "pruned": "magenta",
    "retained": "green",
    "refused": "red",
    "condemned": "red",
    "cleared": "green",
}
"""Words of verdicts, candidates, tasks, jobs and states of harm."""


def style(word: object) -> str:
    """Return the style of a word; empty for a word without one."""
    return STYLES.get(str(word), "")
