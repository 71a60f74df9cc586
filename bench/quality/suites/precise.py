"""Decisions, preferences and states among the routine of a team: few statements answer a question, and some did once.

A collection is one team's. Beside what is right it holds the same statement as it was before it changed (superseded), until it
was settled (resolved), or until it ended (expired), and another agent holds one about the same subject.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bench.quality.suites.collection import (
    EPOCH,
    Collection,
    Statement,
    SuiteQuestion,
    an_hour_apart,
)
from bench.quality.suites.texts import sentence, texts

CASES = 300
CASES_A_COLLECTION = 10
ROUTINE_LINES = 60
MAX_MORE = 2
KINDS = {"decision": "DECISION", "preference": "PREFERENCE", "state": "FACT"}
FATES = ("superseded", "resolved", "expired", "elsewhere")
MIN_FATES, MAX_FATES = 1, 3
BEFORE = EPOCH - timedelta(days=60)
ENDED = EPOCH - timedelta(days=10)


@dataclass(frozen=True, slots=True)
class Case:
    """One subject: the statements about it, those of another agent, and the question."""

    statements: tuple[Statement, ...]
    elsewhere: tuple[Statement, ...]
    question: SuiteQuestion


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """So many cases, ten in a collection; the same for the same seed."""
    dice = random.Random(seed)
    return [
        _collection(f"precise-{place}", min(CASES_A_COLLECTION, cases - first), dice)
        for place, first in enumerate(range(0, cases, CASES_A_COLLECTION))
    ]


def subjects(dice: random.Random, count: int) -> list[tuple[dict[str, Any], str]]:
    """Topics with whom or what they are about, no pair twice."""
    work = texts("work")
    pairs = [(topic, about) for topic in work["topics"] for about in work[topic["about"]]]
    return dice.sample(pairs, count)


def routine(dice: random.Random, count: int) -> Iterator[Statement]:
    """Lines of a log, no text twice."""
    work = texts("work")
    seen: set[str] = set()
    while len(seen) < count:
        first, second = dice.sample(work["people"], 2)
        text = sentence(
            dice.choice(work["routine"]),
            c=dice.choice(work["components"]),
            p=first,
            q=second,
            n=str(dice.randrange(12, 900)),
        )
        if text not in seen:
            seen.add(text)
            yield Statement(f"routine-{len(seen)}", text)


def _collection(name: str, cases: int, dice: random.Random) -> Collection:
    made = [
        _case(f"case-{place}", topic, about, dice)
        for place, (topic, about) in enumerate(subjects(dice, cases))
    ]
    statements = [each for case in made for each in case.statements]
    statements += routine(dice, ROUTINE_LINES)
    dice.shuffle(statements)
    elsewhere = [each for case in made for each in case.elsewhere]
    questions = tuple(case.question for case in made)
    return Collection(name, tuple(an_hour_apart(statements)), questions, tuple(elsewhere))


def _case(key: str, topic: dict[str, Any], about: str, dice: random.Random) -> Case:
    fates = dice.sample(FATES, dice.randint(MIN_FATES, MAX_FATES))
    value, *others = dice.sample(topic["values"], 1 + len(fates))
    kind = KINDS[topic["kind"]]

    def state(template: str, said: str, which: str, **fields: Any) -> Statement:
        text = sentence(template, x=about, v=said)
        return Statement(f"{key}-{which}", text, kind=kind, **fields)

    outdated = {
        fate: state(dice.choice(topic["was"]), said, fate, **_ended(fate))
        for fate, said in zip(fates, others, strict=True)
    }
    replaced = tuple(each.key for fate, each in outdated.items() if fate == "superseded")
    right = [state(dice.choice(topic["says"]), value, "current", supersedes=replaced)]
    more = dice.sample(topic["more"], dice.randint(0, MAX_MORE))
    right += [state(template, value, f"more-{n}") for n, template in enumerate(more)]
    elsewhere = tuple(each for fate, each in outdated.items() if fate == "elsewhere")
    own = [each for fate, each in outdated.items() if fate != "elsewhere"]
    question = SuiteQuestion(
        sentence(dice.choice(topic["asks"]), x=about),
        topic["kind"],
        right=frozenset(each.key for each in right),
        wrong=frozenset(each.key for each in outdated.values()),
    )
    return Case((*own, *right), elsewhere, question)


def _ended(fate: str) -> dict[str, Any]:
    if fate == "elsewhere":
        return {"occurred_at": BEFORE}
    ends = {"resolved": "valid_until", "expired": "expires_at"}
    return {"occurred_at": BEFORE, **({ends[fate]: ENDED} if fate in ends else {})}
