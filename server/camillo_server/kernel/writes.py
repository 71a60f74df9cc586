"""What every mutation shares: a request that may be repeated, the revision it led to, and the record that a repeat is answered from."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from types import NoneType, UnionType
from typing import Any, Generic, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints
from uuid import UUID

# Version 0 had no key for its version; what it kept reads like version 1. Adding a field that has a default needs no
# new version. A change that an older release would misread does: that release then refuses the row.
VERSION = 1
VERSION_KEY = "v"
R = TypeVar("R")
Class = TypeVar("Class", bound=type)
Convert = Callable[[Any], Any]
REQUEST_LIFETIME = timedelta(hours=24)


class UnreadableRecord(Exception):
    """A kept record is not of the type that is asked for. The text names types and fields, never a value."""


class _Codec(NamedTuple):
    """How values of one type are kept: `types` are their classes in memory, `kinds` those that `json.loads` gives for
    them."""

    types: frozenset[type]
    kinds: frozenset[type]
    encode: Convert
    decode: Convert


# A write looks up what was worked out when the module of its record was imported.
_CODECS: dict[type, _Codec] = {}


def replay_record(record_type: Class) -> Class:
    """Makes the codec of a dataclass. Its fields may be UUIDs, datetimes, bytes, bools, ints, floats, strs, IntEnums;
    tuples of any length, mappings with str keys and unions of those; dataclasses, kept as objects; and named tuples, kept
    as arrays. Raises TypeError for other fields."""
    codec = _of_dataclass(record_type)
    if VERSION_KEY in get_type_hints(record_type):
        raise TypeError(f"{record_type.__name__} has a field named {VERSION_KEY}")
    _CODECS[record_type] = codec
    return record_type


def encode(record: object) -> dict[str, Any]:
    """The record as `json.dumps` takes it. Fields that have their default are left out."""
    kept: dict[str, Any] = _CODECS[type(record)].encode(record)
    kept[VERSION_KEY] = VERSION
    return kept


def decode(record_type: type[R], kept: Any) -> R:
    """The record that `json.loads` gave, of this version or of version 0. Keys that the type has no field for are passed
    over: while servers are updated one by one, a newer one may have added them. Raises UnreadableRecord."""
    _require_kind(kept, frozenset({dict}))
    version = kept.get(VERSION_KEY, 0)
    if version not in (0, VERSION):
        raise UnreadableRecord(f"{record_type.__name__} of version {version}")
    record: R = _CODECS[record_type].decode(kept)
    return record


def _codec(hint: Any) -> _Codec:
    while hasattr(hint, "__supertype__"):
        hint = hint.__supertype__
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _of_union([_codec(each) for each in arguments])
    if origin is tuple and arguments[1:] == (...,):
        return _of_tuple(_codec(arguments[0]))
    if origin is Mapping and arguments[0] is str:
        return _of_mapping(_codec(arguments[1]))
    if isinstance(hint, type):
        if issubclass(hint, IntEnum):
            return _scalar(hint, int, int, hint)
        if issubclass(hint, tuple) and hasattr(hint, "_fields"):
            return _of_named_tuple(hint)
        if dataclasses.is_dataclass(hint):
            return _of_dataclass(hint)
    raise TypeError(f"records cannot keep {hint}")


def _itself(value: Any) -> Any:
    """Encodes what JSON has, too."""
    return value


def _scalar(
    type_: type, kind: type, to_json: Convert = _itself, from_json: Convert = _itself
) -> _Codec:
    kinds = frozenset({kind})

    def decode_scalar(kept: Any) -> Any:
        _require_kind(kept, kinds)
        try:
            return from_json(kept)
        except ValueError:
            # Not `from` it: its text has the value.
            raise UnreadableRecord(f"a {kind.__name__} that is no {type_.__name__}") from None

    return _Codec(frozenset({type_}), kinds, to_json, decode_scalar)


def _float() -> _Codec:
    # A whole number may be written without a point.
    kinds = frozenset({float, int})

    def decode_float(kept: Any) -> float:
        _require_kind(kept, kinds)
        return float(kept)

    return _Codec(kinds, kinds, _itself, decode_float)


_SCALARS: Mapping[Any, _Codec] = {
    NoneType: _scalar(NoneType, NoneType),
    bool: _scalar(bool, bool),
    int: _scalar(int, int),
    float: _float(),
    str: _scalar(str, str),
    UUID: _scalar(UUID, str, str, UUID),
    datetime: _scalar(datetime, str, datetime.isoformat, datetime.fromisoformat),
    bytes: _scalar(bytes, str, bytes.hex, bytes.fromhex),
}


def _of_union(codecs: Sequence[_Codec]) -> _Codec:
    """Told apart by their types, and in JSON by their kinds. Raises TypeError where two share one."""
    encoders = {type_: codec.encode for codec in codecs for type_ in codec.types}
    decoders = {kind: codec.decode for codec in codecs for kind in codec.kinds}
    if len(decoders) < sum(len(codec.kinds) for codec in codecs):
        raise TypeError("records cannot keep a union of types that look alike in JSON")
    kinds = frozenset(decoders)

    def encode_one(value: Any) -> Any:
        return encoders[type(value)](value)

    def decode_one(kept: Any) -> Any:
        _require_kind(kept, kinds)
        return decoders[type(kept)](kept)

    return _Codec(frozenset(encoders), kinds, encode_one, decode_one)


def _of_tuple(item: _Codec) -> _Codec:
    kinds, to_json, from_json = frozenset({list}), item.encode, item.decode

    def encode_items(values: Sequence[Any]) -> list[Any]:
        return [to_json(value) for value in values]

    def decode_items(kept: Any) -> Any:
        _require_kind(kept, kinds)
        return tuple(map(from_json, kept))

    encode_tuple = list if to_json is _itself else encode_items
    return _Codec(frozenset({tuple}), kinds, encode_tuple, decode_items)


def _of_mapping(item: _Codec) -> _Codec:
    kinds, to_json, from_json = frozenset({dict}), item.encode, item.decode

    def encode_values(values: Mapping[str, Any]) -> dict[str, Any]:
        return {key: to_json(value) for key, value in values.items()}

    def decode_values(kept: Any) -> Any:
        _require_kind(kept, kinds)
        return {key: from_json(value) for key, value in kept.items()}

    return _Codec(kinds, kinds, encode_values, decode_values)


def _of_named_tuple(row_type: Any) -> _Codec:
    hints = get_type_hints(row_type)
    codecs = [_codec(hints[name]) for name in row_type._fields]
    kinds = frozenset({list})

    def encode_row(row: Any) -> list[Any]:
        return [codec.encode(value) for codec, value in zip(codecs, row, strict=True)]

    def decode_row(kept: Any) -> Any:
        _require_kind(kept, kinds)
        if len(kept) != len(codecs):
            raise UnreadableRecord(f"a {row_type.__name__} of {len(kept)} values")
        return row_type(*(codec.decode(each) for codec, each in zip(codecs, kept, strict=True)))

    return _Codec(frozenset({row_type}), kinds, encode_row, decode_row)


def _of_dataclass(record_type: Any) -> _Codec:
    hints = get_type_hints(record_type)
    fields = [
        (each.name, _codec(hints[each.name]), each.default)
        for each in dataclasses.fields(record_type)
    ]
    missing = dataclasses.MISSING
    required = [(name, codec.encode) for name, codec, default in fields if default is missing]
    optional = [
        (name, codec.encode, default) for name, codec, default in fields if default is not missing
    ]
    kinds = frozenset({dict})

    def encode_record(record: Any) -> dict[str, Any]:
        kept = {name: to_json(getattr(record, name)) for name, to_json in required}
        for name, to_json, default in optional:
            value = getattr(record, name)
            if value != default:
                kept[name] = to_json(value)
        return kept

    def decode_record(kept: Any) -> Any:
        _require_kind(kept, kinds)
        values = {}
        for name, codec, default in fields:
            try:
                if name in kept:
                    values[name] = codec.decode(kept[name])
                elif default is missing:
                    raise UnreadableRecord("is missing")
            except UnreadableRecord as error:
                raise UnreadableRecord(f"{record_type.__name__}.{name}: {error}") from None
        return record_type(**values)

    return _Codec(frozenset({record_type}), kinds, encode_record, decode_record)


def _require_kind(kept: Any, kinds: frozenset[type]) -> None:
    if type(kept) not in kinds:
        wanted = " or ".join(sorted(kind.__name__ for kind in kinds))
        raise UnreadableRecord(f"a {type(kept).__name__}, not a {wanted}")


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
