"""The content of slots: JSON as it was sent, read strictly, and what the service reads out of it."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from camillo_formats.characters import border_at_or_before, composed

# Parsing a character where every value is as short as can be, or walking through it as often as a write does, in
# characters that are looked through for secrets (kernel/off_loop.py).
VALUES_COST = 2
MAX_LEVELS = 100
DEFAULT_IMPORTANCE = 0.5
MAX_NAME, MAX_TAGS, MAX_SUMMARY = 128, 64, 500
# Shorter texts of a forgotten slot say nothing of their own, and may be said again.
MIN_BLOCKED = 12
# Fields that describe a slot and state nothing: their values are not blocked.
_LABELS = ("type", "tags")
# Fields that are read from an object.
_FIELDS = (*_LABELS, "importance", "summary", "expired_at", "next_trigger_at", "trigger_at")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


class BadContent(ValueError):
    """Not the JSON that a slot keeps; the text says why."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was spelled: `1.0` is not `1`, and none is too large."""

    spelled: str


@dataclass(frozen=True, slots=True)
class ContentFields:
    """The fields of content; a field that is not well-formed has its default."""

    type: str = ""
    tags: tuple[str, ...] = ()
    importance: float = DEFAULT_IMPORTANCE
    summary: str = ""
    expired_at: datetime | None = None
    trigger_at: datetime | None = None


def parsed(text: str) -> Any:
    """The value, its numbers as `Number`. Raises BadContent."""
    _check_levels(text)
    try:
        value = json.loads(
            text,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise BadContent(f"must be JSON: {error.msg} at character {error.pos}") from None
    try:
        "".join(texts_of(value)).encode()
    except UnicodeEncodeError:
        raise BadContent("must not contain a lone surrogate") from None
    return value


def written(value: Any) -> str:
    """The JSON text of a parsed value."""
    if isinstance(value, Number):
        return value.spelled
    if isinstance(value, Mapping):
        return f"{{{','.join(f'{written(key)}:{written(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{','.join(map(written, value))}]"
    return json.dumps(value, ensure_ascii=False)


def texts_of(value: Any) -> Iterator[str]:
    """Every text in a value, keys of objects included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield key
            yield from texts_of(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_of(each)


def statements_of(value: Any) -> Iterator[str]:
    """The texts that content states, which are blocked when it is forgotten: without its labels, its times, and what is
    too short to say something."""
    if isinstance(value, str):
        if len(value) >= MIN_BLOCKED and _time(value) is None:
            yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if key not in _LABELS:
                yield from statements_of(each)
    elif isinstance(value, list):
        for each in value:
            yield from statements_of(each)


def lines_of(value: Any, name: str = "") -> Iterator[str]:
    """A line for each text and number, with the name that it has."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from lines_of(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from lines_of(each, name)
    elif value is not None:
        text = value.spelled if isinstance(value, Number) else str(value)
        line = f"{name}: {text}" if name else text
        # Postgres has no NUL in a text.
        yield line.replace("\0", " ")


def beginning(lines: Iterable[str], longest: int) -> str:
    """The beginning of the lines, of at most `longest` characters; lines that are not needed are not asked for."""
    taken, length = list[str](), 0
    for line in lines:
        taken.append(line)
        length += len(line) + 1
        if length > longest:
            break
    return _cut("\n".join(taken), longest)


def fields_of(value: Any) -> ContentFields:
    """Reads the fields that content states about itself."""
    if not isinstance(value, Mapping):
        return ContentFields(summary=beginning(lines_of(value), MAX_SUMMARY))
    triggers = (_time(value.get(name)) for name in ("next_trigger_at", "trigger_at"))
    return ContentFields(
        type=_name(value.get("type")),
        tags=_tags(value.get("tags")),
        importance=_importance(value.get("importance")),
        summary=_cut(_text(value.get("summary")), MAX_SUMMARY) or _summary(value),
        expired_at=_time(value.get("expired_at")),
        trigger_at=next((each for each in triggers if each is not None), None),
    )


def _summary(value: Mapping[str, Any]) -> str:
    """The beginning of what an object says beside the fields that are read out of it: of one text alone, without its
    name."""
    rest = {name: each for name, each in value.items() if name not in _FIELDS}
    values = list(rest.values())
    lines = lines_of(values[0] if len(values) == 1 and isinstance(values[0], str) else rest)
    return beginning(lines, MAX_SUMMARY)


def _text(value: Any) -> str:
    return value.replace("\0", " ").strip() if isinstance(value, str) else ""


def _cut(text: str, longest: int) -> str:
    return text[: border_at_or_before(text, longest, 0)]


def _name(value: Any) -> str:
    return _cut(_text(value), MAX_NAME)


def _tags(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    tags = (composed(_name(each)) for each in value)
    return tuple(dict.fromkeys(each for each in tags if each))[:MAX_TAGS]


def _importance(value: Any) -> float:
    """0 to 1. The scale of 0 to 10 is told by a number above 1."""
    if not isinstance(value, Number):
        return DEFAULT_IMPORTANCE
    number = float(value.spelled)
    if not math.isfinite(number) or not 0 <= number <= 10:
        return DEFAULT_IMPORTANCE
    return number if number <= 1 else number / 10


def _time(value: Any) -> datetime | None:
    """Reads a time in ISO 8601; without a zone it is UTC. None for anything else."""
    if not isinstance(value, str):
        return None
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(value.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    return None


def _check_levels(text: str) -> None:
    """Before it is parsed, which calls itself for each level."""
    level = 0
    for bracket in _BRACKET.finditer(_TEXT.sub("", text)):
        level += 1 if bracket[0] in "[{" else -1
        if level > MAX_LEVELS:
            raise BadContent(f"must have at most {MAX_LEVELS} levels")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise BadContent("must not have a key twice in an object")
    return found


def _refuse_constant(name: str) -> None:
    raise BadContent(f"must be JSON: {name} is no number there")
