"""Growing transcripts: read, mined, made into tasks. An unreadable one never blocks the others."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from cortex import crash
from cortex.commands.building import build_pending
from cortex.commands.context import Context
from cortex.commands.ingest import ingest
from cortex.commands.quarantine import Failure, Quarantine
from cortex.errors import CortexError, UsageError
from cortex.transcripts import locate

PORTION_BYTES = 4 << 20
"""Read between two checks whether to continue: some tenths of a second."""

Mark = tuple[int, int, int]
"""Size of a file in bytes, and its mtime and ctime in nanoseconds."""


class Reading:
    """Reads transcripts into the store, and knows which are up to date."""

    def __init__(
        self, context: Context, log: Callable[[str], None], should_continue: Callable[[], bool]
    ) -> None:
        """Read into `context` while `should_continue`, which is asked between portions."""
        self._context, self._log, self._should_continue = context, log, should_continue
        self._known: dict[Path, Mark] = {}

    def read(self, paths: Iterable[Path]) -> None:
        """Read files that changed."""
        marked = ((path, _mark(path)) for path in paths)
        for portion in _portions({path: mark for path, mark in marked if mark}):
            if not self._should_continue():
                return
            self._take(portion)

    def sweep(self) -> None:
        """Read what no event reported, and finish what a dead daemon left unfinished."""
        files = {path: _mark(path) for path in locate.find(self.folders())}
        self._known = {path: mark for path, mark in self._known.items() if files.get(path) == mark}
        self.read(path for path in files if path not in self._known)
        if not self._should_continue():
            return
        quarantine = Quarantine(self._context)
        try:
            built = build_pending(self._context, quarantine)
        except CortexError as error:
            self._log(f"sweep: {error}")
            return
        for failure in quarantine.failures:
            self._report(failure)
        if built:
            self._log(f"{len(built)} tasks of earlier corrections")

    def folders(self) -> tuple[Path, ...]:
        """Return the folders to watch that exist: the configured ones, else the agents' own."""
        configured = [Path(folder).expanduser() for folder in self._context.config.transcripts]
        roots = [folder for folder in configured or locate.default_roots() if folder.is_dir()]
        linked = (target for root in roots for target in locate.linked_folders(root))
        return tuple(dict.fromkeys((*roots, *linked)))

    def _take(self, files: Mapping[Path, Mark]) -> None:
        try:
            result = ingest(self._context, list(files), on_failure=self._report)
        except UsageError as error:
            if len(files) > 1:
                for path, mark in files.items():
                    self._take({path: mark})
                return
            self._log(str(error))
        except CortexError as error:
            self._log(f"{error}; the next sweep tries again")
            return
        else:
            for problem in result.unreadable:
                self._log(problem)
            if result.corrections:
                summary = f"{len(result.corrections)} corrections, {len(result.tasks)} tasks"
                self._log(f"{', '.join(path.name for path in files)}: {summary}")
        self._known.update(files)

    def _report(self, failure: Failure) -> None:
        self._log(f"{failure.subject}: {crash.report(failure.error, ('daemon',))}")


def _portions(files: Mapping[Path, Mark]) -> Iterator[dict[Path, Mark]]:
    portion: dict[Path, Mark] = {}
    size = 0
    for path, mark in files.items():
        portion[path] = mark
        size += mark[0]
        if size > PORTION_BYTES:
            yield portion
            portion, size = {}, 0
    if portion:
        yield portion


def _mark(path: Path) -> Mark | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns, info.st_ctime_ns
