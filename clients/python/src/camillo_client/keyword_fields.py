"""Conversion of keyword arguments to fields of messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from typing import Any

from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

from camillo.v1.channel_pb2 import Channel
from camillo.v1.memory_pb2 import Sensitivity
from camillo_client.convert import (
    described,
    reject_unknown,
    to_enum,
    to_strings,
    to_struct,
    to_timestamp,
)

Conversions = Mapping[str, Callable[[Any], object]]


def wire_values(fields: Mapping[str, Any], allowed: Set[str], what: str, own: Conversions) -> dict[str, Any]:
    """The fields that have a value, converted for the message; TypeError for an unknown keyword."""
    reject_unknown(fields, allowed, what)
    turned = {**SHARED, **own}
    return {
        name: turned[name](value) if name in turned else value for name, value in fields.items() if value is not None
    }


def to_enums(enum: EnumTypeWrapper, values: Iterable[Any]) -> list[Any]:
    """The numbers of several enum values; TypeError for a single name."""
    if isinstance(values, str | bytes | Mapping):
        raise TypeError(f"a list of values is expected, not {described(values, True)}")
    return [to_enum(enum, value) for value in values]


_LISTS = (
    *("tags", "tags_any", "tags_all", "refs", "source_refs", "supersedes"),
    *("rationale", "constraints", "alternatives", "consequences"),
)
_MOMENTS = (
    *("occurred_at", "occurred_from", "occurred_before", "created_from", "created_before"),
    *("decided_at", "expires_at", "unused_since", "valid_from", "valid_until"),
)
SHARED: dict[str, Callable[[Any], object]] = {
    "channel": partial(to_enum, Channel),
    "sensitivity": partial(to_enum, Sensitivity),
    "max_sensitivity": partial(to_enum, Sensitivity),
    "metadata": to_struct,
    **{name: partial(to_strings, name=name) for name in _LISTS},
    **{name: partial(to_timestamp, name=name) for name in _MOMENTS},
}
