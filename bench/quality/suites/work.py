"""Work of a team in eight languages, decisions and preferences: words of the suites `precise` and `unanswerable`."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from bench.quality.suites.biographies import shares
from bench.quality.suites.collection import Statement
from bench.quality.suites.texts import sentence, texts

# Its cases are drawn as they were when it was the only language, so that its figures can be compared with those of
# before.
FIRST = "english"
Topic = dict[str, Any]


def work(name: str) -> dict[str, Any]:
    """Read from the file of this language."""
    return texts(f"work_{name}")


def drawn_cases(cases: int, seed: int, languages: Sequence[str]) -> Iterator[tuple[str, int, random.Random]]:
    """How many cases each of the languages has, and the dice that they are drawn with."""
    for name, count in shares(cases, languages).items():
        yield name, count, random.Random(seed if name == FIRST else f"{seed}/{name}")


def pairs(name: str) -> list[tuple[Topic, str]]:
    """Topics with whom or what they are about."""
    words = work(name)
    return [(topic, about) for topic in words["topics"] for about in words[topic["about"]]]


def routine(name: str, dice: random.Random, count: int) -> Iterator[Statement]:
    """Lines of a log, no text twice."""
    words = work(name)
    seen: set[str] = set()
    while len(seen) < count:
        first, second = dice.sample(words["people"], 2)
        text = sentence(
            dice.choice(words["routine"]),
            c=dice.choice(words["components"]),
            p=first,
            q=second,
            n=str(dice.randrange(12, 900)),
        )
        if text not in seen:
            seen.add(text)
            yield Statement(f"routine-{len(seen)}", text)
