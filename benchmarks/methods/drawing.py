"""Outcomes of simulated pairs."""

import random

from benchmarks.scenarios import Scenario, SimTask
from cortex.model.experiments import TaskRole

DrawnPair = tuple[bool, bool, bool]
"""Passed without, passed with, loaded."""


def draw_pair(task: SimTask, draw: random.Random) -> DrawnPair:
    """Draw a pair; a trial that does not load the text behaves as in the arm without it."""
    loaded = draw.random() < task.load
    rate = task.with_ if loaded else task.without
    return draw.random() < task.without, draw.random() < rate, loaded


def can_load(scenario: Scenario) -> list[SimTask]:
    """Return the tasks that may load the text."""
    return [task for task in scenario.tasks if task.load > 0]


def target(scenario: Scenario) -> list[SimTask]:
    """Return the tasks on which the text has to help: the theme's, else all that load it."""
    loading = can_load(scenario)
    return [task for task in loading if task.role is TaskRole.THEME] or loading
