"""Store: everything that Cortex remembers, in one SQLite database per user.

The only package that knows SQL. Reading and writing go through `Store`; records are the frozen
values of `cortex.model`.
"""

from cortex_store.database import Store

__all__ = ["Store"]
