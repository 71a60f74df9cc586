"""Spans of time, and the calendar's arithmetic: days, weeks from Monday, months and years, all in UTC."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
# The first month of each, as the northern hemisphere has them.
SEASONS: Mapping[str, int] = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
LENGTHS: Mapping[str, timedelta] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": DAY,
    "week": WEEK,
    "weekend": WEEK,
    "month": timedelta(days=30.4375),
    "quarter": timedelta(days=91.3125),
    "year": timedelta(days=365.25),
    "decade": timedelta(days=3652.5),
}
MONTHS: Mapping[str, int] = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


class TimeSpan(NamedTuple):
    """A time from its begin until before its end; None: without one. `is_relative`: it depends on when it is said.
    `assumes_year`: the text leaves the year to whoever reads it."""

    begin: datetime | None
    end: datetime | None
    is_relative: bool = False
    assumes_year: bool = False

    @property
    def is_closed(self) -> bool:
        return self.begin is not None and self.end is not None


def midnight(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def day_of(year: int, month: int, day: int) -> TimeSpan:
    """Raises ValueError for a day that the calendar does not have, OverflowError for its last, after which none
    begins."""
    begin = datetime(year, month, day, tzinfo=UTC)
    return TimeSpan(begin, begin + DAY)


def months_from(begin: datetime, months: int) -> datetime:
    """The first of the month that is so many later, or earlier. Raises ValueError beyond the years 1 to 9999."""
    years, month = divmod(begin.month - 1 + months, 12)
    return datetime(begin.year + years, month + 1, 1, tzinfo=UTC)


def month_of(year: int, month: int, count: int = 1) -> TimeSpan:
    begin = datetime(year, month, 1, tzinfo=UTC)
    return TimeSpan(begin, months_from(begin, count))


def season_of(year: int, season: str) -> TimeSpan:
    return month_of(year, SEASONS[season], 3)


def unit_around(unit: str, now: datetime, steps: int = 0) -> TimeSpan:
    """The unit of the calendar that `now` is in, or one so many steps from it."""
    today = midnight(now)
    if unit in MONTHS:
        length = MONTHS[unit]
        index = today.year * 12 + today.month - 1
        first = index - index % length + steps * length
        begin = datetime(first // 12, first % 12 + 1, 1, tzinfo=UTC)
        return TimeSpan(begin, months_from(begin, length), True)
    if unit in ("week", "weekend"):
        monday = today - today.weekday() * DAY + steps * WEEK
        begin = monday if unit == "week" else monday + 5 * DAY
        return TimeSpan(begin, monday + WEEK, True)
    length_ = LENGTHS[unit]
    begin = today if unit == "day" else now.astimezone(UTC)
    return TimeSpan(begin + steps * length_, begin + (steps + 1) * length_, True)


def around(moment: datetime, unit: str) -> TimeSpan:
    """A unit's length with the moment in its middle; whole days, from a day on."""
    if unit == "day":
        begin = midnight(moment)
        return TimeSpan(begin, begin + DAY, True)
    half = LENGTHS[unit] / 2
    if LENGTHS[unit] < DAY:
        return TimeSpan(moment - half, moment + half, True)
    return TimeSpan(midnight(moment - half), midnight(moment + half) + DAY, True)


def weekday_before(weekday: int, moment: datetime) -> TimeSpan:
    """The last such day before the day of this moment."""
    today = midnight(moment)
    begin = today - ((today.weekday() - weekday - 1) % 7 + 1) * DAY
    return TimeSpan(begin, begin + DAY, True)


def weekday_after(weekday: int, moment: datetime) -> TimeSpan:
    """The first such day after the day of this moment."""
    today = midnight(moment)
    begin = today + ((weekday - today.weekday() - 1) % 7 + 1) * DAY
    return TimeSpan(begin, begin + DAY, True)
