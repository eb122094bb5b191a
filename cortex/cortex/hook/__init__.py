"""The git pre-commit hook: takes text out whose verdict is prune, without a database.

It starts with every commit, so it imports the harness, the ledger and the graveyard only.
"""
