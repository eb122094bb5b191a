"""Paths as a person reads them."""

import posixpath


def relative(path: str, folder: str) -> str:
    """Return an absolute `path` relative to `folder` when it is inside it, else as it is."""
    inside = folder and posixpath.normpath(path).startswith(posixpath.join(folder, ""))
    return posixpath.relpath(path, folder) if inside else path
