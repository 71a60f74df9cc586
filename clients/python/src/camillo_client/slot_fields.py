"""Keyword arguments that describe a slot's content and where it comes from, and conditions of lists of slots."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from google.protobuf.struct_pb2 import Struct

from camillo.v1.memory_pb2 import Sensitivity
from camillo.v1.slot_pb2 import NewSlot, ProvenanceKind, SlotProvenance, SlotSource
from camillo_client.convert import SensitivityLevel, to_enum, to_strings, to_timestamp
from camillo_client.keyword_fields import Conversions, wire_values
from camillo_client.named_arguments import names_arguments

ProvenanceKindName: TypeAlias = Literal["user", "agent", "tool", "file", "web", "system"]
# A string is JSON text, which is kept byte for byte; None is a tombstone.
JsonContent: TypeAlias = str | Mapping[str, Any] | list[Any] | float | None
SourceLike: TypeAlias = str | SlotProvenance


class SlotConditions(TypedDict, total=False):
    """Conditions that all have to hold; the limits are those of `ListSlotsRequest`. None is the same as left out."""

    # Only what stands directly below the prefix.
    one_level: bool
    types: Iterable[str]
    tags_any: Iterable[str]
    updated_since: datetime.datetime | None
    # Its `trigger_at` has come by then.
    trigger_before: datetime.datetime | None


@names_arguments
def provenance(
    kind: ProvenanceKindName | ProvenanceKind,
    name: str = "",
    *,
    retrieved_at: datetime.datetime | None = None,
    locator: Mapping[str, Any] | None = None,
) -> SlotProvenance:
    """Where content comes from, so that it can be found there again: `locator` is any JSON object, such as
    `{"url": "https://..."}`."""
    message = SlotProvenance(kind=to_enum(ProvenanceKind, kind), name=name)
    if retrieved_at is not None:
        message.retrieved_at.CopyFrom(to_timestamp(retrieved_at, "retrieved_at"))
    if locator is not None:
        # Also an empty one is set.
        struct = Struct()
        struct.update(locator)
        message.locator.CopyFrom(struct)
    return message


def to_source(source: SourceLike) -> SlotSource:
    """Where content comes from, in words or as a provenance."""
    return SlotSource(text=source) if isinstance(source, str) else SlotSource(provenance=source)


def to_json(content: JsonContent) -> str:
    """JSON text as it is, and of any other value its JSON; ValueError or TypeError for what JSON has not, such as
    NaN."""
    if isinstance(content, str):
        return content
    try:
        return json.dumps(content, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise type(error)(f"content is no JSON: {error}") from error


@names_arguments
def new_slot(
    key: str,
    content: JsonContent,
    source: SourceLike,
    *,
    sensitivity: SensitivityLevel | Sensitivity | None = None,
    if_version: int | None = None,
    occurred_at: datetime.datetime | None = None,
    unindexed: bool = False,
) -> NewSlot:
    """A slot to be written by `slots.set_many`; the arguments are those of `slots.set_memory`."""
    return NewSlot(
        key=key,
        json_content=to_json(content),
        source=to_source(source),
        sensitivity=None if sensitivity is None else to_enum(Sensitivity, sensitivity),
        if_version=if_version,
        occurred_at=None if occurred_at is None else to_timestamp(occurred_at, "occurred_at"),
        unindexed=unindexed,
    )


def slot_conditions(**conditions: Unpack[SlotConditions]) -> dict[str, Any]:
    """The conditions as fields of `ListSlotsRequest`."""
    return wire_values(conditions, SlotConditions.__optional_keys__, "a list of slots", _CONVERSIONS)


_CONVERSIONS: Conversions = {
    "types": partial(to_strings, name="types"),
    **{name: partial(to_timestamp, name=name) for name in ("updated_since", "trigger_before")},
}
