"""Replay: runs agents on tasks in isolated workspaces and reports finished trials."""
