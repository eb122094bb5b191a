"""Where a URI of a client leads on this machine."""

from pathlib import Path

from pygls.uris import to_fs_path


def local_path(uri: str) -> Path | None:
    """Return the absolute path of a `file:` URI; None for every other URI, and for odd paths."""
    try:
        path = to_fs_path(uri)
    except ValueError:
        return None
    if not path or not path.startswith("/") or path.startswith("//") or "\0" in path:
        return None
    return Path(path)


def is_folder(path: Path) -> bool:
    """Whether the path leads to a folder; False where the system cannot tell."""
    try:
        return path.is_dir()
    except OSError:
        return False
