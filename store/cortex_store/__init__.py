"""Store: everything that Cortex remembers, in one SQLite database per user."""
