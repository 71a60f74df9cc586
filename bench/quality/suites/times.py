"""Logs over many months in eight languages, and questions with a time in them, which alone tells right from wrong.

The texts of the logs name no time: it is that at which something happened. A question counts from its `asked_at`,
which is chosen so that calendars agree: `last week` is asked on a Monday, `last month` on the first of one. Statements
near the border of a time that is not exact (`two weeks ago`) are neither right nor wrong.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.quality.suites.biographies import LANGUAGES, Word, language
from bench.quality.suites.collection import Collection, Statement, SuiteQuestion
from bench.quality.suites.texts import sentence, texts

CASES = 300
REPORTERS = 4
REPORTS = 110
BEGAN = datetime(2024, 1, 3, 8, tzinfo=UTC)
DAYS = 500
END = BEGAN + timedelta(days=DAYS)
# No more are right than an answer of ten has room for.
MAX_RIGHT = 8
TRIES = 400
DAY, WEEK = timedelta(days=1), timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time that a question names: when it is asked, the words' places, what is right, and what may be either."""

    asked_at: datetime
    first: datetime
    end: datetime
    margin: timedelta = timedelta()
    n: int = 0
    named: datetime = BEGAN


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """Collections with so many questions over all languages; the same for the same seed."""
    kinds = [(name, kind) for kind in MOMENTS for name in LANGUAGES]
    asked = [kinds[place % len(kinds)] for place in range(cases)]
    return [
        _collection(name, [kind for whose, kind in asked if whose == name], seed)
        for name in LANGUAGES
        if any(whose == name for whose, _ in asked)
    ]


def _collection(name: str, kinds: Sequence[str], seed: int) -> Collection:
    dice = random.Random(f"{seed}/{name}")
    words = texts("times")[name]
    reporters = dice.sample(language(name).persons, REPORTERS)
    logs = {reporter: log_of(words, reporter, place, dice) for place, reporter in enumerate(reporters)}
    questions = [_question(name, words, kind, logs, dice) for kind in kinds]
    statements = sorted((each for log in logs.values() for each in log), key=_moment)
    return Collection(f"time-{name}", tuple(statements), tuple(questions))


def _moment(statement: Statement) -> datetime:
    return statement.occurred_at


def log_of(words: dict[str, Any], reporter: Word, number: int, dice: random.Random) -> list[Statement]:
    """One report a day at most, by day, no two of the same incident at the same place with the same words."""
    days = sorted(dice.sample(range(DAYS), REPORTS))
    every = [
        sentence(template, x=reporter.plain, v=incident, w=place)
        for template in words["says"]
        for incident in words["incidents"]
        for place in words["places"]
    ]
    return [
        Statement(
            f"log-{number}-{place}",
            text,
            occurred_at=BEGAN + timedelta(days=day, minutes=dice.randrange(8 * 60)),
        )
        for place, (day, text) in enumerate(zip(days, dice.sample(every, REPORTS), strict=True))
    ]


def _question(
    name: str,
    words: dict[str, Any],
    kind: str,
    logs: dict[Word, list[Statement]],
    dice: random.Random,
) -> SuiteQuestion:
    reporter, log = dice.choice(list(logs.items()))
    for _ in range(TRIES):
        moment = MOMENTS[kind](dice, log)
        right = [each.key for each in log if moment.first <= each.occurred_at < moment.end]
        if 0 < len(right) <= MAX_RIGHT:
            break
    else:
        raise AssertionError(f"no {kind} holds 1 to {MAX_RIGHT} reports")
    around = (moment.first - moment.margin, moment.end + moment.margin)
    wrong = [each.key for each in log if not around[0] <= each.occurred_at < around[1]]
    asked = dice.choice(words["asks"])
    text = sentence(asked, x=reporter.plain, t=_phrase(words, kind, moment))
    return SuiteQuestion(text, f"{name}.{kind}", frozenset(right), frozenset(wrong), asked_at=moment.asked_at)


