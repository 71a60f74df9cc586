"""The logs of `times.py` in eight languages with an entry for each of a few events, by which questions name a time.

When an event was is told by its entry alone. The first half of the events is in the first days of the logs, the other
half in the last, so that an answer has room for what was before, or after."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from bench.quality.suites.biographies import Word, language
from bench.quality.suites.collection import Collection, Statement, SuiteQuestion
from bench.quality.suites.texts import sentence, texts
from bench.quality.suites.times import BEGAN, END, MAX_RIGHT, REPORTERS, WEEK, log_of

CASES = 200
HALF_HOUR = timedelta(minutes=30)


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """Collections with so many questions over all languages; the same for the same seed."""
    names = [*texts("anchors")]
    return [_collection(name, len(range(place, cases, len(names))), seed) for place, name in enumerate(names[:cases])]


def _collection(name: str, cases: int, seed: int) -> Collection:
    dice = random.Random(f"{seed}/{name}")
    words, named = texts("anchors")[name], texts("times")[name]
    reporters = dice.sample(language(name).persons, REPORTERS)
    logs = {reporter: log_of(named, reporter, place, dice) for place, reporter in enumerate(reporters)}
    moments = _moments(len(words["events"]), [*logs.values()], dice)
    entries = [
        Statement(f"event-{place}", said, occurred_at=moment)
        for place, ((said, _), moment) in enumerate(zip(words["events"], moments, strict=True))
    ]
    every = [
        question
        for place, moment in enumerate(moments)
        for reporter, log in logs.items()
        for question in _questions(name, words, place, moment, reporter, log, dice)
    ]
    statements = sorted(
        (*entries, *(each for log in logs.values() for each in log)),
        key=lambda each: each.occurred_at,
    )
    asked = dice.sample(every, min(cases, len(every)))
    return Collection(f"anchor-{name}", tuple(statements), tuple(asked))


def _moments(count: int, logs: Sequence[Sequence[Statement]], dice: random.Random) -> list[datetime]:
    """Each after a report that is one of the first of its log, or one of the last."""
    log = dice.choice(logs)
    places = dice.sample(range(2, MAX_RIGHT), count // 2)
    return [log[place if number % 2 else -1 - place].occurred_at + HALF_HOUR for place in places for number in (0, 1)]


def _questions(
    name: str,
    words: dict[str, Any],
    place: int,
    moment: datetime,
    reporter: Word,
    log: Sequence[Statement],
    dice: random.Random,
) -> list[SuiteQuestion]:
    """Questions whose right statements all fit into an answer."""
    kinds = {"before": (BEGAN, moment), "after": (moment, END), "week": (moment, moment + WEEK)}
    found = []
    for kind, (first, end) in kinds.items():
        right = [each.key for each in log if first <= each.occurred_at < end]
        if kind not in words["times"] or not 0 < len(right) <= MAX_RIGHT:
            continue
        when = words["times"][kind].format(e=words["events"][place][1])
        text = sentence(dice.choice(words["asks"]), x=reporter.plain, t=when)
        wrong = frozenset(each.key for each in log).difference(right)
        found.append(SuiteQuestion(text, f"{name}.{kind}", frozenset(right), wrong, asked_at=END + WEEK))
    return found
