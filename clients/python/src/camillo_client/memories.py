"""What a caller states about a memory, as keyword arguments."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from typing import Any, TypedDict, Unpack

from google.protobuf.field_mask_pb2 import FieldMask

from camillo.v1.memory_pb2 import Memory, MemoryKind, NewMemory, Sensitivity
from camillo_client.convert import (
    Kind,
    MetadataValue,
    SensitivityLevel,
    VectorLike,
    reject_unknown,
    to_enum,
    to_strings,
    to_struct,
    to_timestamp,
    to_vector,
)


class MemoryFields(TypedDict, total=False):
    """Left out, a field has its default; None is the same as left out."""

    # Default: a fact.
    kind: Kind | MemoryKind
    tags: Iterable[str]
    # 0 to 1; default 0.5.
    importance: float | None
    session_id: str
    # When that which it tells happened; default: now.
    occurred_at: datetime.datetime | None
    # Default: internal.
    sensitivity: SensitivityLevel | Sensitivity
    # Flat.
    metadata: Mapping[str, MetadataValue] | None
    # Default: by the lifetime of its kind, unless pinned or `never_expires`.
    expires_at: datetime.datetime | None
    pinned: bool
    source_refs: Iterable[str]
    # Default: the server embeds the content.
    vector: VectorLike | None


class NewMemoryFields(MemoryFields, total=False):
    """What may be said of a new memory."""

    # A UUID, to make a repeated import harmless; default: the server makes one.
    memory_id: str
    # Without `expires_at`: it has no end, whatever its kind.
    never_expires: bool


class ChangedFields(MemoryFields, total=False):
    """What may be changed. A field given as None, or empty, gets its default."""

    content: str
    archived: bool


def new_memory(content: str, **fields: Unpack[NewMemoryFields]) -> NewMemory:
    """A memory to be remembered; the limits are those of `NewMemory`."""
    return NewMemory(content=content, **_wire_values(fields, NewMemoryFields.__optional_keys__))


def changed_memory(**fields: Unpack[ChangedFields]) -> tuple[Memory, FieldMask]:
    """New values and the names of all fields given, those that go back to their default among them."""
    values = _wire_values(fields, ChangedFields.__optional_keys__)
    return Memory(**values), FieldMask(paths=list(fields))


def _wire_values(fields: Mapping[str, Any], allowed: Set[str]) -> dict[str, Any]:
    reject_unknown(fields, allowed, "a memory")
    return {
        name: _CONVERSIONS[name](value) if name in _CONVERSIONS else value
        for name, value in fields.items()
        if value is not None
    }


_CONVERSIONS: Mapping[str, Callable[[Any], object]] = {
    "kind": partial(to_enum, MemoryKind),
    "sensitivity": partial(to_enum, Sensitivity),
    "tags": partial(to_strings, name="tags"),
    "source_refs": partial(to_strings, name="source_refs"),
    "occurred_at": partial(to_timestamp, name="occurred_at"),
    "expires_at": partial(to_timestamp, name="expires_at"),
    "metadata": to_struct,
    "vector": to_vector,
}
