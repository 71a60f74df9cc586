"""Keyword arguments that describe a memory."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TypedDict, Unpack

from google.protobuf.field_mask_pb2 import FieldMask

from camillo.v1.actor_pb2 import TrustLevel
from camillo.v1.memory_pb2 import Memory, MemoryKind, NewMemory, Sensitivity
from camillo_client.convert import (
    Kind,
    MetadataValue,
    SensitivityLevel,
    TrustLevelName,
    VectorLike,
    to_enum,
    to_vector,
)
from camillo_client.event_fields import ActorLike, to_actor
from camillo_client.keyword_fields import Conversions, wire_values
from camillo_client.named_arguments import names_arguments


class MemoryFields(TypedDict, total=False):
    """A field that is left out has its default; None is the same as left out."""

    # Default: a fact.
    kind: Kind | MemoryKind
    tags: Iterable[str]
    # 0 to 1; default: found by rules.
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
    # Who said it, such as "human:ada"; default: the agent of the credential.
    actor: ActorLike
    # It is trusted no further than this, such as "web".
    trust_level: TrustLevelName | TrustLevel
    # From when until when that which it tells is true; default: unknown.
    valid_from: datetime.datetime | None
    valid_until: datetime.datetime | None


class NewMemoryFields(MemoryFields, total=False):
    """Fields of a new memory."""

    # A UUID, to make a repeated import harmless; default: the server makes one.
    memory_id: str
    # Without `expires_at`: it has no end, whatever its kind.
    never_expires: bool
    # Ids of memories whose place it takes.
    supersedes: Iterable[str]


class ChangedFields(MemoryFields, total=False):
    """Fields that can be changed. A field given as None, or empty, gets its default."""

    content: str
    archived: bool


@names_arguments
def new_memory(content: str, **fields: Unpack[NewMemoryFields]) -> NewMemory:
    """A memory to remember; the limits are those of `NewMemory`."""
    values = wire_values(fields, NewMemoryFields.__optional_keys__, "a memory", _CONVERSIONS)
    return NewMemory(content=content, **values)


def changed_memory(**fields: Unpack[ChangedFields]) -> tuple[Memory, FieldMask]:
    """The new values, and a mask with the names of all fields given; one given as None goes back to its default."""
    values = wire_values(fields, ChangedFields.__optional_keys__, "a memory", _CONVERSIONS)
    return Memory(**values), FieldMask(paths=list(fields))


_CONVERSIONS: Conversions = {
    "kind": partial(to_enum, MemoryKind),
    "vector": to_vector,
    "actor": to_actor,
    "trust_level": partial(to_enum, TrustLevel),
}
