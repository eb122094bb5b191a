"""What a candidate does to the harness."""

from enum import StrEnum


class Direction(StrEnum):
    """What the candidate does to the harness.

    Adding and removing: `with` means with the artifact. Rescoping and merging exchange text for
    other text: `without` is the harness before, `with` after, and loading is that of either text.
    """

    ADD = "add"
    REMOVE = "remove"
    RESCOPE = "rescope"
    MERGE = "merge"

    @property
    def exchanges(self) -> bool:
        """Whether text is replaced, so that nothing has to get better, only nothing worse."""
        return self in (Direction.RESCOPE, Direction.MERGE)
