from collections.abc import Callable

import pytest

from cortex.model.corrections import Correction, Signal, Theme
from cortex.model.tasks import ActionCheck, BaseTree, Task, TaskStatus
from cortex.proposing.briefs import Brief

TREE = ("Makefile", "README.md", "shop/cart.py", "shop/orders/api.py", "shop/orders/db.py")


def correction(number: int, words: str, signal: Signal = Signal.REJECTION) -> Correction:
    return Correction(
        id=f"corr-{number}",
        session_id=f"session-{number}",
        signal=signal,
        content=words,
        prompt_uuid="p",
        uuid=f"u-{number}",
        at="2026-03-01T10:00:00Z",
        cwd="/repo",
    )


def task(
    number: int,
    *,
    attempt: dict[str, str | None] | None = None,
    corrected: dict[str, str | None] | None = None,
    checks: tuple[ActionCheck, ...] = (),
    **more: object,
) -> Task:
    paths = tuple({**(attempt or {}), **(corrected or {})})
    fields: dict[str, object] = {
        "paths": paths,
        "status": TaskStatus.ADMITTED,
        "theme_id": "theme-1",
        "base": BaseTree("/repo", "c0ffee"),
        **more,
    }
    return Task(
        id=f"task-{number}",
        prompt="do it",
        checks=checks,
        attempt=attempt or {},
        corrected=corrected or {},
        **fields,  # type: ignore[arg-type]
    )


def brief(
    words: tuple[str, ...] = ("no, use clock.now() please",),
    *,
    removed: tuple[str, ...] = (),
    introduced: tuple[str, ...] = (),
    paths: tuple[str, ...] = (),
    tasks: tuple[Task, ...] = (),
    signal: Signal = Signal.REJECTION,
    title: str = "use the clock",
) -> Brief:
    corrections = tuple(correction(number, text, signal) for number, text in enumerate(words))
    theme = Theme(
        id="theme-1",
        title=title,
        correction_ids=tuple(stored.id for stored in corrections),
        session_ids=tuple(stored.session_id for stored in corrections),
        paths=paths,
        removed=removed,
        introduced=introduced,
    )
    return Brief(theme, corrections, tasks, tree=TREE)


@pytest.fixture
def make_brief() -> Callable[..., Brief]:
    return brief


@pytest.fixture
def make_task() -> Callable[..., Task]:
    return task


@pytest.fixture
def tree() -> tuple[str, ...]:
    return TREE
