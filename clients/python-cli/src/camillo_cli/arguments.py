"""Parses values of arguments and options, and reads texts from files and standard input."""

from __future__ import annotations

import codecs
import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from camillo_cli.failures import CliError, ExitCode, one_line
from camillo_cli.format import utc_now

if TYPE_CHECKING:
    from google.protobuf.message import Message

COMPARISONS = {">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "!=": "ne"}
COMPARISON = re.compile(r"([^<>=!]+?)\s*(?:(>=|<=|!=|>|<|=)\s*(.*)|\s+in\s+(.+)|\s+(not\s+)?exists)", re.DOTALL)
Scalar = str | float | bool | None
SPAN = re.compile(r"(\d+(?:\.\d+)?)(s|m|h|d|w)")
SPAN_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
SIZE_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
# The mark of UTF-32 begins with that of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WIDE_ENCODINGS = frozenset({"utf-16", "utf-32"})
RANGE = re.compile(r"(-?\d*):(-?\d*)")


def span(text: str) -> timedelta:
    """The length of time in `30m`, `12h`, `90d`. Raises CliError."""
    match = SPAN.fullmatch(text.strip())
    if match is None:
        raise CliError(f"{text!r} is not a span of time such as 30m, 12h, 7d", ExitCode.USAGE)
    try:
        return timedelta(seconds=float(match[1]) * SPAN_SECONDS[match[2]])
    except OverflowError as error:
        raise CliError(f"{text!r} is too long a span of time", ExitCode.USAGE) from error


def time_ago(text: str, now: datetime | None = None) -> datetime:
    """A date, a date with time, or how long ago. Raises CliError."""
    return _time(text, now or utc_now(), -1)


def time_ahead(text: str, now: datetime | None = None) -> datetime:
    """A date, a date with time, or in how long. Raises CliError."""
    return _time(text, now or utc_now(), 1)


def expiry(text: str) -> datetime | None:
    """A time ahead; None for `never`. Raises CliError."""
    return None if text == "never" else time_ahead(text)


def _time(text: str, now: datetime, direction: int) -> datetime:
    try:
        if SPAN.fullmatch(text.strip()):
            return now + direction * span(text)
        moment = datetime.fromisoformat(text.strip())
        # Without a zone it is the caller's local time.
        moment = moment if moment.tzinfo else moment.astimezone()
        # By its zone it may lie before the year 1, or behind 9999.
        moment.astimezone(UTC)
        return moment
    except (ValueError, OverflowError, OSError) as error:
        raise CliError(
            f"{text!r} is neither a date such as 2026-01-31 or 2026-01-31T12:00Z nor a span such as 7d",
            ExitCode.USAGE,
        ) from error


def size_bytes(text: str) -> int:
    """The bytes in `812`, `64k`, `1.5 MB`: a kilobyte has 1,024. Raises CliError."""
    match = SIZE.fullmatch(text.strip())
    if match is None:
        raise CliError(f"{text!r} is not a size such as 812, 64k, 1.5MB", ExitCode.USAGE)
    return int(float(match[1]) * 1024 ** SIZE_POWERS[match[2].lower()])


def line_range(text: str) -> tuple[int, int | None]:
    """The lines in `5:20`, `5:`, `:20` and `5`. Raises CliError."""
    if text.isdecimal():
        return int(text), int(text)
    first, last = number_range(text, "--lines")
    return 1 if first is None else first, last


def number_range(text: str, option: str) -> tuple[int | None, int | None]:
    """The numbers in `5:20`, either of which may be left out. Raises CliError."""
    match = RANGE.fullmatch(text.strip())
    if match is None:
        raise CliError(f"{option} takes two numbers such as 5:20, not {text!r}", ExitCode.USAGE)
    first, last = (int(number) if number else None for number in match.groups())
    return first, last


# From here on, neighbouring whole numbers of the contract are the same number.
EXACT_WHOLE = 2**53


def metadata(pairs: Iterable[str]) -> dict[str, Scalar]:
    """`key=value` pairs; a value that is a JSON number, bool, null or string is read as such, any other is text; so is
    a number that would be shown otherwise than it was typed, such as the version 1.10 or an id of 19 digits.

    Raises CliError.
    """
    found: dict[str, Scalar] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise CliError(f"{pair!r} is not of the form key=value", ExitCode.USAGE)
        found[key] = _scalar(value)
    return found


def conditions(texts: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Comparisons of metadata by key: `order>=10`, `state!=open`, `state in open,null`, `shop exists`, `shop not
    exists`. Values are read as in `key=value`.

    Raises CliError.
    """
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        match = COMPARISON.fullmatch(text.strip())
        if match is None:
            raise CliError(f"{text!r} is no comparison such as order>=10", ExitCode.USAGE)
        key, sign, value, values, negation = match.groups()
        operands = found.setdefault(key.strip(), {})
        operator, operand = _comparison(sign, value, values, negation)
        if operands.setdefault(operator, operand) is not operand:
            raise CliError(f"{operator} of {key.strip()} is given twice", ExitCode.USAGE)
    return found


def _comparison(sign: str | None, value: str | None, values: str | None, negation: str | None) -> tuple[str, Any]:
    if sign == "=":
        return "in", [_scalar(value or "")]
    if sign is not None:
        return COMPARISONS[sign], _scalar(value or "")
    if values is None:
        return "exists", negation is None
    return "in", [_scalar(each.strip()) for each in values.split(",")]


def _scalar(text: str) -> Scalar:
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except ValueError:
        return text
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value if repr(value) == text and abs(value) < EXACT_WHOLE else text
    return text if isinstance(value, dict | list) else value


def _refuse_constant(name: str) -> float:
    # NaN and Infinity are not JSON, though Python reads them.
    raise ValueError(f"{name} is no number of JSON")


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(f"{number[:40]} is too large")
    return value


def json_object(option: str) -> Callable[[str], dict[str, Any]]:
    """A parser of an option that takes a JSON object. It raises CliError."""

    def parse(text: str) -> dict[str, Any]:
        try:
            value = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
        except (ValueError, RecursionError) as error:
            raise CliError(f"{option} is not JSON: {error}", ExitCode.USAGE) from error
        if not isinstance(value, dict):
            raise CliError(f"{option} takes a JSON object such as '{{\"a\": 1}}'", ExitCode.USAGE)
        return value

    return parse


def read_words(words: Iterable[str] | None, *, exact: bool = False) -> str:
    """The words joined; standard input for `-`, or for no words where something is piped in.

    Without its last line end, unless it is wanted `exact`. Raises CliError.
    """
    words = list(words or ())
    if words and words != ["-"]:
        return " ".join(words)
    if not words and sys.stdin.isatty():
        raise CliError("nothing given: give the text, or '-' to read it from standard input", ExitCode.USAGE)
    text = _decode(sys.stdin.buffer.read(), "-", "utf-8")
    return text if exact else text.removesuffix("\n")


def read_bytes(path: str) -> bytes:
    """The bytes of a file, or of standard input. Raises CliError."""
    with open_input(path) as file:
        return file.read()


def read_text(path: str) -> str:
    """The text of a file, or of standard input. Raises CliError."""
    return _decode(read_bytes(path), path, "utf-8-sig")


def _decode(data: bytes, path: str, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        name = "standard input" if path == "-" else path
        raise CliError(f"{name} is not UTF-8 text", ExitCode.USAGE) from error


def encoding(content: bytes) -> str:
    """UTF-32 or UTF-16 after its byte order mark, else UTF-8."""
    return next((name for mark, name in BYTE_ORDER_MARKS if content.startswith(mark)), "utf-8-sig")


@contextmanager
def open_input(source: str) -> Iterator[BinaryIO]:
    """The bytes of a file, or of standard input. Raises CliError."""
    if source == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(source).expanduser().open("rb") as file:
            yield file
    except OSError as error:
        raise cannot_read(source, error) from error


def read_json_line(
    line: bytes,
    number: int,
    message: Message,
    noun: str,
    shaped: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> dict[str, Any]:
    """Reads a line of protobuf JSON into a message, and returns its fields as they were in the line. `shaped` turns
    them into those of the message.

    Raises CliError with the number of the line, counted from 1.
    """
    from google.protobuf.json_format import ParseDict, ParseError

    try:
        fields = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        if not isinstance(fields, dict):
            raise bad_line(number, "is not a JSON object")
        ParseDict(shaped(fields), message)
    except UnicodeDecodeError as error:
        raise bad_line(number, "is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise bad_line(number, f"is not JSON ({error.msg})") from error
    except (ParseError, AttributeError, TypeError, ValueError, RecursionError) as error:
        reason = one_line(str(error)).partition(" Available Fields")[0][:200]
        raise bad_line(number, f"is not a {noun} ({reason})") from error
    return fields


def numbered_lines(file: BinaryIO, max_bytes: int) -> Iterator[tuple[int, bytes | None]]:
    """Each line that is not blank, with its number from 1; None in place of one that is longer than `max_bytes`."""
    number = 0
    while line := file.readline(max_bytes + 1):
        number += 1
        if len(line) > max_bytes:
            yield number, None
            while line and not line.endswith(b"\n"):
                line = file.readline(max_bytes)
        elif line.strip():
            yield number, line


def bad_line(number: int, reason: str) -> CliError:
    return CliError(f"line {number} {reason}", ExitCode.USAGE)


def cannot_read(path: str | Path, error: OSError) -> CliError:
    return CliError(f"cannot read {path}: {error.strerror}", ExitCode.USAGE)
