"""The meanings of the grammar's patterns: a span of time from the values of the symbols and the moment of speaking.

Each function takes that moment and the values by the names that the pattern gives them: `d` a day of a month, `m` a
month, `y` a year, `w` a weekday, `s` a season, `n` and `o` a number, `z` a span; with `_kind`, the symbol of the value.
It returns None if the words say no time, and may raise ValueError or OverflowError for a time that the calendar does
not have."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from camillo_server.lib.text.time_expressions import spans
from camillo_server.lib.text.time_expressions.spans import DAY, LENGTHS, TimeSpan

Values = Mapping[str, Any]
_STEPS = {"L": -1, "T": 0, "X": 1}
_AGO_WITHOUT_NUMBER = frozenset({"ago", "ago_before_it", "ago_since_it", "ago_or_before"})
_PARTS = {"E": 0, "K": 1, "G": 2}


class YearNamed(NamedTuple):
    """A year that a text names as one."""

    year: int
    is_relative: bool


def year(now: datetime, values: Values) -> YearNamed | None:
    if values["unit"] != "year":
        return None
    if "y" in values:
        return YearNamed(values["y"], False)
    return YearNamed(now.year + _STEPS[values["step_kind"]], True)


def year_from_now(now: datetime, values: Values) -> YearNamed:
    return YearNamed(now.year + values["n"], True)


def _named(year: YearNamed | int) -> YearNamed:
    return year if isinstance(year, YearNamed) else YearNamed(year, False)


def whole_year(now: datetime, values: Values) -> TimeSpan:
    year = _named(values["y"])
    return spans.month_of(year.year, 1, 12)._replace(is_relative=year.is_relative)


def day(now: datetime, values: Values) -> TimeSpan | None:
    """A day of a month; of the last year in which it has come, where none is named."""
    if not 1 <= values["d"] <= 31:
        return None
    if "y" in values:
        named = _named(values["y"])
        span = spans.day_of(named.year, values["m"], values["d"])
        return span._replace(is_relative=named.is_relative)
    for year in range(now.year, now.year - 5, -1):
        try:
            span = spans.day_of(year, values["m"], values["d"])
        except ValueError:
            continue
        if span.begin is not None and span.begin <= now:
            return span._replace(assumes_year=True)
    return None


def days(now: datetime, values: Values) -> TimeSpan | None:
    """From one day of a month to another; of the last year in which the first has come, where none is named."""
    first = day(now, values)
    if first is None or first.begin is None or values["d"] > values["until"]:
        return None
    return first._replace(end=spans.day_of(first.begin.year, values["m"], values["until"]).end)


def month(now: datetime, values: Values) -> TimeSpan:
    """A month. Without a year, the latest that has begun; for "last", the latest ended; for "next", the next to
    begin."""
    if "y" in values:
        year = _named(values["y"])
        span = spans.month_of(year.year, values["m"])
        return span._replace(is_relative=year.is_relative)
    step = values.get("step_kind", "")
    return _recurring(now, step, lambda year: spans.month_of(year, values["m"]))


def season(now: datetime, values: Values) -> TimeSpan:
    if "y" in values:
        year = _named(values["y"])
        span = spans.season_of(year.year, values["s"])
        return span._replace(is_relative=year.is_relative)
    step = values.get("step_kind", "")
    return _recurring(now, step, lambda year: spans.season_of(year, values["s"]))


def _recurring(now: datetime, step: str, of_year: Callable[[int], TimeSpan]) -> TimeSpan:
    """The yearly span that began last; for "last", the one that ended last; for "next", the next to begin."""
    around = [of_year(now.year + step) for step in (-2, -1, 0, 1)]
    begun = [each for each in around if each.begin is not None and each.begin <= now]
    if step == "X":
        return around[len(begun)]._replace(is_relative=True)
    ended = [each for each in begun if each.end is not None and each.end <= now]
    chosen = ended if step == "L" else begun
    return chosen[-1]._replace(is_relative=bool(step), assumes_year=not step)


def months(now: datetime, values: Values) -> TimeSpan:
    """From one month to another, of the same year or over its end."""
    last = month(now, {**values, "m": values["until"]})
    assert last.begin is not None  # noqa: S101 (of a month)
    year = last.begin.year - (values["m"] > values["until"])
    return last._replace(begin=datetime(year, values["m"], 1, tzinfo=last.begin.tzinfo))


def month_from_now(now: datetime, values: Values) -> TimeSpan:
    return spans.unit_around("month", now, values["n"])


def day_from_now(now: datetime, values: Values) -> TimeSpan:
    return spans.unit_around("day", now, values["n"])


def unit(now: datetime, values: Values) -> TimeSpan:
    """The last, this or the next week."""
    return spans.unit_around(values["unit"], now, _STEPS[values["step_kind"]])


def units_until_now(now: datetime, values: Values) -> TimeSpan | None:
    if values["step_kind"] != "L":
        return None
    return TimeSpan(now - _length(values), now, True)


def _length(values: Values) -> Any:
    return LENGTHS[values["unit"]] * (0.5 if "half" in values else values.get("n", 1))


def _smaller_unit(values: Values) -> str:
    # Half a year ago is not known to half a year.
    return "month" if "half" in values and values["unit"] == "year" else str(values["unit"])


def ago(now: datetime, values: Values) -> TimeSpan | None:
    says = values.get("said", "")
    if "n" not in values and "half" not in values and says not in _AGO_WITHOUT_NUMBER:
        # "Before the week" says something else.
        return None
    return spans.around(now - _length(values), _smaller_unit(values))


def since_ago(now: datetime, values: Values) -> TimeSpan:
    """The time since so long ago ("since two weeks"); in Arabic the same word means "ago"."""
    if values["said"] == "ago_since_it":
        return spans.around(now - _length(values), values["unit"])
    return TimeSpan(now - _length(values), None, True)


def from_now(now: datetime, values: Values) -> TimeSpan:
    return spans.around(now + _length(values), _smaller_unit(values))


def weekday(now: datetime, values: Values) -> TimeSpan | None:
    """The latest such weekday, which may be today; for "last", the one before today; for "next", the next."""
    step = values.get("step_kind", "")
    if str(values.get("step")).endswith("_week"):
        # In Chinese it is a day of the last or the next week.
        week = spans.unit_around("week", now, _STEPS[step])
        return weekday_in(now, {**values, "z": week})
    if step == "X":
        return spans.weekday_after(values["w"], now)
    return spans.weekday_before(values["w"], now if step == "L" else now + DAY)


def weekday_in(now: datetime, values: Values) -> TimeSpan | None:
    """A day of a week that is named."""
    week: TimeSpan = values["z"]
    if week.begin is None or week.end is None or week.end - week.begin != spans.WEEK:
        return None
    return spans.weekday_after(values["w"], week.begin - DAY)


def week_of(now: datetime, values: Values) -> TimeSpan | None:
    """The week in which a day is."""
    day: TimeSpan = values["z"]
    if values["unit"] != "week" or day.begin is None or day.end != day.begin + DAY:
        return None
    return spans.unit_around("week", day.begin)._replace(is_relative=day.is_relative)


def nth_unit(now: datetime, values: Values) -> TimeSpan | None:
    """The second week of a month, the third quarter of a year."""
    whole: TimeSpan = values["z"]
    unit, place = values["unit"], values["o"] - 1
    if whole.begin is None or whole.end is None:
        return None
    if unit in ("quarter", "month"):
        months = spans.MONTHS[unit]
        begin = spans.months_from(whole.begin, place * months)
        end = spans.months_from(begin, months)
    else:
        begin = whole.begin + place * LENGTHS[unit]
        end = begin + LENGTHS[unit]
    return whole._replace(begin=begin, end=end) if begin < whole.end else None


def quarter(now: datetime, values: Values) -> TimeSpan | None:
    year = spans.month_of(now.year, 1, 12)._replace(is_relative=True)
    return nth_unit(now, {**values, "z": year}) if values["unit"] == "quarter" else None


def beside(now: datetime, values: Values) -> TimeSpan | None:
    """The week before a date, two days after it, the Sunday before it."""
    date: TimeSpan = values["z"]
    is_before = values["side"] in ("before", "ago_before_it")
    edge = date.begin if is_before else date.end
    if edge is None:
        return None
    if "w" in values:
        if is_before:
            return spans.weekday_before(values["w"], edge)._replace(is_relative=date.is_relative)
        return spans.weekday_after(values["w"], edge - DAY)._replace(is_relative=date.is_relative)
    unit = values["unit"]
    if unit == "weekend":
        weekend = spans.unit_around("weekend", edge, -1 if is_before else 1)
        return weekend._replace(is_relative=date.is_relative)
    length = _length(values)
    if "n" in values:
        middle = (date.begin or edge) - length if is_before else (date.begin or edge) + length
        return spans.around(middle, unit)._replace(is_relative=date.is_relative)
    span = TimeSpan(edge - length, edge) if is_before else TimeSpan(edge, edge + length)
    return span._replace(is_relative=date.is_relative)


def part(now: datetime, values: Values) -> TimeSpan | None:
    """The begin, the middle or the end of a span: a third of it."""
    span: TimeSpan = values["z"] if "z" in values else spans.unit_around(values["unit"], now)
    if span.begin is None or span.end is None:
        return None
    third = (span.end - span.begin) / 3
    first = _PARTS[values["part_kind"]]
    return span._replace(begin=span.begin + first * third, end=span.begin + (first + 1) * third)


def half(now: datetime, values: Values) -> TimeSpan | None:
    span: TimeSpan = values["z"]
    if span.begin is None or span.end is None or values["o"] > 2:
        return None
    middle = span.begin + (span.end - span.begin) / 2
    if values["o"] == 1:
        return span._replace(end=middle)
    return span._replace(begin=middle)


def date_range(now: datetime, values: Values) -> TimeSpan | None:
    first: TimeSpan = values["z"]
    last: TimeSpan = values["until"]
    if first.assumes_year and first.begin and last.begin and not last.assumes_year:
        begin = first.begin.replace(year=last.begin.year)
        # Over the end of a year.
        first = first._replace(begin=begin.replace(year=begin.year - (begin > last.begin)))
    if last.assumes_year and first.begin and last.end and first.begin >= last.end:
        # The end is still to come.
        last = last._replace(end=last.end.replace(year=last.end.year + 1))
    if first.begin is None or last.end is None or first.begin >= last.end:
        return None
    return TimeSpan(first.begin, last.end, first.is_relative and last.is_relative)


def since(now: datetime, values: Values) -> TimeSpan | None:
    span: TimeSpan = values["z"]
    if values.get("said") == "ago_before_it":
        return before(now, values)
    return span._replace(end=None) if span.begin is not None else None


def until(now: datetime, values: Values) -> TimeSpan | None:
    span: TimeSpan = values["z"]
    return span._replace(begin=None) if span.end is not None else None


def before(now: datetime, values: Values) -> TimeSpan | None:
    span: TimeSpan = values["z"]
    return span._replace(begin=None, end=span.begin) if span.begin is not None else None


def after(now: datetime, values: Values) -> TimeSpan | None:
    span: TimeSpan = values["z"]
    return span._replace(begin=span.end, end=None) if span.end is not None else None


def same(now: datetime, values: Values) -> Any:
    return values["z"]
