"""The violations of one request, collected while it is checked; what is wrong with single values, by the options of
their fields; and secrets, which are refused in texts that name things."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from camillo.v1 import options_pb2 as options
from camillo_formats.characters import VISIBLE
from camillo_formats.enum_names import one_of
from google.protobuf.message import Message

from camillo_server.doors.rpc.contract import SECRETS
from camillo_server.kernel.errors import FieldViolation, InvalidField
from camillo_server.kernel.scope import Scope
from camillo_server.lib.redaction.detector import SecretDetector
from camillo_server.lib.redaction.rules import VAGUE

ARTIFACT_ID = re.compile(r"[a-z0-9][a-z0-9_]{2,63}")


@dataclass(frozen=True, slots=True)
class OwnModel:
    """The server's embedding model: a vector without a model, or of this one, must have its length."""

    model_id: str
    dimensions: int


class Checks:
    """Collects the violations of one request, so that one error lists all of them."""

    def __init__(self, own_model: OwnModel | None = None, scope: Scope | None = None) -> None:
        self.violations: list[FieldViolation] = []
        # Values that checks have read out of messages, by path: the conversion of the request need not read it again.
        self.read: dict[str, Any] = {}
        # Inputs of rules besides the request.
        self.own_model = own_model
        self.scope = scope

    def fail(self, field: str, description: str) -> None:
        self.violations.append(FieldViolation(field, description))

    def done(self) -> None:
        """Raises InvalidField if there are violations."""
        if self.violations:
            raise InvalidField(self.violations)


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


REFUSED = (options.SECRETS_UNSPECIFIED, options.SECRETS_REFUSED)
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def refuse_secrets(message: Message, checks: Checks, path: str = "") -> None:
    """Adds a violation for each field with a secret. A text that only resembles a service's key may be a name."""
    for field, text, names in _texts(message, path):
        if names and UUID.fullmatch(text):
            # Most ids of requests are UUIDs; searching one for secrets takes 10 microseconds.
            continue
        found = _detector().find(text.encode())
        if found and any(not names or secret.kind != VAGUE for secret in found):
            checks.fail(field, "must not contain a secret")


@cache
def _detector() -> SecretDetector:
    return SecretDetector()


def _texts(message: Message, path: str) -> Iterator[tuple[str, str, bool]]:
    """The path and the text of each field to look at, and whether it is a name."""
    looked_at = _looked_at(message.DESCRIPTOR)
    for field, value in message.ListFields():
        names = looked_at.get(field.name)
        if names is None:
            continue
        for number, each in enumerate(value if field.is_repeated else (value,)):
            at = f"{path}{field.name}[{number}]" if field.is_repeated else f"{path}{field.name}"
            if field.message_type:
                yield from _texts(each, f"{at}.")
            else:
                yield at, each, names


@cache
def _looked_at(message_type: Any) -> Mapping[str, bool]:
    """The texts and messages to look at by their names: whether it is a name of something."""
    return {field.name: is_name(field) for field in message_type.fields if _is_looked_at(field)}


def is_name(field: Any) -> bool:
    """Whether a text is a name by its form, or by its own name."""
    return bool(field.GetOptions().Extensions[LIMIT].form) or field.name.endswith("id")


def _is_looked_at(field: Any) -> bool:
    if field.GetOptions().Extensions[SECRETS] not in REFUSED:
        return False
    if field.message_type:
        is_ours = field.message_type.full_name.startswith("camillo.")
        return is_ours and bool(_looked_at(field.message_type))
    limit: options.Limit = field.GetOptions().Extensions[LIMIT]
    return bool(field.type == field.TYPE_STRING) and limit.form != options.FORM_UUID
