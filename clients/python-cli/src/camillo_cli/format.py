"""Values as people read them: ages, times, sizes, the fields of messages, and texts that are safe on a terminal."""

from __future__ import annotations

import json
import unicodedata
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from google.protobuf.struct_pb2 import Struct
    from google.protobuf.timestamp_pb2 import Timestamp

    from camillo_client.convert import MetadataValue

# Below so many seconds, an age is given in this unit.
AGE_UNITS = (
    (60, 1, "s"),
    (3600, 60, "min"),
    (86_400, 3600, "h"),
    (60 * 86_400, 86_400, "d"),
    (730 * 86_400, 30.44 * 86_400, "mo"),
)
YEAR_SECONDS = 365.25 * 86_400
SIZE_UNITS = ("B", "KB", "MB", "GB", "TB")
# Zero width joiner and non-joiner belong to emoji and to many scripts; other format characters can turn a line around.
KEPT_FORMAT_CHARACTERS = frozenset("\u200c\u200d")
HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
SHARED = "(shared)"
RAISE_QUOTA = "raise lifecycle.memory_quota before (0: no quota), or pin what has to stay"


def utc_now() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


def age(since: datetime, now: datetime) -> str:
    """How long ago, in its largest unit."""
    seconds = (now - since).total_seconds()
    if seconds < 0:
        return "ahead"
    for below, unit, name in AGE_UNITS:
        if seconds < below:
            return f"{int(seconds / unit)} {name}"
    return f"{int(seconds / YEAR_SECONDS)} y"


def age_of(timestamp: Timestamp) -> str:
    """How long ago a timestamp is."""
    from camillo_client import to_datetime

    return age(to_datetime(timestamp), utc_now())


def time_text(timestamp: Timestamp) -> str:
    """A timestamp in UTC, to the second."""
    from camillo_client import to_datetime

    return to_datetime(timestamp).strftime("%Y-%m-%d %H:%M:%S") + "Z"


def size(count: int) -> str:
    """A number of bytes in its largest unit; a kilobyte has 1,024."""
    power = min(max(0, count.bit_length() - 1) // 10, len(SIZE_UNITS) - 1)
    return f"{count / 1024**power:.1f} {SIZE_UNITS[power]}" if power else f"{count} B"


def usd(nano_usd: int) -> str:
    """A price in US dollars, to the millionth."""
    return f"{nano_usd / 1_000_000_000:.6f}"


def counted(number: int, singular: str = "memory", plural: str = "memories") -> str:
    """A number and its noun."""
    return f"{number:,} {singular if number == 1 else plural}"


def over_quota(active: int, quota: int) -> str:
    """Says what maintenance will do with a scope of so many active memories; empty if they are within the quota."""
    if not quota or active <= quota:
        return ""
    return (
        f"holds {active:,} active memories, {active - quota:,} more than its quota of {quota:,}; "
        "from a day after they were stored, maintenance archives the least important"
    )


def pairs(metadata: Struct) -> str:
    """`key=value` for each entry, as `--meta` takes them."""
    from camillo_client import to_dict

    return ", ".join(f"{key}={_scalar(value)}" for key, value in sorted(to_dict(metadata).items()))


def _scalar(value: MetadataValue) -> str:
    if isinstance(value, str):
        return value
    # A Struct has no integers.
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)


def field_text(message: Message, path: str) -> str:
    """A field of a message, or of a message in it (`stated.reach`), as text by its type; empty where it is not set.

    An enum value is its name in lower case, a timestamp a time in UTC, a list its items with commas, true `yes`.
    """
    from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

    from camillo_client import enum_name

    *parents, name = path.split(".")
    for parent in parents:
        message = getattr(message, parent)
    field = message.DESCRIPTOR.fields_by_name[name]
    value: Any = getattr(message, name)
    if field.is_repeated:
        return ", ".join(value)
    if field.has_presence and not message.HasField(name):
        return ""
    enum: Any = field.enum_type
    if enum is not None:
        return enum_name(EnumTypeWrapper(enum), value)
    if field.message_type is not None:
        return pairs(value) if field.message_type.name == "Struct" else time_text(value)
    return _plain_text(value)


def _plain_text(value: str | bool | float) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def clean(text: str) -> str:
    """Any text as one line without characters that would control a terminal."""
    return "".join(map(_visible, " ".join(text.split())))


def printable(text: str) -> str:
    """A text of several lines without characters that would control a terminal."""
    return "".join(c if c in "\n\t" else _visible(c) for c in text)


def _visible(character: str) -> str:
    if character.isascii():
        return character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"
    category = unicodedata.category(character)
    if character in KEPT_FORMAT_CHARACTERS or category not in HIDDEN_CATEGORIES:
        return character
    return "" if category == "Cf" else "\N{REPLACEMENT CHARACTER}"