def _phrase(words: dict[str, Any], kind: str, moment: Moment) -> str:
    month = moment.named.month - 1
    return str(
        words["times"][kind].format(
            n=words["numbers"].get(moment.n, ""),
            number=moment.n,
            m=words["months"][month],
            dated=words.get("dated", words["months"])[month],
            d=words["weekdays"][moment.named.weekday()],
            day=moment.named.day,
            year=moment.named.year,
        )
    )


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _any_day(dice: random.Random, first: int = 60, last: int = DAYS) -> datetime:
    return _midnight(BEGAN) + timedelta(days=dice.randrange(first, last), hours=18)


def _month_of(moment: datetime) -> tuple[datetime, datetime]:
    first = _midnight(moment).replace(day=1)
    return first, (first + timedelta(days=32)).replace(day=1)


def _days_ago(dice: random.Random, log: Sequence[Statement], days: int, margin: timedelta) -> Moment:
    told = dice.choice(log).occurred_at
    first = _midnight(told)
    asked = first + timedelta(days=days, hours=18)
    return Moment(asked, first, first + DAY, margin)


def _yesterday(dice: random.Random, log: Sequence[Statement]) -> Moment:
    return _days_ago(dice, log, 1, timedelta())


def _some_days_ago(dice: random.Random, log: Sequence[Statement]) -> Moment:
    days = dice.randint(5, 6)
    found = _days_ago(dice, log, days, DAY)
    return Moment(found.asked_at, found.first, found.end, DAY, n=days)


def _weeks_ago(dice: random.Random, log: Sequence[Statement]) -> Moment:
    weeks = dice.randint(3, 4)
    found = _days_ago(dice, log, 7 * weeks, WEEK)
    return Moment(found.asked_at, found.first, found.end, WEEK, n=weeks)


def _monday(dice: random.Random) -> datetime:
    day = _any_day(dice)
    return day - timedelta(days=day.weekday())


def _last_week(dice: random.Random, log: Sequence[Statement]) -> Moment:
    asked = _monday(dice)
    return Moment(asked, _midnight(asked) - WEEK, _midnight(asked), DAY)


def _weekday(dice: random.Random, log: Sequence[Statement]) -> Moment:
    asked = _monday(dice)
    named = _midnight(asked) - timedelta(days=dice.randint(3, 6))
    return Moment(asked, named, named + DAY, named=named)


def _last_month(dice: random.Random, log: Sequence[Statement]) -> Moment:
    asked = _month_of(_any_day(dice, 90))[0] + timedelta(hours=18)
    return Moment(asked, *_month_of(asked - WEEK), margin=2 * DAY)


def _named_month(dice: random.Random, log: Sequence[Statement]) -> Moment:
    """A month of the year in which it is asked, three months before or more."""
    asked = datetime(2024, dice.randint(6, 11), dice.randint(2, 28), 18, tzinfo=UTC)
    first, end = _month_of(asked.replace(day=1, month=dice.randint(2, asked.month - 3)))
    return Moment(asked, first, end, named=first)


def _month_of_year(dice: random.Random, log: Sequence[Statement]) -> Moment:
    first, end = _month_of(_any_day(dice))
    return Moment(END + 30 * DAY, first, end, named=first)


def _before(dice: random.Random, log: Sequence[Statement]) -> Moment:
    day = _midnight(log[dice.randint(2, MAX_RIGHT)].occurred_at)
    return Moment(END + 30 * DAY, BEGAN - DAY, day, DAY, named=day)


def _since(dice: random.Random, log: Sequence[Statement]) -> Moment:
    day = _midnight(log[-dice.randint(2, MAX_RIGHT)].occurred_at)
    return Moment(END + DAY, day, END, DAY, named=day)


MOMENTS: dict[str, Callable[[random.Random, Sequence[Statement]], Moment]] = {
    "yesterday": _yesterday,
    "days_ago": _some_days_ago,
    "weeks_ago": _weeks_ago,
    "last_week": _last_week,
    "last_month": _last_month,
    "weekday": _weekday,
    "month": _named_month,
    "month_of_year": _month_of_year,
    "before": _before,
    "since": _since,
}
