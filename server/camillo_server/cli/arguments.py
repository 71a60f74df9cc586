"""Values of options that are more than a word: moments, spans of time, metadata, text from standard input."""

import json
import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from camillo_server.cli.failures import CliError, ExitCode

Scalar = str | float | bool | None
SPAN = re.compile(r"(\d+(?:\.\d+)?)(s|m|h|d|w)")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def span(text: str) -> timedelta:
    """The length of time in `30m`, `12h`, `90d`. Raises CliError."""
    found = SPAN.fullmatch(text.strip())
    if found is None:
        raise CliError(f"{text!r} is not a span of time such as 30m, 12h, 7d", ExitCode.USAGE)
    try:
        return timedelta(seconds=float(found[1]) * SECONDS[found[2]])
    except OverflowError as error:
        raise CliError(f"{text!r} is too long a span of time", ExitCode.USAGE) from error


def moment_ago(text: str | None, now: datetime) -> datetime | None:
    """A date, a date with time, or how long ago."""
    return None if text is None else _moment(text, now, -1)


def moment_ahead(text: str | None, now: datetime) -> datetime | None:
    """A date, a date with time, or in how long."""
    return None if text is None else _moment(text, now, 1)


def _moment(text: str, now: datetime, direction: int) -> datetime:
    try:
        if SPAN.fullmatch(text.strip()):
            return now + direction * span(text)
        given = datetime.fromisoformat(text.strip())
        # Without a zone it is the time on the caller's wall.
        return given if given.tzinfo else given.astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise CliError(
            f"{text!r} is neither a date such as 2026-01-31 or 2026-01-31T12:00Z nor a span such as 7d",
            ExitCode.USAGE,
        ) from error


def metadata(pairs: Iterable[str]) -> dict[str, Scalar]:
    """`key=value` pairs; what reads as a JSON number, bool, null or string is one, the rest is text."""
    found: dict[str, Scalar] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise CliError(f"{pair!r} is not of the form key=value", ExitCode.USAGE)
        found[key] = _scalar(value)
    return found


def _scalar(text: str) -> Scalar:
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except ValueError:
        return text
    return text if isinstance(value, dict | list) else value


def _refuse_constant(name: str) -> float:
    # NaN and Infinity are no JSON, though Python reads them.
    raise ValueError(name)


def given_text(words: Iterable[str] | None, *, exact: bool = False) -> str:
    """The words joined; standard input for `-`, or for no words where something is piped in.

    Its last line end goes, unless it is wanted exactly as it is.
    """
    words = list(words or ())
    if words and words != ["-"]:
        return " ".join(words)
    if not words and sys.stdin.isatty():
        raise CliError(
            "nothing given: give the text, or '-' to read it from standard input", ExitCode.USAGE
        )
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise CliError("standard input is not UTF-8 text", ExitCode.USAGE) from error
    return text if exact else text.removesuffix("\n")


def utc_now() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)
