"""Asking whether agents of trials may run where no sandbox confines them."""

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from cortex.commands.context import Context


def settle_confinement(context: "Context", as_json: bool = False) -> None:
    """Make sure that agents of trials are confined, or that the person accepts that they are not.

    Asks once per repository, on a terminal only. Raises UsageError when the answer is no or nobody
    can be asked, before anything is spent.
    """
    from cortex.commands import trust
    from cortex.presenting.formats import sentence
    from cortex_replay.agents import make_agent
    from cortex_replay.confinement import REACH

    agent = make_agent(context.config.agent)
    if trust.needs_consent(context, agent) and not as_json and sys.stdin.isatty():
        question = f"{sentence(REACH)}\nLet agents run like that in {context.root}?"
        if click.confirm(question, err=True):
            trust.accept_trials(context)
    trust.ensure_confined(context, agent)
