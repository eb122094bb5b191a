"""Folders of sessions without links: a repository is the same by whatever link it was entered."""

import os
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath

from cortex.model.sessions import Called, Event, Prompted


@lru_cache(maxsize=4096)
def real_folder(folder: str) -> str:
    """Return an absolute folder without links; a folder that is gone, or relative, as it is."""
    return os.path.realpath(folder) if os.path.isabs(folder) else folder  # noqa: PTH117


def with_real_paths(event: Event) -> Event:
    """Return the event with the links in the folders of its paths resolved.

    A file that is a link itself keeps its name: that is what the agent edited.
    """
    if isinstance(event, Prompted):
        return replace(event, cwd=real_folder(event.cwd))
    if isinstance(event, Called) and event.path:
        path = PurePosixPath(event.path)
        return replace(event, path=str(PurePosixPath(real_folder(str(path.parent))) / path.name))
    return event
