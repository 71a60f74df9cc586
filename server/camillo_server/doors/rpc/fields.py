"""Fields of messages into values. The messages have been checked: no field breaks its limit."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from enum import IntEnum
from functools import cache
from typing import Any, TypeVar

from camillo.v1 import forgetting_pb2
from camillo.v1 import memory_pb2 as pb
from camillo_formats.characters import composed
from google.protobuf.struct_pb2 import NULL_VALUE, Struct
from google.protobuf.timestamp_pb2 import Timestamp

from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.clock import WANTED, microseconds, time_zone
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.kinds import Scalar, Sensitivity
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.lib.redaction.redaction import Redaction
from camillo_server.storage.blocklist import OmittedText

Known = TypeVar("Known", bound=IntEnum)


def distinct(values: Sequence[str]) -> tuple[str, ...]:
    """The values without repeats, in the order given."""
    # A slice copies the list at once, which is twice as fast as iterating over the message's own.
    return tuple(dict.fromkeys(values[:])) if values else ()


def tags_of(values: Sequence[str]) -> tuple[str, ...]:
    """The distinct tags, each composed (Unicode's NFC): two spellings that look the same are one tag."""
    return distinct([composed(value) for value in values]) if values else ()


def member(value: int, default: Known) -> Known:
    """A member of the default's enumeration; the unspecified one is the default."""
    return _by_number(type(default))[value] if value else default


@cache
def _by_number(known: type[Known]) -> Mapping[int, Known]:
    """The members by number: an enumeration's own lookup is several times slower."""
    return {each.value: each for each in known}


def members(values: Sequence[int], known: type[Known]) -> tuple[Known, ...]:
    """Members of an enumeration without repeats, in the order given; the unspecified one is passed over."""
    return tuple(known(value) for value in dict.fromkeys(values) if value) if values else ()


def channel_of(value: int) -> Channel:
    """Unspecified is private."""
    return member(value, Channel.PRIVATE)


def sensitivity_of(value: int) -> Sensitivity:
    """Unspecified is internal."""
    return member(value, Sensitivity.INTERNAL)


def levels_up_to(value: int) -> tuple[Sensitivity, ...]:
    """The levels that are at most this one; unspecified is any."""
    return tuple(level for level in Sensitivity if not value or level <= value)


def time_of(message: Any, name: str) -> datetime | None:
    """The time in a field of a message; None where it is absent."""
    if not message.HasField(name):
        return None
    found: datetime = getattr(message, name).ToDatetime(tzinfo=UTC)
    return found


def zone_of(request: Any) -> tzinfo | None:
    """The time zone that a request names; None where it names none. Raises InvalidField."""
    if not request.time_zone:
        return None
    zone = time_zone(request.time_zone)
    if zone is None:
        raise invalid_field("time_zone", f"must be {WANTED}")
    return zone


def check_mask(paths: Sequence[str], allowed: Iterable[str], checks: Checks, if_empty: str) -> None:
    """Adds to the checks what is wrong with the names in `update_mask`."""
    allowed = tuple(allowed)
    if not paths:
        checks.fail("update_mask", if_empty)
    if not set(paths) <= set(allowed):
        checks.fail("update_mask", f"may name {', '.join(allowed)}")


def redaction_messages(redactions: Sequence[Redaction]) -> list[pb.Redaction]:
    """The redactions as messages of the contract."""
    return [pb.Redaction(field=each.field, kind=each.kind, offset=each.offset) for each in redactions]


async def redaction_messages_off_loop(redactions: Sequence[Redaction]) -> list[pb.Redaction]:
    """Converts redactions, in a thread where they are many: the steps of a run may hold a hundred thousand secrets."""
    if not redactions:
        return []
    return await off_loop(redactions_cost(redactions), lambda: redaction_messages(redactions))


def redactions_cost(redactions: Sequence[Redaction]) -> float:
    return len(redactions) * ROW


def omitted_messages(omitted: Sequence[OmittedText]) -> list[forgetting_pb2.OmittedText]:
    """The omitted texts as messages of the contract."""
    return [forgetting_pb2.OmittedText(field=each.field, offset=each.offset) for each in omitted]


def draft_fields(draft: Any) -> dict[str, Any]:
    """The fields of a draft by name, as the message of the same fields takes them."""
    return {name: getattr(draft, name) for name in draft.__slots__}


def store_messages(stores: Mapping[str, int]) -> list[pb.StoreCount]:
    """Rows by store, in the order of the stores' names."""
    return [pb.StoreCount(store=name, rows=rows) for name, rows in sorted(stores.items())]


def fill_timestamp(message: Timestamp, moment: datetime) -> None:
    """Puts a time into a message; several times faster than leaving that to protobuf."""
    message.seconds, rest = divmod(microseconds(moment), 1_000_000)
    message.nanos = rest * 1_000


def fill_struct(message: Struct, values: Mapping[str, Scalar]) -> None:
    """Puts a flat object into a message."""
    for key, value in values.items():
        if value is None:
            message.fields[key].null_value = NULL_VALUE
        else:
            message[key] = value
