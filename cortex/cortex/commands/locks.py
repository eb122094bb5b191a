"""What a stored lock says: the policy and the tasks that an experiment is judged by."""

from collections.abc import Mapping
from typing import Any

from cortex.errors import UsageError
from cortex.judgement import Policy, TaskSpec


def policy_in(lock: Mapping[str, Any]) -> Policy:
    """Return the policy of a lock, with the level of a keep where a verdict has stored one.

    Raises UsageError when the lock cannot be read.
    """
    level = lock.get("lifetime")
    try:
        return Policy(**lock["policy"], keep_alpha=level["alpha"] if level else None)
    except (KeyError, TypeError) as error:
        raise UsageError(f"its lock cannot be read: {error}") from None


def specs_in(lock: Mapping[str, Any]) -> tuple[TaskSpec, ...]:
    """Return the tasks of a lock; UsageError when it cannot be read."""
    try:
        return tuple(TaskSpec(**spec) for spec in lock["specs"])
    except (KeyError, TypeError) as error:
        raise UsageError(f"its lock cannot be read: {error}") from None


def needed_in(lock: Mapping[str, Any]) -> float:
    """Return the E+ that a keep or retain needed, even of a lock that cannot be read: 20 then."""
    try:
        policy = policy_in(lock)
    except UsageError:
        return 1 / Policy().alpha
    return 1 / (policy.keep_alpha or policy.alpha)
