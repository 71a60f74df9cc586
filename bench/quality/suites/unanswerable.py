"""Questions without an answer beside answerable ones about the same team, in eight languages.

`near`: the subject is known, the answer is not: others were asked the same, and other things are known of it.
`stranger`: of somebody nobody has mentioned. `foreign`: of something that these logs have nothing of."""

import random
from collections.abc import Iterator

from bench.quality.suites.biographies import LANGUAGES
from bench.quality.suites.collection import Collection, Statement, SuiteQuestion, an_hour_apart
from bench.quality.suites.texts import sentence
from bench.quality.suites.work import drawn_cases, pairs, routine, work

CASES_A_COLLECTION = 32
CASES_A_LANGUAGE = 320
CASES = len(LANGUAGES) * CASES_A_LANGUAGE
ROUTINE_LINES = 80
# Subjects that are stated: each has an answerable question. The `near` questions ask about the other subjects.
STATED = 45
KINDS = ("answerable", "near", "stranger", "foreign")
ANSWERABLE, NEAR, STRANGER, FOREIGN = KINDS
# Shares in the questions of a collection: half of them have an answer.
SHARES = {ANSWERABLE: 1 / 2, NEAR: 1 / 4, STRANGER: 1 / 8, FOREIGN: 1 / 8}


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """Collections of 32 questions, so many over all languages; the same for the same seed."""
    return [
        _collection(name, place, min(CASES_A_COLLECTION, count - first), dice)
        for name, count, dice in drawn_cases(cases, seed, LANGUAGES)
        for place, first in enumerate(range(0, count, CASES_A_COLLECTION))
    ]


def _collection(name: str, number: int, cases: int, dice: random.Random) -> Collection:
    subjects = pairs(name)
    dice.shuffle(subjects)
    stated, unstated = subjects[:STATED], subjects[STATED:]
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
            f"{name}.{ANSWERABLE}",
            frozenset((f"stated-{place}",)),
        )
        for place, (topic, about) in enumerate(stated[: counts[ANSWERABLE]])
    ]
    questions += [
        SuiteQuestion(sentence(dice.choice(topic["asks"]), x=about), f"{name}.{NEAR}")
        for topic, about in unstated[: counts[NEAR]]
    ]
    questions += _of_strangers(name, dice, counts[STRANGER])
    foreign = dice.sample(work(name)["foreign"], counts[FOREIGN])
    questions += [SuiteQuestion(text, f"{name}.{FOREIGN}") for text in foreign]
    statements += routine(name, dice, ROUTINE_LINES)
    dice.shuffle(statements)
    return Collection(f"unanswerable-{name}-{number}", tuple(an_hour_apart(statements)), tuple(questions))


def _of_strangers(name: str, dice: random.Random, count: int) -> Iterator[SuiteQuestion]:
    words = work(name)
    topics = [topic for topic in words["topics"] if topic["about"] == "people"]
    for stranger in dice.sample(words["strangers"], count):
        asked = dice.choice(dice.choice(topics)["asks"])
        yield SuiteQuestion(sentence(asked, x=stranger), f"{name}.{STRANGER}")
