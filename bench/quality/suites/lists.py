"""Questions for everything of a kind, whose three to six pieces of evidence lie in different sessions."""

import random
from typing import Any

from bench.quality.suites.collection import Collection, Statement, SuiteQuestion, in_sessions, session_lengths
from bench.quality.suites.implicit import TOPICS, routine
from bench.quality.suites.texts import sentence, texts

CASES_A_COLLECTION = 16
CASES = 128
MIN_PIECES, MAX_PIECES = 3, 6
NEAR = 3
ROUTINE_A_CASE = 16
# Routine talk of travel names cities, which a list asks for.
BED = [topic for topics in TOPICS.values() for topic in topics if topic != "travel"]


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """Collections of sixteen questions, so many over all; the same for the same seed."""
    dice = random.Random(seed)
    return [
        _collection(place, min(CASES_A_COLLECTION, cases - first), dice)
        for place, first in enumerate(range(0, cases, CASES_A_COLLECTION))
    ]


def _collection(number: int, cases: int, dice: random.Random) -> Collection:
    told = [_series(series, dice) for series in dice.sample(texts("lists")["series"], cases)]
    others = [each for _, near, _ in told for each in near]
    for topic in BED:
        others += routine(topic, cases * ROUTINE_A_CASE // len(BED), dice)
    dice.shuffle(others)
    pieces = [evidence for evidence, _, _ in told]
    count = len(others) + sum(map(len, pieces))
    sessions: list[list[Statement]] = [[] for _ in session_lengths(count, dice)]
    for evidence in pieces:
        # Each piece in a session of its own, and in their order.
        places = sorted(dice.sample(range(len(sessions)), len(evidence)))
        for place, each in zip(places, evidence, strict=True):
            sessions[place].append(each)
    for each in others:
        min(sessions, key=len).append(each)
    for session in sessions:
        dice.shuffle(session)
    return Collection(f"lists-{number}", in_sessions(sessions), tuple(question for _, _, question in told))


def _series(series: dict[str, Any], dice: random.Random) -> tuple[list[Statement], list[Statement], SuiteQuestion]:
    """Evidence, statements that are near it, and the question."""
    name, count = series["name"], dice.randint(MIN_PIECES, MAX_PIECES)
    values = dice.sample(series["values"], len(series["values"]))
    evidence = [
        Statement(f"{name}-{place}", sentence(says, v=value))
        for place, (says, value) in enumerate(zip(dice.sample(series["says"], count), values, strict=False))
    ]
    near = [
        Statement(f"{name}-near-{place}", sentence(template, v=value))
        for place, (template, value) in enumerate(zip(series["near"], reversed(values), strict=False))
    ]
    asked = dice.choice(series["asks"])
    return evidence, near, SuiteQuestion(asked, f"all.{count}_pieces", frozenset(each.key for each in evidence))
