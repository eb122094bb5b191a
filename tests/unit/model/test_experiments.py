"""A lock keeps the form in which experiments were stored, and so their identity."""

import json
from dataclasses import replace

import pytest

from cortex.digests import digest_value, short_id
from cortex.errors import UsageError
from cortex.model.experiments import (
    ExperimentLock,
    Level,
    Policy,
    TaskRole,
    TaskSpec,
    lock_record,
    read_lock,
)

STORED = (
    '{"agent": "scripted", "agent_version": "1", "cortex": "0.1.0", "model": null, "policy": '
    '{"alarm": 0.05, "alpha": 0.1, "beta": 0.2, "delta": 0.25, "guard_alpha": 0.12, '
    '"hopeless_after": 12, "max_pairs": 160, "max_pairs_per_old_task": 16, "max_pairs_per_task": '
    '24, "prune_task_alpha": 0.25, "prune_task_tau": 0.75, "task_alpha": 0.05, "task_tau": 0.7, '
    '"tau": 0.3333333333333333}, "specs": [{"can_load": true, "held_out": true, "id": "task-1", '
    '"role": "theme"}, {"can_load": false, "held_out": false, "id": "task-2", "role": "other"}], '
    '"tasks": {"task-1": "dddddddd", "task-2": "eeeeeeee"}, "with": "bbbbbbbb", "without": '
    '"aaaaaaaa"}'
)
"""As version 0.1.0 wrote it when locks were plain dictionaries."""
EXPERIMENT = "exp-a73049eb9c"
LOCK = ExperimentLock(
    specs=(
        TaskSpec("task-1", TaskRole.THEME, held_out=True),
        TaskSpec("task-2", TaskRole.OTHER, can_load=False),
    ),
    policy=Policy(alpha=0.1),
    tasks={"task-1": "d" * 8, "task-2": "e" * 8},
    without="a" * 8,
    with_="b" * 8,
    agent="scripted",
    agent_version="1",
    model=None,
    cortex="0.1.0",
)


def test_a_lock_is_written_byte_for_byte_as_before() -> None:
    assert json.dumps(lock_record(LOCK), sort_keys=True, ensure_ascii=True) == STORED
    assert short_id("exp", "cand-1", digest_value(lock_record(LOCK))) == EXPERIMENT


def test_a_lock_written_before_is_read() -> None:
    assert read_lock(json.loads(STORED)) == LOCK


def test_what_confined_an_agent_is_named_where_something_did() -> None:
    """An experiment of an earlier version, with nothing around its agent, keeps its identity."""
    lock = replace(LOCK, confined="bubblewrap")
    assert lock_record(lock) == json.loads(STORED) | {"confined": "bubblewrap"}
    assert read_lock(lock_record(lock)) == lock
    assert "confined" not in lock_record(LOCK)


def test_the_level_of_online_fdr_is_that_of_the_keep() -> None:
    level = Level(number=2, kept=0, bound=0.2, alpha=0.01)
    stored = json.loads(STORED)
    stored["lifetime"] = {"number": 2, "kept": 0, "bound": 0.2, "alpha": 0.01}
    lock = read_lock(stored)
    assert lock is not None
    assert lock == replace(LOCK, level=level)
    assert lock_record(lock) == stored
    assert (lock.judging_policy.needed, LOCK.judging_policy.needed) == (100, 10)


@pytest.mark.parametrize(
    "change",
    [
        {"specs": None},
        {"specs": [{"id": "task-1", "role": "hero"}]},
        {"specs": [{"id": "task-1"}]},
        {"policy": {"alpha": 0.1, "of_a_later_version": 1}},
        {"policy": {"alpha": 2}},
        {"policy": {"alpha": "high"}},
        {"lifetime": {"number": 2}},
        {"tasks": 3},
    ],
)
def test_a_lock_that_cannot_be_read_is_none(change: dict[str, object]) -> None:
    assert read_lock(json.loads(STORED) | change) is None


@pytest.mark.parametrize("record", [{}, None, [], "lock"])
def test_no_lock_is_none(record: object) -> None:
    assert read_lock(record) is None


def test_impossible_policies_are_refused() -> None:
    with pytest.raises(UsageError, match="pair limits"):
        Policy(max_pairs=0)
