"""Harness text of a repository: listing, parsing, loading conditions, edits, archive.

Everything but `disk`, `graveyard` and `ledger` is pure. No module here imports pydantic, and YAML
only comes in for frontmatter that needs it, because the scripted agent starts once per trial.
"""
