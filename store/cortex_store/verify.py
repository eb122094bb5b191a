"""Proof that what is stored is what was written, and that verdicts follow from it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cortex.digests import digest_exact
from cortex.errors import MachineError
from cortex.model.verdicts import Verdict
from cortex_store.blobs import unpack
from cortex_store.database import Store


@dataclass(frozen=True, slots=True)
class Problem:
    """One row that is not what it should be."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def verify(store: Store, rejudge: Callable[[Verdict], str | None]) -> tuple[Problem, ...]:
    """Recompute every digest and every verdict.

    `rejudge` derives one verdict from its trials and says what differs, None when it holds.
    """
    return (*_integrity(store), *_references(store), *_blobs(store), *_verdicts(store, rejudge))


def _integrity(store: Store) -> Iterator[Problem]:
    for (report,) in store.execute("PRAGMA integrity_check"):
        if report != "ok":
            yield Problem("database", str(report))


def _references(store: Store) -> Iterator[Problem]:
    for table, row, parent, _ in store.execute("PRAGMA foreign_key_check"):
        yield Problem(f"{table} row {row}", f"its {parent} is gone")


def _blobs(store: Store) -> Iterator[Problem]:
    for digest, content in store.execute("SELECT digest, content FROM blobs"):
        try:
            intact = digest_exact(unpack(content, digest)) == digest
        except MachineError:
            intact = False
        if not intact:
            yield Problem(f"text {digest[:12]}", "its content does not have its digest")


def _verdicts(store: Store, rejudge: Callable[[Verdict], str | None]) -> Iterator[Problem]:
    for verdict in store.verdicts.all():
        difference = rejudge(verdict)
        if difference is not None:
            yield Problem(verdict.id, difference)
