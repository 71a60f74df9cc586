"""Conversions between Python values and protobuf messages."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Set
from typing import Any, Literal, TypeAlias

from google.protobuf.duration_pb2 import Duration
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from camillo.v1.memory_pb2 import Vector

Kind: TypeAlias = Literal[
    "fact",
    "preference",
    "conversation",
    "task_outcome",
    "decision",
    "error",
    "instruction",
    "summary",
]
SensitivityLevel: TypeAlias = Literal["public", "internal", "confidential", "restricted"]
TrustLevelName: TypeAlias = Literal["web", "tool", "agent", "user"]
Archived: TypeAlias = Literal["exclude", "include", "only"]
ValidityName: TypeAlias = Literal["true", "any", "not_true"]
TimeModeName: TypeAlias = Literal["prefer", "ignore", "only"]
SourceName: TypeAlias = Literal["memory", "event", "document", "slot", "decision", "audit", "workflow_step", "artifact"]
RoleName: TypeAlias = Literal["reader", "writer", "tenant_admin", "root"]
OnConflict: TypeAlias = Literal["skip", "replace"]
SpoolPolicyName: TypeAlias = Literal["spool", "refuse", "drop"]
SpoolStateName: TypeAlias = Literal["waiting", "failed"]

MetadataValue: TypeAlias = str | float | bool | None


# A number that a server wrote as text, as in the metadata of errors: of 64 bits; a longer one is none of the contract.
_NUMBER = re.compile(r"-?[0-9]{1,19}")

# A numpy array of one dimension is such an iterable.
VectorLike: TypeAlias = Vector | Iterable[float]


def reject_unknown(given: Mapping[str, object], known: Set[str], what: str) -> None:
    """Raises TypeError for an unknown keyword, as Python does for named parameters."""
    if unknown := sorted(given.keys() - known):
        raise TypeError(f"{what} takes no keyword {', '.join(unknown)}{nearest(unknown[0], known)}")


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that was probably meant, as the end of a message; empty where none is near."""
    # For a failure alone.
    from difflib import get_close_matches

    known, lower = sorted(names), name.strip().lower()
    near = [each for each in known if lower.endswith(f"_{each}")] or get_close_matches(lower, known, 1)
    return f": did you mean {near[0]}?" if near else ""


def described(value: object, is_shown: bool = False) -> str:
    """Describes a wrong argument: its type and, with `is_shown`, its value, which must be no text of a caller's."""
    if value is None:
        return "None"
    kind = "a single text" if isinstance(value, str) else type(value).__name__
    return f"{type(value).__name__} {value!r:.40}" if is_shown else kind


def to_enum(enum: EnumTypeWrapper, value: int | str) -> Any:
    """The number of an enum value, given as a number or as its name in lower case without prefix."""
    # Any, because the stubs give each enum a type of its own, which at run time does not exist.
    if isinstance(value, int):
        return value
    names = {enum_name(enum, number): number for number in enum.values() if number}
    if not isinstance(value, str):
        raise TypeError(f"one of {', '.join(names)} is expected, not {described(value, True)}")
    if value not in names:
        raise ValueError(f"{value[:40]!r} is none of {', '.join(names)}{nearest(value, names)}")
    return names[value]


def enum_name(enum: EnumTypeWrapper, number: int) -> str:
    """The name of an enum value in lower case, without prefix; its number where this client does not know it."""
    if number not in enum.values():
        return str(number)
    return enum.Name(number).removeprefix(_prefix(enum)).lower()


def _prefix(enum: EnumTypeWrapper) -> str:
    # Every enum of the contract names its zero `<PREFIX>UNSPECIFIED`.
    return enum.Name(0).removesuffix("UNSPECIFIED")


def to_strings(values: Iterable[str], name: str) -> list[str]:
    """A list of strings; TypeError for a single one, which would be split into its characters, and for a mapping."""
    if isinstance(values, str | bytes | Mapping):
        raise TypeError(f"{name} takes a list of texts, not {described(values)}")
    return list(values)


def reject_text(values: object, name: str) -> None:
    """Raises TypeError for a single text, or a mapping, where several are expected."""
    if isinstance(values, str | bytes | Mapping):
        # The text itself stays out of logs.
        raise TypeError(f"{name} takes several texts, not {described(values)}")


def to_timestamp(moment: datetime.datetime, name: str = "datetime") -> Timestamp:
    """The timestamp of a timezone-aware datetime; ValueError for a naive one."""
    if moment.utcoffset() is None:
        raise ValueError(f"{name} has no timezone: use datetime.now(UTC) or .replace(tzinfo=...)")
    timestamp = Timestamp()
    timestamp.FromDatetime(moment)
    return timestamp


def to_datetime(timestamp: Timestamp) -> datetime.datetime:
    """The datetime of a timestamp, in UTC."""
    return timestamp.ToDatetime(tzinfo=datetime.UTC)


def to_duration(span: datetime.timedelta) -> Duration:
    duration = Duration()
    duration.FromTimedelta(span)
    return duration


def to_struct(metadata: Mapping[str, MetadataValue]) -> Struct:
    """The struct of a flat mapping. JSON has one kind of number: integers come back as floats."""
    struct = Struct()
    struct.update(metadata)
    return struct


def to_dict(struct: Struct) -> dict[str, MetadataValue]:
    """The mapping of a struct, as in `memory.metadata`."""
    values: dict[str, MetadataValue] = MessageToDict(struct)
    return values


def to_vector(values: VectorLike, model_id: str = "") -> Vector:
    """The vector of a sequence or numpy array of floats; a Vector is returned as it is."""
    if isinstance(values, Vector):
        return values
    # numpy converts all elements at once, in C.
    listed = getattr(values, "tolist", None)
    return Vector(model_id=model_id, values=values if listed is None else listed())


def number_in(text: str) -> int | None:
    """The number that a text holds; None where it is not a number."""
    stripped = text.strip()
    return int(stripped) if _NUMBER.fullmatch(stripped) else None
