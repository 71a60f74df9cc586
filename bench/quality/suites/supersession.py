"""Facts of persons that are replaced once to three times, in eight languages.

Each is asked for as it is now, and, with `as_of`, as it was before one of its changes. A replaced fact must not be
returned as if it still held, nor a successor for a time at which nobody knew it.
"""

import random
from datetime import timedelta

from bench.quality.suites.biographies import Fact, Language, Word, drawn, fill, language, shares
from bench.quality.suites.collection import EPOCH, Collection, Statement, SuiteQuestion

CASES = 500
MAX_CHANGES = 3
CURRENT, AS_OF = "current", "as_of"
# Time between two statements of one chain.
PAUSE = timedelta(days=100)
FIRST = EPOCH - (MAX_CHANGES + 1) * PAUSE


def collections(cases: int = CASES, seed: int = 1) -> list[Collection]:
    """Collections with so many chains over all languages; the same for the same seed."""
    return [
        _collection(language(name), count, random.Random(f"{seed}/{name}")) for name, count in shares(cases).items()
    ]


def _collection(words: Language, cases: int, dice: random.Random) -> Collection:
    pairs = [(person, fact) for person in words.persons for fact in words.facts]
    statements: list[Statement] = []
    questions: list[SuiteQuestion] = []
    for place, (person, fact) in enumerate(dice.sample(pairs, cases)):
        chain = _chain(f"chain-{place}", person, fact, dice)
        statements += chain
        questions += _questions(words.name, person, fact, chain, dice)
    return Collection(f"supersession-{words.name}", tuple(statements), tuple(questions))


def _chain(key: str, person: Word, fact: Fact, dice: random.Random) -> list[Statement]:
    values = drawn(dice, fact, 1 + dice.randint(1, MAX_CHANGES))
    began = FIRST + timedelta(minutes=dice.randrange(24 * 60))
    return [
        Statement(
            f"{key}-{place}",
            fill(dice.choice(fact.changes if place else fact.says), person, value),
            occurred_at=began + place * PAUSE,
            valid_from=began + place * PAUSE,
            supersedes=(f"{key}-{place - 1}",) if place else (),
        )
        for place, value in enumerate(values)
    ]


def _questions(name: str, person: Word, fact: Fact, chain: list[Statement], dice: random.Random) -> list[SuiteQuestion]:
    keys = [each.key for each in chain]
    then = dice.randrange(len(chain) - 1)
    *replaced, current = keys
    return [
        SuiteQuestion(
            fill(dice.choice(fact.asks), person, fact.values[0]),
            f"{name}.{CURRENT}",
            right=frozenset((current,)),
            wrong=frozenset(replaced),
        ),
        SuiteQuestion(
            fill(dice.choice(fact.asks), person, fact.values[0]),
            f"{name}.{AS_OF}",
            right=frozenset((keys[then],)),
            wrong=frozenset(keys) - {keys[then]},
            as_of=chain[then].occurred_at + PAUSE / 2,
        ),
    ]
