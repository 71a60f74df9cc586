"""Limits of single values: the options of a field, turned into a function that describes what is wrong with a value."""

import math
import re
from collections.abc import Callable
from typing import Any

from camillo.v1 import options_pb2 as options
from camillo_formats.characters import VISIBLE
from camillo_formats.enum_names import one_of

# Describes what is wrong with a value; None if nothing is.
Problem = Callable[[Any], str | None]

TIMESTAMP = "google.protobuf.Timestamp"
# Seconds since 1970 of the years 1 to 9999.
TIME_SECONDS = (-62_135_596_800, 253_402_300_799)
# Lists whose texts are shown before others, on one line. Filters accept any text, for rows of earlier releases.
LABELS = frozenset({"tags"})
# Control characters, line separators, and characters that change the direction of the text that follows.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
STORE_ELSEWHERE = "store what is larger by ArtifactService.PutArtifact"

# The limit and pattern of descriptors. Their stubs do not know that they are extensions.
LIMIT: Any = options.limit
PATTERN: Any = options.pattern


def value_problem(field: Any, limit: options.Limit, *, is_item: bool = False) -> Problem | None:
    """The function for a field, or None if it accepts every value."""
    if field.enum_type:
        return _enum_problem(field.enum_type, limit)
    if field.message_type and field.message_type.full_name == TIMESTAMP:
        return _time_problem
    if limit.form:
        is_optional = not (is_item or limit.required or field.has_presence)
        return form_problem(limit.form, is_optional=is_optional)
    if limit.HasField("characters"):
        problem = characters_problem(limit.characters)
        if is_item and field.name in LABELS:
            return _label_problem(problem)
        return _visible_problem(problem) if limit.visible else problem
    if limit.HasField("bytes"):
        is_text = field.type == field.TYPE_STRING
        return _text_bytes_problem(limit.bytes) if is_text else _bytes_problem(limit.bytes)
    if limit.HasField("integer"):
        problem = _integer_problem(limit)
        return (lambda value: problem(value.seconds)) if field.message_type else problem
    return _number_problem(limit) if limit.HasField("number") else None


def _maximum(bounds: options.Limit.Range) -> float:
    return bounds.max if bounds.HasField("max") else math.inf


def characters_problem(bounds: options.Limit.Range) -> Problem:
    """The function for texts of a bounded length without NUL."""
    low, high = bounds.min, _maximum(bounds)

    def problem(value: str) -> str | None:
        if not low <= len(value) <= high:
            return f"must have {low} to {high} characters, has {len(value)}"
        return "must not contain NUL" if "\0" in value else None

    return problem


def _label_problem(characters: Problem) -> Problem:
    def problem(value: str) -> str | None:
        description = characters(value)
        if description is not None or value.isalnum() or not UNPRINTABLE.search(value):
            return description
        return "must be one line without control characters"

    return problem


def _visible_problem(characters: Problem) -> Problem:
    def problem(value: str) -> str | None:
        description = characters(value)
        # Most texts begin with a visible character of ASCII, which costs a tenth of the search.
        if description is not None or "!" <= value[:1] <= "~" or VISIBLE.search(value):
            return description
        return "must contain a visible character"

    return problem


def _text_bytes_problem(bounds: options.Limit.Range) -> Problem:
    low, high = bounds.min, _maximum(bounds)

    def problem(value: str) -> str | None:
        size = len(value.encode())
        if size > high:
            return f"must have at most {high} bytes, has {size}; {STORE_ELSEWHERE}"
        if size < low:
            return f"must have at least {low} byte"
        return "must not contain NUL" if "\0" in value else None

    return problem


def _bytes_problem(bounds: options.Limit.Range) -> Problem:
    low, high = bounds.min, _maximum(bounds)
    count = f"{low}" if low == high else f"{low} to {high}"
    range_text = f"at least {low} byte" if high == math.inf else f"{count} bytes"

    def problem(value: bytes) -> str | None:
        if low <= len(value) <= high:
            return None
        return f"must have {range_text}" + ("" if high == math.inf else f", has {len(value)}")

    return problem


def form_problem(form: options.Form, *, is_optional: bool) -> Problem:
    """The function for texts of a form; an empty text passes where it is optional."""
    value = options.DESCRIPTOR.enum_types_by_name["Form"].values_by_number[form]
    pattern: options.Pattern = value.GetOptions().Extensions[PATTERN]
    matches, description = re.compile(pattern.regex).fullmatch, f"must be {pattern.rule}"

    def problem(value: str) -> str | None:
        return None if (is_optional and not value) or matches(value) else description

    return problem


def _integer_problem(limit: options.Limit) -> Problem:
    low, high = limit.integer.min, _maximum(limit.integer)
    takes_zero = limit.HasField("zero_means")
    range_text = f"{low} or more" if high == math.inf else f"from {low} to {high}"
    if takes_zero:
        range_text += f", or 0 for {limit.zero_means or 'the default'}"

    def problem(value: int) -> str | None:
        if low <= value <= high or (takes_zero and not value):
            return None
        return f"must be {limit.rule}" if limit.rule else f"must be {range_text}; is {value}"

    return problem


def _number_problem(limit: options.Limit) -> Problem:
    low, high, takes_zero = limit.number.min, limit.number.max, limit.HasField("zero_means")

    def problem(value: float) -> str | None:
        # No comparison holds for what is not a number.
        if low <= value <= high or (takes_zero and value == 0):
            return None
        return f"must be a number from {low:g} to {high:g}"

    return problem


def _enum_problem(enum: Any, limit: options.Limit) -> Problem:
    known = frozenset(enum.values_by_number) - ({0} if limit.required else frozenset())

    def problem(value: int) -> str | None:
        if value in known:
            return None
        return f"{one_of(enum)}; is {value}" if value else one_of(enum)

    return problem


def _time_problem(value: Any) -> str | None:
    first, last = TIME_SECONDS
    if first <= value.seconds <= last and 0 <= value.nanos < 1_000_000_000:
        return None
    return "must be a time from the year 1 to the year 9999"
