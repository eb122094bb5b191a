"""Which transcripts changed: native events, or polling where those are not to be had."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
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
        """Note one path."""
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


def watch(roots: Sequence[Path], changes: Changes, *, poll: bool) -> tuple[BaseObserver, bool]:
    """Start to watch folders; return the observer and whether it polls."""
    if not poll:
        native = Observer()
        try:
            for root in roots:
                native.schedule(changes, str(root), recursive=True)
            native.start()
        except OSError:
            native.unschedule_all()
        else:
            return native, False
    polling = PollingObserver(timeout=POLL_S)
    for root in roots:
        polling.schedule(changes, str(root), recursive=True)
    polling.start()
    return polling, True
