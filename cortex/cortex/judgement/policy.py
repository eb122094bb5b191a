"""What a candidate does to the harness."""

from enum import StrEnum


class Direction(StrEnum):
    """What the candidate does to the harness.

    For adding and removing, `with` means with the artifact. Rescoping and merging replace text by
    other text: `without` is the harness before, `with` after, and either text counts as loaded.
    """

    ADD = "add"
    REMOVE = "remove"
    RESCOPE = "rescope"
    MERGE = "merge"

    @property
    def exchanges(self) -> bool:
        """Whether text is replaced: a keep then needs non-inferiority, not improvement."""
        return self in (Direction.RESCOPE, Direction.MERGE)
