"""Times in the formats of logs. A time without a zone is taken as UTC."""

import re
from datetime import UTC, datetime, timedelta, timezone

# Numbers below the first bound are seconds since 1970, below the next milliseconds, microseconds, nanoseconds.
EARLIEST_EPOCH = 1e8
EPOCH_UNITS = ((1e11, 1), (1e14, 1e3), (1e17, 1e6), (1e20, 1e9))
NUMBER = re.compile(r"[0-9]{9,}(?:\.[0-9]+)?")
COMPACT = re.compile(r"(?:19|20)[0-9]{12}")
MAX_LENGTH = 64

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# A time of day, with what may follow it: a half of the day, a zone.
CLOCK = re.compile(
    r"(?<![0-9])(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<part>[0-9]{1,9}))?)?)?"
    r"(?:\s*(?P<half>[ap])\.?m\b\.?)?"
    r"(?P<zone>\s*(?:utc|gmt|z)?\s*(?P<hours>[+-][0-9]{2}):?(?P<minutes>[0-9]{2})\b|\s*(?:utc|gmt|z)\b)?",
    re.IGNORECASE,
)
MONTH = re.compile(
    r"(?<![^\W\d_])(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?(?![^\W\d_])\.?",
    re.IGNORECASE,
)
YEAR_FIRST = re.compile(r"(?<![0-9])([0-9]{4})\s*[-/.年]\s*([0-9]{1,2})\s*[-/.月]\s*([0-9]{1,2})(?![0-9])日?")
YEAR_LAST = re.compile(r"(?<![0-9])([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4})(?![0-9])")
YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
DAY = re.compile(r"(?<![0-9])([0-9]{1,2})(?:st|nd|rd|th)?(?![0-9])", re.IGNORECASE)
# Words and punctuation around a date that do not change it.
FILLER = re.compile(
    r"[\s,;|()\[\].-]|\b(?:on|at|of|the|t)\b|\b(?:mon|tues?|wed(?:nes)?|thu(?:r?s)?|fri|sat(?:ur)?|sun)(?:day)?\b",
    re.IGNORECASE,
)


def parse_time(value: object) -> datetime | None:
    """A time of a log, in UTC; None for a value that is no time, or that is ambiguous."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return _since_1970(float(value))
        if isinstance(value, str) and 0 < len(value) <= MAX_LENGTH:
            return _read(value.strip())
    except (ValueError, OverflowError):
        pass
    return None


def _read(text: str) -> datetime | None:
    if COMPACT.fullmatch(text):
        text = f"{text[:8]}T{text[8:]}"
    elif NUMBER.fullmatch(text):
        return _since_1970(float(text))
    try:
        found: datetime | None = datetime.fromisoformat(text)
    except ValueError:
        found = _spelled(text)
    if found is None:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _since_1970(number: float) -> datetime | None:
    if number >= EARLIEST_EPOCH:
        for below, unit in EPOCH_UNITS:
            if number < below:
                return datetime.fromtimestamp(number / unit, UTC)
    return None


def _spelled(text: str) -> datetime | None:
    """A date, with the name of a month or in numbers, an optional time and zone, and nothing else."""
    rest, clock, zone = _clock(text)
    rest, date = _date(rest)
    if date is None or FILLER.sub("", rest):
        return None
    return datetime(*date, tzinfo=zone) + clock


def _clock(text: str) -> tuple[str, timedelta, timezone | None]:
    """The text without its time of day, that time, and its zone."""
    for found in CLOCK.finditer(text):
        if found["minute"] or found["half"]:
            rest = f"{text[: found.start()]} {text[found.end() :]}"
            return rest, _since_midnight(found), _zone(found)
    return text, timedelta(), None


def _since_midnight(found: re.Match[str]) -> timedelta:
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    if found["half"] is not None:
        if not 1 <= hour <= 12:
            raise ValueError("no hour of half a day")
        hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    if hour > 23 or minute > 59 or second > 60:
        raise ValueError("no time of day")
    part = int((found["part"] or "0").ljust(6, "0")[:6])
    return timedelta(hours=hour, minutes=minute, seconds=second, microseconds=part)


def _zone(found: re.Match[str]) -> timezone | None:
    if found["zone"] is None:
        return None
    if found["hours"] is None:
        return UTC
    sign = -1 if found["hours"].startswith("-") else 1
    return timezone(sign * timedelta(hours=abs(int(found["hours"])), minutes=int(found["minutes"])))


def _date(text: str) -> tuple[str, tuple[int, int, int] | None]:
    """The text without its date, and year, month and day; None for an ambiguous date such as 4/5/2024."""
    if name := MONTH.search(text):
        return _named_date(f"{text[: name.start()]} {text[name.end() :]}", name[1])
    if found := YEAR_FIRST.search(text):
        date = (int(found[1]), int(found[2]), int(found[3]))
    elif found := YEAR_LAST.search(text):
        first, second, year = int(found[1]), int(found[3]), int(found[4])
        if found[2] != "." and first <= 12 and second <= 12 and first != second:
            return text, None
        is_day_first = found[2] == "." or first > 12
        date = (year, second, first) if is_day_first else (year, first, second)
    else:
        return text, None
    return f"{text[: found.start()]} {text[found.end() :]}", date


def _named_date(rest: str, month: str) -> tuple[str, tuple[int, int, int] | None]:
    years = YEAR.findall(rest)
    rest = YEAR.sub(" ", rest)
    days = DAY.findall(rest)
    if len(years) != 1 or len(days) != 1:
        return rest, None
    number = MONTHS.index(month.lower()) + 1
    return DAY.sub(" ", rest), (int(years[0]), number, int(days[0]))
