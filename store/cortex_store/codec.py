"""Records to JSON text and back, without losing a character.

JSON in ASCII keeps lone surrogates and NUL, which SQLite's TEXT cannot hold.
"""

import json
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")

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
    if value is None or kind is Any:
        return value
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _decode_union([one for one in get_args(kind) if one is not type(None)], value)
    if origin is tuple:
        return _decode_tuple(get_args(kind), value)
    if origin is dict:
        return {key: decode(get_args(kind)[1], one) for key, one in value.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{key: decode(hints[key], one) for key, one in value.items() if key in hints})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    return float(value) if kind is float and isinstance(value, int) else value


def _decode_tuple(kinds: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(decode(kinds[0], one) for one in value)
    return tuple(decode(kind, one) for kind, one in zip(kinds, value, strict=True))


def _decode_union(kinds: list[Any], value: Any) -> Any:
    records = [kind for kind in kinds if isinstance(kind, type) and is_dataclass(kind)]
    if not records or not isinstance(value, dict):
        return decode(kinds[0], value) if len(kinds) == 1 else value
    if len(records) == 1:
        return decode(records[0], value)
    tagged = [kind for kind in records if _tag(kind) == value.get(TAG)]
    return decode(tagged[0] if tagged else records[0], value)


def _tag(kind: type) -> object:
    return next((one.default for one in fields(kind) if one.name == TAG), MISSING)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
