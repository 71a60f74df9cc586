"""Questions without an answer beside answerable ones about the same team.

`near`: the subject is known, the answer is not: others were asked the same, and other things are known of it. `stranger`: of somebody
nobody has mentioned. `foreign`: of something that these logs have nothing of.
"""

import random
from collections.abc import Iterator

from bench.quality.suites.collection import Collection, Statement, SuiteQuestion, an_hour_apart
from bench.quality.suites.precise import routine
from bench.quality.suites.texts import sentence, texts

CASES = 320
CASES_A_COLLECTION = 32
ROUTINE_LINES = 80
# Of the subjects that are stated, each has an answerable question; of what is not stated come those that are near.
STATED = 45
KINDS = ("answerable", "near", "stranger", "foreign")
ANSWERABLE, NEAR, STRANGER, FOREIGN = KINDS
# Of the questions of a collection, a half has an answer.
SHARES = {ANSWERABLE: 1 / 2, NEAR: 1 / 4, STRANGER: 1 / 8, FOREIGN: 1 / 8}


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """So many questions, 32 of a collection; the same for the same seed."""
    dice = random.Random(seed)
    return [
        _collection(f"unanswerable-{place}", min(CASES_A_COLLECTION, cases - first), dice)
        for place, first in enumerate(range(0, cases, CASES_A_COLLECTION))
    ]


def _collection(name: str, cases: int, dice: random.Random) -> Collection:
    work = texts("work")
    pairs = [(topic, about) for topic in work["topics"] for about in work[topic["about"]]]
    dice.shuffle(pairs)
    stated, unstated = pairs[:STATED], pairs[STATED:]
    statements = [
        Statement(
            f"stated-{place}",
            sentence(dice.choice(topic["says"]), x=about, v=dice.choice(topic["values"])),
        )
        for place, (topic, about) in enumerate(stated)
    ]
    counts = {kind: round(share * cases) for kind, share in SHARES.items()}
    questions = [
        SuiteQuestion(
            sentence(dice.choice(topic["asks"]), x=about),
            ANSWERABLE,
            frozenset((f"stated-{place}",)),
        )
        for place, (topic, about) in enumerate(stated[: counts[ANSWERABLE]])
    ]
    questions += [
        SuiteQuestion(sentence(dice.choice(topic["asks"]), x=about), NEAR)
        for topic, about in unstated[: counts[NEAR]]
    ]
    questions += _of_strangers(dice, counts[STRANGER])
    foreign = dice.sample(work["foreign"], counts[FOREIGN])
    questions += [SuiteQuestion(text, FOREIGN) for text in foreign]
    statements += routine(dice, ROUTINE_LINES)
    dice.shuffle(statements)
    return Collection(name, tuple(an_hour_apart(statements)), tuple(questions))


def _of_strangers(dice: random.Random, count: int) -> Iterator[SuiteQuestion]:
    work = texts("work")
    topics = [topic for topic in work["topics"] if topic["about"] == "people"]
    for stranger in dice.sample(work["strangers"], count):
        asked = dice.choice(dice.choice(topics)["asks"])
        yield SuiteQuestion(sentence(asked, x=stranger), STRANGER)
