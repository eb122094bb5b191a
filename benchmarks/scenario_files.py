"""Scenarios as JSON: a list of objects with `name`, `direction` and `tasks`.

A task has `without`, `with` (pass rates), `role` and, if it does not always load the text, `load`.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.scenarios import Scenario, SimTask
from cortex.errors import UsageError
from cortex.judgement import Direction
from cortex.model.experiments import TaskRole

DIRECTIONS = tuple(map(str, Direction))
ROLES = tuple(map(str, TaskRole))


def read(path: Path) -> tuple[Scenario, ...]:
    """Read a scenario file; UsageError names the file, the scenario and the field."""
    try:
        raw = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: invalid JSON: {error}") from None
    try:
        return parse(raw)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def parse(raw: object) -> tuple[Scenario, ...]:
    """Return the scenarios of a decoded file; UsageError names the scenario and the field."""
    if not isinstance(raw, list):
        raise UsageError(f"must be a list of scenarios, not {_kind(raw)}")
    if not raw:
        raise UsageError("no scenarios")
    scenarios = tuple(_scenario(number, entry) for number, entry in enumerate(raw, 1))
    names = [scenario.name for scenario in scenarios]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"scenario {name!r}: duplicate name")
    return scenarios


def dump(scenarios: Sequence[Scenario]) -> str:
    """Return the text of a scenario file, a task on each line."""
    texts = []
    for scenario in scenarios:
        tasks = ",\n".join(
            "  "
            + json.dumps({"without": t.without, "with": t.with_, "role": t.role, "load": t.load})
            for t in scenario.tasks
        )
        head = f'"name": {json.dumps(scenario.name)}, "direction": "{scenario.direction}"'
        texts.append(f' {{{head}, "tasks": [\n{tasks}]}}')
    return "[\n" + ",\n".join(texts) + "\n]\n"


def _scenario(number: int, raw: object) -> Scenario:
    where = f"scenario {number}"
    fields = _fields(raw, where)
    name = _need(fields, "name", where)
    if not isinstance(name, str) or not name.strip():
        raise UsageError(f"{where}: name: must be a text, not {name!r}")
    where = f"scenario {name!r}"
    direction = _one_of(_need(fields, "direction", where), DIRECTIONS, f"{where}: direction")
    tasks = _need(fields, "tasks", where)
    if not isinstance(tasks, list):
        raise UsageError(f"{where}: tasks: must be a list, not {_kind(tasks)}")
    if not tasks:
        raise UsageError(f"{where}: tasks: must not be empty")
    read_tasks = tuple(_task(task, f"{where}: task {n}") for n, task in enumerate(tasks, 1))
    return Scenario(name, Direction(direction), read_tasks)


def _task(raw: object, where: str) -> SimTask:
    fields = _fields(raw, where)
    without = _rate(_need(fields, "without", where), f"{where}: without")
    with_ = _rate(_need(fields, "with", where), f"{where}: with")
    role = _one_of(_need(fields, "role", where), ROLES, f"{where}: role")
    return SimTask(without, with_, TaskRole(role), _rate(fields.get("load", 1.0), f"{where}: load"))


def _fields(raw: object, where: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise UsageError(f"{where}: must be an object, not {_kind(raw)}")
    return raw


def _need(fields: dict[str, Any], name: str, where: str) -> Any:
    if name not in fields:
        raise UsageError(f"{where}: {name}: missing")
    return fields[name]


def _one_of(value: object, allowed: tuple[str, ...], where: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise UsageError(f"{where}: must be one of {', '.join(allowed)}, not {value!r}")
    return value


def _rate(value: object, where: str) -> float:
    """Return a valid rate; NaN compares false with everything, so it is rejected too."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UsageError(f"{where}: must be a number from 0 to 1, not {value!r}")
    return float(value)


def _kind(raw: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(raw), "null" if raw is None else "a number")
