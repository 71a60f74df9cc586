"""The parts of every mutation: a request that may be repeated, the revision it led to, the record that answers a
repeat, and the plan that a removal has to have. Also what reads demand of revisions."""

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

from camillo_server.kernel.errors import DomainError

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


LOST_POSITION = (
    "the position of the watch is of another database, or of a state that it has lost; start again without it"
)


@dataclass(frozen=True, slots=True)
class History:
    """The history that revisions count in. When Postgres goes on from an earlier state (a standby that was behind takes
    over, a backup is restored), it begins another timeline, and later revisions are not those of before.
    `system_identifier` and `timeline` are 0 where Postgres does not tell them. A snapshot that is started as it is
    stays in its timeline: the server that notices it begins another epoch."""

    database_id: UUID
    system_identifier: int = 0
    timeline: int = 0
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class MinimizeLatency:
    """Answer from what this replica holds."""


@dataclass(frozen=True, slots=True)
class AtLeastAsFresh:
    """Answer from this revision of the scope or a later one. `is_committed`: and with nothing that is spooled."""

    revision: int
    is_committed: bool = False


@dataclass(frozen=True, slots=True)
class FullyConsistent:
    """Answer from everything committed when the call arrives."""


Freshness = MinimizeLatency | AtLeastAsFresh | FullyConsistent

MINIMIZE_LATENCY = MinimizeLatency()
FULLY_CONSISTENT = FullyConsistent()


def demands_committed(freshness: Freshness) -> bool:
    """Whether what is spooled, which no revision holds, has no place in the answer."""
    if isinstance(freshness, AtLeastAsFresh):
        return freshness.is_committed
    return isinstance(freshness, FullyConsistent)


def min_revision(freshness: Freshness) -> int:
    """The revision below which an answer would break the demand."""
    return freshness.revision if isinstance(freshness, AtLeastAsFresh) else 0


PLAN_LIFETIME = timedelta(hours=1)


class PlanChanged(DomainError):
    """The records that a plan was made for have changed, or the plan is too old."""

    code, reason = "ABORTED", "PLAN_CHANGED"
    message = "what the plan was made for has changed, or it is old; make a new one"


class PlanRequired(DomainError):
    """More would go than goes without a plan that was shown."""

    reason = "PLAN_REQUIRED"

    def __init__(self, records: int, allowed: int) -> None:
        message = f"{records} records would go, {allowed} go without a plan: send the plan_token of a dry run"
        super().__init__(message, memories=records, allowed=allowed)


@dataclass(frozen=True, slots=True)
class PlanRef:
    """A plan of an earlier dry run: the moment that it counts from, and its digest."""

    at: datetime
    digest: bytes

    def holds(self, digest: bytes, now: datetime) -> bool:
        """It is the plan of this digest, and not too old."""
        return self.digest == digest and now - PLAN_LIFETIME <= self.at <= now


@dataclass(frozen=True, slots=True)
class PlanConsent:
    """The plan that a caller was shown, and how many records it may take without one (None: any number)."""

    plan: PlanRef | None = None
    max_without_plan: int | None = None

    def require(self, records: int, digest: bytes, now: datetime) -> None:
        """Raises PlanChanged where the plan is not the one of this digest, PlanRequired where there has to be one."""
        if self.plan is not None:
            if not self.plan.holds(digest, now):
                raise PlanChanged
        elif self.max_without_plan is not None and records > self.max_without_plan:
            raise PlanRequired(records, self.max_without_plan)


NO_PLAN = PlanConsent()
