"""Records to JSON text and back, without losing a character.

JSON in ASCII keeps lone surrogates and NUL, which SQLite's TEXT cannot hold.
"""

import json
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")
Decoder = Callable[[Any], Any]

TAG = "kind"
"""A field of this name with a default tells the records of a union apart, so it is kept."""


def dump(record: object) -> str:
    """Return a record as JSON in ASCII; fields that have their default are left out."""
    return json.dumps(encode(record), ensure_ascii=True, separators=(",", ":"))


def load(kind: type[Record], text: str) -> Record:
    """Return the record that `dump` wrote."""
    made = decode(kind, json.loads(text))
    assert isinstance(made, kind)
    return made


def encode(value: Any) -> Any:
    """Return a value as what JSON knows; a dataclass as an object."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            one.name: encode(getattr(value, one.name))
            for one in fields(value)
            if one.name == TAG or getattr(value, one.name) != one.default
        }
    if isinstance(value, dict):
        return {str(key): encode(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [encode(one) for one in value]
    return value.value if isinstance(value, Enum) else value


def decode(kind: Any, value: Any) -> Any:
    """Return `value` as `kind`: a dataclass, enum, tuple, dict, union or plain value."""
    return _decoder(kind)(value)


@cache
def _decoder(kind: Any) -> Decoder:
    """Return what makes a `kind` of plain values; None stays None in all of them.

    A store has hundreds of thousands of records of few kinds, so a kind is looked at once.
    """
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _union([one for one in get_args(kind) if one is not type(None)])
    if origin is tuple:
        return _tuple(get_args(kind))
    if origin is dict:
        of_value = _decoder(get_args(kind)[1])
        return _optional(lambda value: {key: of_value(one) for key, one in value.items()})
    if isinstance(kind, type) and is_dataclass(kind):
        return _record(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _optional(kind)
    if kind is float:
        return lambda value: float(value) if isinstance(value, int) else value
    return _same


def _same(value: Any) -> Any:
    return value


def _optional(decoder: Decoder) -> Decoder:
    return lambda value: None if value is None else decoder(value)


def _record(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    known = hints.keys()

    @cache
    def changing() -> tuple[tuple[str, Decoder], ...]:
        """Decoders of the fields that are not plain; late, because a record may hold its like."""
        found = ((name, _decoder(hint)) for name, hint in hints.items())
        return tuple((name, decoder) for name, decoder in found if decoder is not _same)

    def make(value: dict[str, Any]) -> Any:
        given = value if value.keys() <= known else {k: v for k, v in value.items() if k in known}
        changed = {name: decoder(given[name]) for name, decoder in changing() if name in given}
        return kind(**{**given, **changed})

    return _optional(make)


def _tuple(kinds: tuple[Any, ...]) -> Decoder:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        each = _decoder(kinds[0])
        return _optional(lambda value: tuple(map(each, value)))
    decoders = tuple(map(_decoder, kinds))
    return _optional(
        lambda value: tuple(one(part) for one, part in zip(decoders, value, strict=True))
    )


def _union(kinds: list[Any]) -> Decoder:
    records = [kind for kind in kinds if isinstance(kind, type) and is_dataclass(kind)]
    plain = _decoder(kinds[0]) if len(kinds) == 1 else _same
    if not records:
        return plain
    tags = {_tag(kind): kind for kind in reversed(records)} if len(records) > 1 else {}

    def choose(value: Any) -> Any:
        if not isinstance(value, dict):
            return plain(value)
        return _decoder(tags.get(value.get(TAG), records[0]))(value)

    return choose


def _tag(kind: type) -> object:
    return next((one.default for one in fields(kind) if one.name == TAG), MISSING)
