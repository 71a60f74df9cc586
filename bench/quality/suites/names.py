"""Questions that name two of a team's people or components, each with statements of its own, among those of a third
and the routine of the suite `precise`; in English. People have names, components only common words."""

import random
from collections.abc import Iterator

from bench.quality.suites.collection import Collection, Statement, SuiteQuestion, an_hour_apart
from bench.quality.suites.precise import CASES_A_COLLECTION, KINDS, ROUTINE_LINES
from bench.quality.suites.texts import sentence, texts
from bench.quality.suites.work import FIRST, Topic, routine, work

CASES = 300
ASKED, MORE = 2, 1


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """Collections of ten questions; the same for the same seed."""
    dice = random.Random(f"{seed}/names")
    return [
        _collection(place, min(CASES_A_COLLECTION, cases - first), dice)
        for place, first in enumerate(range(0, cases, CASES_A_COLLECTION))
    ]


def _collection(number: int, cases: int, dice: random.Random) -> Collection:
    statements: list[Statement] = []
    questions = []
    for place, topic in enumerate(dice.sample(work(FIRST)["topics"], cases)):
        about = dice.sample(work(FIRST)[topic["about"]], ASKED + MORE)
        stated = [[*_statements_about(topic, subject, f"case-{place}-{n}", dice)] for n, subject in enumerate(about)]
        statements += [each for some in stated for each in some]
        asked = sentence(dice.choice(texts("names")["asks"][topic["name"]]), x=about[0], y=about[1])
        right = frozenset(each.key for some in stated[:ASKED] for each in some)
        questions.append(SuiteQuestion(asked, topic["about"], right))
    statements += routine(FIRST, dice, ROUTINE_LINES)
    dice.shuffle(statements)
    return Collection(f"names-{number}", tuple(an_hour_apart(statements)), tuple(questions))


def _statements_about(topic: Topic, about: str, key: str, dice: random.Random) -> Iterator[Statement]:
    """One or two statements of the same about this subject."""
    value = dice.choice(topic["values"])
    says = [dice.choice(topic["says"]), *dice.sample(topic["more"], dice.randint(0, 1))]
    for number, template in enumerate(says):
        yield Statement(f"{key}-{number}", sentence(template, x=about, v=value), kind=KINDS[topic["kind"]])
