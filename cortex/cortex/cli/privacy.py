"""`cortex privacy`."""

import click


@click.group()
def privacy() -> None:
    """Show what Cortex keeps, and what leaves this machine."""
