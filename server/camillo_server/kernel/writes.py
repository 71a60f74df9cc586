"""The parts of every mutation: a request that may be repeated, the revision it led to, and the record that answers a
repeat."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from pydantic import ConfigDict, TypeAdapter, ValidationError

# Version 0 had no key for its version; what it kept reads like version 1. Adding a field that has a default needs no
# new version. A change that an older release would misread does: that release then refuses the row.
VERSION = 1
VERSION_KEY = "v"
R = TypeVar("R")
Class = TypeVar("Class", bound=type)
REQUEST_LIFETIME = timedelta(hours=24)
_JSON_TYPES: Mapping[Any, type] = {
    NoneType: NoneType,
    bool: bool,
    int: int,
    float: float,
    **dict.fromkeys((str, UUID, datetime, bytes), str),
}
_ADAPTERS: dict[type, TypeAdapter[Any]] = {}


class UnreadableRecord(Exception):
    """A kept record is not of the type that is asked for. The text names a type and a field, never a value."""


def replay_record(record_type: Class) -> Class:
    """Lets records of a dataclass be kept. Its fields may be UUIDs, datetimes, bytes, bools, ints, floats, strs,
    IntEnums; tuples of any length, mappings with str keys and unions of those; dataclasses, kept as objects; and named
    tuples, kept as arrays. Raises TypeError for other fields, which would come back from JSON as something else."""
    _require_kept_types(record_type)
    if VERSION_KEY in get_type_hints(record_type):
        raise TypeError(f"{record_type.__name__} has a field named {VERSION_KEY}")
    config = ConfigDict(defer_build=True, strict=True, ser_json_bytes="hex", val_json_bytes="hex")
    record_type.__pydantic_config__ = config  # type: ignore[attr-defined]
    _ADAPTERS[record_type] = TypeAdapter(record_type)
    return record_type


def encode(record: object) -> dict[str, Any]:
    """The record as `json.dumps` takes it. Fields that have their default are left out."""
    adapter = _ADAPTERS[type(record)]
    kept: dict[str, Any] = adapter.dump_python(record, mode="json", exclude_defaults=True)
    kept[VERSION_KEY] = VERSION
    return kept


def decode(record_type: type[R], kept: Any) -> R:
    """The record that `json.loads` gave, of this version or of version 0. Keys that the type has no field for are
    passed over: while servers are updated one by one, a newer one may have added them. Raises UnreadableRecord."""
    version = kept.get(VERSION_KEY, 0) if isinstance(kept, dict) else VERSION
    if version not in (0, VERSION):
        raise UnreadableRecord(f"{record_type.__name__} of version {version}")
    try:
        # From text: only there are strings the strict form of UUIDs, times and bytes.
        record: R = _ADAPTERS[record_type].validate_json(json.dumps(kept))
        return record
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        # No more of the path than the field, and not `from` the error: both may have values.
        path = ".".join([record_type.__name__, *map(str, first["loc"][:1])])
        problem = "is missing" if first["type"] == "missing" else first["type"]
        raise UnreadableRecord(f"{path}: {problem}") from None


def _require_kept_types(hint: Any) -> type:
    """The type that JSON has for values of this one. Raises TypeError where there is none, or one for two of a
    union."""
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _JSON_TYPES:
        return _JSON_TYPES[hint]
    if origin in (Union, UnionType):
        json_types = [_require_kept_types(each) for each in arguments]
        if len(set(json_types)) == len(json_types):
            return object
    elif origin is tuple and arguments[1:] == (...,):
        _require_kept_types(arguments[0])
        return list
    elif origin is Mapping and arguments[0] is str:
        _require_kept_types(arguments[1])
        return dict
    elif isinstance(hint, type) and issubclass(hint, IntEnum):
        return int
    elif dataclasses.is_dataclass(hint) or hasattr(hint, "_fields"):
        for each in get_type_hints(hint).values():
            _require_kept_types(each)
        return dict if dataclasses.is_dataclass(hint) else list
    raise TypeError(f"records cannot keep {hint}")


@dataclass(frozen=True, slots=True)
class RequestKey:
    """A client-chosen id and a digest of the content (32 bytes), of which the same id has to have the same."""

    request_id: str
    content_digest: bytes


@dataclass(frozen=True, slots=True)
class Written(Generic[R]):
    """The revision that holds a write, and the record that its answer is made from; of a repeated request, both are
    those of the first time."""

    revision: int
    record: R
    is_repeat: bool = field(default=False, compare=False)


@replay_record
@dataclass(frozen=True, slots=True)
class EmptyReplay:
    """The record of a request whose answer needs nothing but the request itself and the revision."""
