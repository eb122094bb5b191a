"""Records to JSON text and back, without losing a character.

pydantic validates what is read. JSON in ASCII keeps lone surrogates and NUL, which SQLite's TEXT
cannot hold. Unknown fields, of a newer or an older version, are ignored.
"""

import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from cortex.model.artifacts import Artifact, ArtifactKind, Candidate, CandidateStatus, ChangeKind
from cortex.model.experiments import lock_record, read_lock
from cortex.model.tasks import Task
from cortex.model.verdicts import Verdict

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Record = TypeVar("Record")

_SURROGATE = "\\ud"
"""How `json.dumps` begins the escape of a surrogate: pydantic's JSON reader refuses lone ones."""


def dump(record: object) -> str:
    """Return a record as JSON in ASCII."""
    return dump_value(encode(record))


def dump_value(value: dict[str, Any]) -> str:
    """Return what `encode` returned as JSON in ASCII."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def load(kind: type[Record], text: str) -> Record:
    """Return the record that `dump` wrote."""
    if kind is Verdict or _SURROGATE in text:
        return decode(kind, json.loads(text))
    record: Record = _adapter(kind).validate_json(text)
    return record


def load_candidate(text: str) -> Candidate:
    """Return the candidate that `dump` wrote, without pydantic: `cortex inbox` is quick."""
    values = _fields_of(Candidate, json.loads(text))
    artifact = _fields_of(Artifact, values["artifact"])
    artifact["kind"] = ArtifactKind(artifact["kind"])
    values["artifact"] = Artifact(**artifact)
    values["change"] = ChangeKind(values["change"])
    values["status"] = CandidateStatus(values.get("status", CandidateStatus.PROPOSED))
    return Candidate(**values)


def _fields_of(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of fields that `kind` has, lists as tuples."""
    names = {field.name for field in fields(kind)}
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in values.items()
        if name in names
    }


def encode(record: object) -> dict[str, Any]:
    """Return a record as plain values; fields that have their default are left out.

    Not of tasks: their checks are told apart by a field that always has its default.
    """
    whole = isinstance(record, Task)
    adapter = _adapter(type(record))
    values: dict[str, Any] = adapter.dump_python(record, exclude_defaults=not whole)
    if isinstance(record, Verdict) and record.lock is not None:
        values["lock"] = lock_record(record.lock)
    return values


def decode(kind: type[Record], values: dict[str, Any]) -> Record:
    """Return the record of plain values."""
    if kind is Verdict:
        values = {**values, "lock": read_lock(values.get("lock"))}
    record: Record = _adapter(kind).validate_python(values)
    return record


_adapters: dict[type, "TypeAdapter[Any]"] = {}


def _adapter(kind: type) -> "TypeAdapter[Any]":
    """Return the reader and writer of a kind, made when it is needed first: that takes 50 ms for
    the first kind, with the import of pydantic's schemas, and 1 to 2 ms for each other one."""
    if kind not in _adapters:
        from pydantic import TypeAdapter

        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]
