"""What a single value may not be, by the options of its field."""

import math
import re
from collections.abc import Callable
from typing import Any

from camillo.v1 import options_pb2 as options

# What is wrong with a value; None where nothing is.
Problem = Callable[[Any], str | None]

TIMESTAMP = "google.protobuf.Timestamp"
# Seconds since 1970 of the years 1 to 9999.
TIME_SECONDS = (-62_135_596_800, 253_402_300_799)
STORE_ELSEWHERE = "store what is larger by ArtifactService.PutArtifact"

# The limit and pattern of descriptors. Their stubs do not know that they are extensions.
LIMIT: Any = options.limit
PATTERN: Any = options.pattern


def value_problem(field: Any, limit: options.Limit, *, is_item: bool = False) -> Problem | None:
    """What a value of the field may not be."""
    if field.enum_type:
        return _enum_problem(field.enum_type, limit)
    if field.message_type and field.message_type.full_name == TIMESTAMP:
        return _time_problem
    if limit.form:
        return _form_problem(
            limit, is_optional=not (is_item or limit.required or field.has_presence)
        )
    if limit.HasField("characters"):
        return _characters_problem(limit.characters)
    if limit.HasField("bytes"):
        is_text = field.type == field.TYPE_STRING
        return _text_bytes_problem(limit.bytes) if is_text else _bytes_problem(limit.bytes)
    if limit.HasField("integer"):
        problem = _integer_problem(limit)
        return (lambda value: problem(value.seconds)) if field.message_type else problem
    return _number_problem(limit) if limit.HasField("number") else None


def _most(bounds: options.Limit.Range) -> float:
    return bounds.max if bounds.HasField("max") else math.inf


def _characters_problem(bounds: options.Limit.Range) -> Problem:
    least, most = bounds.min, _most(bounds)

    def problem(value: str) -> str | None:
        if not least <= len(value) <= most:
            return f"must have {least} to {most} characters, has {len(value)}"
        return "must not contain NUL" if "\0" in value else None

    return problem


def _text_bytes_problem(bounds: options.Limit.Range) -> Problem:
    least, most = bounds.min, _most(bounds)

    def problem(value: str) -> str | None:
        size = len(value.encode())
        if size > most:
            return f"must have at most {most} bytes, has {size}; {STORE_ELSEWHERE}"
        if size < least:
            return f"must have at least {least} byte"
        return "must not contain NUL" if "\0" in value else None

    return problem


def _bytes_problem(bounds: options.Limit.Range) -> Problem:
    least, most = bounds.min, _most(bounds)
    count = f"{least}" if least == most else f"{least} to {most}"
    wanted = f"at least {least} byte" if most == math.inf else f"{count} bytes"

    def problem(value: bytes) -> str | None:
        if least <= len(value) <= most:
            return None
        return f"must have {wanted}" + ("" if most == math.inf else f", has {len(value)}")

    return problem


def _form_problem(limit: options.Limit, *, is_optional: bool) -> Problem:
    value = options.DESCRIPTOR.enum_types_by_name["Form"].values_by_number[limit.form]
    pattern: options.Pattern = value.GetOptions().Extensions[PATTERN]
    matches, description = re.compile(pattern.regex).fullmatch, f"must be {pattern.rule}"

    def problem(value: str) -> str | None:
        return None if (is_optional and not value) or matches(value) else description

    return problem


def _integer_problem(limit: options.Limit) -> Problem:
    least, most = limit.integer.min, _most(limit.integer)
    takes_zero = limit.HasField("zero_means")
    wanted = f"{least} or more" if most == math.inf else f"from {least} to {most}"
    if takes_zero:
        wanted += f", or 0 for {limit.zero_means or 'the default'}"

    def problem(value: int) -> str | None:
        if least <= value <= most or (takes_zero and not value):
            return None
        return f"must be {limit.rule}" if limit.rule else f"must be {wanted}; is {value}"

    return problem


def _number_problem(limit: options.Limit) -> Problem:
    least, most, takes_zero = limit.number.min, limit.number.max, limit.HasField("zero_means")

    def problem(value: float) -> str | None:
        # No comparison holds for what is not a number.
        if least <= value <= most or (takes_zero and value == 0):
            return None
        return f"must be a number from {least:g} to {most:g}"

    return problem


def _enum_problem(enum: Any, limit: options.Limit) -> Problem:
    known = frozenset(enum.values_by_number) - ({0} if limit.required else frozenset())

    def problem(value: int) -> str | None:
        if value in known:
            return None
        if limit.rule:
            return f"must be {limit.rule}"
        return f"has a value that this server does not know: {value}"

    return problem


def _time_problem(value: Any) -> str | None:
    first, last = TIME_SECONDS
    if first <= value.seconds <= last and 0 <= value.nanos < 1_000_000_000:
        return None
    return "must be a time from the year 1 to the year 9999"
