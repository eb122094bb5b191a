"""The three kinds of failure that a person can be told about.

A bug is any other exception and crashes with a traceback. A failing *subject* (an agent, a check)
is recorded data, never an exception.
"""


class CortexError(Exception):
    """Something the person can act on: one line, what is wrong and what to do next."""

    exit_code = 2


class UsageError(CortexError):
    """The call is wrong: an unknown id, a budget of 0, a path that cannot be read."""

    exit_code = 2


class MachineError(CortexError):
    """The machine is not ready: an agent CLI is missing, the database is damaged."""

    exit_code = 3
