"""Decisions, preferences and states among the routine of a team: few statements answer a question, and some did once.

A collection is one team's, in one of eight languages. Beside what is right it holds the same statement as it was before
it changed (superseded), until it was settled (resolved), or until it ended (expired), and another agent holds one about
the same subject."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bench.quality.suites.biographies import LANGUAGES
from bench.quality.suites.collection import (
    EPOCH,
    Collection,
    Statement,
    SuiteQuestion,
    an_hour_apart,
)
from bench.quality.suites.texts import sentence
from bench.quality.suites.work import Topic, drawn_cases, pairs, routine

CASES_A_COLLECTION = 10
CASES_A_LANGUAGE = 300
CASES = len(LANGUAGES) * CASES_A_LANGUAGE
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


def collections(cases: int = CASES, seed: int = 1, languages: Sequence[str] = LANGUAGES) -> list[Collection]:
    """Collections of ten cases, so many over all languages; the same for the same seed."""
    return [
        _collection(name, place, min(CASES_A_COLLECTION, count - first), dice)
        for name, count, dice in drawn_cases(cases, seed, languages)
        for place, first in enumerate(range(0, count, CASES_A_COLLECTION))
    ]


def _collection(name: str, number: int, cases: int, dice: random.Random) -> Collection:
    made = [
        _case(name, f"case-{place}", topic, about, dice)
        for place, (topic, about) in enumerate(dice.sample(pairs(name), cases))
    ]
    statements = [each for case in made for each in case.statements]
    statements += routine(name, dice, ROUTINE_LINES)
    dice.shuffle(statements)
    elsewhere = [each for case in made for each in case.elsewhere]
    questions = tuple(case.question for case in made)
    return Collection(f"precise-{name}-{number}", tuple(an_hour_apart(statements)), questions, tuple(elsewhere))


def _case(name: str, key: str, topic: Topic, about: str, dice: random.Random) -> Case:
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
        f"{name}.{topic['kind']}",
        right=frozenset(each.key for each in right),
        wrong=frozenset(each.key for each in outdated.values()),
    )
    return Case((*own, *right), elsewhere, question)


def _ended(fate: str) -> dict[str, Any]:
    if fate == "elsewhere":
        return {"occurred_at": BEFORE}
    ends = {"resolved": "valid_until", "expired": "expires_at"}
    return {"occurred_at": BEFORE, **({ends[fate]: ENDED} if fate in ends else {})}
