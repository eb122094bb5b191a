"""Which transcripts changed: native events, or polling where those are not to be had."""

import threading
import time
from collections.abc import Sequence, Set
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.observers.polling import PollingObserver

POLL_S = 2.0


class Changes(FileSystemEventHandler):
    """Collects the paths of transcripts that changed."""

    def __init__(self) -> None:
        self._paths: set[Path] = set()
        self._lock = threading.Lock()
        self.arrived = threading.Event()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Note a transcript that was written, made or moved."""
        if event.is_directory or event.event_type in ("opened", "closed_no_write", "deleted"):
            return
        for raw in (event.src_path, event.dest_path):
            name = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
            if name.endswith(".jsonl"):
                self.add(Path(name))

    def add(self, path: Path) -> None:
        """Note a path."""
        with self._lock:
            self._paths.add(path)
        self.arrived.set()

    def take(self, settle_s: float) -> list[Path]:
        """Return what changed, after a short while in which more of the same may come."""
        if not self.arrived.is_set():
            return []
        time.sleep(settle_s)
        with self._lock:
            paths, self._paths = sorted(self._paths), set()
            self.arrived.clear()
        return paths


class Watcher:
    """Follows folders, also such as come, go or are replaced while it does."""

    def __init__(self, changes: Changes, *, poll: bool) -> None:
        """Note in `changes` what happens; `poll` asks for polling from the start."""
        self.changes = changes
        self._watches: dict[tuple[Path, int], ObservedWatch] = {}
        self.polls = poll
        self.observer = self._started()

    @property
    def watched(self) -> tuple[str, ...]:
        """The folders that are followed now."""
        return tuple(sorted(str(root) for root, _ in self._watches))

    def follow(self, roots: Sequence[Path]) -> bool:
        """Watch these folders and no others; return whether that is a change.

        Native events that are not to be had (no inotify watch left) are replaced by polling. A
        folder that cannot be watched, or is gone again, is left to the next call.
        """
        wanted = {(root, number) for root in roots if (number := _number(root)) is not None}
        if wanted == self._watches.keys():
            return False
        before = set(self._watches)
        try:
            self._adapt(wanted)
        except FileNotFoundError:
            pass
        except OSError:
            if not self.polls:
                self._poll_instead()
                with suppress(OSError):
                    self._adapt(wanted)
        return before != self._watches.keys()

    def stop(self) -> None:
        """End all threads."""
        self.observer.stop()

    def _adapt(self, wanted: Set[tuple[Path, int]]) -> None:
        for gone in self._watches.keys() - wanted:
            self.observer.unschedule(self._watches.pop(gone))
        for root, number in wanted - self._watches.keys():
            watch = self.observer.schedule(self.changes, str(root), recursive=True)
            self._watches[root, number] = watch

    def _poll_instead(self) -> None:
        self.stop()
        self.polls, self._watches = True, {}
        self.observer = self._started()

    def _started(self) -> BaseObserver:
        observer = PollingObserver(timeout=POLL_S) if self.polls else Observer()
        observer.start()
        return observer


def _number(folder: Path) -> int | None:
    """Return what tells a folder from one that replaced it; None when there is none."""
    try:
        info = folder.stat()
    except OSError:
        return None
    return info.st_ino if S_ISDIR(info.st_mode) else None
